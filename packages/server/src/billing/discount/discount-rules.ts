import { basisPointsOf } from '../money.ts'

/** What a discount takes off, as far as arithmetic needs it. */
export type DiscountTerms = {
  readonly type: string
  readonly duration: string
  readonly amount: number | null
  readonly currency: string | null
  readonly basisPoints: number | null
}

/** When, and how often, a discount can be had. */
export type DiscountLimits = {
  readonly startsAt: Date | null
  readonly endsAt: Date | null
  readonly maxRedemptions: number | null
  readonly redemptionsCount: number
  readonly deletedAt: Date | null
}

/** What it is asked for: a product, bought in a currency. */
export type DiscountedProduct = { readonly id: string; readonly isRecurring: boolean; readonly isFree: boolean }

/** What a discount takes off an amount in minor units: never more than there is (DIS-2). */
export function discountOn(discount: Pick<DiscountTerms, 'type' | 'amount' | 'basisPoints'>, base: number): number {
  if (discount.type === 'percentage') return basisPointsOf(base, discount.basisPoints ?? 0)
  return Math.min(discount.amount ?? 0, base)
}

/** Whether anybody can still have it (DIS-4); both ends of its time belong to it. */
export const isRedeemable = (discount: DiscountLimits, now: Date): boolean =>
  discount.deletedAt === null &&
  (discount.startsAt === null || discount.startsAt <= now) &&
  (discount.endsAt === null || now <= discount.endsAt) &&
  (discount.maxRedemptions === null || discount.redemptionsCount < discount.maxRedemptions)

/**
 * Whether it takes something off this product: one of its own, or any where it names none (DIS-5). What is free has nothing
 * to take off (CHK-4), months cannot be counted of what is bought once (CHK-7), and an amount is of one currency.
 */
export const isApplicable = (
  discount: Pick<DiscountTerms, 'type' | 'duration' | 'currency'>,
  productIds: readonly string[],
  product: DiscountedProduct,
  currency: string,
): boolean =>
  !product.isFree &&
  (productIds.length === 0 || productIds.includes(product.id)) &&
  (discount.duration !== 'repeating' || product.isRecurring) &&
  (discount.type !== 'fixed' || discount.currency === currency)
