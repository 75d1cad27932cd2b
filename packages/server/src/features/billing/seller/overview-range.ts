import { Temporal } from 'temporal-polyfill'
import type { Span } from '../../../foundation/db/spans.ts'

export type OverviewInterval = 'day' | 'month'

/** A range of calendar days in a time zone, cut into the points of a chart. */
export type OverviewRange = {
  readonly startDate: string
  readonly endDate: string
  readonly interval: OverviewInterval
  /** Adjoining spans that cover the range, oldest first. */
  readonly periods: readonly (Span & { readonly date: string })[]
  /** As many days just before. It ends as far into its last day as the range has come, so that both compare. */
  readonly before: Span & { readonly startDate: string; readonly endDate: string }
}

/** The first and the last day, both included. */
export type Days = { readonly startDate?: string | undefined; readonly endDate?: string | undefined }

/** Most days of a range: the points of a chart, and so the work for one answer, stay bounded. */
export const mostDays = 1827
/** Longer ranges are charted by month. */
const mostDailyPoints = 92
const usualDays = 30

/** The number of days of a range; zero or less if it ends before it starts. */
export const lengthOf = (startDate: string, endDate: string): number =>
  Temporal.PlainDate.from(startDate).until(Temporal.PlainDate.from(endDate), { largestUnit: 'day' }).days + 1

/** Adds what a request leaves out: the range ends today, and has 30 days. */
export function daysOf(
  { startDate, endDate }: Days,
  timezone: string,
  now: Date,
): Required<{ [Key in keyof Days]: string }> {
  const today = zoned(now, timezone).toPlainDate()
  const last = endDate === undefined ? today : Temporal.PlainDate.from(endDate)
  return {
    startDate: startDate ?? last.subtract({ days: usualDays - 1 }).toString(),
    endDate: last.toString(),
  }
}

/**
 * Cuts a range into periods. Each begins with the first moment of a local day, so a day on which the clocks change has
 * 23 or 25 hours.
 */
export function overviewRange(startDate: string, endDate: string, timezone: string, now: Date): OverviewRange {
  const [first, last] = [Temporal.PlainDate.from(startDate), Temporal.PlainDate.from(endDate)]
  const days = lengthOf(startDate, endDate)
  const interval = days <= mostDailyPoints ? 'day' : 'month'
  const startOf = (date: Temporal.PlainDate) => instantOf(date.toZonedDateTime({ timeZone: timezone }))
  const end = last.add({ days: 1 })

  const periods = startsOf(first, end, interval).map((date, index, starts) => ({
    date: date.toString(),
    since: startOf(date),
    until: startOf(starts[index + 1] ?? end),
  }))
  const since = startOf(first)
  const sameTimeBefore = instantOf(zoned(now, timezone).subtract({ days }))
  return {
    startDate,
    endDate,
    interval,
    periods,
    before: {
      startDate: first.subtract({ days }).toString(),
      endDate: first.subtract({ days: 1 }).toString(),
      since: startOf(first.subtract({ days })),
      until: sameTimeBefore < since ? sameTimeBefore : since,
    },
  }
}

/** The first day of each period: of the range, then every day or the first of every month. */
function startsOf(
  first: Temporal.PlainDate,
  end: Temporal.PlainDate,
  interval: OverviewInterval,
): Temporal.PlainDate[] {
  const starts: Temporal.PlainDate[] = []
  for (let date = first; Temporal.PlainDate.compare(date, end) < 0; date = next(date, interval)) starts.push(date)
  return starts
}

const next = (date: Temporal.PlainDate, interval: OverviewInterval) =>
  interval === 'day' ? date.add({ days: 1 }) : date.with({ day: 1 }).add({ months: 1 })

const zoned = (at: Date, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone)
const instantOf = (at: Temporal.ZonedDateTime) => new Date(at.epochMilliseconds)
