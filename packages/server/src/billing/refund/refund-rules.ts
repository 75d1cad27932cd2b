import { shareOf } from '../money.ts'

/** An amount before tax, and the tax that belongs to it; minor units. */
export type NetAndTax = { readonly amount: number; readonly taxAmount: number }

type OrderAmounts = {
  readonly netAmount: number
  readonly taxAmount: number
  readonly refundedAmount: number
  readonly refundedTaxAmount: number
}

/** What of an order can be given back still: neither what was, nor what is on its way (REF-1). */
export function leftToRefund(order: OrderAmounts, onItsWay: readonly NetAndTax[]): NetAndTax {
  return onItsWay.reduce<NetAndTax>(
    (left, { amount, taxAmount }) => ({ amount: left.amount - amount, taxAmount: left.taxAmount - taxAmount }),
    { amount: order.netAmount - order.refundedAmount, taxAmount: order.taxAmount - order.refundedTaxAmount },
  )
}

/**
 * The tax that goes back with an amount (REF-2): with all that is left, all of it; else its share, and never more than is
 * left. So whatever parts an order is given back in, in the end their tax is the order's.
 */
export function taxShare(order: OrderAmounts, left: NetAndTax, amount: number): number {
  if (amount === left.amount) return left.taxAmount
  return Math.min(shareOf(amount, order.taxAmount, order.netAmount), left.taxAmount)
}

/** Splits what went back with its tax, as a processor tells it, into both: the other way round. */
export function withoutTax(order: OrderAmounts, left: NetAndTax, total: number): NetAndTax {
  if (total === left.amount + left.taxAmount) return left
  const share = shareOf(total, order.taxAmount, order.netAmount + order.taxAmount)
  // Neither part may be more than is left of it; together they are what went back.
  const taxAmount = Math.max(Math.min(share, left.taxAmount), total - left.amount)
  return { amount: total - taxAmount, taxAmount }
}

/** What an order is once so much of it was given back (REF-3). */
export const statusOfRefunded = (
  { netAmount }: Pick<OrderAmounts, 'netAmount'>,
  refundedAmount: number,
): 'paid' | 'partially_refunded' | 'refunded' =>
  refundedAmount >= netAmount ? 'refunded' : refundedAmount > 0 ? 'partially_refunded' : 'paid'

/** Digits at least; a number that has more keeps them. */
const places = 6

/** `ACME-CN-000007`: the number of an organization's n-th credit note. */
export const creditNoteNumber = (prefix: string, count: number): string =>
  `${prefix}-CN-${String(count).padStart(places, '0')}`
