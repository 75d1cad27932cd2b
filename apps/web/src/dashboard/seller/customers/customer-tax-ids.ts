import { taxIdFormats } from '@tollgate/contract/billing'
import { language } from '../../language.ts'
import { countryName } from '../../parts/countries.ts'

/** "European Union: VAT". */
export function taxIdKind(format: string): string {
  const [country = '', ...words] = format.toUpperCase().split('_')
  return `${countryName(country)}: ${words.join(' ')}`
}

/** Every kind to choose from, by country. */
export const taxIdKinds: readonly { value: string; label: string }[] = taxIdFormats
  .map((value) => ({ value, label: taxIdKind(value) }))
  .sort((a, b) => a.label.localeCompare(b.label, language))
