import { countryCodes } from '@tollgate/contract/billing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  countryRates,
  outsideUnion,
  ratesAsOf,
  stateRates,
  taxedAs,
  unionRates,
} from '../../../foundation/tax/rates.ts'
import { checkedRegistrations } from '../../../foundation/tax/registrations.ts'
import { checkedTaxId } from '../customer/tax-id.ts'
import { percentOf, sumOf, type TaxAsked, taxByTable } from './tax-rules.ts'

/** Numbers that are valid by their form. */
const numbers = {
  FR: 'FR40303265045',
  DE: 'DE136695976',
  GB: 'GB980780684',
  MC: 'FR53000004605',
  NO: 'NO995525828MVA',
  CH: 'CHE-107.787.577 MWST',
  /** A number of a German tax office. */
  local: '181/815/08155',
} as const

type Case = {
  readonly from?: string | null
  readonly registered?: readonly string[]
  readonly to: string
  readonly postalCode?: string
  readonly business?: string | true
  readonly exempt?: true
  readonly amount?: number
  /** Whether the price contains the tax. */
  readonly inclusive?: true
}

/** `FR` is a whole country, `US-CA` a state, and `FR=19` a percentage that the seller sets. */
const registrationOf = (text: string) => {
  const [place = '', percent] = text.split('=')
  const [country = ''] = place.split('-')
  return { country, ...(place !== country && { state: place }), ...(percent !== undefined && { percent }) }
}

function asked({
  from = 'DE',
  registered = [],
  to,
  postalCode,
  business,
  exempt,
  amount = 1000,
  inclusive,
}: Case): TaxAsked {
  const { country, state } = registrationOf(to)
  return {
    seller: { country: from, registrations: registered.map(registrationOf) },
    buyer: {
      country,
      state: state ?? null,
      city: null,
      postalCode: postalCode ?? null,
      line1: null,
      isBusiness: business !== undefined,
      taxId: typeof business === 'string' ? checkedTaxId(business, country) : null,
    },
    lines: [{ productId: 'product', amount, isTaxExempt: exempt ?? false }],
    currency: 'eur',
    taxBehavior: inclusive ? 'inclusive' : 'exclusive',
  }
}

const shown = (given: Case): string => {
  const tax = taxByTable(asked(given))
  if (!tax) return 'unknown'
  const lines = tax.lines.map(
    ({ name, country, state, percent, amount }) => `${name} ${state ?? country} ${percent} ${amount}`,
  )
  return [tax.treatment, ...lines].join(', ')
}

