import { type NetAndTax, shareOf } from '../money.ts'

type OrderAmounts = {
  readonly netAmount: number
  readonly taxAmount: number
  readonly refundedAmount: number
  readonly refundedTaxAmount: number
}

/** The refundable rest of an order: excludes completed and pending refunds (REF-1). */
export function leftToRefund(order: OrderAmounts, onItsWay: readonly NetAndTax[]): NetAndTax {
  return onItsWay.reduce<NetAndTax>(
    (left, { amount, taxAmount }) => ({ amount: left.amount - amount, taxAmount: left.taxAmount - taxAmount }),
    { amount: order.netAmount - order.refundedAmount, taxAmount: order.taxAmount - order.refundedTaxAmount },
  )
}

/**
 * The refund of an amount before tax, with its tax (REF-1, REF-2); undefined if more than is left. If a refund of tax
 * alone came back last, the order has only tax left, and the amount refers to that.
 */
export function withTax(order: OrderAmounts, left: NetAndTax, amount: number): NetAndTax | undefined {
  if (left.amount === 0) return amount <= left.taxAmount ? { amount: 0, taxAmount: amount } : undefined
  return amount <= left.amount ? { amount, taxAmount: taxShare(order, left, amount) } : undefined
}

/** The last refund takes all remaining tax; others their share, at most the rest. All refunds then sum to the order. */
function taxShare(order: OrderAmounts, left: NetAndTax, amount: number): number {
  if (amount === left.amount) return left.taxAmount
  return Math.min(shareOf(amount, order.taxAmount, order.netAmount), left.taxAmount)
}

/** The reverse: splits a refunded total, as a processor reports it, into amount and tax. */
export function withoutTax(order: OrderAmounts, left: NetAndTax, total: number): NetAndTax {
  if (total === left.amount + left.taxAmount) return left
  const share = shareOf(total, order.taxAmount, order.netAmount + order.taxAmount)
  // Neither part may exceed its rest. One unit of the amount stays, so that a later refund can take the remaining tax.
  const atLeast = Math.min(total, total - left.amount + 1)
  const taxAmount = Math.max(Math.min(share, left.taxAmount), atLeast)
  return { amount: total - taxAmount, taxAmount }
}

/** A payment with the part of it that paid the order. */
type Paid = { readonly id: string; readonly allocatedAmount: number }

/** A refund that is complete or under way. Totals include tax. */
type HeldRefund = NetAndTax & { readonly paymentId: string; readonly balanceAmount: number }

/**
 * From which payment a refund comes, and how much of it goes to the customer's balance: what the order took from the
 * balance goes back there, after the card's part (SUB-33). Undefined if no payment has that much left.
 *
 * @param credit what the customer's credit paid of the order
 */
export function sourceOf<Payment extends Paid>(
  payments: readonly Payment[],
  held: readonly HeldRefund[],
  credit: number,
  total: number,
): { readonly payment: Payment; readonly balanceAmount: number } | undefined {
  const left = payments.map((payment) => ({
    payment,
    amount: held
      .filter(({ paymentId }) => paymentId === payment.id)
      .reduce((rest, back) => rest - (back.amount + back.taxAmount - back.balanceAmount), payment.allocatedAmount),
  }))
  const whole = left.find(({ amount }) => amount >= total)
  if (whole) return { payment: whole.payment, balanceAmount: 0 }
  const [most] = left.toSorted((a, b) => b.amount - a.amount)
  const creditLeft = held.reduce((rest, { balanceAmount }) => rest - balanceAmount, credit)
  if (!most || total - most.amount > creditLeft) return undefined
  return { payment: most.payment, balanceAmount: total - most.amount }
}

/** An order's status by the refunded amounts (REF-3): `refunded` if neither amount nor tax is left. */
export function statusOfRefunded({
  netAmount,
  taxAmount,
  refundedAmount,
  refundedTaxAmount,
}: OrderAmounts): 'paid' | 'partially_refunded' | 'refunded' {
  if (refundedAmount >= netAmount && refundedTaxAmount >= taxAmount) return 'refunded'
  return refundedAmount > 0 || refundedTaxAmount > 0 ? 'partially_refunded' : 'paid'
}
