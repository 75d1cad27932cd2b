import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import type { documentCalls } from './document.calls.ts'
import {
  addressInput,
  byId,
  emptyIsNull,
  fileQuery,
  flag,
  id,
  moment,
  sellerErrors,
  several,
  utc,
  writeErrors,
} from './fields.ts'
import {
  filteredSubscriptionStatuses,
  order,
  orderStatuses,
  paymentStatuses,
  renewsWithinDays,
} from './order.schemas.ts'
import { disputeStatuses, refundStatuses } from './refund.schemas.ts'

export const documentKinds = ['invoice', 'receipt', 'credit_note'] as const

const link = z.object({ url: z.string() })
/** The rows of an export; the same filters as in the list. */
const exported = {
  ...fileQuery,
  productId: several(id),
  customerId: several(id),
  /** Times are in UTC; another zone is refused. */
  timezone: z.literal('UTC').optional(),
}

/** Bodies, queries, answers and refusals of the calls about documents and tables. */
export const documentSchemas = {
  updateOrder: {
    summary: 'Updates the billing name and address of an order without an issued invoice.',
    params: byId,
    body: z.object({ billingName: emptyIsNull(256), billingAddress: addressInput.nullish() }),
    output: order,
    errors: writeErrors,
  },
  createOrderInvoice: {
    summary: 'Issues the invoice of a paid order; an issued invoice does not change.',
    params: byId,
    body: z.object({}),
    output: z.object({}),
    errors: writeErrors,
  },
  getOrderInvoice: {
    summary: 'Returns a temporary address of an order’s invoice, which is issued if it was not.',
    params: byId,
    output: link,
    errors: sellerErrors,
  },
  getOrderReceipt: {
    summary: 'Returns a temporary address of an order’s receipt.',
    params: byId,
    output: link,
    errors: sellerErrors,
  },
  listOrderDocuments: {
    summary: 'Lists an order’s issued documents with temporary addresses.',
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
          voidedAt: utc
            .nullable()
            .describe('For a credit note whose refund failed later: the time when it became void.'),
          lacksFonts: z
            .boolean()
            .describe('Whether letters appear as Unicode numbers until the server has `@tollgate/documents-fonts`.'),
          url: z.string(),
        }),
      ),
    }),
    errors: sellerErrors,
  },
  exportOrders: {
    summary: 'Exports orders as CSV.',
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
    summary: 'Exports payments as CSV.',
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
    summary: 'Exports refunds as CSV.',
    query: z.object({ ...exported, orderId: several(id), status: several(z.enum(refundStatuses)) }),
    errors: sellerErrors,
  },
  exportDisputes: {
    summary: 'Exports disputes as CSV.',
    query: z.object({ ...exported, orderId: several(id), status: several(z.enum(disputeStatuses)) }),
    errors: sellerErrors,
  },
  exportSubscriptions: {
    summary: 'Exports subscriptions as CSV.',
    query: z.object({
      ...exported,
      active: flag,
      status: several(z.enum(filteredSubscriptionStatuses)),
      cancelAtPeriodEnd: flag,
      renewsWithinDays,
      startedAfter: moment.optional(),
      startedBefore: moment.optional(),
    }),
    errors: sellerErrors,
  },
} as const satisfies Record<keyof typeof documentCalls, Endpoint>
