/** 1900 → "$19.00", as the language writes it; minor units, with as many places as the currency has. */
export function moneyText(amount: number, currency: string, locale: string): string {
  const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  const format = new Intl.NumberFormat(locale, options)
  const places = format.resolvedOptions().maximumFractionDigits ?? 2
  // Some languages have a hyphen in the data; an amount that is taken off has a minus.
  return format.format(amount / 10 ** places).replace('-', '−')
}