test.each<[string, Case, string]>([
  ['at home', { registered: ['DE'], to: 'DE' }, 'taxed, VAT DE 19 190'],
  ['where the seller collects none', { to: 'DE' }, 'not_registered'],
  ['in another member state', { registered: ['DE', 'FR'], to: 'FR' }, 'taxed, VAT FR 20 200'],
  ['in a member state without registration', { registered: ['DE'], to: 'FR' }, 'not_registered'],
  ['at a percentage of one’s own', { registered: ['DE', 'FR=19'], to: 'FR' }, 'taxed, VAT FR 19 190'],
  ['at a fraction of a percent', { registered: ['FI'], to: 'FI', amount: 999 }, 'taxed, VAT FI 25.5 255'],
  ['a business at home', { registered: ['DE'], to: 'DE', business: numbers.DE }, 'taxed, VAT DE 19 190'],
  ['a business in the union', { registered: ['DE', 'FR'], to: 'FR', business: numbers.FR }, 'reverse_charge'],
  ['… where no tax is collected', { registered: ['DE'], to: 'FR', business: numbers.FR }, 'reverse_charge'],
  ['… from somebody who collects none', { to: 'FR', business: numbers.FR }, 'not_registered'],
  ['… from outside the union', { from: 'US', registered: ['FR'], to: 'FR', business: numbers.FR }, 'reverse_charge'],
  ['… not registered there', { from: 'US', registered: ['US-CA'], to: 'FR', business: numbers.FR }, 'not_registered'],
  ['… without a number', { registered: ['DE', 'FR'], to: 'FR', business: true }, 'taxed, VAT FR 20 200'],
  ['… with another country’s', { registered: ['FR'], to: 'FR', business: numbers.DE }, 'taxed, VAT FR 20 200'],
  [
    '… with no number for VAT',
    { from: 'FR', registered: ['DE'], to: 'DE', business: numbers.local },
    'taxed, VAT DE 19 190',
  ],
  [
    '… from an unknown country',
    { from: null, registered: ['FR'], to: 'FR', business: numbers.FR },
    'taxed, VAT FR 20 200',
  ],
  ['a business in Britain', { registered: ['DE', 'GB'], to: 'GB', business: numbers.GB }, 'reverse_charge'],
  ['a business in Norway', { registered: ['DE', 'NO'], to: 'NO', business: numbers.NO }, 'reverse_charge'],
  ['a business in Switzerland', { registered: ['CH'], to: 'CH', business: numbers.CH }, 'taxed, VAT CH 8.1 81'],
  ['a price with its tax', { registered: ['DE'], to: 'DE', amount: 1190, inclusive: true }, 'taxed, VAT DE 19 190'],
  [
    '… with two taxes',
    { registered: ['CA', 'CA-QC'], to: 'CA-QC', amount: 1150, inclusive: true },
    'taxed, GST CA 5 50, QST CA-QC 9.975 100',
  ],
  ['… that is exempt', { registered: ['DE'], to: 'DE', exempt: true, amount: 1190, inclusive: true }, 'exempt'],
  ['what is exempt', { registered: ['DE'], to: 'DE', exempt: true }, 'exempt'],
  ['what is exempt where none is collected', { to: 'DE', exempt: true }, 'not_registered'],
  ['a state', { from: 'US', registered: ['US-NY', 'US-CA'], to: 'US-CA' }, 'taxed, Sales tax US-CA 7.25 73'],
  ['another state', { from: 'US', registered: ['US-NY'], to: 'US-CA' }, 'not_registered'],
  ['a city’s percentage', { registered: ['US-NY=8.875'], to: 'US-NY' }, 'taxed, Sales tax US-NY 8.875 89'],
  ['a state without such a tax', { registered: ['US'], to: 'US-OR' }, 'taxed'],
  ['an unknown state', { registered: ['US-NY'], to: 'US' }, 'unknown'],
  ['a state that does not matter', { registered: ['US=5'], to: 'US' }, 'taxed, Sales tax US 5 50'],
  ['any state', { registered: ['US'], to: 'US-TX' }, 'taxed, Sales tax US-TX 6.25 63'],
  [
    'a business in a state',
    { registered: ['US-TX'], to: 'US-TX', business: '12-3456789' },
    'taxed, Sales tax US-TX 6.25 63',
  ],
  ['a country of states where none is collected', { registered: ['DE'], to: 'US' }, 'not_registered'],
  ['a province with HST', { registered: ['CA'], to: 'CA-ON' }, 'taxed, HST CA-ON 13 130'],
  ['… by itself', { registered: ['CA-NS'], to: 'CA-NS' }, 'taxed, HST CA-NS 14 140'],
  ['a province without a tax of its own', { registered: ['CA'], to: 'CA-AB' }, 'taxed, GST CA 5 50'],
  ['a province with two', { registered: ['CA', 'CA-QC'], to: 'CA-QC' }, 'taxed, GST CA 5 50, QST CA-QC 9.975 100'],
  ['… with the first', { registered: ['CA'], to: 'CA-BC' }, 'taxed, GST CA 5 50'],
  ['… with the second', { registered: ['CA-BC'], to: 'CA-BC' }, 'taxed, PST CA-BC 7 70'],
  ['another province', { registered: ['CA-BC'], to: 'CA-QC' }, 'not_registered'],
  ['an unknown province', { registered: ['CA'], to: 'CA' }, 'unknown'],
  ['Monaco', { registered: ['FR'], to: 'MC' }, 'taxed, VAT FR 20 200'],
  ['… where France is none', { registered: ['DE'], to: 'MC' }, 'not_registered'],
  ['… named by itself', { registered: ['FR', 'MC=19'], to: 'MC' }, 'taxed, VAT MC 19 190'],
  ['… as a business', { registered: ['DE'], to: 'MC', business: numbers.MC }, 'reverse_charge'],
  [
    '… as a business, from France',
    { from: 'FR', registered: ['FR'], to: 'MC', business: numbers.MC },
    'taxed, VAT FR 20 200',
  ],
  [
    'France from Monaco, as a business',
    { from: 'MC', registered: ['FR'], to: 'FR', business: numbers.FR },
    'taxed, VAT FR 20 200',
  ],
  ['the Isle of Man', { registered: ['GB'], to: 'IM' }, 'taxed, VAT GB 20 200'],
  ['… as a business', { registered: ['GB'], to: 'IM', business: numbers.GB }, 'reverse_charge'],
  ['Heligoland', { registered: ['DE'], to: 'DE', postalCode: '27498' }, 'not_registered'],
  [
    '… as a business',
    { from: 'FR', registered: ['FR'], to: 'DE', postalCode: '27498', business: numbers.DE },
    'not_registered',
  ],
  ['Büsingen', { registered: ['DE=19'], to: 'DE', postalCode: 'D-78266' }, 'not_registered'],
  ['what is beside Büsingen', { registered: ['DE'], to: 'DE', postalCode: '78267' }, 'taxed, VAT DE 19 190'],
  ['the Canary Islands', { registered: ['ES'], to: 'ES', postalCode: '35001' }, 'not_registered'],
  ['Tenerife', { registered: ['ES'], to: 'ES', postalCode: '38400' }, 'not_registered'],
  ['Ceuta', { from: 'ES', registered: ['ES'], to: 'ES', postalCode: '51001' }, 'not_registered'],
  ['Melilla', { registered: ['ES'], to: 'ES', postalCode: ' 52006 ' }, 'not_registered'],
  ['a part of a postal code', { registered: ['ES'], to: 'ES', postalCode: '35' }, 'taxed, VAT ES 21 210'],
  ['a postal code with more behind it', { registered: ['ES'], to: 'ES', postalCode: '350011' }, 'taxed, VAT ES 21 210'],
  [
    'a postal code in something else',
    { registered: ['DE'], to: 'DE', postalCode: '10115 27498' },
    'taxed, VAT DE 19 190',
  ],
  ['the postal code of another country', { registered: ['FR'], to: 'FR', postalCode: '27498' }, 'taxed, VAT FR 20 200'],
  ['Åland', { registered: ['FI'], to: 'FI', postalCode: 'AX-22100' }, 'not_registered'],
  ['… from Finland', { from: 'FI', registered: ['FI'], to: 'FI', postalCode: '22100' }, 'taxed, VAT FI 25.5 255'],
  ['Mount Athos', { registered: ['GR'], to: 'GR', postalCode: '630 86' }, 'not_registered'],
  ['what is before Mount Athos', { registered: ['GR'], to: 'GR', postalCode: '63075' }, 'taxed, VAT GR 24 240'],
  ['Livigno', { registered: ['IT'], to: 'IT', postalCode: '23041' }, 'not_registered'],
  ['what had its code', { registered: ['IT'], to: 'IT', postalCode: '23030' }, 'taxed, VAT IT 22 220'],
  ['Campione', { registered: ['IT'], to: 'IT', postalCode: '22061' }, 'not_registered'],
  ['nothing at nothing', { registered: ['DE=0'], to: 'DE' }, 'taxed'],
])('tax on a sale to %s', (_, given, expected) => {
  expect(shown(given)).toBe(expected)
})

