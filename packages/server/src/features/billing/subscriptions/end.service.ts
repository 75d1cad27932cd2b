import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { tellStateChanged } from '../customer/customer-state.ts'
import { emitBilling } from '../events.ts'
import { insertBalanceEntry } from '../order/balance.repository.ts'
import { listOpenOrders, markVoid, type OrderRow } from '../order/order.repository.ts'
import { readOrder } from '../order/order.service.ts'
import { changeSubscription, type SubscriptionRow } from '../order/subscription.repository.ts'
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
  for (const order of await listOpenOrders(tx, row)) await voidOrder(ctx, tx, order)
  const types = ['subscription.updated', 'subscription.canceled', 'subscription.revoked'] as const
  await tellSubscription(ctx, tx, await readSubscribed(ctx, tx, row), types, actorId)
  await tellStateChanged(ctx, tx, row.organizationId, row.customerId, actorId)
}

/** Voids an order that stays unpaid. The balance that it used is the customer's again (SUB-28). */
async function voidOrder(ctx: Context, tx: Tx, order: OrderRow): Promise<void> {
  const now = ctx.clock.now()
  const voided = await markVoid(tx, order.id, now)
  if (!voided) return
  const { organizationId, customerId, currency, appliedBalanceAmount } = order
  if (appliedBalanceAmount !== 0)
    await insertBalanceEntry(tx, {
      id: newUuid(),
      organizationId,
      customerId,
      currency,
      amount: -appliedBalanceAmount,
      reason: 'order_voided',
      orderId: order.id,
      createdAt: now,
    })
  await emitBilling(tx, now, { organizationId, actorId: null }, 'order.updated', await readOrder(tx, voided))
}
