import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { tellStateChanged } from '../customer/customer-state.ts'
import { changeSubscription, type SubscriptionRow } from '../order/subscription.repository.ts'
import { voidOpenOrders } from '../order/void-order.service.ts'
import { readSubscribed, tellSubscription } from './subscribed.ts'

/** Who ends a subscription, and what the customer said. */
type Ending = Pick<Partial<SubscriptionRow>, 'customerCancellationReason' | 'customerCancellationComment'> & {
  readonly actorId: Id<'user'> | null
}

/** Ends a locked subscription at once. Orders that are not paid are voided: nothing more is collected (SUB-19). */
export async function endNow(
  ctx: Context,
  tx: Tx,
  before: SubscriptionRow,
  { actorId, ...said }: Ending,
): Promise<void> {
  const now = ctx.clock.now()
  const row = await changeSubscription(tx, before.id, {
    status: 'canceled',
    canceledAt: now,
    endsAt: now,
    endedAt: now,
    nextActionAt: null,
    pendingChange: null,
    ...said,
    modifiedAt: now,
  })
  await voidOpenOrders(ctx, tx, row)
  const types = ['subscription.updated', 'subscription.canceled', 'subscription.revoked'] as const
  await tellSubscription(ctx, tx, await readSubscribed(ctx, tx, row), types, actorId)
  await tellStateChanged(ctx, tx, row.organizationId, row.customerId, actorId)
}
