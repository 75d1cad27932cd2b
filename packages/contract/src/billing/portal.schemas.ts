import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import { paymentMethod, taxId } from './customer.schemas.ts'
import { address, addressInput, byId, customerErrors, emptyIsNull, id, listOf, listQuery, stamped } from './fields.ts'
import type { portalCalls } from './portal.calls.ts'

/** What customers see of themselves. */
const portalCustomer = z.object({
  ...stamped,
  email: z.string(),
  emailVerified: z.boolean(),
  name: z.string().nullable(),
  billingAddress: address.nullable(),
  taxId: taxId.nullable(),
  /** Always empty: customers sign in with accounts of this server. */
  oauthAccounts: z.object({}),
  /** For SDK 1.0.x. */
  billingName: z.string().nullable(),
  defaultPaymentMethodId: z.string().nullable(),
  type: z.enum(['individual', 'team']),
  locale: z.string().nullable(),
})

/**
 * The saved payment method, at the top level (SDK 0.32) and as `payment_method` (SDK 1.0.x), or the setup that the
 * cardholder has to authenticate.
 */
const added = z.union([
  paymentMethod.extend({ status: z.literal('succeeded'), paymentMethod }),
  z.object({
    status: z.literal('requires_action'),
    clientSecret: z.string(),
    setupIntentId: z.string().describe('What `confirm` names.'),
  }),
])

/** Refusals of both calls that add a payment method. */
const addingErrors = [...customerErrors, 'PAYMENT_METHOD_SETUP_FAILED', 'SERVICE_UNAVAILABLE'] as const

/** Bodies, queries, answers and refusals of the customer's own calls. */
export const portalSchemas = {
  getPortalCustomer: {
    summary: 'Returns the customer whose session token makes the call.',
    output: portalCustomer,
    errors: customerErrors,
  },
  updatePortalCustomer: {
    summary:
      'Updates the customer whose session token makes the call. Omitted members stay, and the email address cannot be changed.',
    body: z.object({
      email: storable(320).nullish(),
      name: emptyIsNull(256),
      billingName: emptyIsNull(256),
      billingAddress: addressInput.nullish(),
      taxId: emptyIsNull(64).describe('Its format follows from the country of the billing address.'),
      defaultPaymentMethodId: id.nullish().describe('Null leaves the default as it is.'),
    }),
    output: portalCustomer,
    errors: customerErrors,
  },
  listPortalPaymentMethods: {
    summary: 'Lists the customer’s saved payment methods, newest first.',
    query: z.object(listQuery(['created_at'])),
    output: listOf(paymentMethod),
    errors: customerErrors,
  },
  addPortalPaymentMethod: {
    summary:
      'Saves a payment method for later charges, without charging it. The cardholder may have to authenticate the card first.',
    body: z.object({
      confirmationTokenId: storable(256).min(1),
      setDefault: z.boolean().default(false),
      /** Ignored: SDKs require it for redirects, and cards are authenticated on the page. */
      returnUrl: emptyIsNull(),
    }),
    output: added,
    errors: [...addingErrors, 'TOO_MANY_REQUESTS'],
  },
  confirmPortalPaymentMethod: {
    summary: 'Completes the setup of a payment method that the cardholder has authenticated, and returns the method.',
    body: z.object({ setupIntentId: storable(256).min(1), setDefault: z.boolean().default(false) }),
    output: added,
    errors: addingErrors,
  },
  deletePortalPaymentMethod: {
    summary: 'Removes a payment method. The last one cannot be removed while a subscription needs it.',
    params: byId,
    errors: [...customerErrors, 'PAYMENT_METHOD_NEEDED', 'PAYMENT_METHOD_BUSY'],
  },
} as const satisfies Record<keyof typeof portalCalls, Endpoint>
