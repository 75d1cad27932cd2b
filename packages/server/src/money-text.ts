/** 1900 → "$19.00", as the language writes it; minor units, with as many places as the currency has. */
export function moneyText(amount: number, currency: string, locale: string): string {
  const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  const format = new Intl.NumberFormat(locale, options)
  // Some languages have a hyphen in the data; an amount that is taken off has a minus.
  return format.format(amount / 10 ** placesOf(currency)).replace('-', '−')
}

/** 1900 → "19.00", as programs read it. Exact, whatever its size. */
export function decimalText(amount: number, currency: string): string {
  const places = placesOf(currency)
  const digits = String(Math.abs(amount)).padStart(places + 1, '0')
  const sign = amount < 0 ? '-' : ''
  return places === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

const known = new Map<string, number>()

/** How many places a currency has, such as two, or none. */
function placesOf(currency: string): number {
  let places = known.get(currency)
  if (places === undefined) {
    places = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
    known.set(currency, places)
  }
  return places
}
