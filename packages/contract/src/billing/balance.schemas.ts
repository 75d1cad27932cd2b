import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import type { balanceCalls } from './balance.calls.ts'
import {
  amountLimit,
  byId,
  currency,
  listOf,
  listQuery,
  requiredText,
  sellerErrors,
  several,
  utc,
  writeErrors,
} from './fields.ts'

/** A ledger entry, which never changes. A positive amount is credit; a negative one uses credit or is a debt. */
const entry = z.object({
  id: z.string(),
  createdAt: utc,
  customerId: z.string(),
  amount: z.int(),
  currency: z.string(),
  /**
   * `manual` for an adjustment by the seller. Other entries name their cause: the billing reason of the order that used
   * or changed the balance, `order_voided`, `refund`, `payment`, `paid_twice`, `paid_after_void`, `customer_removed`.
   */
  type: z.string(),
  /** The seller's reason for a manual entry. */
  reason: z.string().nullable(),
  orderId: z.string().nullable(),
  refundId: z.string().nullable(),
  paymentId: z.string().nullable(),
  /** The member who made a manual entry; null for a token. */
  actorId: z.string().nullable(),
})

/** The customer determines the organization, as in every call about one object. */
const { organizationId: _, ...paged } = listQuery(['created_at', 'amount'])

/** Bodies, queries, answers and refusals of the calls about balances. */
export const balanceSchemas = {
  listCustomerBalance: {
    summary: 'Returns a customer’s balance in each currency, and lists the ledger entries that add up to it.',
    params: byId,
    query: z.object({ ...paged, currency: several(currency) }),
    output: listOf(entry).extend({
      /** The sums of all entries, whatever the page and the filters. */
      balances: z.array(z.object({ currency: z.string(), amount: z.int() })),
    }),
    errors: sellerErrors,
  },
  changeCustomerBalance: {
    summary:
      'Adjusts a customer’s balance: a positive amount is credit that the next order uses, a negative amount is a debt that the next renewal collects.',
    params: byId,
    body: z.object({
      /** In minor units; not zero. */
      amount: z
        .int()
        .min(-amountLimit)
        .max(amountLimit)
        .refine((value) => value !== 0, 'Input should not be 0'),
      currency,
      /** Only the seller sees it. */
      reason: requiredText(500),
    }),
    output: entry,
    errors: writeErrors,
  },
} as const satisfies Record<keyof typeof balanceCalls, Endpoint>
