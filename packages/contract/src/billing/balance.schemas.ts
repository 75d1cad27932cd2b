import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import type { balanceCalls } from './balance.calls.ts'
import {
  amountLimit,
  byId,
  currency,
  listOf,
  listQuery,
  said,
  sellerErrors,
  several,
  utc,
  writeErrors,
} from './fields.ts'

/** An entry of the ledger, which never changes. Positive amounts are credit, negative ones use it or are owed. */
const entry = z.object({
  id: z.string(),
  createdAt: utc,
  customerId: z.string(),
  amount: z.int(),
  currency: z.string(),
  /**
   * `manual` for an entry by hand. Others name their cause: the billing reason of the order that used the balance or gave
   * to it, `order_voided`, `refund`, `payment`, `paid_twice`, `paid_after_void`,
   * `customer_removed`.
   */
  type: z.string(),
  /** What the seller said about an entry by hand. */
  reason: z.string().nullable(),
  orderId: z.string().nullable(),
  refundId: z.string().nullable(),
  paymentId: z.string().nullable(),
  /** Who made an entry by hand, where a member did. */
  actorId: z.string().nullable(),
})

/** Bodies, queries, answers and refusals of the calls about balances. */
export const balanceSchemas = {
  listCustomerBalance: {
    summary: 'Returns a customer’s balance in each currency, and the ledger that it is the sum of.',
    params: byId,
    query: z.object({ ...listQuery(['created_at', 'amount']), currency: several(currency) }),
    output: listOf(entry).extend({
      /** Of every entry, whatever the page and the filter. */
      balances: z.array(z.object({ currency: z.string(), amount: z.int() })),
    }),
    errors: sellerErrors,
  },
  changeCustomerBalance: {
    summary:
      'Gives a customer credit (a positive amount) or charges them with a debt (a negative one), which their next order uses or collects.',
    params: byId,
    body: z.object({
      /** In minor units; not zero. */
      amount: z
        .int()
        .min(-amountLimit)
        .max(amountLimit)
        .refine((value) => value !== 0, 'Input should not be 0'),
      currency,
      /** Why; the seller alone reads it. */
      reason: said(500),
    }),
    output: entry,
    errors: writeErrors,
  },
} as const satisfies Record<keyof typeof balanceCalls, Endpoint>
