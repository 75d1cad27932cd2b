import { Temporal } from 'temporal-polyfill'

export type RecurringInterval = 'month' | 'year'

/** The day of the month, in UTC, on which the periods of a subscription that begins now begin (SUB-2). */
export const anchorDayOf = (start: Date): number => start.getUTCDate()

/**
 * The end of the period that begins at `start`: a month or a year later, on the anchor day or, in a shorter month, on its
 * last one, at the same time of day in UTC. From 31 January to 28 February to 31 March (SUB-2).
 */
export function periodEnd(start: Date, interval: RecurringInterval, anchorDay: number): Date {
  const begins = Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO('UTC')
  const month = begins.with({ day: 1 }).add(interval === 'month' ? { months: 1 } : { years: 1 })
  return new Date(month.with({ day: Math.min(anchorDay, month.daysInMonth) }).epochMilliseconds)
}
