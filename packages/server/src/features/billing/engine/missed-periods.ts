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

type StandingDiscount = {
  readonly duration: string
  /** The reduction of a price. */
  readonly on: (base: number) => number
  readonly durationInMonths: number | null
  /** When it first applied; its months count from here. */
  readonly appliedAt: Date | null
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
  const { cycle, anchorDay } = standing
  let start = standing.periodEnd
  let missed = { periods: 0, amount: 0, start, end: start }
  while (start <= now) {
    const end = periodEnd(start, cycle, anchorDay)
    missed = { periods: missed.periods + 1, amount: missed.amount + priceOf(standing, start), start, end }
    start = end
  }
  return missed
}

function priceOf({ amount, discount }: Standing, start: Date): number {
  return discount && holds(discount, start) ? amount - discount.on(amount) : amount
}

/** Whether a discount still applies to a period after the first (SUB-11). */
function holds({ duration, durationInMonths, appliedAt }: StandingDiscount, start: Date): boolean {
  if (duration === 'forever') return true
  if (duration !== 'repeating' || durationInMonths === null || appliedAt === null) return false
  if (durationInMonths === 1) return start <= appliedAt
  const last = periodEnd(appliedAt, { interval: 'month', count: durationInMonths - 1 }, appliedAt.getUTCDate())
  return start <= last
}
