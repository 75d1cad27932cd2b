/** What usage costs, as far as arithmetic needs it: the price of a unit is a decimal text, in minor units. */
export type UsagePrice = { readonly unitAmount: string; readonly capAmount: number | null }

/** Decimal places that the price of a unit can have. */
const places = 12

/** What so many units cost in minor units: one rounding, half away from zero, and never more than the cap. */
export function usageAmount({ unitAmount, capAmount }: UsagePrice, units: number): number {
  const [whole = '0', fraction = ''] = unitAmount.split('.')
  const each = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'))
  const one = 10n ** BigInt(places)
  const amount = Number((each * BigInt(units) * 2n + one) / (2n * one))
  return capAmount === null ? amount : Math.min(amount, capAmount)
}

/** How many units somebody typed, whatever groups they wrote them in; nothing where it is no whole number. */
export function parseUnits(text: string): number | undefined {
  const digits = text.replace(/[\s\u00a0\u202f'’.,]/g, '')
  return /^\d{1,12}$/.test(digits) ? Number(digits) : undefined
}