test('a number of the tax office is one, but none for VAT', () => {
  expect(checkedTaxId(numbers.local, 'DE')?.[1]).toBe('de_stn')
})

test.each([
  [1000, '19', 190],
  [999, '8.875', 89],
  [2, '25', 1], // halves round up
  [1, '49.9999', 0],
  [999_999_999_999, '99.9999', 999_998_999_999],
  [0, '20', 0],
])('of %i, %s percent is %i', (amount, percent, expected) => {
  expect(percentOf(amount, percent)).toBe(expected)
})

test('tax is never negative, never above its rates, and never falls when the price rises', () => {
  const places = [...Object.keys(countryRates).filter((country) => country !== 'CA'), ...Object.keys(stateRates)]
  const amounts = fc.integer({ min: 0, max: 999_999_999_999 })
  fc.assert(
    fc.property(fc.constantFrom(...places), amounts, amounts, fc.boolean(), (to, first, second, alone) => {
      const country = to.slice(0, 2)
      const registered = alone ? [to] : [country, to].filter((each, index, all) => all.indexOf(each) === index)
      const [less, more] = [Math.min(first, second), Math.max(first, second)]
      const [low, high] = [less, more].map((amount) => taxByTable(asked({ registered, to, amount }))!)

      expect([low!.treatment, high!.treatment]).toEqual(['taxed', 'taxed'])
      for (const tax of [low!, high!])
        for (const line of tax.lines) {
          expect(Number.isSafeInteger(line.amount) && line.amount >= 0).toBe(true)
          expect(Math.abs(line.amount - (line.taxableAmount * Number(line.percent)) / 100)).toBeLessThanOrEqual(0.51)
        }
      expect(sumOf(low!)).toBeLessThanOrEqual(sumOf(high!))
    }),
  )
})

