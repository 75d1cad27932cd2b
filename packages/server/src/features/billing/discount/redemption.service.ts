import type { Product } from '@tollgate/contract/billing-types'
import { mailboxOf } from '../../../foundation/config/mailbox.ts'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { sha256 } from '../../../foundation/token.ts'
import { isFree } from '../catalog/offered-prices.ts'
import { inBody, invalid } from '../invalid.ts'
import {
  countRedemptionsOf,
  type DiscountRow,
  deleteLatestRedemption,
  deleteRedemptions,
  findDiscount,
  giveRedemptionBack,
  insertRedemption,
  productsOfDiscounts,
  type Redeemer,
  takeRedemption,
} from './discount.repository.ts'
import { isApplicable, isRedeemable } from './discount-rules.ts'

/** A buyer, as redemptions count them. */
export type DiscountBuyer = { readonly customerId: Id<'customer'>; readonly email: string }

type Redemption = DiscountBuyer &
  Redeemer & { readonly organizationId: Id<'organization'>; readonly discountId: Id<'discount'> }

/**
 * Reserves a redemption for a checkout during its confirmation, or for a subscription (CHK-11, DIS-6, DIS-9). A
 * conditional update keeps the limit exact. False if none is left in total or for this buyer, or the window has ended. A
 * checkout has one at most: a second call changes nothing.
 */
export async function redeemDiscount(tx: Tx, now: Date, redemption: Redemption): Promise<boolean> {
  const { organizationId, discountId, email, ...by } = redemption
  const taken = await takeRedemption(tx, now, organizationId, discountId)
  if (!taken) return false
  // Counted under the lock of the update, so that two checkouts of one buyer see each other.
  if (!(await isLeftFor(tx, { id: discountId, ...taken }, redemption))) {
    await giveRedemptionBack(tx, discountId)
    return false
  }
  const row = { ...by, id: newUuid(), organizationId, discountId, buyerKey: buyerKeyOf(email), createdAt: now }
  if (!(await insertRedemption(tx, row))) await giveRedemptionBack(tx, discountId)
  return true
}

/** Whether a buyer may redeem a discount once more (DIS-9). */
async function isLeftFor(
  db: Db,
  { id, maxRedemptionsPerCustomer: most }: Pick<DiscountRow, 'id' | 'maxRedemptionsPerCustomer'>,
  { customerId, email }: DiscountBuyer,
): Promise<boolean> {
  return most === null || (await countRedemptionsOf(db, id, { customerId, buyerKey: buyerKeyOf(email) })) < most
}

/** Releases the redemption of a failed payment; does nothing if there is none. */
export async function releaseRedemption(tx: Tx, by: Redeemer): Promise<void> {
  for (const { discountId } of await deleteRedemptions(tx, by)) await giveRedemptionBack(tx, discountId)
}

/** Gives back a subscription's latest redemption of one discount; does nothing if there is none. */
export async function releaseLatestRedemption(
  tx: Tx,
  subscriptionId: Id<'subscription'>,
  discountId: Id<'discount'>,
): Promise<void> {
  if (await deleteLatestRedemption(tx, subscriptionId, discountId)) await giveRedemptionBack(tx, discountId)
}

/**
 * The discount that a seller names for a subscription; refuses one that is not theirs, cannot be redeemed by this buyer,
 * or does not apply to the product (SUB-12, DIS-4, DIS-5). Only `redeemDiscount` decides whether it counts.
 */
export async function requireDiscount(
  db: Db,
  now: Date,
  { organizationId, id, product, currency, buyer }: WantedDiscount,
): Promise<DiscountRow> {
  const found = await findDiscount(db, organizationId, id)
  if (!found) throw invalid(inBody('discount_id', 'Discount does not exist.'))
  if (!isRedeemable(found, now) || !(await isLeftFor(db, found, buyer))) throw noLongerRedeemable()
  if (!(await appliesTo(db, found, product, currency)))
    throw invalid(inBody('discount_id', 'Discount does not apply to the product.'))
  return found
}

/** Refuses a discount whose window or limit is over. */
export const noLongerRedeemable = () => invalid(inBody('discount_id', 'Discount is no longer redeemable.'))

type WantedDiscount = {
  readonly organizationId: Id<'organization'>
  readonly id: Id<'discount'>
  readonly product: Product
  readonly currency: string
  readonly buyer: DiscountBuyer
}

/** Whether a discount applies to a product that is bought in a currency. */
export async function appliesTo(db: Db, discount: DiscountRow, product: Product, currency: string): Promise<boolean> {
  const productIds = (await productsOfDiscounts(db, [discount.id])).get(discount.id) ?? []
  const { id, isRecurring, prices } = product
  return isApplicable(discount, productIds, { id, isRecurring, isFree: isFree(prices) }, currency)
}

/** The key that counts a buyer's redemptions: one mailbox, however its address is written (DIS-9). */
const buyerKeyOf = (email: string): string => sha256(mailboxOf(email))
