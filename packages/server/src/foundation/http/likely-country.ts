import { countryCodes } from '@tollgate/contract/billing'

const known: ReadonlySet<string> = new Set(countryCodes)

/**
 * The country of the first of a visitor's languages that names one: "de-AT" names Austria, "de" names none. An address
 * on the network says nothing about the buyer's country, so it is not asked.
 */
export function likelyCountry(headers: Pick<Headers, 'get'>): string | undefined {
  const tags = (headers.get('accept-language') ?? '').slice(0, 200).split(',')
  return tags.map(countryOf).find((country) => country !== undefined)
}

function countryOf(entry: string): string | undefined {
  const [tag = ''] = entry.split(';')
  try {
    const { region } = new Intl.Locale(tag.trim())
    return region !== undefined && known.has(region) ? region : undefined
  } catch {
    return undefined // "*", or no tag at all
  }
}
