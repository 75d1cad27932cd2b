import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { enqueue } from '../../../foundation/jobs.ts'
import { issueVoidNote } from '../documents/issue.service.ts'
import { emitBilling } from '../events.ts'
import { insertBalanceEntry } from '../order/balance.repository.ts'
import { listOpenOrders, markVoid, type OrderRow } from '../order/order.repository.ts'
import { readOrder } from '../order/order.service.ts'
import { listPendingFor, type PaymentRow } from '../order/payment.repository.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'

/** Who voids an order, and why; both are null where its subscription has ended. */
type Voiding = { readonly actorId: Id<'user'> | null; readonly reason: string | null }

/** Voids the orders of a subscription that has ended and that wait for their payment: nothing more is collected (SUB-19). */
export async function voidOpenOrders(
  ctx: Context,
  tx: Tx,
  subscription: Pick<SubscriptionRow, 'organizationId' | 'id'>,
): Promise<void> {
  for (const order of await listOpenOrders(tx, subscription))
    await voidUnpaid(ctx, tx, order, { actorId: null, reason: null })
}

/**
 * Voids an order that stays unpaid, and cancels the payments of it that are under way. The balance that it used is the
 * customer's again (SUB-28). An order with an invoice gets a credit note: nothing that has a number vanishes (ORD-7).
 */
export async function voidUnpaid(ctx: Context, tx: Tx, order: OrderRow, { actorId, reason }: Voiding): Promise<void> {
  const now = ctx.clock.now()
  const voided = await markVoid(tx, order.id, now, reason)
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
      actorId,
      createdAt: now,
    })
  await giveUpPayments(ctx, tx, order)
  await emitBilling(tx, now, { organizationId, actorId }, 'order.updated', await readOrder(tx, voided))
  await issueVoidNote(ctx, tx, voided)
}

/** Cancels the payments of an order that are under way: the order needs none of them. */
export async function giveUpPayments(
  { clock }: Pick<Context, 'clock'>,
  tx: Tx,
  { organizationId, id }: Pick<OrderRow, 'organizationId' | 'id'>,
): Promise<void> {
  for (const payment of await listPendingFor(tx, { orderId: id }))
    await giveUpPayment(tx, clock.now(), { organizationId, id: payment.id })
}

/** Cancels a payment that is under way, by a job beside its own one, at once. */
export const giveUpPayment = (
  tx: Tx,
  now: Date,
  { organizationId, id }: Pick<PaymentRow, 'organizationId' | 'id'>,
): Promise<void> =>
  enqueue(tx, now, { id: `give-up-payment ${id}`, kind: 'reconcile-payment', payload: id, organizationId })
