import { countryCodes } from '@tollgate/contract/billing'
import type { Address } from '@tollgate/contract/billing-types'
import type { InputIssue } from '../../../foundation/error.ts'
import { stateOf } from '../../../foundation/tax/states.ts'
import { inBody } from '../invalid.ts'

export type { Address }

const countries: ReadonlySet<string> = new Set(countryCodes)

type GivenAddress = {
  readonly line1?: string | null | undefined
  readonly line2?: string | null | undefined
  readonly postalCode?: string | null | undefined
  readonly city?: string | null | undefined
  readonly state?: string | null | undefined
  readonly country: string
}

/**
 * Returns an address as it is stored, with its faults (contract, "Customers"). The country must exist. A state must
 * exist in the United States or Canada and is stored as `US-CA` or `CA-QC`.
 *
 * @param at the address's member in the body, in the wire's spelling
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
