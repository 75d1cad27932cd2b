import { proven } from '../../../foundation/proof/proven.ts'
import { type NetAndTax, shareOf, split } from '../money.ts'

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

/** What a refund takes from one payment; `balanceAmount` of it goes to the customer's balance. */
type RefundPart<Payment> = NetAndTax & { readonly payment: Payment; readonly balanceAmount: number }

/**
 * What a refund takes from each payment: all of it from one that has enough left, or else from several, the one with the
 * most first. What the order took from the customer's balance goes back there, after the cards' parts (SUB-33).
 * Undefined if all of them together have less left.
 *
 * @param credit what the customer's credit paid of the order
 */
export function partsOf<Payment extends Paid>(
  payments: readonly Payment[],
  held: readonly HeldRefund[],
  credit: number,
  asked: NetAndTax,
): readonly RefundPart<Payment>[] | undefined {
  const sources = payments.map((payment) => ({
    payment,
    left: held
      .filter(({ paymentId }) => paymentId === payment.id)
      .reduce((rest, back) => rest - (back.amount + back.taxAmount - back.balanceAmount), payment.allocatedAmount),
  }))
  let rest = asked.amount + asked.taxAmount
  const whole = sources.find(({ left }) => left >= rest)
  if (whole) return [{ ...asked, payment: whole.payment, balanceAmount: 0 }]

  const taken = sources
    .toSorted((a, b) => b.left - a.left)
    .map(({ payment, left }) => {
      const total = Math.max(0, Math.min(left, rest))
      rest -= total
      return { payment, total, balanceAmount: 0 }
    })
    // Where credit alone has something left, it goes back by a refund of the first payment.
    .filter(({ total }, place) => total > 0 || place === 0)
  const last = taken.at(-1)
  const creditLeft = held.reduce((sum, { balanceAmount }) => sum - balanceAmount, credit)
  if (!last || rest > creditLeft) return undefined
  last.balanceAmount = rest
  last.total += rest
  const taxes = split(
    asked.taxAmount,
    taken.map(({ total }) => total),
  )
  return taken.map(({ payment, total, balanceAmount }, place) => {
    const taxAmount = proven(taxes[place], 'each part has its share of the tax')
    return { payment, amount: total - taxAmount, taxAmount, balanceAmount }
  })
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