test('a state counts only with its own country, whatever the address contains', () => {
  const bySelf = Object.keys(countryRates).filter((country) => country !== 'US' && country !== 'CA')
  fc.assert(
    fc.property(fc.constantFrom(...bySelf), fc.constantFrom(...Object.keys(stateRates)), (country, state) => {
      const sale = asked({ registered: [country, state, 'US', 'CA'], to: country })

      expect(taxByTable({ ...sale, buyer: { ...sale.buyer, state } })).toEqual(taxByTable(sale))
    }),
  )
  const inCanada = asked({ registered: ['CA=5', 'US-NY'], to: 'CA' })
  expect(taxByTable({ ...inCanada, buyer: { ...inCanada.buyer, state: 'US-NY' } })).toEqual(taxByTable(inCanada))
})

test('places of their own are of countries that there are, and have a rate', () => {
  for (const [place, country] of Object.entries(taxedAs)) {
    expect([place, country].filter((each) => !countryCodes.includes(each))).toEqual([])
    expect([Object.hasOwn(countryRates, place), Object.hasOwn(countryRates, country)]).toEqual([false, true])
  }
  expect(Object.keys(outsideUnion).filter((country) => !Object.hasOwn(unionRates, country))).toEqual([])
})

test('the table names countries and states that exist, each with a percentage, and its date', () => {
  expect(Object.keys(countryRates).filter((country) => !countryCodes.includes(country))).toEqual([])
  expect(checkedRegistrations(Object.keys(stateRates).map((state) => ({ country: state.slice(0, 2), state })))).toEqual(
    {
      registrations: Object.keys(stateRates).map((state) => ({ country: state.slice(0, 2), state })),
      issues: [],
    },
  )
  for (const { percent } of [...Object.values(countryRates), ...Object.values(stateRates)])
    expect(percent).toMatch(/^\d{1,2}(\.\d{1,3})?$/)
  expect(ratesAsOf).toMatch(/^\d{4}-\d{2}-\d{2}$/)
})

test.each([
  [{ country: 'US', state: 'ca' }, { country: 'US', state: 'US-CA' }, undefined],
  [{ country: 'CA', state: 'CA-QC' }, { country: 'CA', state: 'CA-QC' }, undefined],
  [{ country: 'CU', percent: '20' }, { country: 'CU', percent: '20' }, undefined],
  [{ country: 'CU' }, { country: 'CU' }, 'percent'],
  [{ country: 'US', state: 'US-OR' }, { country: 'US', state: 'US-OR' }, 'percent'],
  [{ country: 'EU' }, { country: 'EU' }, 'country'],
  [{ country: 'US', state: 'ON' }, { country: 'US' }, 'state'],
  [{ country: 'DE', state: 'BY' }, { country: 'DE' }, 'state'],
])('the registration %j is %j; wrong: %s', (given, expected, wrong) => {
  const { registrations, issues } = checkedRegistrations([given])

  expect(registrations).toEqual([expected])
  expect(issues.map(({ member }) => member)).toEqual(wrong === undefined ? [] : [wrong])
})

test('a place is registered once', () => {
  const { issues } = checkedRegistrations([
    { country: 'US', state: 'CA' },
    { country: 'US' },
    { country: 'US', state: 'US-CA', percent: '9' },
  ])

  expect(issues).toEqual([{ index: 2, member: 'country', message: 'A place is registered once' }])
})
