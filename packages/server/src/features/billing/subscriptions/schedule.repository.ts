import type { Id, Tx } from '../../../foundation/db/database.ts'
import { giveRedemptionBack } from '../discount/discount.repository.ts'

/** Gives one redemption of a subscription back; does nothing if there is none. */
export async function giveScheduledBack(
  tx: Tx,
  { subscriptionId, discountId }: { readonly subscriptionId: Id<'subscription'>; readonly discountId: Id<'discount'> },
): Promise<void> {
  const deleted = await tx
    .deleteFrom('discountRedemption')
    .where('id', '=', (of) =>
      of
        .selectFrom('discountRedemption')
        .select('id')
        .where('subscriptionId', '=', subscriptionId)
        .where('discountId', '=', discountId)
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .limit(1),
    )
    .returning('id')
    .executeTakeFirst()
  if (deleted) await giveRedemptionBack(tx, discountId)
}
