import { type BillingCall, type BillingCallName, billingCalls, billingPath } from '@tollgate/contract/billing'
import { billingSchemas } from '@tollgate/contract/billing-schemas'
import type { BillingBody, BillingParams, BillingQuery } from '@tollgate/contract/billing-types'
import { isBillingServed } from '../foundation/config/config.ts'
import type { TollgateError } from '../foundation/error.ts'
import { type HttpAnswer, jsonAnswer, retryHeaders } from '../foundation/http/answer.ts'
import type { Api, CallInput } from '../foundation/http/api.ts'
import { explaining } from '../foundation/http/input.ts'
import { snakeCase } from '../foundation/http/spelling.ts'
import { billingDescription, wireCode } from './billing/billing-description.ts'
import * as customField from './billing/catalog/custom-field.service.ts'
import * as file from './billing/catalog/file.service.ts'
import * as filePart from './billing/catalog/file-part.service.ts'
import * as meter from './billing/catalog/meter.service.ts'
import * as product from './billing/catalog/product.service.ts'
import * as checkout from './billing/checkout/checkout.service.ts'
import * as checkoutLink from './billing/checkout/checkout-link.service.ts'
import * as confirm from './billing/checkout/confirm.service.ts'
import * as storefront from './billing/checkout/storefront.service.ts'
import * as customer from './billing/customer/customer.service.ts'
import * as customerSession from './billing/customer/customer-session.service.ts'
import * as paymentMethod from './billing/customer/payment-method.service.ts'
import * as discount from './billing/discount/discount.service.ts'
import * as document from './billing/documents/document.service.ts'
import * as exports from './billing/exports/export.service.ts'
import * as order from './billing/order/order.service.ts'
import * as payment from './billing/order/payment.service.ts'
import * as subscription from './billing/order/subscription.service.ts'
import * as processor from './billing/payments/processor.service.ts'
import * as sandbox from './billing/payments/sandbox.service.ts'
import * as disputes from './billing/refund/dispute.service.ts'
import * as refund from './billing/refund/refund.service.ts'
import * as accessToken from './billing/seller/access-token.service.ts'
import {
  type Acting,
  answerOfOthers,
  authenticateSeller,
  bearerOf,
  isForSellers,
  keyOwnerOf,
} from './billing/seller/authenticate.ts'
import type { BillingHandlers } from './billing/seller/billing-handler.ts'
import * as merchant from './billing/seller/merchant.service.ts'
import * as overview from './billing/seller/overview.service.ts'
import * as taxSettings from './billing/tax/tax-settings.service.ts'
import * as timeline from './billing/timeline/timeline.service.ts'
import * as replay from './billing/webhooks/replay.service.ts'
import * as webhook from './billing/webhooks/webhook.service.ts'
import * as webhookDelivery from './billing/webhooks/webhook-delivery.service.ts'

/** The services by call: each exports its calls' handlers under their names. */
const services: BillingHandlers = {
  // By the seller's own id of the customer.
  getExternalCustomer: customer.getCustomer,
  getExternalCustomerState: customer.getCustomerState,
  deleteExternalCustomer: customer.deleteCustomer,
  listExternalCustomerPaymentMethods: paymentMethod.listCustomerPaymentMethods,
  ...merchant,
  ...overview,
  ...accessToken,
  ...product,
  ...customField,
  ...meter,
  ...file,
  ...filePart,
  ...customer,
  ...customerSession,
  ...paymentMethod,
  ...discount,
  ...checkout,
  ...checkoutLink,
  ...confirm,
  ...storefront,
  ...order,
  ...payment,
  ...subscription,
  ...refund,
  ...disputes,
  ...document,
  ...exports,
  ...taxSettings,
  ...webhook,
  ...webhookDelivery,
  ...replay,
  ...timeline,
  ...processor,
  ...sandbox,
}

/** The input of a call by server code: members in camelCase, and the organization that it acts for. */
export type BillingInput<Name extends BillingCallName> = Pick<CallInput, 'headers' | 'remoteAddress'> & {
  readonly body?: BillingBody<Name> | undefined
  readonly query?: (Part<BillingQuery<Name>> & { readonly organizationId?: string | undefined }) | undefined
  readonly params?: BillingParams<Name> | undefined
  /** The bytes, for calls that upload a file. */
  readonly file?: ReadableStream<Uint8Array>
}
type Part<Given> = [Given] extends [never] ? unknown : Omit<Given, 'organizationId'>

/** The billing API: what organizations sell. */
export const billingApi: Api<BillingCall, Acting, typeof billingSchemas> = {
  name: 'billing',
  basePath: () => billingPath,
  calls: billingCalls,
  schemas: billingSchemas,
  handlers: services,
  isServed: isBillingServed,
  unknown: 'RESOURCE_NOT_FOUND',
  trailingSlashes: true,
  countedBelow: billingPath,
  spelling: snakeCase,
  inputFirst: false,
  parse: explaining(snakeCase),
  hasToken: (call, { headers }) => isForSellers(call) && bearerOf(headers) !== undefined,
  authenticate: authenticateSeller,
  answerWithout: answerOfOthers,
  keyOwner: keyOwnerOf,
  refusals: [
    'ORGANIZATION_WANTS_VERIFIED_EMAIL',
    'IDEMPOTENCY_KEY_REUSED',
    'IDEMPOTENCY_KEY_IN_USE',
    'IDEMPOTENCY_ANSWER_LOST',
  ],
  refuse: billingErrorAnswer,
  description: billingDescription,
}

/** An error in the form that existing clients expect (contract, section 1). */
function billingErrorAnswer(error: TollgateError): HttpAnswer {
  const { status } = error.row
  const challenge: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer realm="tollgate"' } : {}
  return jsonAnswer({ error: wireCode(error.code), detail: error.issues ?? error.message }, status, {
    ...challenge,
    ...retryHeaders(error),
  })
}
