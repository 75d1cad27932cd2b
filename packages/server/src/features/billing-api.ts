import { type BillingCall, type BillingCallName, billingCalls, billingPath } from '@tollgate/contract/billing'
import { billingSchemas } from '@tollgate/contract/billing-schemas'
import type { BillingBody, BillingParams, BillingQuery } from '@tollgate/contract/billing-types'
import type { TollgateError } from '../foundation/error.ts'
import { type HttpAnswer, jsonAnswer, retryHeaders } from '../foundation/http/answer.ts'
import type { Api, CallInput } from '../foundation/http/api.ts'
import { explaining } from '../foundation/http/input.ts'
import { snakeCase } from '../foundation/http/spelling.ts'
import { billingDescription, wireCode } from './billing/billing-description.ts'
import {
  type Acting,
  answerForOtherOrganization,
  authenticateCaller,
  bearerOf,
  keyOwnerOf,
  takesToken,
} from './billing/seller/authenticate.ts'
import type { BillingHandlers } from './billing/seller/billing-handler.ts'
import { billingServices } from './billing-services.generated.ts'
import { isFeatureOn } from './features.ts'

/** Each call's handler, under the call's name. */
const handlers: BillingHandlers = {
  ...billingServices,
  // By the seller's own id of the customer.
  getExternalCustomer: billingServices.getCustomer,
  getExternalCustomerState: billingServices.getCustomerState,
  deleteExternalCustomer: billingServices.deleteCustomer,
  listExternalCustomerPaymentMethods: billingServices.listCustomerPaymentMethods,
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
  handlers,
  isServed: (config) => isFeatureOn(config, 'billing'),
  unknown: 'RESOURCE_NOT_FOUND',
  trailingSlashes: true,
  compresses: true,
  countedBelow: billingPath,
  spelling: snakeCase,
  inputFirst: false,
  parse: explaining(snakeCase),
  hasToken: (call, { headers }) => takesToken(call) && bearerOf(headers) !== undefined,
  authenticate: authenticateCaller,
  answerWithout: answerForOtherOrganization,
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
  const body = { error: wireCode(error.code), detail: error.issues ?? error.message, ...error.extra }
  const headers = { ...challenge, ...retryHeaders(error) }
  return jsonAnswer(body, status, headers, error.extra && snakeCase.encode)
}
