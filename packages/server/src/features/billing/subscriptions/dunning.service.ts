import { after, days } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { tellStateChanged } from '../customer/customer-state.ts'
import { findMethodFor, type MethodToCharge } from '../customer/payment-method.repository.ts'
import { findOrder, listOpenOrders, listUnpaidOrders, type OrderRow } from '../order/order.repository.ts'
import { countUnscheduled, findLatestBy, listPendingFor, type PaymentRow } from '../order/payment.repository.ts'
import { changeSubscription, lockSubscription, type SubscriptionRow } from '../order/subscription.repository.ts'
import { nextRenewalAction } from '../posting/next-action.ts'
import { beginOffSession } from '../settlement/off-session.service.ts'
import { orderSettler, settleOrder, withKeptMethod } from '../settlement/settle-order.service.ts'
import type { Settler } from '../settlement/settlers.ts'
import { type FailedAttempt, mailEnd, mailFailure, mailTrialEnded } from './dunning-mails.ts'
import {
  isEndingUnpaid,
  lastRetryOf,
  mostUnscheduledPerDay,
  nextRetry,
  retryAt,
  scheduleOfSeller,
} from './dunning-schedule.ts'
import { endNow } from './end.service.ts'
import { mailOverdue } from './invoice-mails.ts'
import { mailRecovered } from './life-mails.ts'
import { move } from './move.ts'
import { readSubscribed } from './subscribed.ts'

/** Whether another attempt by the engine alone may succeed. */
const mayPass = ({ advice }: Pick<PaymentRow, 'advice'>): boolean => advice === 'retry' || advice === 'retry_after'

/** What follows from the payment of a posted order: beside the order, its subscription recovers or falls past due. */
export const renewalSettler: Settler = {
  async succeeded(ctx, tx, payment, attempt) {
    const order = await orderOf(tx, payment)
    const row = await lockSubscriptionOf(tx, order)
    const paid = await withKeptMethod(ctx, tx, payment, attempt)
    // Before the order takes its number, for which other invoices of the seller wait.
    if (row) await payWith(tx, row, paid)
    await settleOrder(ctx, tx, paid, attempt)
    if (!row || (await recover(ctx, tx, row))) return
    // The period of an order by invoice was told when it began.
    if (order.dueAt === null) await tellStateChanged(ctx, tx, row.organizationId, row.customerId)
  },
  async failed(ctx, tx, payment, failure) {
    const row = await lockSubscriptionOf(tx, await orderOf(tx, payment))
    // As of now: another transaction may have held the lock, and changed the order.
    const order = await orderOf(tx, payment)
    // The order was voided, or paid in another way, and gave this payment up.
    if (order.status !== 'pending') return
    // A card that the customer tries by their link says nothing of the saved one, which has its own retries.
    const isByLink = payment.paymentMethodId === null
    if (!row || isEndingUnpaid(row) || (isByLink && row.dunningStep <= lastRetryOf(row))) return
    const attempt = { order, payment }
    if (row.status === 'active' || row.status === 'trialing') await fallDue(ctx, tx, row, attempt, mayPass(payment))
    else if (row.status === 'past_due') await stayDue(ctx, tx, row, attempt, failure.mayRetry && mayPass(payment))
  },
  waits: orderSettler.waits,
}

/** The card that the customer has paid with is the one for later periods. */
async function payWith(tx: Tx, row: SubscriptionRow, { paymentMethodId }: PaymentRow): Promise<void> {
  if (paymentMethodId !== null && paymentMethodId !== row.paymentMethodId)
    await changeSubscription(tx, row.id, { paymentMethodId })
}

async function orderOf(tx: Tx, { id, organizationId, orderId }: PaymentRow): Promise<OrderRow> {
  const order = await findOrder(tx, organizationId, proven(orderId, `payment ${id} is for an order`))
  return proven(order, 'orders are never deleted')
}

/** Locks the subscription that an order bills; undefined where it bills none. */
export const lockSubscriptionOf = async (tx: Tx, { organizationId, subscriptionId }: OrderRow) =>
  subscriptionId === null ? undefined : lockSubscription(tx, organizationId, subscriptionId)

