import type { Order, Refund } from '@tollgate/contract/billing-types'

/** An amount before tax, and the tax that goes back with it; minor units. */
export type Refundable = { readonly amount: number; readonly taxAmount: number }

type Paid = Pick<Order, 'paid' | 'netAmount' | 'taxAmount' | 'refundedAmount' | 'refundedTaxAmount'>

/** What is left of an order to be given back: what is on its way already is not (billing contract, REF-1). */
export function leftToRefund(
  order: Paid,
  refunds: readonly Pick<Refund, 'status' | 'amount' | 'taxAmount'>[],
): Refundable {
  if (!order.paid) return { amount: 0, taxAmount: 0 }
  const pending = refunds.filter(({ status }) => status === 'pending')
  const sum = (name: keyof Refundable) => pending.reduce((total, refund) => total + refund[name], 0)
  return {
    amount: order.netAmount - order.refundedAmount - sum('amount'),
    taxAmount: order.taxAmount - order.refundedTaxAmount - sum('taxAmount'),
  }
}

/**
 * The most that can be asked for: an amount before tax; where nothing is left but tax, because a refund of tax alone has come
 * back at the end, an amount of that.
 */
export const mostToRefund = ({ amount, taxAmount }: Refundable): number => (amount > 0 ? amount : taxAmount)

export type RefundEffect = Refundable & {
  /** All that goes back. */
  readonly total: number
  /** What the order will be once it has. */
  readonly status: 'refunded' | 'partially_refunded'
}

/**
 * What giving an amount back comes to, as the server computes it (REF-2): with everything that is left all of the tax, else
 * its share, rounded to the nearest, and never more than is left. Nothing for an amount that cannot be given back.
 */
export function effectOf(order: Paid, left: Refundable, amount: number | undefined): RefundEffect | undefined {
  if (amount === undefined || amount < 1 || amount > mostToRefund(left)) return undefined
  const isAll = amount === mostToRefund(left)
  const status = isAll ? 'refunded' : 'partially_refunded'
  if (left.amount === 0) return { amount: 0, taxAmount: amount, total: amount, status }
  const taxAmount = isAll ? left.taxAmount : Math.min(left.taxAmount, share(amount, order.taxAmount, order.netAmount))
  return { amount, taxAmount, total: amount + taxAmount, status }
}

/** `part / whole` of an amount; exact, since the product may be larger than a number holds. */
const share = (amount: number, part: number, whole: number): number =>
  Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)))
