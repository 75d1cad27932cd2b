import { expect, test } from 'vitest'
import {
  addDuration,
  after,
  days,
  hours,
  minutes,
  movableClock,
  overdueClock,
  seconds,
  standingClock,
  systemClock,
} from './clock.ts'

test('the clock of production cannot be moved', () => {
  const before = systemClock.now()

  expect(systemClock.advance(days(1))).toBe(false)
  expect(systemClock.offset()).toBe(0)
  expect(systemClock.now().getTime() - before.getTime()).toBeLessThan(minutes(1))
})

test('the clock of development runs ahead of the machine by its offset', () => {
  const clock = movableClock(days(1))

  expect(clock.advance(hours(1))).toBe(true)

  expect(clock.offset()).toBe(days(1) + hours(1))
  const ahead = clock.now().getTime() - systemClock.now().getTime() - clock.offset()
  expect(Math.abs(ahead)).toBeLessThan(minutes(1))
})

test('the clock of tests stands until it is moved', () => {
  const clock = standingClock(new Date('2026-03-01T12:00:00.000Z'))

  expect(clock.now()).toEqual(clock.now())
  clock.advance(1500)
  expect(clock.now().toISOString()).toBe('2026-03-01T12:00:01.500Z')
})

test('the clock of overdue work stands at its moment, and knows the present', () => {
  const present = standingClock(new Date('2026-03-01T12:00:00.000Z'))
  const clock = overdueClock(present, new Date('2026-01-01T00:00:00.000Z'))

  present.advance(1500)

  expect(clock.now().toISOString()).toBe('2026-01-01T00:00:00.000Z')
  expect(clock.present().toISOString()).toBe('2026-03-01T12:00:01.500Z')
})

test('units', () => {
  expect([seconds(1), minutes(1), hours(1), days(1)]).toEqual([1000, 60_000, 3_600_000, 86_400_000])
  expect(after(new Date(5), 6)).toEqual(new Date(11))
})

test.each([
  ['2026-01-31T00:00:00.000Z', 'P1M', '2026-02-28T00:00:00.000Z'],
  ['2028-01-31T00:00:00.000Z', 'P1M', '2028-02-29T00:00:00.000Z'],
  ['2028-02-29T00:00:00.000Z', 'P1Y', '2029-02-28T00:00:00.000Z'],
  ['2026-03-28T12:00:00.000Z', 'P1D', '2026-03-29T12:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', 'PT0.001S', '2027-01-01T00:00:00.000Z'],
  ['2026-01-01T00:00:00.000Z', 'P1Y2M3DT4H5M6S', '2027-03-04T04:05:06.000Z'],
  ['2026-01-01T00:00:00.000Z', '-P1D', '2025-12-31T00:00:00.000Z'],
  ['2026-01-01T00:00:00.000Z', 'P2W', '2026-01-15T00:00:00.000Z'],
])('%s and %s is %s', (time, duration, expected) => {
  expect(addDuration(new Date(time), duration)?.toISOString()).toBe(expected)
})

test.each(['', '1M', 'P', 'PT', 'P1', 'P1H', 'one month', 'P1M2', 'P999999999Y', 'P1.5Y'])(
  '%j is no duration',
  (text) => {
    expect(addDuration(new Date(0), text)).toBeNull()
  },
)
