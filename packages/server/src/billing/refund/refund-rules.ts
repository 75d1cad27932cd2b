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
 * What goes back where an amount before tax is asked for, with its tax (REF-1, REF-2); undefined where that is more than is
 * left. An order may have nothing left but tax, where a refund of tax alone came back at the end: then the amount is of that.
 */
export function withTax(order: OrderAmounts, left: NetAndTax, amount: number): NetAndTax | undefined {
  if (left.amount === 0) return amount <= left.taxAmount ? { amount: 0, taxAmount: amount } : undefined
  return amount <= left.amount ? { amount, taxAmount: taxShare(order, left, amount) } : undefined
}

/** With all that is left goes all of its tax; else its share, never more than is left: so that in the end all parts are the order. */
function taxShare(order: OrderAmounts, left: NetAndTax, amount: number): number {
  if (amount === left.amount) return left.taxAmount
  return Math.min(shareOf(amount, order.taxAmount, order.netAmount), left.taxAmount)
}

/** Splits what went back with its tax, as a processor tells it, into both: the other way round. */
export function withoutTax(order: OrderAmounts, left: NetAndTax, total: number): NetAndTax {
  if (total === left.amount + left.taxAmount) return left
  const share = shareOf(total, order.taxAmount, order.netAmount + order.taxAmount)
  // Neither part may be more than is left of it, and of the amount one unit stays: by it the rest of the tax is given back.
  const atLeast = Math.min(total, total - left.amount + 1)
  const taxAmount = Math.max(Math.min(share, left.taxAmount), atLeast)
  return { amount: total - taxAmount, taxAmount }
}

/** What an order is once so much of it was given back (REF-3): `refunded` where nothing is left, of its tax neither. */
export function statusOfRefunded({
  netAmount,
  taxAmount,
  refundedAmount,
  refundedTaxAmount,
}: OrderAmounts): 'paid' | 'partially_refunded' | 'refunded' {
  if (refundedAmount >= netAmount && refundedTaxAmount >= taxAmount) return 'refunded'
  return refundedAmount > 0 || refundedTaxAmount > 0 ? 'partially_refunded' : 'paid'
}

/** Digits at least; a number that has more keeps them. */
const places = 6

/** `ACME-CN-000007`: the number of an organization's n-th credit note. */
export const creditNoteNumber = (prefix: string, count: number): string =>
  `${prefix}-CN-${String(count).padStart(places, '0')}`
