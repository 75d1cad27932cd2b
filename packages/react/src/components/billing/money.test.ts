import { describe, expect, test } from 'vitest'
import { amountText, formatMoney, formatUnitPrice, parseAmount } from './money.ts'

/** As people see it: one kind of blank. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

test.each([
  [1900, 'usd', 'en', '$19.00'],
  [0, 'usd', 'en', '$0.00'],
  [-500, 'usd', 'en', '−$5.00'],
  [123456789, 'eur', 'de', '1.234.567,89 €'],
  [1900, 'jpy', 'en', '¥1,900'],
  [1900, 'pln', 'pl', '19,00 zł'],
  [1234, 'kwd', 'en', 'KWD 1.234'],
  [500000, 'huf', 'hu', '5000,00 Ft'],
  [500000, 'cop', 'en', '$5,000.00'],
  [5000, 'isk', 'en', 'kr 5,000'],
  [5000, 'ugx', 'en', 'UGX 5,000'],
])('%i of %s reads in %s as %s', (amount, currency, locale, text) => {
  expect(plain(formatMoney(amount, currency, locale))).toBe(text)
})

test.each([
  ['0.2', 'usd', '$0.002'],
  ['100', 'usd', '$1.00'],
  ['0.000000000001', 'usd', '$0.00000000000001'],
  ['1.5', 'jpy', '¥1.5'],
])('%s minor units of %s for each unit read as %s', (unit, currency, text) => {
  expect(formatUnitPrice(unit, currency, 'en')).toBe(text)
})

describe('parsing of a typed amount', () => {
  test.each([
    ['12', 'usd', 1200],
    ['12.5', 'usd', 1250],
    ['12,50', 'usd', 1250],
    ['12.', 'usd', 1200],
    ['1,234.56', 'usd', 123456],
    ['1.234,56', 'eur', 123456],
    ['1 234,56', 'eur', 123456],
    ['1,234', 'usd', 123400],
    ['$ 12.50', 'usd', 1250],
    ['12,50 €', 'eur', 1250],
    ['500', 'jpy', 500],
    ['1,500', 'jpy', 1500],
    ['1.5', 'kwd', 1500],
    ['1.234', 'kwd', 1234],
    ['0', 'usd', 0],
    ['5000', 'huf', 500000],
    ['5000', 'isk', 5000],
  ])('%s of %s is %i', (text, currency, amount) => {
    expect(parseAmount(text, currency, currency === 'eur' ? 'de' : 'en')).toBe(amount)
  })

  test.each(['', 'twelve', '-5', '1e5', '12.50.', '5 apples', '9999999999999', 'NaN', '12..5', '3.999'])(
    '%j is none',
    (text) => {
      expect(parseAmount(text, 'usd', 'en')).toBeUndefined()
    },
  )

  test.each(['en', 'de', 'pl', 'ru', 'fr'])('is the initial value of the field in %s', (locale) => {
    for (const amount of [0, 50, 1250, 123456])
      expect(parseAmount(amountText(amount, 'usd', locale), 'usd', locale)).toBe(amount)
  })
})
