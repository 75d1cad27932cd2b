import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { enqueue } from '../../jobs.ts'
import { emitBilling } from '../events.ts'
import { listPendingPayments } from '../order/payment.repository.ts'
import { readSubscriptions } from '../order/subscription-view.ts'
import { type CustomerRow, cancelSubscriptionsOf, forgetPaymentMethods } from './customer.repository.ts'
import { endSessionsOf } from './customer-session.repository.ts'

/**
 * Ends what a customer has who is being removed, and is locked by then: subscriptions at once, like a revocation (contract,
 * 3.3), the portal, payment methods, and payments that are under way: those are given up at their processor. Orders stay.
 */
export async function endAllOf(
  ctx: Context,
  tx: Tx,
  customer: Pick<CustomerRow, 'organizationId' | 'id'>,
  actorId: string | null,
): Promise<void> {
  const { organizationId, id } = customer
  const now = ctx.clock.now()
  const ended = await cancelSubscriptionsOf(tx, organizationId, id, now)
  for (const subscription of await readSubscriptions(ctx, tx, organizationId, ended))
    for (const type of ['subscription.updated', 'subscription.canceled', 'subscription.revoked'] as const)
      await emitBilling(tx, now, { organizationId, actorId }, type, subscription)
  await endSessionsOf(tx, organizationId, id)
  await forgetPaymentMethods(tx, organizationId, id, now)
  for (const payload of await listPendingPayments(tx, organizationId, id))
    await enqueue(tx, now, { id: `give-up-payment ${payload}`, kind: 'reconcile-payment', payload })
}
