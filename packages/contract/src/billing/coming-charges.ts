/** The price of a subscription, as far as coming charges depend on it. Amounts are whole minor units, without usage. */
export type AgreedCharges = {
  readonly interval: 'month' | 'year'
  /** For each period, before any discount. */
  readonly amount: number
  /** For each discounted period; equal to `amount` without a discount. */
  readonly netAmount: number
  readonly discount: {
    readonly duration: 'once' | 'forever' | 'repeating'
    readonly durationInMonths?: number | undefined
  } | null
}

export type ComingCharges = {
  /** The amount for the next period. */
  readonly next: number
  /** If that is a temporary discount: its remaining months from now. */
  readonly months?: number
  /** The permanent amount for every period after that. */
  readonly later: number
}

/**
 * The charges after the first periods, which are paid or being paid now. A discount applies once, to all periods, or
 * to those that begin within its months from the first (SUB-11). Undefined where no period costs anything.
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
