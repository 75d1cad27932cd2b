import { expect, test } from 'vitest'
import { amountField, amountIn, moneyText } from './money.tsx'

test.each([
  [1900, 'usd', '$19.00'],
  [0, 'usd', '$0.00'],
  [-250, 'eur', '-€2.50'],
  [1900, 'jpy', '¥1,900'],
  [1234, 'kwd', 'KWD\u00a01.234'],
  [500_000, 'huf', 'HUF\u00a05,000.00'],
  [5000, 'isk', 'ISK\u00a05,000'],
  [123_456_789, 'usd', '$1,234,567.89'],
])('%d minor units of %s are written %s', (amount, currency, text) => {
  expect(moneyText(amount, currency)).toBe(text)
})

test.each([
  ['19', 'usd', 1900],
  ['19.5', 'usd', 1950],
  [' 19.05 ', 'usd', 1905],
  ['1,900.00', 'usd', 190_000],
  ['19.', 'usd', 1900],
  ['1900', 'jpy', 1900],
  ['1.5', 'kwd', 1500],
  ['0.29', 'usd', 29],
  ['5000', 'huf', 500_000],
  ['5000', 'isk', 5000],
])('%j in %s means %d', (text, currency, amount) => {
  expect(amountIn(text, currency)).toBe(amount)
  expect(amountIn(amountField(amount, currency), currency)).toBe(amount)
})

test.each([
  ['', 'usd'],
  ['-1', 'usd'],
  ['1e3', 'usd'],
  ['19.999', 'usd'],
  ['19.5', 'jpy'],
  ['1,90', 'usd'],
  ['$19', 'usd'],
  ['9999999999999', 'usd'],
])('%j in %s is no amount', (text, currency) => {
  expect(amountIn(text, currency)).toBeUndefined()
})