/** The subscription falls past due, and the schedule of retries begins. Without a chance, only its end remains. */
export async function fallDue(
  ctx: Context,
  tx: Tx,
  before: SubscriptionRow,
  attempt: FailedAttempt,
  mayTry: boolean,
): Promise<void> {
  const dunningSchedule = await scheduleOfSeller(ctx, tx, before.organizationId)
  const begun = { pastDueAt: ctx.clock.now(), dunningSchedule }
  const row = await move(ctx, tx, before, 'fallDue', {
    ...begun,
    ...nextRetry(begun, mayTry ? 0 : lastRetryOf(begun), attempt.payment?.retryAt ?? null),
  })
  // A trial that ends without a card has no failed payment: its subscriber is asked for the first one.
  if (before.status === 'trialing' && !attempt.payment)
    return mailTrialEnded(ctx, tx, attempt.order, retryAt(row, lastRetryOf(row)))
  if (attempt.order.dueAt) await tellOverdue(ctx, tx, row, attempt.order)
  else await tellSubscriber(ctx, tx, row, attempt)
}

/** Mails that an invoice is overdue, and what follows. */
async function tellOverdue(ctx: Context, tx: Tx, row: SubscriptionRow, order: OrderRow): Promise<void> {
  const on = row.nextActionAt ?? retryAt(row, lastRetryOf(row))
  const step = row.dunningStep < lastRetryOf(row) ? 'reminder' : 'end'
  await mailOverdue(ctx, tx, order, { step, on, count: row.dunningStep })
}

/** Mails what has failed and what follows. A customer who pays by their link sees that themselves. */
async function tellSubscriber(ctx: Context, tx: Tx, row: SubscriptionRow, attempt: FailedAttempt): Promise<void> {
  const isByLink = attempt.payment?.paymentMethodId === null
  if (isByLink || row.nextActionAt === null) return
  await mailFailure(ctx, tx, attempt, { ...followingOf(row, row.nextActionAt, attempt), count: row.dunningStep })
}

/** What follows if the subscriber does nothing: without a card nothing is tried again, and the subscription ends. */
function followingOf(row: SubscriptionRow, next: Date, { payment }: FailedAttempt) {
  const lastRetry = lastRetryOf(row)
  if (!payment) return { step: 'end', on: retryAt(row, lastRetry) } as const
  return { step: row.dunningStep < lastRetry ? 'retry' : 'end', on: next } as const
}

/** A retry has failed: the next one follows, unless it was the last. One beside the schedule does not move it (SUB-28). */
async function stayDue(
  ctx: Context,
  tx: Tx,
  row: SubscriptionRow,
  attempt: FailedAttempt,
  mayTry: boolean,
): Promise<void> {
  const lastRetry = lastRetryOf(row)
  if (row.dunningStep > lastRetry) return endUnpaid(ctx, tx, row)
  if (attempt.payment?.isUnscheduled || row.dunningStep === lastRetry) return tellSubscriber(ctx, tx, row, attempt)
  // The wait of another order's payment holds too.
  const step = mayTry ? row.dunningStep : lastRetry
  const next = nextRetry(row, step, row.nextActionAt, attempt.payment?.retryAt ?? null)
  const isMoved = next.nextActionAt.getTime() !== row.nextActionAt?.getTime()
  await tellSubscriber(ctx, tx, isMoved ? await changeSubscription(tx, row.id, next) : row, attempt)
}

/**
 * The next retry of a subscription past due: all its open orders are charged again, the oldest first. Its subscriber is
 * reminded of those that are collected by invoice, and without a saved card of all.
 */
export async function tryAgain(ctx: Context, tx: Tx, row: SubscriptionRow): Promise<void> {
  const { organizationId, customerId } = row
  const step = row.dunningStep + 1
  const lastRetry = lastRetryOf(row)
  const method = await findMethodFor(tx, organizationId, customerId, row.paymentMethodId)
  if (!method && step > lastRetry) return endUnpaid(ctx, tx, row)
  const next = await changeSubscription(tx, row.id, {
    dunningStep: step,
    nextActionAt: step > lastRetry ? null : retryAt(row, step),
  })
  const invoices = step > lastRetry ? [] : (await listUnpaidOrders(tx, row)).filter(({ dueAt }) => dueAt !== null)
  for (const order of invoices) await tellOverdue(ctx, tx, next, order)
  if (!method) {
    const orders = (await listOpenOrders(tx, row)).filter(({ dueAt }) => dueAt === null)
    for (const order of orders) await tellSubscriber(ctx, tx, next, { order, payment: undefined })
    return
  }
  const outcome = await chargeOpenOrders(ctx, tx, row, method, { isUnscheduled: false })
  if (outcome === 'untried' && step > lastRetry) await endUnpaid(ctx, tx, row)
}

