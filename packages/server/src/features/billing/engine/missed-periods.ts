import { type DiscountSpan, discountHolds } from './discount-span.ts'
import { type Cycle, periodEnd } from './period.ts'

/** A subscription that has stood in one period since before renewals existed. */
export type Standing = {
  readonly cycle: Cycle
  readonly anchorDay: number
  /** The end of that period. */
  readonly periodEnd: Date
  /** What each period costs before its discount and tax. */
  readonly amount: number
  readonly discount: StandingDiscount | null
}

type StandingDiscount = Omit<DiscountSpan, 'anchorDay'> & {
  /** The reduction of a price. */
  readonly on: (base: number) => number
}

export type Missed = {
  /** Whole periods that have begun since, the running one included: each would be an order. */
  readonly periods: number
  readonly amount: number
  /** The running period. */
  readonly start: Date
  readonly end: Date
}

/** What a subscription missed up to now: each period's price under the discount that held for it (SUB-11). */
export function missedPeriods(standing: Standing, now: Date): Missed {
  const { cycle, anchorDay, amount, discount } = standing
  let start = standing.periodEnd
  let missed = { periods: 0, amount: 0, start, end: start }
  let appliedAt = discount?.appliedAt ?? null
  while (start <= now) {
    const end = periodEnd(start, cycle, anchorDay)
    const isLess = discount !== null && discountHolds({ ...discount, appliedAt, anchorDay }, start)
    if (isLess) appliedAt ??= start
    missed = {
      periods: missed.periods + 1,
      amount: missed.amount + amount - (isLess ? discount.on(amount) : 0),
      start,
      end,
    }
    start = end
  }
  return missed
}
