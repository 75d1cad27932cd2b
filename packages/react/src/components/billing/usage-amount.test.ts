import { expect, test } from 'vitest'
import { parseUnits, usageAmount } from './usage-amount.ts'

test.each([
  ['0.2', null, 0, 0],
  ['0.2', null, 1000, 200],
  ['0.2', null, 2, 0],
  ['0.5', null, 1, 1],
  ['1.005', null, 100, 101],
  ['0.000000000001', null, 999_999_999_999, 1],
  ['12', null, 3, 36],
  ['0.2', 5000, 1_000_000, 5000],
  ['0.2', 5000, 10_000, 2000],
  ['0.2', 0, 10_000, 0],
])('at %s each, at most %s, %i units cost %i', (unitAmount, capAmount, units, amount) => {
  expect(usageAmount({ unitAmount, capAmount }, units)).toBe(amount)
})

test.each([
  ['1000', 1000],
  ['1,000', 1000],
  ['1.000.000', 1_000_000],
  [' 5 000 ', 5000],
  ['0', 0],
  ['', undefined],
  ['many', undefined],
  ['-5', undefined],
  ['1e9', undefined],
  ['1234567890123', undefined],
])('%j units are %s', (text, units) => {
  expect(parseUnits(text)).toBe(units)
})
