import type { BillingAnswer } from '@tollgate/contract/billing-types'
import type { ComputedOrder } from '../engine/compute-order.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'

export type Quote = BillingAnswer<'previewSubscriptionChange'>

/** What a call does that no quote is needed for: it changes no price. */
export const unnamedQuote = { id: null, inputHash: null, expiresAt: null } as const

/** An order that is not posted yet, in the spelling of orders. */
export const toQuoted = (
  { currency }: Pick<SubscriptionRow, 'currency'>,
  { items, totals, balance, dueNow }: ComputedOrder,
): NonNullable<Quote['nextOrder']> => ({
  items: items.map(({ label, amount, quantity, taxAmount, discountAmount, kind, productPriceId }) => ({
    label,
    amount,
    quantity,
    taxAmount,
    discountAmount,
    proration: kind === 'proration',
    productPriceId,
  })),
  ...totals,
  taxAmount: totals.taxAmount ?? 0,
  appliedBalanceAmount: balance.applied,
  dueAmount: dueNow,
  currency,
})
