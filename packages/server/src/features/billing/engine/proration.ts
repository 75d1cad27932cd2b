import { divideRounded } from '../money.ts'
import type { LinePeriod, OrderLine } from './compute-order.ts'

/** A price for a full period, net of the discount that the running period was billed with (SUB-6, SUB-22). */
export type PeriodPrice = Pick<OrderLine, 'label' | 'quantity' | 'productId' | 'productPriceId' | 'isTaxExempt'> & {
  readonly amount: number
}

/**
 * The part of an amount that the rest of a period is worth, by the second (SUB-6). The full price is the base, never
 * the last charge.
 */
export function restOf(amount: number, { start, end }: LinePeriod, now: Date): number {
  const whole = secondsBetween(start, end)
  const left = now <= start ? whole : now >= end ? 0n : secondsBetween(now, end)
  return whole <= 0n ? 0 : Number(divideRounded(BigInt(amount) * left, whole))
}

/** Whole seconds: the clock's milliseconds do not change what a change costs. */
const secondsBetween = (from: Date, to: Date): bigint =>
  BigInt(Math.floor(to.getTime() / 1000)) - BigInt(Math.floor(from.getTime() / 1000))

/**
 * The lines of a change within a period: a credit for the rest of the old prices, and a debit for the rest of the new
 * ones. A price that stays as it is has neither, so a change that changes nothing bills nothing (SUB-7). Lines of zero are
 * left out (ORD-9).
 */
export function prorate(
  { old, next }: { readonly old: readonly PeriodPrice[]; readonly next: readonly PeriodPrice[] },
  period: LinePeriod,
  now: Date,
): OrderLine[] {
  const rest = { start: now, end: period.end }
  const lines = [
    ...without(old, next).map((price) => lineOf(price, -restOf(price.amount, period, now), rest)),
    ...without(next, old).map((price) => lineOf(price, restOf(price.amount, period, now), rest)),
  ]
  return lines.filter(({ amount }) => amount !== 0)
}

/** The prices of one side that the other one does not have as they are. */
const without = (prices: readonly PeriodPrice[], others: readonly PeriodPrice[]): PeriodPrice[] =>
  prices.filter(
    ({ productPriceId, quantity, amount }) =>
      !others.some(
        (other) => other.productPriceId === productPriceId && other.quantity === quantity && other.amount === amount,
      ),
  )

const lineOf = ({ amount: _, ...price }: PeriodPrice, amount: number, rest: LinePeriod): OrderLine => ({
  ...price,
  kind: 'proration',
  label: `${amount < 0 ? 'Unused time on' : 'Remaining time on'} ${price.label}, from ${day(rest.start)} to ${day(rest.end)}`,
  unitAmount: null,
  amount,
  isDiscountable: false,
  period: rest,
})

const day = (time: Date): string => time.toISOString().slice(0, 10)
