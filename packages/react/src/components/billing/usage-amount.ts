/** The arithmetic part of a usage price. The unit price is a decimal text in minor units. */
export type UsagePrice = { readonly unitAmount: string; readonly capAmount: number | null }

/** Maximum decimal places of a unit price. */
const places = 12

/** The price of so many units in minor units: rounded once, half away from zero, never above the cap. */
export function usageAmount({ unitAmount, capAmount }: UsagePrice, units: number): number {
  const [whole = '0', fraction = ''] = unitAmount.split('.')
  const each = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'))
  const one = 10n ** BigInt(places)
  const amount = Number((each * BigInt(units) * 2n + one) / (2n * one))
  return capAmount === null ? amount : Math.min(amount, capAmount)
}

/** Parses an entered number of units in any grouping; undefined if it is not a whole number. */
export function parseUnits(text: string): number | undefined {
  const digits = text.replace(/[\s\u00a0\u202f'’.,]/g, '')
  return /^\d{1,12}$/.test(digits) ? Number(digits) : undefined
}
