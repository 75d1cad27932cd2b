import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { enqueue } from '../../../foundation/jobs.ts'
import { emitBilling } from '../events.ts'
import { insertBalanceEntry } from './balance.repository.ts'
import { listOpenOrders, markVoid, type OrderRow } from './order.repository.ts'
import { readOrder } from './order.service.ts'
import { listPendingFor } from './payment.repository.ts'
import type { SubscriptionRow } from './subscription.repository.ts'

/** Voids the orders of a subscription that has ended and that wait for their payment: nothing more is collected (SUB-19). */
export async function voidOpenOrders(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  subscription: Pick<SubscriptionRow, 'organizationId' | 'id'>,
): Promise<void> {
  for (const order of await listOpenOrders(tx, subscription)) await voidOrder(ctx, tx, order)
}

/**
 * Voids an order that stays unpaid, and cancels the payments of it that are under way. The balance that it used is the
 * customer's again (SUB-28).
 */
async function voidOrder(ctx: Pick<Context, 'clock'>, tx: Tx, order: OrderRow): Promise<void> {
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
  for (const { id: payload } of await listPendingFor(tx, { orderId: order.id }))
    await enqueue(tx, now, { id: `give-up-payment ${payload}`, kind: 'reconcile-payment', payload, organizationId })
  await emitBilling(tx, now, { organizationId, actorId: null }, 'order.updated', await readOrder(tx, voided))
}
