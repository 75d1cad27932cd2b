/** Entry `billing`: the billing API as plain data. Nothing here may import zod. */
import { billingCalls } from './calls.generated.ts'

export { type AddressFields, addressFieldsOf } from './address-fields.ts'
export { buyerCalls } from './buyer-calls.ts'
export type { BillingCall } from './call.ts'
export { cardBrandName } from './card-brands.ts'
export { type AgreedCharges, type ComingCharges, comingCharges } from './coming-charges.ts'
export { countryCodes, stateNames, type TaxIdFormat, taxIdFormats } from './countries.ts'
export { currencyOfCountry } from './country-currencies.ts'
export {
  currencyCodes,
  isSoldByStripe,
  limitsAtStripe,
  type PaymentLimits,
  placesOf,
  stripeUnits,
} from './currencies.ts'
export { isPastDue, waitsForAnswer } from './dispute-states.ts'
export { orderName } from './order-name.ts'
export { policyOrigin } from './policy-origin.ts'
export { holdsScope, isScope, permissionOf, type Scope, scopes } from './scopes.ts'
export { type WebhookFormat, webhookFormats } from './webhook-formats.ts'
export { camelKey, fromWire, mapKeys, snakeKey, toWire } from './wire.ts'
export { billingCalls }

/** The base path of the billing API. */
export const billingPath = '/v1'

/** A call's name is also the client's method and the server's handler. */
export type BillingCallName = keyof typeof billingCalls
