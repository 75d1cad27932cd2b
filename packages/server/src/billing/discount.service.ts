import type { DiscountBase } from '@tollgate/contract/billing-types'
import type { Db, Tx } from '../db/database.ts'

/** Discounts of an organization as answers embed them; removed ones too, because orders still name them. */
export async function readDiscounts(
  _db: Db,
  _organizationId: string,
  _ids: readonly string[],
): Promise<Map<string, DiscountBase>> {
  throw new Error('not built yet')
}

/**
 * Reserves a redemption for a checkout that is being confirmed (CHK-11, DIS-6, DIS-9): exactly as many as there are, by a
 * conditional update. False where none is left, for anybody or for this buyer, or the discount's time is over.
 */
export async function redeemDiscount(
  _tx: Tx,
  _now: Date,
  _redemption: { organizationId: string; discountId: string; checkoutId: string; email: string },
): Promise<boolean> {
  throw new Error('not built yet')
}

/** Gives a redemption back whose payment has failed; nothing where there is none. */
export async function releaseRedemption(_tx: Tx, _checkoutId: string): Promise<void> {
  throw new Error('not built yet')
}
