import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { basisPointsOf, divideRounded, meteredAmount, shareOf, split } from './money.ts'

/** The largest amount (contract, `amountLimit`). */
const most = 999_999_999_999
const amount = fc.integer({ min: -most, max: most })

describe('one rounding: to the nearest, and a half away from zero', () => {
  test.each([
    [0n, 3n, 0n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [1n, 2n, 1n],
    [3n, 2n, 2n],
    [5n, 2n, 3n],
    [49n, 100n, 0n],
    [50n, 100n, 1n],
    [149n, 100n, 1n],
    [150n, 100n, 2n],
    [250n, 100n, 3n], // not 2, unlike banker's rounding
    [-1n, 3n, 0n],
    [-2n, 3n, -1n],
    [-1n, 2n, -1n],
    [-3n, 2n, -2n],
    [-5n, 2n, -3n],
    [-149n, 100n, -1n],
    [-150n, 100n, -2n],
    [2n ** 80n + 1n, 2n, 2n ** 79n + 1n],
    [-(2n ** 80n) - 1n, 2n, -(2n ** 79n) - 1n],
  ])('%s / %s is %s', (numerator, denominator, rounded) => {
    expect(divideRounded(numerator, denominator)).toBe(rounded)
  })

  test('no other integer is nearer, payments and refunds round alike, and only halves round away from zero', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }), fc.bigInt({ min: 1n, max: 2n ** 60n }), (n, d) => {
        const rounded = divideRounded(n, d)
        // Twice the distance to the exact value, as a whole number.
        const error = 2n * (rounded * d - n)
        const size = error < 0n ? -error : error
        expect(size <= d).toBe(true)
        if (size === d) expect(error > 0n === n > 0n).toBe(true)
        expect(divideRounded(-n, d)).toBe(-rounded)
      }),
    )
  })
})

test.each([
  [1999, 5000, 1000], // 999.5
  [-1999, 5000, -1000],
  [10_050, 1, 1], // 1.005
  [14_999, 1, 1], // 1.4999
  [15_000, 1, 2], // 1.5
  [most, 9999, 999_899_999_999],
  [0, 10_000, 0],
])('of %i %i basis points are %i', (whole, basisPoints, part) => {
  expect(basisPointsOf(whole, basisPoints)).toBe(part)
})

test.each([
  [1000, 1, 3, 333],
  [1000, 2, 3, 667],
  [-1000, 2, 3, -667],
  [5, 1, 2, 3], // 2.5
  [-5, 1, 2, -3],
  [1900, 17, 31, 1042], // 1041.935…
  [1900, 0, 31, 0],
  [1900, 31, 31, 1900],
  [1900, 5, 0, 0],
  [most, 86_399_999, 86_400_000, 999_999_988_425], // excludes the last millisecond of a day
])('of %i %i/%i are %i', (whole, part, of, share) => {
  expect(shareOf(whole, part, of)).toBe(share)
})

describe('parts', () => {
  test.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [-100, [1, 1, 1], [-34, -33, -33]],
    [101, [1, 1, 1], [34, 34, 33]],
    [10, [1, 2, 4], [1, 3, 6]], // 1.43, 2.86, 5.71
    [-10, [1, 2, 4], [-1, -3, -6]],
    [1, [1, 1], [1, 0]],
    [-1, [1, 1], [-1, 0]],
    [1, [1, 3], [0, 1]],
    [0, [1, 2], [0, 0]],
    [999, [0, 5, 0], [0, 999, 0]],
    [999, [0, 0], [999, 0]],
    [-999, [0, 0], [-999, 0]],
    [7, [5], [7]],
    [most, [most, most, most], [333_333_333_333, 333_333_333_333, 333_333_333_333]],
  ])('of %i by %j are %j', (whole, weights, parts) => {
    expect(split(whole, weights)).toEqual(parts)
  })

  test('sum to the whole, each less than one away from its exact share, and are symmetric', () => {
    const weights = fc.array(fc.integer({ min: 0, max: most }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(amount, weights, (whole, by) => {
        const parts = split(whole, by)
        const total = by.reduce((sum, weight) => sum + BigInt(weight), 0n)

        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(whole)
        expect(split(whole === 0 ? 0 : -whole, by)).toEqual(parts.map((part) => (part === 0 ? 0 : -part)))
        if (total === 0n) return
        for (const [index, part] of parts.entries()) {
          const error = BigInt(part) * total - BigInt(whole) * BigInt(by[index]!)
          expect(error > -total && error < total).toBe(true)
          if (by[index] === 0) expect(part).toBe(0)
        }
      }),
    )
  })
})

describe('usage is rounded once, at the end (MET-11)', () => {
  test.each([
    ['0.5', 1, 1],
    ['0.5', 3, 2], // 1.5
    ['0.4', 1, 0],
    ['0.1', 3, 0],
    ['0.1', 5, 1],
    ['0.015', 100, 2], // 1.5, which is 1.4999… in floating point
    ['1.005', 100, 101], // 100.5
    ['0.000000000001', 500_000_000_000, 1], // 0.5
    ['0.000000000001', 499_999_999_999, 0],
    ['0.000000000001', 0.5, 0],
    ['12', 2.5, 30],
    ['0.333333333333', 3, 1],
    ['1', 0.000000000001, 0],
    ['100', 0.005, 1], // 0.5
    ['99999999.999999999999', 10_000, 1_000_000_000_000],
    ['0', 1e21, 0],
    ['0.000000000001', 1e21, 1_000_000_000],
    ['2', -2.25, -5], // -4.5
    ['12', 0, 0],
  ])('%s for each of %d is %i', (unitAmount, units, cost) => {
    expect(meteredAmount(unitAmount, units)).toBe(cost)
  })

  test('with every price of twelve places, and any number of units', () => {
    const price = fc.bigInt({ min: 0n, max: 10n ** 20n })
    fc.assert(
      fc.property(price, fc.integer({ min: 0, max: 1_000_000 }), (scaled, units) => {
        const digits = String(scaled).padStart(13, '0')
        const unitAmount = `${digits.slice(0, -12)}.${digits.slice(-12)}`

        expect(BigInt(meteredAmount(unitAmount, units))).toBe(divideRounded(scaled * BigInt(units), 10n ** 12n))
      }),
    )
  })
})
