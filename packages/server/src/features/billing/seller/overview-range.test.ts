import { describe, expect, test } from 'vitest'
import { daysOf, lengthOf, overviewRange } from './overview-range.ts'

const now = new Date('2026-11-23T18:30:00.000Z')
const hour = 3_600_000
const hoursOf = ({ since, until }: { since: Date; until: Date }) => (until.getTime() - since.getTime()) / hour

describe('days begin and end with the local clock', () => {
  test.each([
    ['UTC', '2026-11-01', '2026-11-01', '2026-11-01T00:00:00.000Z', [24]],
    ['Europe/Berlin, summer time begins', '2026-03-28', '2026-03-30', '2026-03-27T23:00:00.000Z', [24, 23, 24]],
    ['Europe/Berlin, summer time ends', '2026-10-24', '2026-10-26', '2026-10-23T22:00:00.000Z', [24, 25, 24]],
    ['America/New_York, summer time ends', '2026-10-31', '2026-11-02', '2026-10-31T04:00:00.000Z', [24, 25, 24]],
    ['Asia/Kolkata, at a half hour', '2026-11-01', '2026-11-01', '2026-10-31T18:30:00.000Z', [24]],
    ['Africa/Cairo, midnight is left out', '2026-04-23', '2026-04-25', '2026-04-22T22:00:00.000Z', [24, 23, 24]],
    ['Pacific/Apia, a day is left out', '2011-12-29', '2011-12-31', '2011-12-29T10:00:00.000Z', [24, 0, 24]],
  ])('%s', (name, startDate, endDate, since, hours) => {
    const { periods } = overviewRange(startDate, endDate, name.split(',')[0]!, now)

    expect(periods[0]?.since.toISOString()).toBe(since)
    expect(periods.map(hoursOf)).toEqual(hours)
    // Each period begins where the one before ends: no moment is counted twice or left out.
    for (const [index, { until }] of periods.entries()) expect(periods[index + 1]?.since ?? until).toEqual(until)
  })
})

test.each([
  ['2026-11-01', '2026-11-30', 'day', 30],
  ['2026-08-24', '2026-11-23', 'day', 92],
  ['2026-08-23', '2026-11-23', 'month', 4],
  ['2025-12-15', '2026-11-23', 'month', 12],
])('%s to %s is charted by %s: %i points', (startDate, endDate, interval, points) => {
  const range = overviewRange(startDate, endDate, 'Europe/Berlin', now)

  expect([range.interval, range.periods.length]).toEqual([interval, points])
})

test('months begin on their first day, except the one that the range begins in', () => {
  const { periods } = overviewRange('2026-01-31', '2026-05-31', 'UTC', now)

  expect(periods.map(({ date }) => date)).toEqual([
    '2026-01-31',
    '2026-02-01',
    '2026-03-01',
    '2026-04-01',
    '2026-05-01',
  ])
})

test.each([
  ['is over: the days before are counted whole', '2026-11-08', '2026-11-14', '2026-11-01', '2026-11-08T00:00:00.000Z'],
  ['runs: up to the same time', '2026-11-17', '2026-11-23', '2026-11-10', '2026-11-16T18:30:00.000Z'],
])('a range that %s', (_, startDate, endDate, first, until) => {
  const { before } = overviewRange(startDate, endDate, 'UTC', now)

  expect([before.startDate, before.since.toISOString(), before.until.toISOString()]).toEqual([
    first,
    `${first}T00:00:00.000Z`,
    until,
  ])
})

test('the same time of day is that of the local clock, also across its change', () => {
  const noon = new Date('2026-03-31T10:00:00.000Z')
  const { before } = overviewRange('2026-03-25', '2026-03-31', 'Europe/Berlin', noon)

  expect(before.until.toISOString()).toBe('2026-03-24T11:00:00.000Z')
})

test.each([
  ['UTC', {}, '2026-10-25', '2026-11-23'],
  ['Pacific/Auckland', {}, '2026-10-26', '2026-11-24'],
  ['UTC', { startDate: '2026-11-20' }, '2026-11-20', '2026-11-23'],
  ['UTC', { endDate: '2026-03-01' }, '2026-01-31', '2026-03-01'],
])('in %s, %o means %s to %s', (timezone, given, startDate, endDate) => {
  expect(daysOf(given, timezone, now)).toEqual({ startDate, endDate })
})

test('a range has its first and its last day', () => {
  expect([lengthOf('2026-11-23', '2026-11-23'), lengthOf('2024-02-28', '2024-03-01')]).toEqual([1, 3])
  expect(lengthOf('2026-11-23', '2026-11-22')).toBe(0)
})
