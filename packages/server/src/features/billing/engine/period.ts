import { Temporal } from 'temporal-polyfill'

/** How often a subscription renews: each `count` days, weeks, months or years. */
export type Cycle = { readonly interval: 'day' | 'week' | 'month' | 'year'; readonly count: number }

/** Day of the month, in UTC, on which each period of a new subscription begins (SUB-2). */
export const anchorDayOf = (start: Date): number => start.getUTCDate()

/**
 * Returns the end of the period that begins at `start`, at the same time in UTC (SUB-2). Months and years end on the
 * anchor day, or on the last day of a shorter month: 31 January leads to 28 February and 31 March. Days and weeks have
 * 24 hours and seven days, because UTC has no summer time.
 *
 * @param anchorDay 1 to 31; days and weeks need none.
 */
export function periodEnd(start: Date, { interval, count }: Cycle, anchorDay: number): Date {
  if (!Number.isInteger(count) || count < 1) throw new RangeError(`A cycle has a count of 1 or more, not ${count}`)
  const begins = Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO('UTC')
  if (interval === 'day' || interval === 'week')
    return new Date(begins.add(interval === 'day' ? { days: count } : { weeks: count }).epochMilliseconds)
  const month = begins.with({ day: 1 }).add(interval === 'month' ? { months: count } : { years: count })
  return new Date(month.with({ day: Math.min(anchorDay, month.daysInMonth) }).epochMilliseconds)
}
