/**
 * The standard consumer tax rates by country and, in the United States and Canada, by state. Plain data, looked up by
 * hand; a registration's `percent` overrides a rate that has changed since.
 */

export type Rate = { readonly name: string; readonly percent: string }
export type StateRate = Rate & {
  /** Collected in addition to the country's tax, with a registration of its own; otherwise replaces it. */
  readonly isBeside: boolean
}

/** The date of the rates. */
export const ratesAsOf = '2026-01-01'
/** The publishers of the rates. */
export const ratesSource =
  'European Commission, “VAT rates applied in the Member States of the European Union”; Canada Revenue Agency and Revenu Québec, BC, MB and SK finance; the revenue departments of the states of the United States; elsewhere the national tax authorities. Places of their own: directive 2006/112/EC, articles 6 and 7, and the Customs and Excise Agreement of 1979 with the Isle of Man.'

const vat = (percent: string): Rate => ({ name: 'VAT', percent })
const gst = (percent: string): Rate => ({ name: 'GST', percent })

/** The member states of the European Union. */
export const unionRates: Readonly<Record<string, Rate>> = {
  AT: vat('20'),
  BE: vat('21'),
  BG: vat('20'),
  CY: vat('19'),
  CZ: vat('21'),
  DE: vat('19'),
  DK: vat('25'),
  EE: vat('24'),
  ES: vat('21'),
  FI: vat('25.5'),
  FR: vat('20'),
  GR: vat('24'),
  HR: vat('25'),
  HU: vat('27'),
  IE: vat('23'),
  IT: vat('22'),
  LT: vat('21'),
  LU: vat('17'),
  LV: vat('21'),
  MT: vat('18'),
  NL: vat('21'),
  PL: vat('23'),
  PT: vat('23'),
  RO: vat('21'),
  SE: vat('25'),
  SI: vat('22'),
  SK: vat('23'),
}

/**
 * ISO 3166-1 countries that belong to another one's tax territory: a sale there counts as one to France (directive
 * 2006/112/EC, article 7) or to the United Kingdom (Customs and Excise Agreement of 1979 with the Isle of Man).
 */
export const taxedAs: Readonly<Record<string, string>> = { MC: 'FR', IM: 'GB' }

/** The country whose tax and tax numbers apply in a country. */
export const taxingCountry = (country: string): string =>
  (Object.hasOwn(taxedAs, country) ? taxedAs[country] : undefined) ?? country

/**
 * Parts of member states outside of the Union's VAT (directive 2006/112/EC, article 6, as of `ratesAsOf`), by their
 * postal codes at the national posts: complete codes that no other place shares. Livigno's former code 23030 is
 * therefore missing, because towns around it still use it.
 */
export const outsideUnion: Readonly<Record<string, RegExp>> = {
  // Heligoland, Büsingen am Hochrhein.
  DE: /^(27498|78266)$/,
  // Las Palmas and Santa Cruz de Tenerife, which are the Canary Islands; Ceuta; Melilla.
  ES: /^(35|38|51|52)\d{3}$/,
  // Åland.
  FI: /^22\d{3}$/,
  // Karyes and Dafni on Mount Athos.
  GR: /^6308[67]$/,
  // Livigno, Campione d’Italia.
  IT: /^(23041|22061)$/,
}

/** Member states whose own law taxes their sales to such a part: it has a tax border for goods only. */
export const taxedAtHome: ReadonlySet<string> = new Set(['FI'])

/** Rates of countries. Canada's applies where the province has no tax that replaces it. */
export const countryRates: Readonly<Record<string, Rate>> = {
  ...unionRates,
  AE: vat('5'),
  AL: vat('20'),
  AR: vat('21'),
  AU: gst('10'),
  BH: vat('10'),
  CA: gst('5'),
  CH: vat('8.1'),
  CL: vat('19'),
  CO: vat('19'),
  EG: vat('14'),
  GB: vat('20'),
  GE: vat('18'),
  IL: vat('18'),
  IN: gst('18'),
  IS: vat('24'),
  JP: { name: 'Consumption tax', percent: '10' },
  KE: vat('16'),
  KR: vat('10'),
  LI: vat('8.1'),
  MD: vat('20'),
  MX: vat('16'),
  NO: vat('25'),
  NZ: gst('15'),
  OM: vat('5'),
  RS: vat('20'),
  SA: vat('15'),
  SG: gst('9'),
  TH: vat('7'),
  TR: vat('20'),
  TW: vat('5'),
  UA: vat('20'),
  ZA: vat('15'),
}

