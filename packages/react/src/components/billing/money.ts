import { placesOf } from '@tollgate/contract/billing'

/** Amounts are whole minor units everywhere. Only this file formats and parses them. */

/** 1900 → "$19.00", formatted for the language and the amount's currency. */
export function formatMoney(amount: number, currency: string, locale: string): string {
  const places = placesOf(currency)
  return written(amount / 10 ** places, currency, locale, places)
}

/** A price per unit is a decimal text and may be less than a minor unit: "0.2" cents → "$0.002". */
export function formatUnitPrice(unitAmount: string, currency: string, locale: string): string {
  const places = placesOf(currency)
  return written(Number(unitAmount) / 10 ** places, currency, locale, places, places + 12)
}

function written(value: number, currency: string, locale: string, least: number, most = least): string {
  const text = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: least,
    maximumFractionDigits: most,
  }).format(value)
  // Some languages use a hyphen; a negative amount gets a minus sign.
  return text.replace('-', '−')
}

/** The initial text of an amount field: 1250 → "12.50", in the language's format without grouping. */
export function amountText(amount: number, currency: string, locale: string): string {
  const places = placesOf(currency)
  return new Intl.NumberFormat(locale, {
    useGrouping: false,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  }).format(amount / 10 ** places)
}

/**
 * Parses an entered amount to minor units; undefined if it is not an amount. It accepts `12.50`, `12,50` and thousands
 * groups. The last separator is the decimal one if at most as many digits follow as the currency has. The language's
 * decimal separator never groups: `3.999` is not an amount of dollars in English, and is 3999 in German.
 */
export function parseAmount(text: string, currency: string, locale: string): number | undefined {
  const places = placesOf(currency)
  const plain = text.replace(/[\s\u00a0\u202f'’]/g, '').replace(/^\p{Sc}|\p{Sc}$/gu, '')
  const [, whole = '', fraction = ''] = /^(\d+|\d{1,3}(?:[.,]\d{3})+)(?:[.,](\d*))?$/.exec(plain) ?? []
  const isGroup = fraction.length === 3 && places < 3
  if (isGroup && plain.at(-4) === decimalSignOf(locale)) return undefined
  if (whole === '' || (fraction.length > places && !isGroup)) return undefined
  const digits = (isGroup ? whole + fraction : whole).replace(/[.,]/g, '')
  if (digits.length > 12) return undefined
  return Number(digits) * 10 ** places + (isGroup ? 0 : Number(fraction.padEnd(places, '0')))
}

const decimalSignOf = (locale: string): string | undefined =>
  new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value
