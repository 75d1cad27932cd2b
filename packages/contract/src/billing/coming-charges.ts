/** What a subscription costs, as far as its coming charges depend on it; amounts are whole minor units, usage aside. */
export type AgreedCharges = {
  readonly interval: 'month' | 'year'
  /** Of each period, before any discount. */
  readonly amount: number
  /** Of each period to which the discount applies; the same as `amount` where there is none. */
  readonly netAmount: number
  readonly discount: {
    readonly duration: 'once' | 'forever' | 'repeating'
    readonly durationInMonths?: number | undefined
  } | null
}

export type ComingCharges = {
  /** What the next period costs. */
  readonly next: number
  /** Where that is less for a time only: how many months it lasts, counted from now. */
  readonly months?: number
  /** What every period costs from then on, for good. */
  readonly later: number
}

/**
 * What is charged for the periods after the first ones, which have been paid or are being paid now: a discount applies once,
 * to all periods, or to those that begin within so many months of the first (SUB-11). Nothing where no period costs anything.
 */
export function comingCharges(agreed: AgreedCharges, periodsPaid = 1): ComingCharges | undefined {
  const { interval, amount, netAmount, discount } = agreed
  if (amount === 0) return undefined
  if (discount?.duration === 'forever') return netAmount === 0 ? undefined : { next: netAmount, later: netAmount }
  const monthsEach = interval === 'year' ? 12 : 1
  const reduced = discount?.duration === 'repeating' ? Math.ceil((discount.durationInMonths ?? 1) / monthsEach) : 1
  const left = discount === null ? 0 : Math.max(0, reduced - periodsPaid)
  return left > 0 ? { next: netAmount, months: left * monthsEach, later: amount } : { next: amount, later: amount }
}
