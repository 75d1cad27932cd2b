import { expect, test } from 'vitest'
import { addDays, dayIn, dayOf, momentsOf, rangeIn, rangeLabel } from './days.ts'

test.each([
  ['2026-11-23', '2026-11-23'],
  ['2024-02-29', '2024-02-29'],
  ['2026-02-29', undefined],
  ['2026-13-01', undefined],
  ['yesterday', undefined],
  [7, undefined],
])('%s is the day %s', (given, day) => {
  expect(dayIn(given)).toBe(day)
})

test.each([
  ['2026-11-01..2026-11-30', { from: '2026-11-01', to: '2026-11-30' }],
  ['2026-11-30..2026-11-01', undefined],
  ['2026-11-01', undefined],
  [undefined, undefined],
])('%s is the range %o', (given, range) => {
  expect(rangeIn(given)).toEqual(range)
})

test('days are added across months and years', () => {
  expect([addDays('2026-12-31', 1), addDays('2026-03-01', -1)]).toEqual(['2027-01-01', '2026-02-28'])
})

test('a range lasts from the first moment of its first local day to the last of its last', () => {
  const { after, before } = momentsOf({ from: '2026-03-28', to: '2026-03-30' })

  expect([dayOf(Date.parse(after)), dayOf(Date.parse(before))]).toEqual(['2026-03-28', '2026-03-30'])
  expect([dayOf(Date.parse(after) - 1), dayOf(Date.parse(before) + 1)]).toEqual(['2026-03-27', '2026-03-31'])
})

test('a range is named once', () => {
  expect(rangeLabel({ from: '2026-11-01', to: '2026-11-30' })).toMatch(/^Nov 1\s–\s30, 2026$/)
})
