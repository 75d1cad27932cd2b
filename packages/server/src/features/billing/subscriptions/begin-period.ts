import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import type { OrderCause } from '../../../foundation/db/tables/order.ts'
import { tellStateOf } from '../customer/customer-state.ts'
import { findMethodFor, type MethodToCharge } from '../customer/payment-method.repository.ts'
import { periodEnd } from '../engine/period.ts'
import { balanceOf } from '../order/balance.repository.ts'
import type { SubscriptionChanges, SubscriptionRow } from '../order/subscription.repository.ts'
import { nextRenewalAction } from '../posting/next-action.ts'
import { type PostedOrder, postOrder } from '../posting/post-order.service.ts'
import { isByInvoice, sendInvoice, termsOf } from '../settlement/invoice.service.ts'
import { beginOffSession } from '../settlement/off-session.service.ts'
import { mailReceiptOf } from '../settlement/settle-order.service.ts'
import type { Taxes } from '../tax/taxes.ts'
import { fallDue } from './dunning.service.ts'
import { listWaitingEntries, markEntriesBilled } from './renewal.repository.ts'
import { chargeOf, discountAt, lineOfEntry, linesOf, netAmountOf, type Subscribed } from './subscribed.ts'

type Work = { readonly ctx: Context; readonly tx: Tx; readonly taxes: Taxes }

/** A period to begin. Its order is the only one of its cause in the period. */
type NewPeriod = { readonly start: Date; readonly anchorDay: number; readonly cause: OrderCause }

/**
 * Begins a period of a locked subscription, and posts its order (SUB-14): the period advances first, by `become`, then
 * its payment is begun. The lines that waited for the next order are billed with it.
 */
export async function beginPeriod(
  { ctx, tx, taxes }: Work,
  subscribed: Subscribed,
  { start, anchorDay, cause }: NewPeriod,
  become: (changes: SubscriptionChanges, due: { readonly isPayable: boolean }) => Promise<SubscriptionRow>,
): Promise<void> {
  const before = subscribed.row
  const cycle = { interval: before.recurringInterval, count: before.intervalCount }
  const period = { start, end: periodEnd(start, cycle, anchorDay) }
  const discount = discountAt(subscribed, start)
  const entries = await listWaitingEntries(tx, before.id)
  const lines = [...linesOf(subscribed, period), ...entries.map((entry) => lineOfEntry(entry, subscribed))]
  const balance = await balanceOf(tx, before.customerId, before.currency)
  const computed = await chargeOf({ ctx, db: tx, taxes }, subscribed, { lines, discount, balance })
  const method = await findMethodFor(tx, before.organizationId, before.customerId, before.paymentMethodId)
  const changes = {
    currentPeriodStart: period.start,
    currentPeriodEnd: period.end,
    nextActionAt: nextRenewalAction(ctx, before, period),
    anchorDay,
    discountId: discount?.id ?? null,
    ...(discount && { discountAppliedAt: before.discountAppliedAt ?? start }),
    amount: netAmountOf({ ...subscribed, discount }),
  }
  const row = await become(changes, { isPayable: computed.dueNow === 0 || isByInvoice(before) || method !== undefined })
  const posted = await postOrder(ctx, tx, {
    organizationId: row.organizationId,
    billingReason: 'subscription_cycle',
    computed,
    currency: row.currency,
    taxBehavior: subscribed.taxBehavior,
    product: subscribed.product,
    discount,
    buyer: subscribed.buyer,
    subscription: { row, period, cause },
    checkoutId: null,
    payment: undefined,
    invoiced: termsOf(ctx, row),
    isTest: ctx.payments.forNewCheckouts.isTest,
    customFieldData: row.customFieldData,
    metadata: row.metadata,
  })
  await markEntriesBilled(tx, entries, posted.items)
  const isToldLater = await collect(ctx, tx, row, subscribed, { ...posted, method })
  if (!isToldLater) await tellStateOf(ctx, tx, row.organizationId, subscribed.customer)
}

/**
 * Begins the payment of a posted order. Without a saved method, the subscription waits for its customer. True if what
 * follows tells the customer's state: events of a burst end with it, so it comes after those of the payment (CUS-4).
 */
async function collect(
  ctx: Context,
  tx: Tx,
  row: SubscriptionRow,
  { customer }: Subscribed,
  { order, documents, method }: PostedOrder & { readonly method: MethodToCharge | undefined },
): Promise<boolean> {
  if (order.status !== 'pending') {
    if (order.totalAmount > 0) await mailReceiptOf(ctx, tx, order, documents)
    return false
  }
  if (order.dueAt) {
    await sendInvoice(ctx, tx, order, documents)
    return false
  }
  if (!method) {
    await fallDue(ctx, tx, row, { order, payment: undefined }, true)
    return true
  }
  await beginOffSession(
    ctx,
    tx,
    {
      organizationId: row.organizationId,
      customer,
      amount: order.totalAmount + order.appliedBalanceAmount,
      currency: order.currency,
      method,
      pays: { orderId: order.id },
    },
    { isWaitedFor: false },
  )
  return true
}
