import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import type { ChangeTarget } from '../../../foundation/db/tables/order.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { findMethodFor } from '../customer/payment-method.repository.ts'
import type { ComputedOrder } from '../engine/compute-order.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'
import { declineMessages } from '../payments/sandbox-cards.ts'
import { beginOffSession, chargeNow } from '../settlement/off-session.service.ts'
import { payLinkTo } from '../settlement/pay-link.ts'
import { settlePayment } from '../settlement/settle-payment.service.ts'
import { findPendingChange, insertChange } from './change.repository.ts'
import type { Subscribed } from './subscribed.ts'

/** A change of a locked subscription, or the beginning of one, that applies once it is paid. */
type PaidChange = {
  readonly row: SubscriptionRow
  readonly target: ChangeTarget
  readonly computed: ComputedOrder
  readonly customer: Subscribed['customer']
}

/** Keeps a change until it is paid, and begins its payment by the saved method; returns the payment to charge. */
export async function beginPayment(
  ctx: Context,
  tx: Tx,
  { row, target, computed, customer }: PaidChange,
): Promise<Id<'payment'>> {
  const { organizationId, customerId, currency } = row
  const method = await findMethodFor(tx, organizationId, customerId, row.paymentMethodId)
  if (!method) throw withoutMethod()
  const changeId = newUuid()
  await insertChange(tx, {
    id: changeId,
    organizationId,
    subscriptionId: row.id,
    status: 'pending',
    version: row.version,
    target,
    computed: JSON.stringify(computed),
    amount: computed.dueNow,
    createdAt: ctx.clock.now(),
  })
  const reservedBalance = Math.max(0, -computed.balance.applied)
  const pays = { changeId }
  const asked = { organizationId, customer, amount: computed.dueNow, currency, method, reservedBalance, pays }
  return beginOffSession(ctx, tx, asked, { isWaitedFor: true })
}

/** Refuses a charge for which the customer has no saved method. */
export const withoutMethod = () =>
  new TollgateError('SUBSCRIPTION_PAYMENT_FAILED', { values: { reason: declineMessages.no_payment_method } })

/**
 * Charges the payment of a change while its caller waits. Throws SUBSCRIPTION_PAYMENT_FAILED where it fails; where the
 * customer has to authenticate it, the change waits, and the error comes with their link.
 */
export async function payNow(ctx: Context, paymentId: Id<'payment'>, id: Id<'subscription'>): Promise<void> {
  const attempt = await chargeNow(ctx, paymentId)
  const settled = attempt && (await settlePayment(ctx, paymentId, attempt))
  if (settled?.status !== 'failed') return
  const waiting = await findPendingChange(ctx.db, id)
  const extra = waiting && { paymentUrl: payLinkTo(ctx, { kind: 'change', id: waiting.id }).url }
  throw new TollgateError('SUBSCRIPTION_PAYMENT_FAILED', {
    values: { reason: settled.message },
    ...(extra && { extra }),
  })
}
