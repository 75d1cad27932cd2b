import { describe, expect, test } from 'vitest'
import { checkPrices, type NewPrice, plainDecimal } from './price-rules.ts'

const meters = new Set(['calls', 'storage'])
const free: NewPrice = { amountType: 'free' }
const fixed = (priceAmount = 1000, priceCurrency = 'usd'): NewPrice => ({
  amountType: 'fixed',
  priceAmount,
  priceCurrency,
})
const metered = (meterId: string, priceCurrency = 'usd'): NewPrice => ({
  amountType: 'metered_unit',
  meterId,
  priceCurrency,
  unitAmount: '0.5',
})
const custom = (minimumAmount?: number, presetAmount?: number, maximumAmount?: number): NewPrice => ({
  amountType: 'custom',
  priceCurrency: 'usd',
  minimumAmount,
  presetAmount,
  maximumAmount,
})
const customIn = (priceCurrency: string): NewPrice => ({ amountType: 'custom', priceCurrency })
/** Takes every currency but dinars, and at least two zlotys. */
const processor = {
  takesCurrency: (currency: string) => currency !== 'kwd',
  limitsIn: (currency: string) => ({ least: currency === 'pln' ? 200 : 1, most: 99_999_999 }),
}
const wrong = (recurringInterval: string | null, prices: readonly NewPrice[]) =>
  checkPrices(prices, { recurringInterval }, meters, {
    processor,
    taxBehavior: 'exclusive',
    defaultCurrency: 'usd',
  }).map(({ loc }) => loc.slice(1).join('.'))

describe('the prices of a product', () => {
  const cases: [string, string | null, NewPrice[], string[]][] = [
    ['may be one that is free', null, [free], []],
    ['may be one that is fixed', null, [fixed()], []],
    ['may be only usage', 'month', [metered('calls')], []],
    ['may be one and usage of several meters', 'year', [fixed(), metered('calls'), metered('storage')], []],
    ['are at most one that is free, fixed or chosen', 'month', [free, fixed(), custom()], ['prices.1', 'prices.2']],
    ['are no usage where nothing recurs', null, [fixed(), metered('calls')], ['prices.1']],
    ['know their meters', 'month', [metered('gone')], ['prices.0.meter_id']],
    ['have each meter once', 'month', [metered('calls'), metered('calls')], ['prices.1.meter_id']],
    ['may be in several currencies', null, [fixed(), fixed(900, 'eur'), fixed(120, 'jpy')], []],
    ['are each once in a currency', null, [fixed(), fixed(900, 'eur'), fixed(800, 'eur')], ['prices.2']],
    ['are of one kind in all currencies', null, [fixed(), customIn('eur')], ['prices.1.price_currency']],
    ['lack usage in no currency', 'month', [fixed(), metered('calls', 'eur')], ['prices.1.price_currency']],
    [
      'count usage alike in all currencies',
      'month',
      [fixed(), metered('calls'), fixed(900, 'eur'), metered('storage', 'eur')],
      ['prices.2.price_currency'],
    ],
    [
      'have each meter once in a currency',
      'month',
      [metered('calls'), metered('calls', 'eur'), metered('calls', 'eur')],
      ['prices.2.meter_id'],
    ],
    ['may be free with usage in several currencies', 'month', [free, metered('calls'), metered('calls', 'eur')], []],
    ['are free in all currencies or none', null, [fixed(), fixed(900, 'eur'), free], ['prices.2']],
    ['in several currencies have the default one', null, [fixed(900, 'eur'), fixed(800, 'gbp')], ['prices']],
    ['in one currency need not be in the default one', null, [fixed(900, 'eur')], []],
    ['are what can be paid', null, [fixed(200, 'pln')], []],
    ['are not less than can be paid', null, [fixed(199, 'pln')], ['prices.0.price_amount']],
    ['have one that payments are taken in', 'month', [metered('calls', 'kwd')], ['prices.0.price_currency']],
    ['have none where they are free', 'month', [free, metered('calls', 'eur')], []],
    ['may leave the amount to the buyer', null, [custom()], []],
    ['may bound the choice', null, [custom(100, 200, 300)], []],
    ['may bound it to one amount', null, [custom(100, 100, 100)], []],
    ['offer no less than their minimum', null, [custom(200, 100)], ['prices.0.preset_amount']],
    ['offer no more than their maximum', null, [custom(undefined, 400, 300)], ['prices.0.preset_amount']],
    ['have a minimum below their maximum', null, [custom(400, undefined, 300)], ['prices.0.maximum_amount']],
  ]
  test.each(cases)('%s', (_, interval, prices, places) => {
    expect(wrong(interval, prices)).toEqual(places)
  })
})

test.each([
  ['1', '1'],
  ['10', '10'],
  ['0.5', '0.5'],
  ['0.50', '0.5'],
  ['12.000', '12'],
  ['007.10', '7.1'],
  ['0.000000000001', '0.000000000001'],
  ['100.001', '100.001'],
])('%s is written as %s', (given, written) => {
  expect(plainDecimal(given)).toBe(written)
})
