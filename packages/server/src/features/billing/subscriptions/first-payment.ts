import { after, hours } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { tellStateChanged } from '../customer/customer-state.ts'
import { releaseRedemption } from '../discount/redemption.service.ts'
import type { ComputedOrder } from '../engine/compute-order.ts'
import type { PaymentRow } from '../order/payment.repository.ts'
import {
  listIncompleteSubscriptions,
  moveSubscription,
  type SubscriptionRow,
  setNextAction,
} from '../order/subscription.repository.ts'
import { nextRenewalAction } from '../posting/next-action.ts'
import { type PostedOrder, postOrder } from '../posting/post-order.service.ts'
import { sendInvoice, termsOf } from '../settlement/invoice.service.ts'
import { mailReceiptOf } from '../settlement/settle-order.service.ts'
import { subscriptionMoves } from '../states.ts'
import { findPendingChange, settleChange } from './change.repository.ts'
import { readSubscribed, type Subscribed, tellSubscription } from './subscribed.ts'

/*
 * A subscription that begins without a checkout is incomplete until its first payment succeeds. Nothing tells of it
 * before, and one whose payment fails, or is not made in time, has never begun.
 */

/** When the engine looks again at a subscription whose first payment is under way. */
const nextLook = hours(1)

/** Begins a locked subscription, whose first order is paid. */
export async function beginPaid(
  ctx: Context,
  tx: Tx,
  before: SubscriptionRow,
  { computed, payment }: { readonly computed: ComputedOrder; readonly payment: PaymentRow },
): Promise<PostedOrder> {
  const now = ctx.clock.now()
  const period = { start: before.currentPeriodStart, end: proven(before.currentPeriodEnd, 'it waits to begin') }
  const changes = { startedAt: now, nextActionAt: nextRenewalAction(ctx, before, period), modifiedAt: now }
  const row = proven(await moveSubscription(tx, before.id, 'begin', changes), 'it is locked, and incomplete')
  const subscribed = await readSubscribed(ctx, tx, row)
  await tellSubscription(ctx, tx, subscribed, subscriptionMoves.begin.tells)
  return postFirst(ctx, tx, subscribed, computed, payment)
}

/** Posts the first order of a subscription that begins without a checkout. */
export async function postFirst(
  ctx: Context,
  tx: Tx,
  { row, product, discount, buyer, taxBehavior }: Subscribed,
  computed: ComputedOrder,
  payment: PaymentRow | undefined,
): Promise<PostedOrder> {
  const { organizationId, customerId, currency, customFieldData, metadata } = row
  const posted = await postOrder(ctx, tx, {
    organizationId,
    billingReason: 'subscription_create',
    computed,
    currency,
    taxBehavior,
    product,
    // The discount begins with the first period that is paid (SUB-25).
    discount: row.status === 'trialing' ? undefined : discount,
    buyer,
    subscription: {
      row,
      period: { start: row.currentPeriodStart, end: proven(row.currentPeriodEnd, 'it has begun') },
      cause: 'subscription_create',
    },
    checkoutId: null,
    payment,
    invoiced: termsOf(ctx, row),
    isTest: payment?.isTest ?? ctx.payments.forNewCheckouts.isTest,
    customFieldData,
    metadata,
  })
  const { order, documents } = posted
  if (order.dueAt) await sendInvoice(ctx, tx, order, documents)
  else if (order.totalAmount > 0) await mailReceiptOf(ctx, tx, order, documents)
  await tellStateChanged(ctx, tx, organizationId, customerId)
  return posted
}

/** Ends the wait of a subscription for its first payment, and gives its discount back; any other stays as it is. */
export async function expire(ctx: Context, tx: Tx, { id }: Pick<SubscriptionRow, 'id'>): Promise<void> {
  const now = ctx.clock.now()
  const changes = { endedAt: now, nextActionAt: null, modifiedAt: now }
  if (await moveSubscription(tx, id, 'expire', changes)) await releaseRedemption(tx, { subscriptionId: id })
}

/** Expires a subscription that its first payment did not begin in time; looks again later while that is under way. */
export async function expireInTime(ctx: Context, tx: Tx, row: SubscriptionRow): Promise<void> {
  if (await discardUnpaid(ctx, tx, row)) return expire(ctx, tx, row)
  await setNextAction(tx, row.id, after(ctx.clock.now(), nextLook))
}

/** Expires a subscription that its seller gives up; refuses while its first payment is under way. */
export async function abandon(ctx: Context, tx: Tx, row: SubscriptionRow): Promise<void> {
  if (!(await discardUnpaid(ctx, tx, row))) throw new TollgateError('SUBSCRIPTION_CHANGE_PENDING')
  await expire(ctx, tx, row)
}

/** Abandons a customer's former attempts to begin a subscription. */
export async function makeWayForNew(
  ctx: Context,
  tx: Tx,
  { organizationId, customerId }: { organizationId: Id<'organization'>; customerId: Id<'customer'> },
): Promise<void> {
  for (const row of await listIncompleteSubscriptions(tx, organizationId, customerId)) await abandon(ctx, tx, row)
}

/** Discards what a subscription waits for; false while it is being paid. */
async function discardUnpaid(ctx: Context, tx: Tx, { id }: SubscriptionRow): Promise<boolean> {
  const pending = await findPendingChange(tx, id)
  if (pending?.paymentUnderWay) return false
  if (pending) await settleChange(tx, pending.id, 'discarded', ctx.clock.now())
  return true
}
