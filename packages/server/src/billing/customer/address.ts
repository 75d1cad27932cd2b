import { countryCodes, stateNames } from '@tollgate/contract/billing'
import type { Address } from '@tollgate/contract/billing-types'
import type { InputIssue } from '../../error.ts'
import { inBody } from '../invalid.ts'

export type { Address }

const countries: ReadonlySet<string> = new Set(countryCodes)

/** Territories of the United States stand in addresses like states, though they are countries of ISO 3166-1 as well. */
const territories = ['AS', 'GU', 'MP', 'PR', 'UM', 'VI']

const states: Readonly<Record<string, ReadonlySet<string> | undefined>> = {
  US: new Set([...Object.keys(stateNames.US), ...territories]),
  CA: new Set(Object.keys(stateNames.CA)),
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

/** As it is stored; undefined for one that the country does not have, such as `US-NY` of France. */
export function stateOf({ state, country }: Pick<GivenAddress, 'state' | 'country'>): string | null | undefined {
  if (state == null) return null
  const known = states[country]
  if (!known) return isStateCode(state) ? undefined : state
  const code = state
    .trim()
    .toUpperCase()
    .replace(new RegExp(`^${country}-`), '')
  return known.has(code) ? `${country}-${code}` : undefined
}

/** Whether it is a state of the United States or of Canada as these are stored: tax would be asked by it. */
const isStateCode = (state: string): boolean => {
  const [country = '', code = ''] = state.trim().toUpperCase().split('-')
  return states[country]?.has(code) ?? false
}
