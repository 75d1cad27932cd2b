import { countryCodes } from '@tollgate/contract/billing'
import { language } from '../language.ts'

const names = new Intl.DisplayNames(language, { type: 'region' })

/** The name of a country, or of the European Union, by its two letters (ISO 3166-1); the letters where it has none. */
export const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code)

/** Every country to choose from, by name. */
export const countries: readonly { value: string; label: string }[] = countryCodes
  .map((value) => ({ value, label: countryName(value) }))
  .sort((a, b) => a.label.localeCompare(b.label, language))
