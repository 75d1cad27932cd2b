import type { Id, Tx } from '../../../foundation/db/database.ts'

/** Lets subscriptions wait for no change of price: they end, are planned otherwise, or have another price. */
export async function skipNotices(tx: Tx, subscriptionIds: readonly Id<'subscription'>[]): Promise<void> {
  if (subscriptionIds.length === 0) return
  await tx
    .updateTable('priceChangeNotice')
    .set({ status: 'skipped' })
    .where('subscriptionId', 'in', subscriptionIds)
    .where('status', 'in', ['planned', 'noticed'])
    .execute()
}
