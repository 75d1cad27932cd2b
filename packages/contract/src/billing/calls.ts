/** Entry `billing`: the billing API as plain data. Nothing here may import zod. */
import { accessTokenCalls } from './access-token.calls.ts'
import { checkoutCalls } from './checkout.calls.ts'
import { customFieldCalls } from './custom-field.calls.ts'
import { customerCalls } from './customer.calls.ts'
import { discountCalls } from './discount.calls.ts'
import { documentCalls } from './document.calls.ts'
import { fileCalls } from './file.calls.ts'
import { merchantCalls } from './merchant.calls.ts'
import { meterCalls } from './meter.calls.ts'
import { orderCalls } from './order.calls.ts'
import { processorCalls } from './processor.calls.ts'
import { productCalls } from './product.calls.ts'
import { refundCalls } from './refund.calls.ts'
import { sandboxCalls } from './sandbox.calls.ts'
import { storefrontCalls } from './storefront.calls.ts'
import { taxCalls } from './tax.calls.ts'
import { timelineCalls } from './timeline.calls.ts'
import { webhookCalls } from './webhook.calls.ts'

export type { BillingCall } from './call.ts'
export { cardBrandName } from './card-brands.ts'
export { type AgreedCharges, type ComingCharges, comingCharges } from './coming-charges.ts'
export { countryCodes, stateNames, type TaxIdFormat, taxIdFormats } from './countries.ts'
export {
  currencyCodes,
  isSoldByStripe,
  limitsAtStripe,
  type PaymentLimits,
  placesOf,
  stripeUnits,
} from './currencies.ts'
export { disputeReasonText } from './dispute-reasons.ts'
export { isPastDue, waitsForAnswer } from './dispute-states.ts'
export { policyOrigin } from './policy-origin.ts'
export { holdsScope, isScope, permissionOf, type Scope, scopes } from './scopes.ts'
export { type WebhookFormat, webhookFormats } from './webhook-formats.ts'
export { camelKey, fromWire, mapKeys, snakeKey, toWire } from './wire.ts'
export {
  accessTokenCalls,
  checkoutCalls,
  customerCalls,
  customFieldCalls,
  discountCalls,
  documentCalls,
  fileCalls,
  merchantCalls,
  meterCalls,
  orderCalls,
  processorCalls,
  productCalls,
  refundCalls,
  sandboxCalls,
  storefrontCalls,
  taxCalls,
  timelineCalls,
  webhookCalls,
}

/** The base path of the billing API. */
export const billingPath = '/v1'

/** Every call of the billing API by name, which is also the client's method and the service's function. */
export const billingCalls = {
  ...merchantCalls,
  ...accessTokenCalls,
  ...productCalls,
  ...customFieldCalls,
  ...meterCalls,
  ...fileCalls,
  ...customerCalls,
  ...discountCalls,
  ...checkoutCalls,
  ...orderCalls,
  ...refundCalls,
  ...documentCalls,
  ...taxCalls,
  ...webhookCalls,
  ...timelineCalls,
  ...processorCalls,
  ...sandboxCalls,
  ...storefrontCalls,
} as const

export type BillingCallName = keyof typeof billingCalls
