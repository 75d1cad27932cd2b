import { expect, test } from 'vitest'
import { discountHolds } from './discount-span.ts'
import { periodEnd } from './period.ts'

/** The periods from one moment on that a discount of so many months applies to, of the first 16. */
function periodsWith(months: number, from: string, anchorDay: number, cycle: 'month' | 'year' = 'month'): number {
  const appliedAt = new Date(`${from}T09:30:00Z`)
  let start = appliedAt
  let count = 0
  for (let period = 0; period < 16; period += 1) {
    if (discountHolds({ duration: 'repeating', durationInMonths: months, appliedAt, anchorDay }, start)) count += 1
    start = periodEnd(start, { interval: cycle, count: 1 }, anchorDay)
  }
  return count
}

test.each([
  // months, first discounted period, anchor day
  [3, '2026-01-31', 31],
  [3, '2026-02-28', 31],
  [2, '2026-04-30', 31],
  [12, '2026-02-28', 29],
  [1, '2026-02-28', 30],
  [2, '2024-02-29', 29],
  [2, '2024-02-29', 31],
  [3, '2026-02-28', 28],
  [5, '2026-03-15', 15],
])(
  'of %i months from %s on, with an anchor on day %i, exactly as many monthly periods have it (SUB-11)',
  (months, from, day) => {
    expect(periodsWith(months, from, day)).toBe(months)
  },
)

test.each([
  [12, 1],
  [24, 2],
])('of %i months, %i yearly period has it', (months, periods) => {
  expect(periodsWith(months, '2026-02-28', 29, 'year')).toBe(periods)
})

test('a moved anchor gives a discount no further period', () => {
  const appliedAt = new Date('2026-01-10T00:00:00Z')
  const span = { duration: 'repeating', durationInMonths: 3, appliedAt, anchorDay: 31 }

  expect(discountHolds(span, new Date('2026-02-28T00:00:00Z'))).toBe(true)
  expect(discountHolds(span, new Date('2026-03-31T00:00:00Z'))).toBe(false)
})
