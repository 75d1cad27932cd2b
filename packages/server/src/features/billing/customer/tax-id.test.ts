import { expect, test } from 'vitest'
import { checkedAddress } from './address.ts'
import { checkedTaxId, taxIdOf } from './tax-id.ts'

test.each([
  ['61-1764837', 'us_ein', null, '611764837'],
  ['FR 61 954 506 077', 'eu_vat', null, 'FR61954506077'],
  ['136695976', 'eu_vat', 'DE', 'DE136695976'],
  ['094259216', 'eu_vat', 'GR', 'EL094259216'],
  ['53 0000 04605', 'eu_vat', 'MC', 'FR53000004605'],
  ['GR094259216', 'eu_vat', null, 'EL094259216'],
  ['XI 980 7806 84', 'eu_vat', null, 'XI980780684'],
  ['nl004495445b01', 'eu_vat', 'DE', 'NL004495445B01'],
  ['GB 980 7806 84', 'gb_vat', null, '980780684'],
  ['12 345 678 901 2345', 'ae_trn', null, '123456789012345'],
  ['EU372000041', 'eu_oss_vat', null, 'EU372000041'],
])('%s (%s, %s) is kept as %s', (number, format, country, stored) => {
  expect(taxIdOf(number, format, country)).toEqual([stored, format])
})

test.each([
  ['61-176483', 'us_ein', null],
  ['136695976', 'eu_vat', null],
  ['136695977', 'eu_vat', 'DE'],
  ['US136695976', 'eu_vat', null],
  ['61-1764837', 'toString', null],
  ['61-1764837', '__proto__', null],
  ['', 'nl_vat', null],
  ['', 'eu_vat', 'NL'],
  ['  ', 'eu_vat', 'NL'],
  ['漢字', 'eu_vat', 'NL'],
  ['12345678901234', 'ae_trn', null],
])('%s (%s, %s) is no number', (number, format, country) => {
  expect(taxIdOf(number, format, country)).toBeNull()
})

test.each([
  ['136 695 976', 'DE', ['DE136695976', 'eu_vat']],
  ['EL094259216', 'GR', ['EL094259216', 'eu_vat']],
  ['04-2103594', 'US', ['042103594', 'us_ein']],
  ['CHE-100.155.212 MWST', 'CH', ['CHE100155212MWST', 'ch_vat']],
  ['FR40303265045', 'DE', null],
  ['1', 'US', null],
  ['FR 53 0000 04605', 'MC', ['FR53000004605', 'eu_vat']],
  ['GB 980 7806 84', 'IM', ['980780684', 'gb_vat']],
  ['123', 'AQ', null],
])('%s from %s is %j', (number, country, expected) => {
  expect(checkedTaxId(number, country)).toEqual(expected)
})

test.each([
  ['US', 'ny', 'US-NY'],
  ['US', 'us-ca', 'US-CA'],
  ['CA', 'QC', 'CA-QC'],
  ['US', null, null],
  ['FR', 'Île-de-France', 'Île-de-France'],
])('in %s the state %s is kept as %s', (country, state, stored) => {
  expect(checkedAddress({ country, state }, 'billing_address')).toEqual({
    address: { line1: null, line2: null, postalCode: null, city: null, state: stored, country },
    issues: [],
  })
})

test('a state of another country and an unknown country are reported at their fields', () => {
  for (const [country, state] of [
    ['US', 'QC'],
    ['CA', 'US-NY'],
    ['FR', 'US-NY'],
    ['DE', ' ca-on'],
  ] as const)
    expect(checkedAddress({ country, state }, 'billing_address').issues).toMatchObject([
      { loc: ['body', 'billing_address', 'state'] },
    ])
  expect(checkedAddress({ country: 'XX' }, 'customer_billing_address').issues).toMatchObject([
    { loc: ['body', 'customer_billing_address', 'country'] },
  ])
})

test('every country that the language tables of the platform name by an official code can be bought from', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const named = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => names.of(code) !== undefined)
  // Not countries: exceptional, user-assigned and withdrawn codes of ISO 3166-1.
  const none = 'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH NT QO RH SU TA TP UK UN VD XA XB XK YD YU ZR ZZ'.split(
    ' ',
  )

  const unknown = named.filter((country) => checkedAddress({ country }, 'address').issues.length > 0)

  expect(unknown.filter((country) => !none.includes(country))).toEqual([])
})
