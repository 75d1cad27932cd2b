/** Countries of ISO 3166-1 by their two letters; what they are called the browser knows, in its own language. */
const codes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'

export const countryCodes: readonly string[] = codes.split(' ')

/** What a country is called in a language; its letters where the language has no word for it. */
export function countryName(code: string, locale: string): string {
  return new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }).of(code) ?? code
}

/** All countries with their names, in the order of the language; `first` comes before the others. */
export function countryOptions(locale: string, first?: string): (readonly [code: string, name: string])[] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })
  const inOrder = new Intl.Collator(locale).compare
  const all = countryCodes.map((code) => [code, names.of(code) ?? code] as const)
  return all.sort((a, b) => Number(b[0] === first) - Number(a[0] === first) || inOrder(a[1], b[1]))
}

const usa =
  'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming'
const canada =
  'AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NS Nova Scotia|NT Northwest Territories|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon'

const states: Readonly<Record<string, string>> = { US: usa, CA: canada }

/** The states of a country whose addresses need one, as `US-CA` (ISO 3166-2) and in their own language. */
export function statesOf(country: string): (readonly [code: string, name: string])[] {
  const list = Object.hasOwn(states, country) ? states[country]! : ''
  return list
    .split('|')
    .filter(Boolean)
    .map((state) => [`${country}-${state.slice(0, 2)}`, state.slice(3)] as const)
}
