import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { releaseRedemption } from '../discount/redemption.service.ts'
import { moveSubscription, type SubscriptionRow } from '../order/subscription.repository.ts'

/** Ends the wait of a subscription for its first payment, and gives its discount back; any other stays as it is. */
export async function expire(ctx: Context, tx: Tx, { id }: Pick<SubscriptionRow, 'id'>): Promise<void> {
  const now = ctx.clock.now()
  const changes = { endedAt: now, nextActionAt: null, modifiedAt: now }
  if (await moveSubscription(tx, id, 'expire', changes)) await releaseRedemption(tx, { subscriptionId: id })
}
