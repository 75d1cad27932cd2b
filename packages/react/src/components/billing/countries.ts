import { countryCodes, stateNames } from '@tollgate/contract/billing'

/** A country's name in a language, or its code if the language has none. */
export function countryName(code: string, locale: string): string {
  return new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }).of(code) ?? code
}

/** All countries with their names in the language's order; `first` comes before the others. */
export function countryOptions(locale: string, first?: string): (readonly [code: string, name: string])[] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })
  const inOrder = new Intl.Collator(locale).compare
  const all = countryCodes.map((code) => [code, names.of(code) ?? code] as const)
  return all.sort((a, b) => Number(b[0] === first) - Number(a[0] === first) || inOrder(a[1], b[1]))
}

/**
 * The country that a time zone belongs to; undefined for a zone such as UTC, or if the browser does not know it. The
 * country named `first` is looked at before the others: it is mostly the one, and asking for all takes a while.
 */
export function countryOfTimeZone(zone: string, first?: string): string | undefined {
  return [...(first === undefined ? [] : [first]), ...countryCodes].find((region) => {
    // Not every browser knows the zones of a region.
    const locale: Intl.Locale & { getTimeZones?(): readonly string[] | undefined } = new Intl.Locale('und', { region })
    return locale.getTimeZones?.()?.includes(zone)
  })
}

const states: Readonly<Record<string, Readonly<Record<string, string>>>> = stateNames

/** The states of a country whose addresses need one, as `US-CA` (ISO 3166-2) and in their own language. */
export function statesOf(country: string): (readonly [code: string, name: string])[] {
  const names = Object.hasOwn(states, country) ? states[country] : {}
  return Object.entries(names ?? {}).map(([letters, name]) => [`${country}-${letters}`, name] as const)
}
