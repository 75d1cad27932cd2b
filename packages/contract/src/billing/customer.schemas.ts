import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import type { customerCalls } from './customer.calls.ts'
import {
  address,
  addressInput,
  byId,
  emptyIsNull,
  fileQuery,
  flag,
  foreignId,
  id,
  listOf,
  listQuery,
  metadata,
  metadataFilter,
  metadataOutput,
  recurringInterval,
  sellerErrors,
  several,
  stamped,
  utc,
  webAddress,
  writeErrors,
} from './fields.ts'

/** On the wire a pair: the number and its kind (contract, Customers). */
export const taxId = z.array(z.string().nullable())
const taxIdInput = z.tuple([storable(64), storable(32)])

/** A customer in answers, also inside orders and subscriptions. */
export const customer = z.object({
  ...stamped,
  metadata: metadataOutput,
  externalId: z.string().nullable(),
  email: z.string(),
  emailVerified: z.boolean(),
  name: z.string().nullable(),
  billingAddress: address.nullable(),
  taxId: taxId.nullable(),
  organizationId: z.string(),
  deletedAt: utc.nullable(),
  avatarUrl: z.string(),
  /** For SDK 1.0.x. */
  type: z.enum(['individual', 'team']),
  billingName: z.string().nullable(),
  locale: z.string().nullable(),
  defaultPaymentMethodId: z.string().nullable(),
  /** Ours: the customer's account or buying organization. */
  userId: z.string().nullable(),
  buyerOrganizationId: z.string().nullable(),
})

export const customerStateSubscription = z.object({
  ...stamped,
  metadata: metadataOutput,
  customFieldData: z.record(z.string(), z.unknown()),
  status: z.literal('active'),
  amount: z.int(),
  currency: z.string(),
  recurringInterval,
  currentPeriodStart: utc,
  currentPeriodEnd: utc.nullable(),
  cancelAtPeriodEnd: z.boolean(),
  canceledAt: utc.nullable(),
  startedAt: utc.nullable(),
  endsAt: utc.nullable(),
  discountId: z.string().nullable(),
  productId: z.string(),
  meters: z.array(z.unknown()),
})

const customerState = customer.extend({
  activeSubscriptions: z.array(customerStateSubscription),
  grantedBenefits: z.array(z.unknown()),
  activeMeters: z.array(z.unknown()),
})

/** The wire's fields, and the kind of method for SDK 1.0.x. */
export const paymentMethod = z.object({
  id: z.string(),
  createdAt: utc,
  modifiedAt: utc.nullable(),
  type: z.string(),
  default: z.boolean(),
  processor: z.string(),
  customerId: z.string(),
  card: z
    .object({
      brand: z.string(),
      last4: z.string(),
      expMonth: z.int(),
      expYear: z.int(),
      wallet: z.string().nullable(),
    })
    .optional(),
  methodMetadata: z.object({}).catchall(z.union([z.string(), z.int(), z.null()])),
})

const email = storable(320)
const name = emptyIsNull(256)
const externalId = emptyIsNull(256)

/** `userId` and `buyerOrganizationId` are ours, one or the other: the customer's identity on this server. */
const links = { userId: foreignId.nullish(), buyerOrganizationId: foreignId.nullish() }

const changed = {
  email: email.nullish(),
  name,
  billingName: name,
  billingAddress: addressInput.nullish(),
  taxId: taxIdInput.nullish(),
  metadata: metadata.optional(),
  ...links,
}
const byMethod = byId.extend({ paymentMethodId: id })
const byExternalId = z.object({ externalId: storable(256).min(1) })

const customerSession = z.object({
  ...stamped,
  token: z.string(),
  expiresAt: utc,
  returnUrl: z.string().nullable(),
  customerPortalUrl: z.string(),
  customerId: z.string(),
  customer,
})

/** Which customers a list or a file has. */
const customerFilters = {
  id: several(id),
  email: storable(320).optional(),
  query: storable(256).optional(),
  /** Whether they have an active subscription. */
  active: flag,
  metadata: metadataFilter,
}

