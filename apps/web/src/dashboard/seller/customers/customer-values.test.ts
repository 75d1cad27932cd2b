import { expect, test } from 'vitest'
import { FieldError } from '../../parts/field-errors.ts'
import { customerValues } from './customer-values.ts'

const formOf = (fields: Readonly<Record<string, string>>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ email: 'ada@example.com', ...fields })) form.set(name, value)
  return form
}

test('what is left empty is taken away', () => {
  expect(customerValues(formOf({ name: ' ', 'billing_address.city': '' }))).toEqual({
    email: 'ada@example.com',
    name: null,
    externalId: null,
    billingName: null,
    billingAddress: null,
    taxId: null,
    userId: null,
    buyerOrganizationId: null,
  })
})

test('an address goes with its country, a tax ID with its kind, and a link with what it leads to', () => {
  const form = formOf({
    name: ' Ada ',
    external_id: 'a/1',
    'billing_address.country': 'DE',
    'billing_address.postal_code': '10115',
    tax_id: 'DE136695976',
    tax_id_format: 'eu_vat',
    link: 'organization',
    link_id: 'org',
  })

  expect(customerValues(form)).toEqual({
    email: 'ada@example.com',
    name: 'Ada',
    externalId: 'a/1',
    billingName: null,
    billingAddress: { country: 'DE', line1: null, line2: null, postalCode: '10115', city: null, state: null },
    taxId: ['DE136695976', 'eu_vat'],
    userId: null,
    buyerOrganizationId: 'org',
  })
  expect(customerValues(formOf({ link: 'user', link_id: 'ada' }))).toMatchObject({
    userId: 'ada',
    buyerOrganizationId: null,
  })
})

test.each([
  ['email', { email: '' }],
  ['billing_address.country', { 'billing_address.line1': 'Torstraße 1' }],
  ['tax_id_format', { tax_id: 'DE136695976' }],
  ['link_id', { link: 'user' }],
])('what is not whole is refused at %s', (field, given) => {
  const read = () => customerValues(formOf(given))

  expect(read).toThrow(FieldError)
  expect(read).toThrow(expect.objectContaining({ field }))
})
