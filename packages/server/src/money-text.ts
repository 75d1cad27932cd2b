import { placesOf } from '@tollgate/contract/billing'

/** 1900 → "$19.00", as the language writes it; minor units, with as many places as the currency has. */
export function moneyText(amount: number, currency: string, locale: string): string {
  const places = placesOf(currency)
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  })
  // Some languages have a hyphen in the data; an amount that is taken off has a minus.
  return format.format(amount / 10 ** places).replace('-', '−')
}

/** 1900 → "19.00", as programs read it. Exact, whatever its size. */
export function decimalText(amount: number, currency: string): string {
  const places = placesOf(currency)
  const digits = String(Math.abs(amount)).padStart(places + 1, '0')
  const sign = amount < 0 ? '-' : ''
  return places === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}
