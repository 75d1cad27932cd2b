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
import { customFieldRoutes } from './billing/catalog/custom-field.routes.ts'
import { fileRoutes } from './billing/catalog/file.routes.ts'
import { meterRoutes } from './billing/catalog/meter.routes.ts'
import { productRoutes } from './billing/catalog/product.routes.ts'
import { checkoutRoutes } from './billing/checkout/checkout.routes.ts'
import { storefrontRoutes } from './billing/checkout/storefront.routes.ts'
import { customerRoutes } from './billing/customer/customer.routes.ts'
import { discountRoutes } from './billing/discount/discount.routes.ts'
import { documentRoutes } from './billing/documents/document.routes.ts'
import { exportRoutes } from './billing/exports/export.routes.ts'
import { orderRoutes } from './billing/order/order.routes.ts'
import { processorRoutes } from './billing/payments/processor.routes.ts'
import { sandboxRoutes } from './billing/payments/sandbox.routes.ts'
import { refundRoutes } from './billing/refund/refund.routes.ts'
import { accessTokenRoutes } from './billing/seller/access-token.routes.ts'
import {
  type Acting,
  answerOfOthers,
  authenticateSeller,
  bearerOf,
  isForSellers,
  keyOwnerOf,
} from './billing/seller/authenticate.ts'
import { merchantRoutes } from './billing/seller/merchant.routes.ts'
import { taxRoutes } from './billing/tax/tax.routes.ts'
import { timelineRoutes } from './billing/timeline/timeline.routes.ts'
import { webhookRoutes } from './billing/webhooks/webhook.routes.ts'

const routes = {
  ...merchantRoutes,
  ...accessTokenRoutes,
  ...productRoutes,
  ...customFieldRoutes,
  ...meterRoutes,
  ...fileRoutes,
  ...customerRoutes,
  ...discountRoutes,
  ...checkoutRoutes,
  ...orderRoutes,
  ...refundRoutes,
  ...documentRoutes,
  ...exportRoutes,
  ...taxRoutes,
  ...webhookRoutes,
  ...timelineRoutes,
  ...processorRoutes,
  ...sandboxRoutes,
  ...storefrontRoutes,
} satisfies Record<BillingCallName, unknown>

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
  routes,
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
