import { countryCodes } from '@tollgate/contract/billing'
import { expect, test } from 'vitest'
import { countryName, countryOfTimeZone, countryOptions, statesOf } from './countries.ts'

test('every country has a name in every language, and no two are the same', () => {
  for (const locale of ['en', 'de', 'es', 'fr', 'pl', 'ru', 'tr', 'uk']) {
    const names = countryOptions(locale).map(([, name]) => name)
    expect(new Set(names).size).toBe(249)
    expect(names.filter((name) => /^[A-Z]{2}$/.test(name))).toEqual([])
  }
  expect(new Set(countryCodes).size).toBe(249)
})

test('countries stand in the order of the language, behind the one that is likeliest', () => {
  expect(countryOptions('de')[0]).toEqual(['AF', 'Afghanistan'])
  expect(countryOptions('en', 'US').slice(0, 2)).toEqual([
    ['US', 'United States'],
    ['AF', 'Afghanistan'],
  ])
  expect(countryName('DE', 'fr')).toBe('Allemagne')
})

test('the United States and Canada have states, other countries have none', () => {
  expect(statesOf('US')).toHaveLength(51)
  expect(statesOf('CA')).toContainEqual(['CA-QC', 'Quebec'])
  expect(statesOf('DE')).toEqual([])
  expect(statesOf('constructor')).toEqual([])
})

test.each([
  ['Europe/Berlin', undefined, 'DE'],
  ['Europe/Oslo', 'US', 'NO'],
  ['America/Toronto', 'CA', 'CA'],
  ['UTC', 'US', undefined],
])('the time zone %s, with %s as the first guess, belongs to %s', (zone, first, country) => {
  expect(countryOfTimeZone(zone, first)).toBe(country)
})
