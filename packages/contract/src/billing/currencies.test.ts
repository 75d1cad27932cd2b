import { expect, test } from 'vitest'
import { currencyCodes, isSoldByStripe, limitsAtStripe, placesOf, stripeUnits } from './currencies.ts'

test('every currency stands once, by its three letters', () => {
  expect(new Set(currencyCodes).size).toBe(currencyCodes.length)
  expect(currencyCodes.filter((code) => !/^[a-z]{3}$/.test(code))).toEqual([])
})

test('the currency of a price is named for the person who enters it', () => {
  const names = new Intl.DisplayNames('en', { type: 'currency' })
  expect(currencyCodes.filter((code) => names.of(code.toUpperCase()) === code.toUpperCase())).toEqual([])
})

test.each([
  ['usd', 2],
  ['HUF', 2],
  ['idr', 2],
  ['jpy', 0],
  ['ISK', 0],
  ['mga', 0],
  ['kwd', 3],
  ['lyd', 3],
])('amounts of %s have %i places', (currency, places) => {
  expect(placesOf(currency)).toBe(places)
})

test('Stripe’s amounts have as many decimals as ours, or a whole number of its units for each of ours', () => {
  const sold = currencyCodes.filter(isSoldByStripe)
  // Stripe's zero-decimal currencies (docs.stripe.com/currencies); it still counts hundredths of these two.
  const without = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ')
  expect(sold.filter((code) => placesOf(code) === 0 && stripeUnits(code) === 1)).toEqual(without)
  expect(sold.filter((code) => stripeUnits(code) !== 1)).toEqual(['isk', 'ugx'])
  expect(sold.filter((code) => placesOf(code) > 2)).toEqual([])
})

test.each([
  ['usd', 50, 99_999_999],
  ['PLN', 200, 99_999_999],
  ['huf', 17_500, 9_999_999_999],
  ['jpy', 50, 9_999_999_999],
  // Currencies that Stripe counts in hundredths and that we do not offer.
  ['isk', 1, 999_999],
  ['try', 1, 99_999_999],
])('of %s Stripe takes at least %i and at most %i', (currency, least, most) => {
  expect(limitsAtStripe(currency)).toEqual({ least, most })
})
