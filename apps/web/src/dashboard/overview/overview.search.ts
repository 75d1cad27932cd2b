import { addDays, type DayRange, dayOf, rangeIn } from '../days.ts'
import { textIn } from '../search.ts'

/** The usual one first. */
export const periods = ['30d', '7d', '90d', '12m'] as const
export type Period = (typeof periods)[number]

/** The address of the overview, without default values. A range takes the place of a period. */
export type OverviewSearch = {
  period?: Period | undefined
  range?: string | undefined
  /** The figure in the large chart. */
  figure?: string | undefined
}

/** Parses an address; invalid values count as missing. */
export function overviewSearchIn(given: Readonly<Record<string, unknown>>): OverviewSearch {
  const period = periods.find((each, index) => each === given.period && index > 0)
  const range = rangeIn(given.range) && textIn(given.range)
  const figure = textIn(given.figure, 40)
  return { ...(range ? { range } : period && { period }), ...(figure && { figure }) }
}

const daysOf = { '7d': 7, '30d': 30, '90d': 90 } as const

/** The days that an address means. Twelve months are this one and the eleven before. */
export function daysOfSearch({ period = '30d', range }: OverviewSearch, now: number): DayRange {
  const given = rangeIn(range)
  if (given) return given
  const to = dayOf(now)
  if (period !== '12m') return { from: addDays(to, 1 - daysOf[period]), to }
  const [year = 0, month = 0] = to.split('-').map(Number)
  return { from: new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, 10), to }
}
