/**
 * Arithmetic on amounts in whole minor units. One rounding everywhere (billing contract, section 1): to the nearest,
 * halves away from zero. Values that may exceed a safe integer are big integers.
 */

/** `numerator / denominator`, rounded; the denominator is positive. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n
  const size = isNegative ? -numerator : numerator
  const rounded = (2n * size + denominator) / (2n * denominator)
  return isNegative ? -rounded : rounded
}

/** A part of an amount, in basis points (DIS-2). */
export const basisPointsOf = (amount: number, basisPoints: number): number =>
  Number(divideRounded(BigInt(amount) * BigInt(basisPoints), 10_000n))

/** `part / whole` of an amount; 0 if `whole` is 0. */
export const shareOf = (amount: number, part: number, whole: number): number =>
  whole === 0 ? 0 : Number(divideRounded(BigInt(amount) * BigInt(part), BigInt(whole)))

/** The sum of some amounts. */
export const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

/**
 * Splits an amount by weights of either sign, so that the parts sum to the whole: a credit among the lines of an order
 * gets a share of the opposite sign. Parts are rounded towards zero; the remainder goes to the largest fractions, the
 * first of equals first. Where the weights sum to zero there is nothing to split by, and the first part gets
 * everything.
 */
export function split(amount: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (whole === 0n || amount === 0) return weights.map((_, at) => (at === 0 ? amount : 0))
  const exact = weights.map((weight) => BigInt(amount) * BigInt(weight) * (whole < 0n ? -1n : 1n))
  const divisor = whole < 0n ? -whole : whole
  const parts = exact.map((each) => Number(each / divisor))
  const left = amount - sumOf(parts)
  const direction = BigInt(Math.sign(left))
  const byRemainder = exact
    .map((each, at) => ({ at, remainder: (each % divisor) * direction }))
    .sort((a, b) => (a.remainder === b.remainder ? a.at - b.at : a.remainder > b.remainder ? -1 : 1))
  for (const { at } of byRemainder.slice(0, Math.abs(left))) parts[at] = parts[at]! + Math.sign(left)
  return parts.map((part) => part + 0) // never -0
}

const places = 12
const scale = 10n ** BigInt(places)

/**
 * The price of metered units, rounded once (MET-11); the unit price is decimal, in minor units, with up to 12 places.
 */
export function meteredAmount(unitAmount: string, units: number): number {
  const price = scaled(unitAmount)
  // `toFixed` writes exponents from 1e21 on; such numbers have no fraction.
  const count = scaled(Math.abs(units) < 1e21 ? units.toFixed(places) : `${BigInt(units)}`)
  return Number(divideRounded(price * count, scale * scale))
}

/** Converts `12.5` to 12500000000000. */
function scaled(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.')
  const isNegative = whole.startsWith('-')
  const digits = BigInt(whole.replace('-', '') + fraction.padEnd(places, '0').slice(0, places))
  return isNegative ? -digits : digits
}

/** A net amount and its tax, in minor units. */
export type NetAndTax = { readonly amount: number; readonly taxAmount: number }
