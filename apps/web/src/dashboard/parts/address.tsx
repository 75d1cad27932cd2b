import type { Address } from '@tollgate/contract/billing-types'
import { countryName } from './countries.ts'

/** An address as on a letter; a state such as `US-NY` appears without its country. */
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
