import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { enqueueMail } from '../../../foundation/mail/mail.jobs.ts'
import { findMethodFor } from '../customer/payment-method.repository.ts'
import { findLatestOrder } from '../order/order.repository.ts'
import { changeSubscription, type SubscriptionRow } from '../order/subscription.repository.ts'
import { payLinkTo } from '../settlement/pay-link.ts'
import type { Taxes } from '../tax/taxes.ts'
import { prepareNext } from './change-plan.ts'
import { readSubscribed } from './subscribed.ts'

/** Whether what is due for a subscription is the reminder of its trial's end, not the end. */
export const isReminderDue = ({ status, trialEnd }: SubscriptionRow, dueAt: Date): boolean =>
  status === 'trialing' && trialEnd !== null && dueAt < trialEnd

/**
 * Reminds the subscriber of the end of their trial, once: the end is what the engine acts on next. One who has canceled
 * gets no mail, and neither does one whose trial has ended meanwhile, while the server stood still.
 */
export async function remindOfTrialEnd(ctx: Context, tx: Tx, row: SubscriptionRow, taxes: Taxes): Promise<void> {
  const { id, organizationId, customerId, trialEnd, cancelAtPeriodEnd } = row
  await changeSubscription(tx, id, { nextActionAt: trialEnd })
  const order = await findLatestOrder(tx, row)
  if (trialEnd === null || trialEnd <= ctx.clock.now() || cancelAtPeriodEnd || !order?.buyerEmail) return
  const { dueNow } = await prepareNext({ ctx, db: tx, taxes }, await readSubscribed(ctx, tx, row))
  const method = await findMethodFor(tx, organizationId, customerId, row.paymentMethodId)
  await enqueueMail(ctx, tx, {
    id: `trial-ending ${id} ${trialEnd.toISOString()}`,
    to: order.buyerEmail,
    locale: order.buyerLocale ?? 'en',
    sellerId: organizationId,
    template: 'trial-ending',
    data: {
      name: order.buyerName ?? '',
      organizationName: order.snapshot.seller.name,
      productName: order.snapshot.product.name,
      currency: order.currency,
      totalAmount: dueNow,
      isTest: order.isTest,
      url: payLinkTo(ctx, { kind: 'order', id: order.id }).url,
      endsOn: trialEnd.toISOString(),
      trialStep: dueNow === 0 ? 'free' : method ? 'card' : 'noCard',
    },
  })
}
