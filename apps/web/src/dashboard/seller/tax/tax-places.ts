import { stateNames } from '@tollgate/contract/billing'
import { countryName } from '../../parts/countries.ts'

/** The states of a country that is taxed by them, as addresses name them. */
export const statesOf = (country: string): readonly { value: string; label: string }[] =>
  Object.entries(country === 'US' || country === 'CA' ? stateNames[country] : {}).map(([code, label]) => ({
    value: `${country}-${code}`,
    label,
  }))

/** What people call a place that is taxed: "New York, United States" for `US-NY`. */
export function placeName(country: string, state: string | null | undefined): string {
  const name = state && (statesOf(country).find(({ value }) => value === state)?.label ?? state)
  return name ? `${name}, ${countryName(country)}` : countryName(country)
}
