import { placesOf } from '@tollgate/contract/billing'

/** 1900 → "$19.00" in the language's format; minor units, with the currency's decimal places. */
export function moneyText(amount: number, currency: string, locale: string): string {
  const places = placesOf(currency)
  const format = formatOf(currency, locale, places)
  // Some languages have a hyphen in their data; a deducted amount gets a minus sign.
  return format.format(amount / 10 ** places).replace('-', '−')
}

/** Making a format costs a hundred times its use; there are few currencies and languages. */
const formats = new Map<string, Intl.NumberFormat>()
const mostFormats = 500

function formatOf(currency: string, locale: string, places: number): Intl.NumberFormat {
  const key = `${locale} ${currency}`
  const known = formats.get(key)
  if (known) return known
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  })
  if (formats.size < mostFormats) formats.set(key, format)
  return format
}

/** 1900 → "19.00" for programs. Exact at any size. */
export function decimalText(amount: number, currency: string): string {
  const places = placesOf(currency)
  const digits = String(Math.abs(amount)).padStart(places + 1, '0')
  const sign = amount < 0 ? '-' : ''
  return places === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}
