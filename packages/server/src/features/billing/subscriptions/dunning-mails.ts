import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { enqueueMail } from '../../../foundation/mail/mail.jobs.ts'
import type { MailData } from '../../../foundation/mail/mail-data.ts'
import type { OrderRow } from '../order/order.repository.ts'
import type { PaymentRow } from '../order/payment.repository.ts'
import { payLinkTo } from '../settlement/pay-link.ts'

type Declined = MailData['payment-failed']['declined']

/** An attempt to collect an order that failed; without a payment there was no saved method to charge. */
export type FailedAttempt = {
  readonly order: OrderRow
  readonly payment:
    | Pick<PaymentRow, 'id' | 'declineReason' | 'paymentMethodId' | 'retryAt' | 'isUnscheduled'>
    | undefined
}

type Following = {
  readonly step: MailData['payment-failed']['next']['step']
  readonly on: Date
  /** The step of the dunning: without a payment, each mails once. */
  readonly count: number
}

/** Tells the subscriber of a failed attempt, once for each, with the link to pay and what follows if they do nothing. */
export async function mailFailure(
  ctx: Context,
  tx: Tx,
  { order, payment }: FailedAttempt,
  next: Following,
): Promise<void> {
  if (order.buyerEmail === null) return
  await enqueueMail(ctx, tx, {
    id: `payment-failed ${payment?.id ?? `${order.id} ${next.count}`}`,
    ...addressOf(order, order.buyerEmail),
    template: 'payment-failed',
    data: {
      ...renewalOf(order, dueOf(order)),
      url: payLinkTo(ctx, { kind: 'order', id: order.id }).url,
      declined: payment ? (reasons[payment.declineReason ?? ''] ?? 'declined') : 'noCard',
      next: { step: next.step, on: next.on.toISOString() },
    },
  })
}

/** Asks the subscriber whose trial has ended without a card for the first payment, with the day on which all ends. */
export async function mailTrialEnded(ctx: Context, tx: Tx, order: OrderRow, endsOn: Date): Promise<void> {
  if (order.buyerEmail === null) return
  await enqueueMail(ctx, tx, {
    id: `trial-ended ${order.id}`,
    ...addressOf(order, order.buyerEmail),
    template: 'trial-ended',
    data: {
      ...renewalOf(order, dueOf(order)),
      url: payLinkTo(ctx, { kind: 'order', id: order.id }).url,
      endsOn: endsOn.toISOString(),
    },
  })
}

/** Tells the subscriber that their subscription has ended, because these orders stayed unpaid. */
export async function mailEnd(
  ctx: Context,
  tx: Tx,
  id: Id<'subscription'>,
  unpaid: readonly OrderRow[],
): Promise<void> {
  const latest = unpaid.at(-1)
  if (!latest || latest.buyerEmail === null) return
  const amount = unpaid.reduce((sum, order) => sum + dueOf(order), 0)
  await enqueueMail(ctx, tx, {
    id: `subscription-ended ${id}`,
    ...addressOf(latest, latest.buyerEmail),
    template: 'subscription-ended',
    data: renewalOf(latest, amount),
  })
}

/** What the subscriber reads for a processor's reason; every other one reads as `declined`. */
const reasons: Readonly<Record<string, Declined>> = {
  insufficient_funds: 'funds',
  expired_card: 'expired',
  authentication_required: 'authentication',
  authentication_failed: 'authentication',
  no_payment_method: 'noCard',
}

export const addressOf = ({ buyerLocale, organizationId }: OrderRow, to: string) => ({
  to,
  locale: buyerLocale ?? 'en',
  sellerId: organizationId,
})

const dueOf = ({ totalAmount, appliedBalanceAmount }: OrderRow): number => totalAmount + appliedBalanceAmount

const renewalOf = (order: OrderRow, totalAmount: number) => ({
  ...soldIn(order),
  currency: order.currency,
  totalAmount,
})

/** What an order has sold, and to whom, in the terms of mails. */
export const soldIn = ({ snapshot, buyerName, isTest }: OrderRow) => ({
  name: buyerName ?? '',
  organizationName: snapshot.seller.name,
  productName: snapshot.product.name,
  isTest,
})
