import { stateNames } from '@tollgate/contract/billing'

/** US territories appear in addresses like states, although ISO 3166-1 also lists them as countries. */
const territories = ['AS', 'GU', 'MP', 'PR', 'UM', 'VI']

const states: Readonly<Record<string, ReadonlySet<string> | undefined>> = {
  US: new Set([...Object.keys(stateNames.US), ...territories]),
  CA: new Set(Object.keys(stateNames.CA)),
}

/** The stored form; undefined for a state that the country does not have, such as `US-NY` of France. */
export function stateOf({
  state,
  country,
}: {
  readonly state?: string | null | undefined
  readonly country: string
}): string | null | undefined {
  if (state == null) return null
  const known = states[country]
  if (!known) return isStateCode(state) ? undefined : state
  const code = state
    .trim()
    .toUpperCase()
    .replace(new RegExp(`^${country}-`), '')
  return known.has(code) ? `${country}-${code}` : undefined
}

/** Whether it is a stored state of the United States or Canada, whose tax depends on it. */
const isStateCode = (state: string): boolean => {
  const [country = '', code = ''] = state.trim().toUpperCase().split('-')
  return states[country]?.has(code) ?? false
}
