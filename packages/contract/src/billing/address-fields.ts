import type { Checkout } from './types.ts'

/** The address lines that a checkout asks its buyer for. */
export type AddressFields = Checkout['customerBillingAddressFields']

const countriesWithStates = ['US', 'CA']

/** The address lines that a checkout requires (billing contract, CHK-5). The page knows them before its form is sent. */
export function addressFieldsOf(asked: {
  readonly country: string | null
  readonly requireBillingAddress: boolean
  readonly isBusinessCustomer: boolean
}): AddressFields {
  const { country } = asked
  const lines = asked.requireBillingAddress || asked.isBusinessCustomer || country === 'US'
  const state = country !== null && countriesWithStates.includes(country)
  return { country: true, state, line1: lines, line2: false, city: lines, postalCode: lines }
}
