import { forgetPaymentMethods } from '../customer/customer.repository.ts'
import { endSessionsOf } from '../customer/customer-session.repository.ts'
import { forgetAtProcessors } from '../customer/forget-method.service.ts'
import type { PurchasesOfCustomers } from '../customer/purchases.ts'
import { emitBilling } from '../events.ts'
import { listPendingPayments } from '../order/payment.repository.ts'
import { skipNotices } from '../order/price-notice.repository.ts'
import { endSubscriptionsOf } from '../order/subscription.repository.ts'
import { readSubscriptions } from '../order/subscription-view.ts'
import { subscriptionMoves } from '../states.ts'
import { giveUpPayment, voidOpenOrders } from './void-order.service.ts'

export const purchasesOfCustomers: PurchasesOfCustomers = {
  /**
   * Ends subscriptions at once, like a revocation (contract, 3.3), the portal's sessions and payment methods; cancels
   * pending payments at their processor. Orders stay.
   */
  async endAll(ctx, tx, { organizationId, id }, actorId) {
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
    for (const payment of await listPendingPayments(tx, organizationId, id))
      await giveUpPayment(tx, now, { organizationId, id: payment })
  },
}
