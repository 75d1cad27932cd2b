import type { TaxSettings } from '@tollgate/contract/billing-types'
import { expect, test } from 'vitest'
import { addRegistration, taxDraft, taxValues } from './tax-draft.ts'

const settings = (rest: Partial<TaxSettings> = {}): TaxSettings => ({
  provider: 'table',
  registrations: null,
  effectiveRegistrations: [{ country: 'DE' }],
  legalName: null,
  address: null,
  taxId: null,
  documentNote: null,
  taxBehavior: 'exclusive',
  ...rest,
})

test('whoever has said nothing says nothing by saving', () => {
  const nothing = {
    registrations: null,
    legalName: null,
    address: null,
    taxId: null,
    documentNote: null,
    taxBehavior: 'exclusive',
  }
  expect(taxValues(taxDraft(settings()))).toEqual(nothing)
})

test('what is stored is what is sent again', () => {
  const registrations = [{ country: 'US', state: 'US-NY', percent: '8.875' }, { country: 'DE' }]
  const address = { line1: 'Torstraße 1', line2: null, postalCode: '10119', city: 'Berlin', state: null, country: 'DE' }
  const stored = settings({
    registrations,
    effectiveRegistrations: registrations,
    address,
    taxId: 'DE136695976',
    documentNote: 'HRB 1\nBerlin',
  })

  expect(taxValues(taxDraft(stored))).toEqual({
    registrations,
    legalName: null,
    address: { ...address, line2: '', state: '' },
    taxId: 'DE136695976',
    documentNote: 'HRB 1\nBerlin',
    taxBehavior: 'exclusive',
  })
})

test('a percentage may be typed with a comma, blanks are nothing, and a place without a country is not forgotten', () => {
  const draft = { ...taxDraft(settings()), isOwn: true, legalName: '  ' }
  const [germany, empty] = addRegistration(draft.registrations)

  const values = taxValues({ ...draft, registrations: [{ ...germany!, percent: ' 7,5 ' }, empty!] })

  expect(values).toMatchObject({
    registrations: [{ country: 'DE', percent: '7.5' }, { country: '' }],
    legalName: null,
  })
  expect(empty?.id).not.toBe(germany?.id)
})

test('an address without its country is sent, so that the server can say what is missing', () => {
  const draft = taxDraft(settings())

  expect(taxValues({ ...draft, address: { ...draft.address, city: 'Berlin' } }).address).toMatchObject({
    city: 'Berlin',
    country: '',
  })
})
