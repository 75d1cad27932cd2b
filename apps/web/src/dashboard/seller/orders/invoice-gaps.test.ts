import { expect, test } from 'vitest'
import { documentsWords } from './documents.texts.ts'
import { gapsOf } from './invoice-gaps.ts'

const address = { country: 'DE', line1: null, line2: null, city: null, postalCode: null, state: null }
const said = { provider: 'table' as const, effectiveRegistrations: [], legalName: null, address: null, taxId: null }
const inGermany = [{ country: 'DE' }]

test.each([
  [{}, ['legalName', 'address']],
  [{ legalName: 'Northwind GmbH' }, ['address']],
  [{ effectiveRegistrations: inGermany }, ['legalName', 'address', 'taxId']],
  [{ provider: 'stripe' as const, address }, ['legalName', 'taxId']],
  [{ provider: 'none' as const, effectiveRegistrations: inGermany, address }, []],
  [{ effectiveRegistrations: inGermany, address, taxId: 'DE136695976' }, []],
  [{ address }, []],
])('of a seller who has said %j, invoices lack %j', (given, gaps) => {
  expect(gapsOf({ ...said, ...given })).toEqual(gaps)
})

test('what is missing is said in a sentence', () => {
  expect(documentsWords.gaps.text(['legalName', 'address', 'taxId'])).toBe(
    'Invoices are issued without your legal name, address, and tax ID. Issued invoices never change.',
  )
})
