import { periodEnd } from './period.ts'

/** How long a subscription's discount lasts. */
export type DiscountSpan = {
  readonly duration: string
  readonly durationInMonths: number | null
  /** When it first applied; its months count from here. Null before that. */
  readonly appliedAt: Date | null
  /** The day of the month on which the subscription's periods begin. */
  readonly anchorDay: number
}

/** Whether a discount applies to the period that begins at `start` (SUB-11). */
export function discountHolds(
  { duration, durationInMonths, appliedAt, anchorDay }: DiscountSpan,
  start: Date,
): boolean {
  if (duration === 'forever' || appliedAt === null) return true
  if (duration !== 'repeating' || durationInMonths === null) return false
  if (durationInMonths === 1) return start <= appliedAt
  const last = periodEnd(appliedAt, { interval: 'month', count: durationInMonths - 1 }, dayOf(appliedAt, anchorDay))
  return start <= last
}

/**
 * The day of the month that the months count from: that of the first discounted period, or the day that its month was too
 * short for. From 28 February, periods of the 31st go on with 31 March.
 */
function dayOf(appliedAt: Date, anchorDay: number): number {
  const day = appliedAt.getUTCDate()
  const next = new Date(appliedAt)
  next.setUTCDate(day + 1)
  return next.getUTCDate() === 1 ? Math.max(day, anchorDay) : day
}
