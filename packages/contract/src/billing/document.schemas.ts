import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import type { documentCalls } from './document.calls.ts'
import {
  addressInput,
  byId,
  emptyIsNull,
  flag,
  foreignId,
  id,
  moment,
  sellerErrors,
  several,
  utc,
  writeErrors,
} from './fields.ts'
import { order, orderStatuses, paymentStatuses, subscriptionStatuses } from './order.schemas.ts'
import { disputeStatuses, refundStatuses } from './refund.schemas.ts'

export const documentKinds = ['invoice', 'receipt', 'credit_note'] as const

const link = z.object({ url: z.string() })
/** Which rows of a table; what narrows the list of the same narrows it, too. */
const exported = {
  organizationId: several(foreignId),
  productId: several(id),
  customerId: several(id),
  startTimestamp: moment.optional(),
  endTimestamp: moment.optional(),
  /** By their headings, in the order in which they are to stand; `email` is the customer's. All, unless it is said. */
  columns: several(storable(64)),
  /** Times stand in UTC; whoever asks for those of another zone is told so. */
  timezone: z.literal('UTC').optional(),
}

/** Bodies, queries, answers and refusals of the calls about documents and tables. */
export const documentSchemas = {
  updateOrder: {
    summary: 'Changes whom an order’s invoice is made out to, as long as none was issued.',
    params: byId,
    body: z.object({ billingName: emptyIsNull(256), billingAddress: addressInput.nullish() }),
    output: order,
    errors: writeErrors,
  },
  createOrderInvoice: {
    summary: 'Issues the invoice of a paid order; one that was issued stays as it is.',
    params: byId,
    body: z.object({}),
    output: z.object({}),
    errors: writeErrors,
  },
  getOrderInvoice: {
    summary: 'Where the invoice of an order is read, for a while; issued now where it was not.',
    params: byId,
    output: link,
    errors: sellerErrors,
  },
  getOrderReceipt: {
    summary: 'Where the receipt of an order is read, for a while.',
    params: byId,
    output: link,
    errors: sellerErrors,
  },
  listOrderDocuments: {
    summary: 'The documents that were issued for an order, with where they are read, for a while.',
    params: byId,
    output: z.object({
      items: z.array(
        z.object({
          id: z.string(),
          kind: z.enum(documentKinds),
          number: z.string(),
          locale: z.string(),
          refundId: z.string().nullable(),
          issuedAt: utc,
          voidedAt: utc.nullable().describe('Of a credit note whose money has come back: it counts no more.'),
          url: z.string(),
        }),
      ),
    }),
    errors: sellerErrors,
  },
  exportOrders: {
    summary: 'Orders as a table (CSV).',
    query: z.object({
      ...exported,
      status: several(z.enum(orderStatuses)),
      createdAfter: moment.optional(),
      createdBefore: moment.optional(),
      query: storable(320).optional(),
    }),
    errors: sellerErrors,
  },
  exportPayments: {
    summary: 'Payments as a table (CSV).',
    query: z.object({
      ...exported,
      checkoutId: several(id),
      orderId: several(id),
      status: several(z.enum(paymentStatuses)),
      method: several(storable(64)),
      customerEmail: several(storable(320)),
    }),
    errors: sellerErrors,
  },
  exportRefunds: {
    summary: 'Refunds as a table (CSV).',
    query: z.object({ ...exported, orderId: several(id), status: several(z.enum(refundStatuses)) }),
    errors: sellerErrors,
  },
  exportDisputes: {
    summary: 'Disputes as a table (CSV).',
    query: z.object({ ...exported, orderId: several(id), status: several(z.enum(disputeStatuses)) }),
    errors: sellerErrors,
  },
  exportSubscriptions: {
    summary: 'Subscriptions as a table (CSV).',
    query: z.object({
      ...exported,
      active: flag,
      status: several(z.enum(subscriptionStatuses)),
      cancelAtPeriodEnd: flag,
      startedAfter: moment.optional(),
      startedBefore: moment.optional(),
    }),
    errors: sellerErrors,
  },
} as const satisfies Record<keyof typeof documentCalls, Endpoint>
