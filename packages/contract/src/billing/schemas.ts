/**
 * Entry `billing-schemas`: zod schemas of every billing call, for the server, the API description and tests; those of a
 * resource by itself for the editor pages of the dashboard, which then load no others.
 */

export type { Endpoint } from '../endpoint.ts'
export { inputIssues } from '../input-issues.ts'
export { checkoutSchemas, checkoutStatuses } from './checkout.schemas.ts'
export { customFieldSchemas, customFieldTypes } from './custom-field.schemas.ts'
export { discountSchemas, discountTypes } from './discount.schemas.ts'
export { documentKinds } from './document.schemas.ts'
export { amountLimit, recurringIntervals, taxBehaviors } from './fields.ts'
export { gracePeriods, merchantSchemas } from './merchant.schemas.ts'
export type { MeterFilter } from './meter.schemas.ts'
export {
  billingReasons,
  cancellationReasons,
  collectionMethods,
  orderStatuses,
  paymentStatuses,
  subscriptionStatuses,
} from './order.schemas.ts'
export { attentionKinds, paidByNames, processorNames } from './processor.schemas.ts'
export { disputeStatuses, refundReasons, refundStatuses } from './refund.schemas.ts'
export { missedPeriodChoices } from './renewal.schemas.ts'
export { billingSchemas } from './schemas.generated.ts'
export { periodCredits } from './subscription.schemas.ts'
export { taxProviders, taxRegistration, taxSchemas } from './tax.schemas.ts'
export { trialIntervals } from './trial.schemas.ts'
export { disabledReasons, webhookSchemas } from './webhook.schemas.ts'
