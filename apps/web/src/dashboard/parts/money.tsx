import { placesOf } from '@tollgate/contract/billing'
import { language } from '../language.ts'

/*
 * Amounts are whole minor units (billing contract, section 1); how many of them make a whole one is the currency's
 * business: 100 cents are a dollar, and a yen has none.
 */

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string): Intl.NumberFormat {
  const code = currency.toUpperCase()
  let format = formats.get(code)
  if (!format) {
    const places = placesOf(code)
    format = new Intl.NumberFormat(language, {
      style: 'currency',
      currency: code,
      minimumFractionDigits: places,
      maximumFractionDigits: places,
    })
    formats.set(code, format)
  }
  return format
}

/** Formats an amount: 1900 usd is "$19.00" in English. */
export const moneyText = (amount: number, currency: string): string =>
  formatOf(currency).format(amount / 10 ** placesOf(currency))

export const Money = ({ amount, currency }: { amount: number; currency: string }) => (
  <span className="money">{moneyText(amount, currency)}</span>
)

/** An amount as a field's text: 1900 usd is "19.00". */
export const amountField = (amount: number | null | undefined, currency: string): string =>
  typeof amount === 'number' ? (amount / 10 ** placesOf(currency)).toFixed(placesOf(currency)) : ''

/**
 * Parses a field to minor units: "19", "19.5" and "1,900.00" in dollars. Undefined for invalid amounts, or too many
 * decimal places.
 */
export function amountIn(text: string, currency: string): number | undefined {
  const [, whole = '', decimals = ''] = /^(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d*))?$/.exec(text.trim()) ?? []
  const places = placesOf(currency)
  if (whole === '' || decimals.length > places) return undefined
  return Number(whole.replaceAll(',', '') + decimals.padEnd(places, '0'))
}
