import { expect, test } from 'vitest'
import { likelyCountry } from './likely-country.ts'

test.each([
  ['de-AT', 'AT'],
  ['de, en-GB;q=0.8, en-US;q=0.5', 'GB'],
  ['zh-Hant-TW', 'TW'],
  ['de', undefined],
  ['es-419', undefined],
  ['*', undefined],
  ['not a tag!, fr-CA', 'CA'],
  ['', undefined],
])('the languages %j name the country %s', (languages, country) => {
  expect(likelyCountry(new Headers({ 'accept-language': languages }))).toBe(country)
})
