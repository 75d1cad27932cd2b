import { Temporal } from 'temporal-polyfill'

export type RecurringInterval = 'month' | 'year'

/** Day of the month, in UTC, on which each period of a new subscription begins (SUB-2). */
export const anchorDayOf = (start: Date): number => start.getUTCDate()

/**
 * Returns the end of the period that begins at `start`: one month or year later on the anchor day, at the same time in
 * UTC. Shorter months use their last day, so 31 January leads to 28 February and 31 March (SUB-2).
 */
export function periodEnd(start: Date, interval: RecurringInterval, anchorDay: number): Date {
  const begins = Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO('UTC')
  const month = begins.with({ day: 1 }).add(interval === 'month' ? { months: 1 } : { years: 1 })
  return new Date(month.with({ day: Math.min(anchorDay, month.daysInMonth) }).epochMilliseconds)
}
