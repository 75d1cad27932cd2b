import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { tellStateChanged } from '../customer/customer-state.ts'
import { skipNotices } from '../order/price-notice.repository.ts'
import { moveSubscription, type SubscriptionChanges, type SubscriptionRow } from '../order/subscription.repository.ts'
import { voidOpenOrders } from '../settlement/void-order.service.ts'
import { type SubscriptionMove, subscriptionMoves } from '../states.ts'
import { readSubscribed, tellSubscription } from './subscribed.ts'

/**
 * Moves a locked subscription to another status, with the effects of the move's row: open orders, events and the
 * customer's state. One that ends waits for no change of price. The caller has checked that its status allows the move.
 */
export async function move(
  ctx: Context,
  tx: Tx,
  { id }: Pick<SubscriptionRow, 'id'>,
  name: SubscriptionMove,
  changes: SubscriptionChanges,
  actorId: Id<'user'> | null = null,
): Promise<SubscriptionRow> {
  const { openOrders, tells, to } = subscriptionMoves[name]
  const now = ctx.clock.now()
  const row = proven(
    await moveSubscription(tx, id, name, { ...changes, modifiedAt: now }),
    `the status of a locked subscription allows to ${name} it`,
  )
  if (openOrders === 'are voided') await voidOpenOrders(ctx, tx, row)
  if (to === 'canceled') await skipNotices(tx, [id])
  await tellSubscription(ctx, tx, await readSubscribed(ctx, tx, row), tells, actorId)
  await tellStateChanged(ctx, tx, row.organizationId, row.customerId, actorId)
  return row
}