/** Bodies, queries, answers and refusals of the calls about customers. */
export const customerSchemas = {
  listCustomers: {
    summary: 'Lists an organization’s customers.',
    query: z.object({
      ...listQuery(['created_at', 'email', 'name']),
      ...customerFilters,
    }),
    output: listOf(customer),
    errors: sellerErrors,
  },
  exportCustomers: {
    summary: 'Exports customers as CSV.',
    query: z.object({
      ...fileQuery,
      ...customerFilters,
    }),
    errors: sellerErrors,
  },
  listCustomerTotals: {
    summary: 'Returns what customers have spent, and when they last ordered.',
    query: z.object({
      organizationId: several(foreignId),
      /** Those asked about. */
      customerId: several(id),
    }),
    output: z.object({
      items: z.array(
        z.object({
          customerId: z.string(),
          currency: z.string(),
          spentAmount: z.int().describe('Net of tax and refunds, of orders that are not pending.'),
          lastOrderAt: utc,
        }),
      ),
    }),
    errors: sellerErrors,
  },
  createCustomer: {
    summary: 'Creates a customer; the address is unique within the organization.',
    body: z.object({
      ...changed,
      email,
      externalId,
      organizationId: foreignId.nullish(),
    }),
    output: customer,
    errors: writeErrors,
  },
  getCustomer: { summary: 'Returns a customer.', params: byId, output: customer, errors: sellerErrors },
  updateCustomer: {
    summary: 'Updates a customer. An external id is set once; `force` replaces it.',
    params: byId,
    query: z.object({ force: z.union([z.boolean(), z.stringbool()]).optional() }),
    body: z.object({ ...changed, externalId }),
    output: customer,
    errors: writeErrors,
  },
  deleteCustomer: {
    summary: 'Deletes a customer: subscriptions end at once, orders stay, address and external id become free.',
    params: byId,
    errors: writeErrors,
  },
  getCustomerState: {
    summary: 'Returns a customer’s state: active subscriptions, benefits, meters.',
    params: byId,
    output: customerState,
    errors: sellerErrors,
  },
  getExternalCustomer: {
    summary: 'Returns a customer by the seller’s own id.',
    params: byExternalId,
    output: customer,
    errors: sellerErrors,
  },
  updateExternalCustomer: {
    summary: 'Updates a customer by the seller’s own id.',
    params: byExternalId,
    body: z.object(changed),
    output: customer,
    errors: writeErrors,
  },
  deleteExternalCustomer: {
    summary: 'Deletes a customer by the seller’s own id.',
    params: byExternalId,
    errors: writeErrors,
  },
  getExternalCustomerState: {
    summary: 'Returns a customer’s state by the seller’s own id.',
    params: byExternalId,
    output: customerState,
    errors: sellerErrors,
  },
  listCustomerPaymentMethods: {
    summary: 'Lists a customer’s saved payment methods.',
    params: byId,
    query: z.object(listQuery(['created_at'])),
    output: listOf(paymentMethod),
    errors: sellerErrors,
  },
  listExternalCustomerPaymentMethods: {
    summary: 'Lists a customer’s saved payment methods by the seller’s own id.',
    params: byExternalId,
    query: z.object(listQuery(['created_at'])),
    output: listOf(paymentMethod),
    errors: sellerErrors,
  },
  deleteCustomerPaymentMethod: {
    summary: 'Removes a customer’s payment method. The last one cannot be removed while a subscription needs it.',
    params: byMethod,
    errors: [...writeErrors, 'PAYMENT_METHOD_NEEDED', 'PAYMENT_METHOD_BUSY'],
  },
  makeDefaultCustomerPaymentMethod: {
    summary:
      'Makes a payment method the customer’s default: all their subscriptions use it, and what is past due is charged at once.',
    params: byMethod,
    output: paymentMethod,
    errors: writeErrors,
  },
  createCustomerSession: {
    summary: 'Creates a portal session of one hour. The token is shown once.',
    body: z.object({
      customerId: id.optional(),
      customerExternalId: storable(256).optional(),
      externalCustomerId: storable(256).optional(),
      returnUrl: z.union([z.literal('').transform(() => null), webAddress]).nullish(),
      organizationId: foreignId.nullish(),
    }),
    output: customerSession,
    errors: writeErrors,
  },
} as const satisfies Record<keyof typeof customerCalls, Endpoint>
