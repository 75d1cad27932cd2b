import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { enqueueMail } from '../../../foundation/mail/mail.jobs.ts'
import { findMethodFor } from '../customer/payment-method.repository.ts'
import { findLatestOrder } from '../order/order.repository.ts'
import { type SubscriptionRow, setNextAction } from '../order/subscription.repository.ts'
import { nextRenewalAction } from '../posting/next-action.ts'
import { isByInvoice } from '../settlement/invoice.service.ts'
import { payLinkTo } from '../settlement/pay-link.ts'
import type { Taxes } from '../tax/taxes.ts'
import { prepareNext } from './change-plan.ts'
import { addressOf, soldIn } from './dunning-mails.ts'
import { readSubscribed } from './subscribed.ts'

/** Whether what is due for a live subscription is a reminder of its trial's or its period's end, not the end. */
export function isReminderDue(row: SubscriptionRow, dueAt: Date): boolean {
  const end = endOf(row)
  return end !== null && dueAt < end
}

const endOf = ({ status, trialEnd, currentPeriodEnd }: SubscriptionRow): Date | null =>
  status === 'trialing' ? trialEnd : currentPeriodEnd

/**
 * Reminds the subscriber of what their trial's or period's end brings. The engine acts next at the reminder after it, or
 * at the end, so each is sent once. A subscriber who cancels or pauses then gets no mail, and neither does one whose end
 * has come while the server stood still. Of several that fell due in that time, one is sent.
 */
export async function remind(
  ctx: Context,
  tx: Tx,
  row: SubscriptionRow,
  taxes: Taxes,
  maySell: boolean,
): Promise<void> {
  const end = endOf(row)
  const isTrial = row.status === 'trialing'
  const next = isTrial || end === null ? end : nextRenewalAction(ctx, row, { start: row.currentPeriodStart, end })
  await setNextAction(tx, row.id, next)
  if (end === null || end <= ctx.clock.now() || row.cancelAtPeriodEnd || row.pauseAtPeriodEnd || !maySell) return
  await mailReminder(ctx, tx, row, { end, taxes })
}

async function mailReminder(
  ctx: Context,
  tx: Tx,
  row: SubscriptionRow,
  { end, taxes }: { readonly end: Date; readonly taxes: Taxes },
): Promise<void> {
  const { id, organizationId, customerId, status, amount } = row
  const order = await findLatestOrder(tx, row)
  if (!order?.buyerEmail) return
  const { dueNow } = await prepareNext({ ctx, db: tx, taxes }, await readSubscribed(ctx, tx, row))
  const isTrial = status === 'trialing'
  // What costs nothing goes on without a word.
  if (!isTrial && dueNow === 0 && amount === 0) return
  const method = await findMethodFor(tx, organizationId, customerId, row.paymentMethodId)
  const address = addressOf(order, order.buyerEmail)
  const renewalStep = dueNow === 0 ? 'free' : isByInvoice(row) ? 'invoice' : method ? 'card' : 'noCard'
  const data = { ...soldIn(order), currency: order.currency, totalAmount: dueNow, renewalStep } as const
  if (isTrial)
    return enqueueMail(ctx, tx, {
      id: `trial-ending ${id} ${end.toISOString()}`,
      ...address,
      template: 'trial-ending',
      data: { ...data, url: payLinkTo(ctx, { kind: 'card', id }).url, endsOn: end.toISOString() },
    })
  await enqueueMail(ctx, tx, {
    id: `renewal-reminder ${id} ${end.toISOString()} ${row.nextActionAt?.toISOString()}`,
    ...address,
    template: 'renewal-reminder',
    data: { ...data, renewsOn: end.toISOString() },
  })
}
