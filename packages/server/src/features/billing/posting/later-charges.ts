import type { ProductPrice } from '@tollgate/contract/billing-types'
import { isFree } from '../catalog/offered-prices.ts'
import type { DiscountTerms } from '../discount/discount-rules.ts'

/** A recurring purchase, as far as its later charges depend on it. */
type Recurring = {
  readonly prices: readonly ProductPrice[]
  /** The price of a period, before discounts. */
  readonly amount: number
  readonly discount: Pick<DiscountTerms, 'type' | 'duration' | 'basisPoints'> | undefined
}

/**
 * Whether a subscription may charge later, and needs a payment method for it (CHK-4): not one that is free, one for a
 * chosen amount of zero, nor one under a discount of 100 % forever.
 */
export function mayChargeLater({ prices, amount, discount }: Recurring): boolean {
  const isMetered = prices.some(({ amountType }) => amountType === 'metered_unit')
  const isAlwaysAllOff =
    discount?.type === 'percentage' && discount.basisPoints === 10_000 && discount.duration === 'forever'
  return !isFree(prices) && (amount > 0 || isMetered) && !isAlwaysAllOff
}
