/** Calendar days as texts, such as `2026-11-23`, in the viewer's time zone, and ranges of them in addresses. */

import { language } from './language.ts'
import { zonedFormat } from './zone.ts'

/** The first and the last day, both included. */
export type DayRange = { readonly from: string; readonly to: string }

/** The day of a moment. Swedish writes days as ISO 8601 does. */
export const dayOf = zonedFormat({ year: 'numeric', month: '2-digit', day: '2-digit' }, 'sv')

/** Parses a day; undefined if the calendar has none of that name. */
export function dayIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined
  const at = Date.parse(`${value}T00:00:00Z`)
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== value ? undefined : value
}

/** A day so many days later, or earlier. */
export function addDays(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}

/** Parses a range from an address: `2026-11-01..2026-11-30`. */
export function rangeIn(value: unknown): DayRange | undefined {
  if (typeof value !== 'string') return undefined
  const [from, to] = value.split('..').map(dayIn)
  return from && to && from <= to ? { from, to } : undefined
}

export const rangeText = ({ from, to }: DayRange): string => `${from}..${to}`

/** The moments between which a range lies, both included, by the clock on the viewer's wall. */
export function momentsOf({ from, to }: DayRange): { readonly after: string; readonly before: string } {
  const startOf = (day: string) => new Date(`${day}T00:00:00`).getTime()
  return {
    after: new Date(startOf(from)).toISOString(),
    before: new Date(startOf(addDays(to, 1)) - 1).toISOString(),
  }
}

const plain = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
const short = plain({ day: 'numeric', month: 'short' })
const long = plain({ day: 'numeric', month: 'short', year: 'numeric' })
const month = plain({ month: 'short', year: 'numeric' })

const noon = (day: string) => new Date(`${day}T12:00:00Z`)

export const dayText = (day: string): string => short.format(noon(day))
export const monthText = (day: string): string => month.format(noon(day))
export const longDayText = (day: string): string => long.format(noon(day))
/** "Nov 1 – 30, 2026". */
export const rangeLabel = ({ from, to }: DayRange): string => long.formatRange(noon(from), noon(to))