/**
 * Charges the open orders of a subscription past due by a method, the oldest first; it recovers where none is left.
 * `untried` where no attempt has a chance.
 */
export async function chargeOpenOrders(
  ctx: Context,
  tx: Tx,
  row: SubscriptionRow,
  method: MethodToCharge,
  { isUnscheduled }: { readonly isUnscheduled: boolean },
): Promise<'under way' | 'untried' | 'recovered'> {
  const { organizationId } = row
  const orders = await listUnpaidOrders(tx, row)
  if (orders.length === 0) {
    await recover(ctx, tx, row)
    return 'recovered'
  }
  const { customer } = await readSubscribed(ctx, tx, row)
  let isUnderWay = false
  for (const { id, totalAmount, appliedBalanceAmount, currency, dueAt } of orders) {
    // The customer is paying it by their link.
    if ((await listPendingFor(tx, { orderId: id })).length > 0) {
      isUnderWay = true
      continue
    }
    // The customer pays an invoice themselves.
    if (dueAt !== null) continue
    // Another attempt with the same card would fail, and can cost a fee; the customer may add another card.
    const latest = await findLatestBy(tx, organizationId, id, method.id)
    if (latest && !mayPass(latest)) continue
    if (isUnscheduled && (await hasBeenTriedEnough(ctx, tx, { organizationId, id }))) continue
    isUnderWay = true
    const amount = totalAmount + appliedBalanceAmount
    await beginOffSession(
      ctx,
      tx,
      { organizationId, customer, amount, currency, method, isUnscheduled, pays: { orderId: id } },
      { isWaitedFor: false },
    )
  }
  return isUnderWay ? 'under way' : 'untried'
}

/**
 * Whether new default methods have had an order charged as often as they may in a day: a customer who swaps cards again
 * and again would cost their seller a fee for each. The scheduled retries go on.
 */
async function hasBeenTriedEnough(
  { clock }: Pick<Context, 'clock'>,
  tx: Tx,
  { organizationId, id }: Pick<OrderRow, 'organizationId' | 'id'>,
): Promise<boolean> {
  const since = after(clock.now(), -days(1))
  return (await countUnscheduled(tx, organizationId, id, since)) >= mostUnscheduledPerDay
}

/**
 * An order is paid. If it was the last, the subscription recovers, and its subscriber gets a mail; if its dunning is over,
 * it ends. False if neither happens yet.
 */
export async function recover(ctx: Context, tx: Tx, before: SubscriptionRow): Promise<boolean> {
  const row = await endDunning(ctx, tx, before)
  if (row) await mailRecovered(ctx, tx, row)
  return row !== undefined || endIfOver(ctx, tx, before)
}

/**
 * Ends a subscription past due whose last retry has been, while something is to be paid of which no payment is under way:
 * nothing else would act on it (SUB-13). False where the dunning goes on.
 */
export async function endIfOver(ctx: Context, tx: Tx, row: SubscriptionRow): Promise<boolean> {
  if (row.status !== 'past_due' || isEndingUnpaid(row) || row.dunningStep <= lastRetryOf(row)) return false
  for (const { id } of await listUnpaidOrders(tx, row))
    if ((await listPendingFor(tx, { orderId: id })).length > 0) return false
  await endUnpaid(ctx, tx, row)
  return true
}

/**
 * A subscription past due of which nothing is to be paid is active again, and renews at the end of the period that it
 * stands in. Undefined if something is still to be paid.
 */
export async function endDunning(ctx: Context, tx: Tx, before: SubscriptionRow): Promise<SubscriptionRow | undefined> {
  if (before.status !== 'past_due' || isEndingUnpaid(before) || (await listUnpaidOrders(tx, before)).length > 0)
    return undefined
  const end = proven(before.currentPeriodEnd, 'a subscription past due has a period')
  const nextActionAt = nextRenewalAction(ctx, before, { start: before.currentPeriodStart, end })
  return move(ctx, tx, before, 'recover', { pastDueAt: null, dunningStep: 0, dunningSchedule: null, nextActionAt })
}

/** Ends a subscription that stayed unpaid (SUB-13). */
async function endUnpaid(ctx: Context, tx: Tx, row: SubscriptionRow): Promise<void> {
  await mailEnd(ctx, tx, row.id, await listOpenOrders(tx, row))
  await endNow(ctx, tx, row, { actorId: null, by: 'endUnpaid' })
}
