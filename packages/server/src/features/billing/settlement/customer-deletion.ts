import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { type CustomerRow, forgetPaymentMethods } from '../customer/customer.repository.ts'
import { endSessionsOf } from '../customer/customer-session.repository.ts'
import { forgetAtProcessors } from '../customer/forget-method.service.ts'
import type { PurchasesOfCustomers } from '../customer/purchases.ts'
import { emitBilling } from '../events.ts'
import { listPendingPayments } from '../order/payment.repository.ts'
import { skipNotices } from '../order/price-notice.repository.ts'
import { endSubscriptionsOf, listIncompleteSubscriptions } from '../order/subscription.repository.ts'
import { readSubscriptions } from '../order/subscription-view.ts'
import { subscriptionMoves } from '../states.ts'
import { discardChanges } from './buyer-deletion.repository.ts'
import { expire } from './expire.service.ts'
import { giveUpPayment, voidOpenOrders } from './void-order.service.ts'

export const purchasesOfCustomers: PurchasesOfCustomers = {
  /** Ends all but the orders of a customer; cancels pending payments at their processor. */
  async endAll(ctx, tx, customer, actorId) {
    await endPurchases(ctx, tx, customer, actorId)
    const { organizationId } = customer
    for (const id of await listPendingPayments(tx, organizationId, customer.id))
      await giveUpPayment(tx, ctx.clock.now(), { organizationId, id })
  },
}

/**
 * Ends subscriptions at once, like a revocation (contract, 3.3), those that wait for their first payment, the portal's
 * sessions and payment methods. Orders stay, and so do payments under way.
 */
export async function endPurchases(
  ctx: Context,
  tx: Tx,
  { organizationId, id }: Pick<CustomerRow, 'organizationId' | 'id'>,
  actorId: Id<'user'> | null,
): Promise<void> {
  const now = ctx.clock.now()
  const ended = await endSubscriptionsOf(tx, organizationId, id, now)
  for (const subscription of await readSubscriptions(ctx, tx, organizationId, ended))
    for (const type of subscriptionMoves.revoke.tells)
      await emitBilling(tx, now, { organizationId, actorId }, type, subscription)
  for (const subscription of ended) await voidOpenOrders(ctx, tx, subscription)
  await skipNotices(
    tx,
    ended.map((subscription) => subscription.id),
  )
  await endSessionsOf(tx, organizationId, id)
  const methods = await forgetPaymentMethods(tx, organizationId, id, now)
  await forgetAtProcessors(tx, now, organizationId, methods)
  for (const incomplete of await listIncompleteSubscriptions(tx, organizationId, id)) {
    await discardChanges(tx, incomplete.id, now)
    await expire(ctx, tx, incomplete)
  }
}
