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
 * Splits an amount by weights so that the parts sum to the whole: rounded down, and what is left goes to the largest
 * remainders, the first of equals first.
 */
export function split(amount: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return weights.map((_, index) => (index === 0 ? amount : 0))
  const exact = weights.map((weight) => BigInt(amount) * BigInt(weight))
  const whole = BigInt(total)
  const parts = exact.map((each) => Number(each / whole))
  let left = amount - parts.reduce((sum, part) => sum + part, 0)
  const byRemainder = exact
    .map((each, index) => ({ index, remainder: each % whole }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of byRemainder) {
    if (left <= 0) break
    parts[index] = parts[index]! + 1
    left -= 1
  }
  return parts
}

const places = 12
const scale = 10n ** BigInt(places)

/** What some units cost at a decimal price of up to 12 places, of a minor unit, rounded once (MET-11). */
export function meteredAmount(unitAmount: string, units: number): number {
  const price = scaled(unitAmount)
  const count = scaled(units.toFixed(places))
  return Number(divideRounded(price * count, scale * scale))
}

/** `12.5` as 12500000000000. */
function scaled(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.')
  const isNegative = whole.startsWith('-')
  const digits = BigInt(whole.replace('-', '') + fraction.padEnd(places, '0').slice(0, places))
  return isNegative ? -digits : digits
}
