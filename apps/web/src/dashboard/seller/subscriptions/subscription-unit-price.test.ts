import { expect, test } from 'vitest'
import { unitPriceText } from './subscription-unit-price.ts'

test.each([
  ['100', 'usd', '$1.00'],
  ['0.5', 'usd', '$0.005'],
  ['0.000000000001', 'eur', '€0.00000000000001'],
  ['7', 'jpy', '¥7'],
  ['700', 'huf', 'HUF\u00a07.00'],
  ['0.123456789012', 'jpy', '¥0.123456789012'],
])('%s minor units of %s are %s', (unitAmount, currency, text) => {
  expect(unitPriceText(unitAmount, currency)).toBe(text)
})
