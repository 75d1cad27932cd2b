import { expect, test } from 'vitest'
import { countryCodes } from './countries.ts'
import { currencyOfCountry } from './country-currencies.ts'
import { currencyCodes } from './currencies.ts'

test('every country but Antarctica has a currency that a price can have', () => {
  expect(countryCodes.filter((country) => currencyOfCountry(country) === undefined)).toEqual(['AQ'])
  const used = new Set(countryCodes.map(currencyOfCountry))
  used.delete(undefined)
  expect([...used].filter((code) => code === undefined || !currencyCodes.includes(code))).toEqual([])
  // Salvadorans pay in dollars.
  expect(currencyCodes.filter((code) => !used.has(code))).toEqual(['svc'])
})

test.each([
  ['DE', 'eur'],
  ['BG', 'eur'],
  ['GB', 'gbp'],
  ['US', 'usd'],
  ['LI', 'chf'],
  ['JP', 'jpy'],
  ['de', undefined],
  ['', undefined],
])('people of %s pay in %s', (country, currency) => {
  expect(currencyOfCountry(country)).toBe(currency)
})
