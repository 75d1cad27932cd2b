import { expect, test } from 'vitest'
import { daysOfSearch, overviewSearchIn } from './overview.search.ts'

const now = new Date(2026, 10, 23, 12).getTime()

test.each([
  [{}, {}, '2026-10-25', '2026-11-23'],
  [{ period: '30d' }, {}, '2026-10-25', '2026-11-23'],
  [{ period: '7d' }, { period: '7d' }, '2026-11-17', '2026-11-23'],
  [{ period: '90d' }, { period: '90d' }, '2026-08-26', '2026-11-23'],
  [{ period: '12m' }, { period: '12m' }, '2025-12-01', '2026-11-23'],
  [{ period: 'ever' }, {}, '2026-10-25', '2026-11-23'],
  [{ period: '7d', range: '2026-01-01..2026-01-05' }, { range: '2026-01-01..2026-01-05' }, '2026-01-01', '2026-01-05'],
  [{ range: '2026-01-05..2026-01-01' }, {}, '2026-10-25', '2026-11-23'],
])('%o is %o: %s to %s', (given, search, from, to) => {
  expect(overviewSearchIn(given)).toEqual(search)
  expect(daysOfSearch(overviewSearchIn(given), now)).toEqual({ from, to })
})
