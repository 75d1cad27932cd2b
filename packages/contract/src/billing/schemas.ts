/** Entry `billing-schemas`: zod schemas of every billing call, for the server, the API description and tests. */
import { accessTokenSchemas } from './access-token.schemas.ts'
import { checkoutSchemas } from './checkout.schemas.ts'
import { customFieldSchemas } from './custom-field.schemas.ts'
import { customerSchemas } from './customer.schemas.ts'
import { discountSchemas } from './discount.schemas.ts'
import { documentSchemas } from './document.schemas.ts'
import { fileSchemas } from './file.schemas.ts'
import { merchantSchemas } from './merchant.schemas.ts'
import { meterSchemas } from './meter.schemas.ts'
import { orderSchemas } from './order.schemas.ts'
import { processorSchemas } from './processor.schemas.ts'
import { productSchemas } from './product.schemas.ts'
import { refundSchemas } from './refund.schemas.ts'
import { sandboxSchemas } from './sandbox.schemas.ts'
import { storefrontSchemas } from './storefront.schemas.ts'
import { taxSchemas } from './tax.schemas.ts'
import { timelineSchemas } from './timeline.schemas.ts'
import { webhookSchemas } from './webhook.schemas.ts'

export type { Endpoint } from '../endpoint.ts'
export { checkoutStatuses } from './checkout.schemas.ts'
export { customFieldTypes } from './custom-field.schemas.ts'
export { discountTypes } from './discount.schemas.ts'
export { documentKinds } from './document.schemas.ts'
export { recurringIntervals } from './fields.ts'
export type { MeterFilter } from './meter.schemas.ts'
export {
  billingReasons,
  cancellationReasons,
  orderStatuses,
  paymentStatuses,
  subscriptionStatuses,
} from './order.schemas.ts'
export { processorNames } from './processor.schemas.ts'
export { disputeStatuses, refundReasons, refundStatuses } from './refund.schemas.ts'
export { taxProviders, taxRegistration } from './tax.schemas.ts'
export { disabledReasons } from './webhook.schemas.ts'

/** Every call's shapes, by its name in `billing`. */
export const billingSchemas = {
  ...merchantSchemas,
  ...accessTokenSchemas,
  ...productSchemas,
  ...customFieldSchemas,
  ...meterSchemas,
  ...fileSchemas,
  ...customerSchemas,
  ...discountSchemas,
  ...checkoutSchemas,
  ...orderSchemas,
  ...refundSchemas,
  ...documentSchemas,
  ...taxSchemas,
  ...webhookSchemas,
  ...timelineSchemas,
  ...processorSchemas,
  ...sandboxSchemas,
  ...storefrontSchemas,
} as const
