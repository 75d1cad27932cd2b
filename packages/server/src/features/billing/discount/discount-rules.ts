import type { Id } from '../../../foundation/db/database.ts'
import { basisPointsOf } from '../money.ts'

/** The terms of a discount that the arithmetic needs. */
export type DiscountTerms = {
  readonly type: string
  readonly duration: string
  readonly amount: number | null
  readonly currency: string | null
  readonly basisPoints: number | null
}

/** When and how often a discount can be redeemed. */
export type DiscountLimits = {
  readonly startsAt: Date | null
  readonly endsAt: Date | null
  readonly maxRedemptions: number | null
  readonly redemptionsCount: number
  readonly deletedAt: Date | null
}

/** The purchase to discount: a product, bought in a currency. */
export type DiscountedProduct = { readonly id: string; readonly isRecurring: boolean; readonly isFree: boolean }

/** The reduction of an amount, in minor units: never more than the amount (DIS-2). */
export function discountOn(discount: Pick<DiscountTerms, 'type' | 'amount' | 'basisPoints'>, base: number): number {
  if (discount.type === 'percentage') return basisPointsOf(base, discount.basisPoints ?? 0)
  return Math.min(discount.amount ?? 0, base)
}

/** Whether the discount can still be redeemed (DIS-4); both ends of its window are inclusive. */
export const isRedeemable = (discount: DiscountLimits, now: Date): boolean =>
  discount.deletedAt === null &&
  (discount.startsAt === null || discount.startsAt <= now) &&
  (discount.endsAt === null || now <= discount.endsAt) &&
  (discount.maxRedemptions === null || discount.redemptionsCount < discount.maxRedemptions)

/**
 * Whether the discount applies to a product: one of its own, or any if it names none (DIS-5). Free products have
 * nothing to discount (CHK-4), one-time purchases have no months (CHK-7), and a fixed amount has one currency.
 */
export const isApplicable = (
  discount: Pick<DiscountTerms, 'type' | 'duration' | 'currency'>,
  productIds: readonly Id<'product'>[],
  product: DiscountedProduct,
  currency: string,
): boolean =>
  !product.isFree &&
  (productIds.length === 0 || productIds.includes(product.id)) &&
  (discount.duration !== 'repeating' || product.isRecurring) &&
  (discount.type !== 'fixed' || discount.currency === currency)
