import type { Address } from '@tollgate/contract/billing-types'
import { countryName } from './countries.ts'

/** An address as it stands on a letter; a state that is written with its country (`US-NY`) is shown without it. */
export function AddressText({ address }: { address: Address }) {
  const { line1, line2, postalCode, city, state, country } = address
  const town = [postalCode, city, state?.replace(`${country}-`, '')].filter(Boolean).join(' ')
  const lines = [line1, line2, town, countryName(country)].filter(Boolean)
  return (
    <span>
      {lines.map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
    </span>
  )
}
