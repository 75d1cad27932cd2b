import { expect, test } from 'vitest'
import { banSeconds } from './ban-duration.ts'

const now = Date.parse('2026-03-01T12:00:00.000Z')

test.each([
  ['forEver', undefined],
  ['day', 86_400],
  ['week', 604_800],
  ['month', 2_592_000],
] as const)('a ban %s lasts %s seconds', (duration, seconds) => {
  expect(banSeconds(duration, '', now)).toBe(seconds)
})

test.each([
  ['2026-03-01T13:00:00.000Z', 3600],
  ['2026-03-01T12:00:00.000Z', null],
  ['2026-02-28T12:00:00.000Z', null],
  ['2300-01-01T00:00:00.000Z', null],
  ['', null],
  ['soon', null],
])('a ban until %s lasts %s seconds', (date, seconds) => {
  expect(banSeconds('date', date, now)).toBe(seconds)
})
