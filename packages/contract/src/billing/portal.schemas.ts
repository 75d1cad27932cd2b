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
 * A saved method, both as it is (for SDK 0.32) and under `payment_method` (for SDK 1.0.x), or what the cardholder has to
 * authenticate.
 */
const added = z.union([
  paymentMethod.extend({ status: z.literal('succeeded'), paymentMethod }),
  z.object({
    status: z.literal('requires_action'),
    clientSecret: z.string(),
    setupIntentId: z.string().describe('What `confirm` names.'),
  }),
])

/** What adding a method may be refused with, before and after the cardholder authenticates it. */
const addingErrors = [...customerErrors, 'PAYMENT_METHOD_SETUP_FAILED', 'SERVICE_UNAVAILABLE'] as const

/** Bodies, queries, answers and refusals of the customer's own calls. */
export const portalSchemas = {
  getPortalCustomer: {
    summary: 'Returns the customer of the token.',
    output: portalCustomer,
    errors: customerErrors,
  },
  updatePortalCustomer: {
    summary: 'Updates the customer of the token. Omitted members stay, and the email address cannot be changed here.',
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
    summary: 'Lists the customer’s saved payment methods.',
    query: z.object(listQuery(['created_at'])),
    output: listOf(paymentMethod),
    errors: customerErrors,
  },
  addPortalPaymentMethod: {
    summary: 'Saves a payment method for later charges. A card may have to be authenticated first.',
    body: z.object({
      confirmationTokenId: storable(256).min(1),
      setDefault: z.boolean().default(false),
      /** SDKs send it for methods that leave the page; cards are authenticated on the page. */
      returnUrl: emptyIsNull(),
    }),
    output: added,
    errors: [...addingErrors, 'TOO_MANY_REQUESTS'],
  },
  confirmPortalPaymentMethod: {
    summary: 'Returns the payment method that the cardholder has authenticated.',
    body: z.object({ setupIntentId: storable(256).min(1), setDefault: z.boolean().default(false) }),
    output: added,
    errors: addingErrors,
  },
  deletePortalPaymentMethod: {
    summary: 'Removes a payment method. The last one stays while a subscription needs it.',
    params: byId,
    errors: [...customerErrors, 'PAYMENT_METHOD_NEEDED', 'PAYMENT_METHOD_BUSY'],
  },
} as const satisfies Record<keyof typeof portalCalls, Endpoint>
