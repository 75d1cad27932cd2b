import type { Address } from '@tollgate/contract/billing-types'
import type { InputIssue } from '../error.ts'
import { inBody } from './invalid.ts'

export type { Address }

/** The countries of ISO 3166-1, two letters each. */
const countries: ReadonlySet<string> = new Set(
  [
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ',
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR',
    'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO',
    'JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR',
    'MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO',
    'RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV',
    'TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW',
  ].flatMap((line) => line.split(' ')),
)

/** States and the like of countries that tax by them, as ISO 3166-2 has them. */
const states: Readonly<Record<string, ReadonlySet<string>>> = {
  US: new Set(
    'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR UM VI'.split(
      ' ',
    ),
  ),
  CA: new Set('AB BC MB NB NL NS NT NU ON PE QC SK YT'.split(' ')),
}

type GivenAddress = {
  readonly line1?: string | null | undefined
  readonly line2?: string | null | undefined
  readonly postalCode?: string | null | undefined
  readonly city?: string | null | undefined
  readonly state?: string | null | undefined
  readonly country: string
}

/**
 * An address as it is stored, and what is wrong with it: the country must be one, and a state of the United States or of
 * Canada one of theirs, stored as `US-CA` or `CA-QC` (contract, "Customers").
 *
 * @param at where the address stands in the body, in the wire's spelling
 */
export function checkedAddress(given: GivenAddress, at: string): { address: Address; issues: InputIssue[] } {
  const issues: InputIssue[] = []
  if (!countries.has(given.country)) issues.push(inBody([at, 'country'], 'Input should be a country of ISO 3166-1'))
  const state = stateOf(given)
  if (state === undefined) issues.push(inBody([at, 'state'], 'Input should be a state of the country'))
  return {
    address: {
      line1: given.line1 ?? null,
      line2: given.line2 ?? null,
      postalCode: given.postalCode ?? null,
      city: given.city ?? null,
      state: state ?? null,
      country: given.country,
    },
    issues,
  }
}

/** Undefined for one that the country does not have. */
function stateOf({ state, country }: GivenAddress): string | null | undefined {
  const known = states[country]
  if (state == null || !known) return state ?? null
  const code = state
    .trim()
    .toUpperCase()
    .replace(new RegExp(`^${country}-`), '')
  return known.has(code) ? `${country}-${code}` : undefined
}
