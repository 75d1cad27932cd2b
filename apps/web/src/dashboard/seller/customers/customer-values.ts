import type { BillingBody } from '@tollgate/contract/billing-types'
import { FieldError } from '../../parts/field-errors.ts'
import { textOf } from '../../parts/form.ts'
import { customersWords as words } from './customers.texts.ts'

export type CustomerValues = Pick<
  BillingBody<'createCustomer'>,
  'name' | 'externalId' | 'billingName' | 'billingAddress' | 'taxId' | 'userId' | 'buyerOrganizationId'
> & { email: string }

/**
 * What a form says about a customer; its fields are called as the wire calls them. What is empty is null, and so taken away.
 * Throws FieldError for what the server could not tell apart from nothing.
 */
export function customerValues(form: FormData): CustomerValues {
  const email = textOf(form, 'email')
  if (email === '') throw new FieldError('email', words.form.emailMissing)
  return {
    email,
    name: textOf(form, 'name') || null,
    externalId: textOf(form, 'external_id') || null,
    billingName: textOf(form, 'billing_name') || null,
    billingAddress: addressIn(form),
    taxId: taxIdIn(form),
    ...linkIn(form),
  }
}

const lines = { line1: 'line1', line2: 'line2', postalCode: 'postal_code', city: 'city', state: 'state' } as const

/** The billing address of a form; null where all of it is empty. Throws FieldError for one without a country. */
export function addressIn(form: FormData): CustomerValues['billingAddress'] {
  const country = textOf(form, 'billing_address.country')
  const given = Object.entries(lines).map(([name, field]) => [name, textOf(form, `billing_address.${field}`) || null])
  if (country !== '') return { ...Object.fromEntries(given), country }
  if (given.every(([, value]) => value === null)) return null
  throw new FieldError('billing_address.country', words.form.countryMissing)
}

function taxIdIn(form: FormData): CustomerValues['taxId'] {
  const number = textOf(form, 'tax_id')
  if (number === '') return null
  const format = textOf(form, 'tax_id_format')
  if (format === '') throw new FieldError('tax_id_format', words.form.taxIdFormatMissing)
  return [number, format]
}

/** The customer's owner on this server: none, an account, or a buying organization. */
function linkIn(form: FormData): Pick<CustomerValues, 'userId' | 'buyerOrganizationId'> {
  const kind = textOf(form, 'link')
  const id = textOf(form, 'link_id')
  if (kind !== '' && id === '') throw new FieldError('link_id', words.form.linkMissing)
  return { userId: kind === 'user' ? id : null, buyerOrganizationId: kind === 'organization' ? id : null }
}
