import type { Storefront } from '@tollgate/contract/billing-types'
import { type Interval, staticPriceOf } from './price-text.ts'

/** How the offers of a pricing table are grouped and compared. */

export type Offered = Storefront['products'][number]

export const intervalsOf = (products: readonly Offered[]): Interval[] =>
  (['month', 'year'] as const).filter((interval) =>
    products.some(({ recurringInterval }) => recurringInterval === interval),
  )

/** How many cards stand side by side while an interval is chosen: rows are nearly full. */
export function columnsFor(offered: readonly Offered[], interval: Interval): number {
  const count = offered.filter((product) => (shownBy(product, offered) ?? interval) === interval).length
  if (count <= 4) return count
  return count % 4 === 0 || count % 4 === 3 ? 4 : 3
}

/**
 * The interval that a product belongs to, if not to all. A free plan appears on both sides unless the seller has made
 * one for each.
 */
export function shownBy(product: Offered, products: readonly Offered[]): Interval | undefined {
  const { recurringInterval } = product
  if (recurringInterval === null) return undefined
  if (!isFree(product)) return recurringInterval
  const hasOther = products.some(
    (other) => isFree(other) && other.recurringInterval !== null && other.recurringInterval !== recurringInterval,
  )
  return hasOther ? recurringInterval : undefined
}

/**
 * The products that stand out: of those that the seller highlights, the first plan of each interval, or else the first
 * one-time product. So one card at a time does, and its badge means something.
 */
export function popularOf(products: readonly Offered[]): ReadonlySet<string> {
  const highlighted = products.filter(({ isHighlighted }) => isHighlighted)
  const plans = highlighted.filter(({ recurringInterval }) => recurringInterval !== null)
  const firstOf = (interval: Interval) => plans.find((plan) => (shownBy(plan, products) ?? interval) === interval)
  const popular = plans.length > 0 ? [firstOf('month'), firstOf('year')] : highlighted.slice(0, 1)
  return new Set(popular.flatMap((product) => (product ? [product.id] : [])))
}

const isFree = (product: Offered): boolean => staticPriceOf(product)?.amountType === 'free'

/** Of a product without the chosen currency, the page shows another. */
export const hasPriceIn = ({ prices }: Offered, currency: string): boolean =>
  prices.some((price) => 'priceCurrency' in price && price.priceCurrency === currency)

/**
 * The yearly saving against twelve months of the same product, matched by name ("Pro, by the year" is "Pro") or the
 * only one. Undefined if the two cannot be compared.
 */
export function savingOf(product: Offered, products: readonly Offered[]): number {
  if (product.recurringInterval !== 'year') return 0
  const [yearly, monthly] = [fixedOf(product), monthlyOf(product, products)]
  if (!yearly || !monthly || yearly.currency !== monthly.currency || monthly.amount === 0) return 0
  // Whole per cents, rounded down, so that the promise is never too high.
  return Math.max(0, Math.floor((1 - yearly.amount / (12 * monthly.amount)) * 100) / 100)
}

type Fixed = { readonly amount: number; readonly currency: string }

function fixedOf(product: Offered): Fixed | undefined {
  const price = staticPriceOf(product)
  return price?.amountType === 'fixed' ? { amount: price.priceAmount, currency: price.priceCurrency } : undefined
}

function monthlyOf(product: Offered, products: readonly Offered[]): Fixed | undefined {
  const paid = (interval: Interval) =>
    products.filter((each) => each.recurringInterval === interval && fixedOf(each) !== undefined)
  const monthly = paid('month')
  const [sameName] = monthly
    .filter(({ name }) => isNamedAfter(product.name, name))
    .sort((one, other) => other.name.length - one.name.length)
  const only = monthly.length === 1 && paid('year').length === 1 ? monthly[0] : undefined
  const found = sameName ?? only
  return found && fixedOf(found)
}

/** "Pro", "PRO" and "Pro, by the year" match "Pro"; "Professional" does not. */
function isNamedAfter(name: string, other: string): boolean {
  const [long, short] = [name.toLowerCase(), other.toLowerCase()]
  return long === short || (long.startsWith(short) && !/[\p{L}\p{N}]/u.test(long.charAt(short.length)))
}