const hst = (percent: string): StateRate => ({ name: 'HST', percent, isBeside: false })
const besides = (name: string, percent: string): StateRate => ({ name, percent, isBeside: true })
const sales = (percent: string): StateRate => ({ name: 'Sales tax', percent, isBeside: false })

/**
 * Rates of states: only the state-wide part, even if counties and cities collect more (California, Nevada, Utah and
 * Virginia include the part of every county). Absent states have no such tax.
 */
export const stateRates: Readonly<Record<string, StateRate>> = {
  'CA-BC': besides('PST', '7'),
  'CA-MB': besides('RST', '7'),
  'CA-NB': hst('15'),
  'CA-NL': hst('15'),
  'CA-NS': hst('14'),
  'CA-ON': hst('13'),
  'CA-PE': hst('15'),
  'CA-QC': besides('QST', '9.975'),
  'CA-SK': besides('PST', '6'),
  'US-AL': sales('4'),
  'US-AR': sales('6.5'),
  'US-AZ': sales('5.6'),
  'US-CA': sales('7.25'),
  'US-CO': sales('2.9'),
  'US-CT': sales('6.35'),
  // 7 is planned from October 2026 on.
  'US-DC': sales('6'),
  'US-FL': sales('6'),
  'US-GA': sales('4'),
  'US-HI': sales('4'),
  'US-IA': sales('6'),
  'US-ID': sales('6'),
  'US-IL': sales('6.25'),
  'US-IN': sales('7'),
  'US-KS': sales('6.5'),
  'US-KY': sales('6'),
  'US-LA': sales('5'),
  'US-MA': sales('6.25'),
  'US-MD': sales('6'),
  'US-ME': sales('5.5'),
  'US-MI': sales('6'),
  'US-MN': sales('6.875'),
  'US-MO': sales('4.225'),
  'US-MS': sales('7'),
  'US-NC': sales('4.75'),
  'US-ND': sales('5'),
  'US-NE': sales('5.5'),
  'US-NJ': sales('6.625'),
  'US-NM': sales('4.875'),
  'US-NV': sales('6.85'),
  'US-NY': sales('4'),
  'US-OH': sales('5.75'),
  'US-OK': sales('4.5'),
  'US-PA': sales('6'),
  'US-RI': sales('7'),
  'US-SC': sales('6'),
  'US-SD': sales('4.2'),
  'US-TN': sales('7'),
  'US-TX': sales('6.25'),
  'US-UT': sales('6.1'),
  'US-VA': sales('5.3'),
  'US-VT': sales('6'),
  'US-WA': sales('6.5'),
  'US-WI': sales('5'),
  'US-WV': sales('6'),
  'US-WY': sales('4'),
}

/** Countries whose taxes differ by state, so that the buyer's country is not enough. */
export const countriesByState: ReadonlySet<string> = new Set(['CA', 'US'])

/**
 * Countries where a business itself accounts for the tax on purchases from abroad, and the kinds of numbers that
 * identify one. Not every country: sellers registered in Switzerland, for example, also collect from businesses.
 */
export const reverseChargeNumbers: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(unionRates).map((country) => [country, 'eu_vat'])),
  AE: 'ae_trn',
  AU: 'au_abn',
  BH: 'bh_vat',
  GB: 'gb_vat',
  IN: 'in_gst',
  IS: 'is_vat',
  KR: 'kr_brn',
  NO: 'no_vat',
  NZ: 'nz_gst',
  OM: 'om_vat',
  SA: 'sa_vat',
  SG: 'sg_gst',
  TR: 'tr_tin',
  UA: 'ua_vat',
}
