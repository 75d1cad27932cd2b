import fc from 'fast-check'
import { expect, test } from 'vitest'
import { discountOn, isApplicable, isRedeemable } from './discount-rules.ts'

const percent = (basisPoints: number) => ({ type: 'percentage', amount: null, basisPoints })
const fixed = (amount: number) => ({ type: 'fixed', amount, basisPoints: null })

test.each([
  [percent(1000), 1000, 100],
  [percent(5000), 1999, 1000], // 999.5: halves round away from zero
  [percent(5000), 1, 1],
  [percent(3333), 100, 33], // 33.33
  [percent(3350), 100, 34], // 33.5
  [percent(1), 4999, 0], // 0.4999
  [percent(1), 5000, 1], // 0.5
  [percent(1), 15_000, 2], // 1.5
  [percent(10_000), 99_999_999, 99_999_999],
  [percent(9999), 999_999_999_999, 999_899_999_999], // 999,899,999,999.0001
  [percent(1234), 999_999_999_999, 123_400_000_000], // 123,399,999,999.8766
  [percent(10_000), 0, 0],
  [fixed(500), 1000, 500],
  [fixed(1000), 1000, 1000],
  [fixed(1001), 1000, 1000],
  [fixed(0), 1000, 0],
  [fixed(500), 0, 0],
])('%j takes off %i: %i', (discount, base, taken) => {
  expect(discountOn(discount, base)).toBe(taken)
})

test('no discount is less than nothing or more than the amount, and 100 % is all of it', () => {
  const amount = fc.integer({ min: 0, max: 999_999_999_999 })
  fc.assert(
    fc.property(amount, fc.integer({ min: 1, max: 10_000 }), amount, (base, basisPoints, off) => {
      const parts = [discountOn(percent(basisPoints), base), discountOn(fixed(off), base)]
      for (const part of parts) expect(Number.isSafeInteger(part) && part >= 0 && part <= base).toBe(true)
      // Checks without fractions: twice the distance to the exact value is at most one whole.
      const error = 2n * (BigInt(parts[0]!) * 10_000n - BigInt(base) * BigInt(basisPoints))
      expect(error > -10_000n && error <= 10_000n).toBe(true)
      expect(discountOn(percent(10_000), base)).toBe(base)
    }),
  )
})

const now = new Date('2026-03-01T12:00:00.000Z')
const before = new Date('2026-03-01T11:59:59.999Z')
const later = new Date('2026-03-01T12:00:00.001Z')
const unlimited = { startsAt: null, endsAt: null, maxRedemptions: null, redemptionsCount: 0, deletedAt: null }

test.each([
  [{}, true],
  [{ startsAt: now }, true],
  [{ startsAt: before }, true],
  [{ startsAt: later }, false],
  [{ endsAt: now }, true],
  [{ endsAt: later }, true],
  [{ endsAt: before }, false],
  [{ maxRedemptions: 1, redemptionsCount: 0 }, true],
  [{ maxRedemptions: 1, redemptionsCount: 1 }, false],
  [{ maxRedemptions: 10, redemptionsCount: 11 }, false],
  [{ redemptionsCount: 1_000_000 }, true],
  [{ deletedAt: before }, false],
])('%j can be redeemed: %s', (limits, expected) => {
  expect(isRedeemable({ ...unlimited, ...limits }, now)).toBe(expected)
})

const once = { id: 'book', isRecurring: false, isFree: false }
const monthly = { id: 'plan', isRecurring: true, isFree: false }

test.each([
  [{}, [], once, 'usd', true],
  [{}, ['book'], once, 'usd', true],
  [{}, ['plan'], once, 'usd', false],
  [{ duration: 'repeating' }, [], once, 'usd', false],
  [{ duration: 'repeating' }, [], monthly, 'usd', true],
  [{ duration: 'forever' }, [], once, 'usd', true],
  [{ type: 'fixed', currency: 'usd' }, [], once, 'usd', true],
  [{ type: 'fixed', currency: 'eur' }, [], once, 'usd', false],
  [{}, [], once, 'eur', true],
  [{}, [], { ...once, isFree: true }, 'usd', false],
])('%j of the products %j applies to %j in %s: %s', (given, productIds, product, currency, expected) => {
  const terms = { type: 'percentage', duration: 'once', currency: null, ...given }
  expect(isApplicable(terms, productIds, product, currency)).toBe(expected)
})
