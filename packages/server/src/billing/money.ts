/**
 * Arithmetic on amounts: whole minor units, one rounding everywhere (billing contract, section 1): to the nearest, and a half
 * away from zero. Whatever may be larger than a number holds exactly is computed as a big integer.
 */

/** `numerator / denominator`, rounded; the denominator is positive. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n
  const size = isNegative ? -numerator : numerator
  const rounded = (2n * size + denominator) / (2n * denominator)
  return isNegative ? -rounded : rounded
}

/** A part of an amount in hundredths of a percent (DIS-2). */
export const basisPointsOf = (amount: number, basisPoints: number): number =>
  Number(divideRounded(BigInt(amount) * BigInt(basisPoints), 10_000n))

/** `part / whole` of an amount; nothing of nothing. */
export const shareOf = (amount: number, part: number, whole: number): number =>
  whole === 0 ? 0 : Number(divideRounded(BigInt(amount) * BigInt(part), BigInt(whole)))

/**
 * Splits an amount by weights so that the parts sum to the whole: rounded towards zero, and what is left goes to the largest
 * remainders, the first of equals first. What is given back is split like what is taken. Without any weight the first part
 * is all of it.
 */
export function split(amount: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (whole === 0n) return weights.map((_, index) => (index === 0 ? amount : 0))
  const sign = amount < 0 ? -1 : 1
  const exact = weights.map((weight) => BigInt(Math.abs(amount)) * BigInt(weight))
  const parts = exact.map((each) => Number(each / whole))
  const left = Math.abs(amount) - parts.reduce((sum, part) => sum + part, 0)
  const byRemainder = exact
    .map((each, index) => ({ index, remainder: each % whole }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of byRemainder.slice(0, left)) parts[index] = parts[index]! + 1
  return parts.map((part) => (part === 0 ? 0 : sign * part)) // never -0
}

const places = 12
const scale = 10n ** BigInt(places)

/** What some units cost at a decimal price of up to 12 places, of a minor unit, rounded once (MET-11). */
export function meteredAmount(unitAmount: string, units: number): number {
  const price = scaled(unitAmount)
  // From 1e21 on `toFixed` writes exponents; there are no fractions any more.
  const count = scaled(Math.abs(units) < 1e21 ? units.toFixed(places) : `${BigInt(units)}`)
  return Number(divideRounded(price * count, scale * scale))
}

/** `12.5` as 12500000000000. */
function scaled(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.')
  const isNegative = whole.startsWith('-')
  const digits = BigInt(whole.replace('-', '') + fraction.padEnd(places, '0').slice(0, places))
  return isNegative ? -digits : digits
}
