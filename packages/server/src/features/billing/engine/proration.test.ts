import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sumOf } from '../money.ts'
import { anchorDayOf, periodEnd } from './period.ts'
import { prorate, restOf } from './proration.ts'

const at = (text: string) => new Date(`${text}Z`)
const march = { start: at('2026-03-01T00:00'), end: at('2026-04-01T00:00') }

const price = (amount: number, label = 'Team') => ({
  label,
  amount,
  quantity: 1,
  productId: 'product',
  productPriceId: 'price',
  isTaxExempt: false,
})

test.each([
  // amount, moment, rest
  [3100, '2026-03-01T00:00', 3100],
  [3100, '2026-03-02T00:00', 3000],
  [3100, '2026-03-16T12:00', 1550],
  [3100, '2026-03-31T23:59:59', 0],
  [3100, '2026-04-01T00:00', 0],
  [3100, '2026-04-05T00:00', 0],
  [3100, '2026-02-01T00:00', 3100],
  [1, '2026-03-16T12:00', 1], // half away from zero
  [-1, '2026-03-16T12:00', -1],
])('of %i, at %s, the rest of March is worth %i', (amount, moment, rest) => {
  expect(restOf(amount, march, at(moment))).toBe(rest)
})

test('a change credits the old price and charges the new one for the rest of the period (SUB-6)', () => {
  const lines = prorate({ old: [price(3100)], next: [price(6200, 'Business')] }, march, at('2026-03-16T12:00'))

  expect(lines.map(({ label, amount, kind, isDiscountable }) => [label, amount, kind, isDiscountable])).toEqual([
    ['Unused time on Team, from 2026-03-16 to 2026-04-01', -1550, 'proration', false],
    ['Remaining time on Business, from 2026-03-16 to 2026-04-01', 3100, 'proration', false],
  ])
  expect(lines.map(({ period }) => period?.end)).toEqual([march.end, march.end])
})

test('a change to or from a free price has one line, and one without effect has none (SUB-7)', () => {
  expect(prorate({ old: [price(0)], next: [price(3100)] }, march, march.start)).toHaveLength(1)
  expect(prorate({ old: [price(0)], next: [price(0)] }, march, march.start)).toEqual([])
})

test('a price that stays is neither credited nor charged: a change that changes nothing bills nothing (SUB-7)', () => {
  const [stays, other] = [price(3100), { ...price(500, 'Extra'), productPriceId: 'another' }]
  const moment = at('2026-03-16T12:00')

  expect(prorate({ old: [stays], next: [stays] }, march, moment)).toEqual([])
  expect(prorate({ old: [stays], next: [stays, other] }, march, moment).map(({ amount }) => amount)).toEqual([250])
  expect(prorate({ old: [stays], next: [{ ...stays, quantity: 2, amount: 6200 }] }, march, moment)).toHaveLength(2)
})

const amounts = fc.integer({ min: 0, max: 99_999_999 })
const moments = fc
  .integer({ min: march.start.getTime(), max: march.end.getTime() })
  .map((milliseconds) => new Date(milliseconds))
const total = (lines: readonly { readonly amount: number }[]) => sumOf(lines.map(({ amount }) => amount))

test('a change at the start of a period costs the difference of the prices', () => {
  fc.assert(
    fc.property(amounts, amounts, (old, next) => {
      expect(total(prorate({ old: [price(old)], next: [price(next)] }, march, march.start))).toBe(next - old)
    }),
  )
})

test('of any cycle that begins at any moment, the whole period is worth its price, and its end nothing', () => {
  const cycles = fc.record({
    interval: fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'year' as const),
    count: fc.integer({ min: 1, max: 12 }),
  })
  const begins = fc.date({ min: at('2024-01-01T00:00'), max: at('2099-12-31T23:59'), noInvalidDate: true })
  fc.assert(
    fc.property(amounts, cycles, begins, (amount, cycle, start) => {
      const period = { start, end: periodEnd(start, cycle, anchorDayOf(start)) }
      expect(restOf(amount, period, start)).toBe(amount)
      expect(restOf(amount, period, period.end)).toBe(0)
      const whole = prorate({ old: [], next: [price(amount)] }, period, start)
      expect(total(whole)).toBe(amount)
    }),
  )
})

test('a change there and back at any moment costs nothing (SUB-22)', () => {
  fc.assert(
    fc.property(amounts, amounts, moments, (old, next, now) => {
      const there = prorate({ old: [price(old)], next: [price(next)] }, march, now)
      const back = prorate({ old: [price(next)], next: [price(old)] }, march, now)
      expect(total(there) + total(back)).toBe(0)
    }),
  )
})

test('the rest never exceeds the price, and falls as time passes', () => {
  fc.assert(
    fc.property(amounts, moments, moments, (amount, one, other) => {
      const [earlier, later] = one <= other ? [one, other] : [other, one]
      const [more, less] = [restOf(amount, march, earlier), restOf(amount, march, later)]
      expect(more).toBeLessThanOrEqual(amount)
      expect(less).toBeLessThanOrEqual(more)
      expect(less).toBeGreaterThanOrEqual(0)
    }),
  )
})
