import { describe, expect, test } from 'vitest'
import { anchorDayOf, type Cycle, periodEnd } from './period.ts'

/** Consecutive periods of a subscription. */
function periods(start: string, cycle: Cycle, count: number): string[] {
  const anchorDay = anchorDayOf(new Date(start))
  const ends: string[] = []
  let begins = new Date(start)
  for (let index = 0; index < count; index += 1) {
    begins = periodEnd(begins, cycle, anchorDay)
    ends.push(begins.toISOString().replace('.000Z', 'Z'))
  }
  return ends
}

describe('periods follow the calendar, clamped to the end of a month and back to the anchor day (SUB-2)', () => {
  test.each([
    ['2026-03-01T12:00:00Z', 'month', ['2026-04-01T12:00:00Z', '2026-05-01T12:00:00Z']],
    ['2026-01-31T09:30:15Z', 'month', ['2026-02-28T09:30:15Z', '2026-03-31T09:30:15Z', '2026-04-30T09:30:15Z']],
    ['2028-01-31T00:00:00Z', 'month', ['2028-02-29T00:00:00Z', '2028-03-31T00:00:00Z']],
    ['2026-01-30T00:00:00Z', 'month', ['2026-02-28T00:00:00Z', '2026-03-30T00:00:00Z']],
    ['2026-12-15T23:59:59Z', 'month', ['2027-01-15T23:59:59Z', '2027-02-15T23:59:59Z']],
    ['2025-12-31T23:59:59Z', 'month', ['2026-01-31T23:59:59Z', '2026-02-28T23:59:59Z']],
    ['2026-06-15T08:00:00Z', 'year', ['2027-06-15T08:00:00Z', '2028-06-15T08:00:00Z']],
    [
      '2024-02-29T08:00:00Z',
      'year',
      ['2025-02-28T08:00:00Z', '2026-02-28T08:00:00Z', '2027-02-28T08:00:00Z', '2028-02-29T08:00:00Z'],
    ],
    [
      '2096-02-29T00:00:00Z',
      'year',
      ['2097-02-28T00:00:00Z', '2098-02-28T00:00:00Z', '2099-02-28T00:00:00Z', '2100-02-28T00:00:00Z'],
    ],
  ] as const)('%s, each %s', (start, interval, expected) => {
    expect(periods(start, { interval, count: 1 }, expected.length)).toEqual(expected)
  })

  test('no period is lost or drifts in forty years, whatever day it starts on', () => {
    const wrong: string[] = []
    // Days up to the 28th are in every month, and behave alike.
    for (const day of [1, 15, 28, 29, 30, 31]) {
      const ends = periods(`2026-01-${String(day).padStart(2, '0')}T05:06:07Z`, { interval: 'month', count: 1 }, 480)
      for (const [index, end] of ends.entries()) {
        const time = new Date(end)
        const lastDay = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 0)).getUTCDate()
        const isNext = time.getUTCFullYear() * 12 + time.getUTCMonth() === 2026 * 12 + index + 1
        if (!isNext || time.getUTCDate() !== Math.min(day, lastDay)) wrong.push(end)
      }
    }
    expect(wrong).toEqual([])
  })

  test.each([
    ['2026-02-27T23:00:00Z', 'day', 1, ['2026-02-28T23:00:00Z', '2026-03-01T23:00:00Z']],
    ['2028-02-20T00:00:00Z', 'day', 10, ['2028-03-01T00:00:00Z', '2028-03-11T00:00:00Z']],
    ['2026-03-25T01:30:00Z', 'week', 1, ['2026-04-01T01:30:00Z', '2026-04-08T01:30:00Z']],
    ['2026-12-24T08:00:00Z', 'week', 2, ['2027-01-07T08:00:00Z', '2027-01-21T08:00:00Z']],
    ['2026-10-31T00:00:00Z', 'month', 3, ['2027-01-31T00:00:00Z', '2027-04-30T00:00:00Z', '2027-07-31T00:00:00Z']],
    ['2026-08-31T00:00:00Z', 'month', 6, ['2027-02-28T00:00:00Z', '2027-08-31T00:00:00Z', '2028-02-29T00:00:00Z']],
    ['2024-02-29T00:00:00Z', 'year', 2, ['2026-02-28T00:00:00Z', '2028-02-29T00:00:00Z']],
  ] as const)('%s, each %s, %i at a time', (start, interval, count, expected) => {
    expect(periods(start, { interval, count }, expected.length)).toEqual(expected)
  })

  test('a week is seven days in a year of 53 weeks too, and over the ends of summer time', () => {
    // 2032 has 53 weeks of the calendar (ISO 8601).
    const ends = periods('2031-12-29T00:00:00Z', { interval: 'week', count: 1 }, 54)

    expect([ends[0], ends[52], ends[53]]).toEqual([
      '2032-01-05T00:00:00Z',
      '2033-01-03T00:00:00Z',
      '2033-01-10T00:00:00Z',
    ])
    for (const [at, end] of ends.entries())
      expect(Date.parse(end) - Date.parse('2031-12-29T00:00:00Z')).toBe((at + 1) * 7 * 86_400_000)
  })

  test.each([0, -1, 1.5, Number.NaN])('a count of %d is refused', (count) => {
    expect(() => periodEnd(new Date(0), { interval: 'month', count }, 1)).toThrow(RangeError)
  })
})
