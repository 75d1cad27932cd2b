import { countryCodes } from '@tollgate/contract/billing'
import type { TaxRegistration } from '@tollgate/contract/billing-types'
import { countriesByState, countryRates, stateRates } from './rates.ts'
import { stateOf } from './states.ts'

/** A place of tax collection, as its author wrote it. */
type Given = {
  readonly country: string
  readonly state?: string | undefined
  readonly percent?: string | undefined
}

/** A fault in one of several registrations. */
export type RegistrationIssue = {
  readonly index: number
  readonly member: keyof TaxRegistration
  readonly message: string
}

/**
 * Normalises registrations to states as addresses hold them (`US-CA`), and reports faults: an unknown country or
 * state, a duplicate, and a missing percentage where the table has none.
 */
export function checkedRegistrations(given: readonly Given[]): {
  readonly registrations: TaxRegistration[]
  readonly issues: readonly RegistrationIssue[]
} {
  const issues: RegistrationIssue[] = []
  const seen = new Set<string>()
  const registrations = given.map(({ country, state: named, percent }, index): TaxRegistration => {
    const tell = (member: keyof TaxRegistration, message: string) => issues.push({ index, member, message })
    const isByState = countriesByState.has(country)
    const state = isByState && named !== undefined ? stateOf({ country, state: named }) : undefined
    if (!countries.has(country)) tell('country', 'Input should be a country of ISO 3166-1')
    else if (named !== undefined && !isByState) tell('state', 'Only the United States and Canada are taxed by states')
    else if (named !== undefined && state == null) tell('state', 'Input should be a state of the country')
    else if (percent === undefined && !hasRate(country, state ?? undefined))
      tell('percent', 'Input should be given: the table has no rate for this place')
    const place = `${country} ${state ?? ''}`
    if (seen.has(place)) tell('country', 'A place is registered once')
    seen.add(place)
    return { country, ...(state != null && { state }), ...(percent !== undefined && { percent }) }
  })
  return { registrations, issues }
}

const countries: ReadonlySet<string> = new Set(countryCodes)

/** The whole United States need no rate of their own, because the states have theirs. */
const hasRate = (country: string, state: string | undefined): boolean =>
  state === undefined
    ? country === 'US' || Object.hasOwn(countryRates, country)
    : Object.hasOwn(stateRates, state) || Object.hasOwn(countryRates, country)
