import { after, days } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import type { JobHandler } from '../../../foundation/jobs.ts'
import { organizationMaySell } from '../merchant/may-sell.service.ts'
import { findOrderById, lockUnpaid, noteDue, type OrderRow, overdueNotice } from '../order/order.repository.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'
import { mailInvoice, noticeDays } from '../settlement/invoice.service.ts'
import { fallDue, lockSubscriptionOf } from './dunning.service.ts'
import { mailOverdue } from './invoice-mails.ts'

/*
 * Each open invoice has a job, which sleeps until its next notice: a reminder before the due date, one at it, and the day
 * after it the notice that it is overdue, with which the dunning of its subscription begins. The order remembers its last
 * notice in the same transaction, so each is sent once, however often a process dies.
 */

/** How long the notice waits that an invoice is overdue while its seller is stopped, or its subscription paused. */
const nextLook = days(1)

type Notice = { readonly number: number; readonly at: Date }

/** The notices of an invoice that are still to come. */
const noticesOf = ({ dueAt, dueNotice }: OrderRow): Notice[] =>
  dueAt === null
    ? []
    : noticeDays
        .map((ahead, place) => ({ number: place + 1, at: after(dueAt, days(ahead)) }))
        .filter(({ number }) => number > dueNotice)

/** Sends the notices of an open invoice at their moments, and is done when it is overdue, paid or voided. */
export function createInvoiceHandler(ctx: Context): JobHandler {
  return async ({ payload }) => {
    const order = await findOrderById(ctx.db, payload)
    if (order?.status !== 'pending') return undefined
    const [next] = noticesOf(order)
    if (!next || next.at > ctx.clock.now()) return next?.at
    return ctx.transaction((tx) => notify(ctx, tx, order))
  }
}

/** Sends the last notice that is due, and returns when the next one is. Those before it are over. */
async function notify(ctx: Context, tx: Tx, { organizationId, id, ...known }: OrderRow): Promise<Date | undefined> {
  const now = ctx.clock.now()
  const subscription = await lockSubscriptionOf(tx, { organizationId, id, ...known })
  const order = await lockUnpaid(tx, organizationId, id)
  if (!order) return undefined
  const notices = noticesOf(order)
  const due = notices.findLast(({ at }) => at <= now)
  if (!due) return notices[0]?.at
  const maySell = await organizationMaySell({ config: ctx.config, db: tx }, organizationId)
  const isOverdue = due.number === overdueNotice
  if (isOverdue && (!maySell || subscription?.status === 'paused')) return after(now, nextLook)
  await noteDue(tx, id, due.number)
  const told = { ...order, dueNotice: due.number }
  // As of now, however late the notice is: its reader gets the whole time of the dunning.
  if (isOverdue) await beginDunning(ctx, tx, told, subscription)
  else if (maySell) await mailInvoice(ctx, tx, told, { template: 'invoice-due' })
  return notices.find(({ number }) => number > due.number)?.at
}

/** An invoice is overdue: its subscription falls past due. One that has ended is past that, and its customer is reminded. */
async function beginDunning(
  ctx: Context,
  tx: Tx,
  order: OrderRow,
  subscription: SubscriptionRow | undefined,
): Promise<void> {
  const { status } = subscription ?? {}
  if (subscription && (status === 'active' || status === 'trialing'))
    return fallDue(ctx, tx, subscription, { order, payment: undefined }, true)
  // A subscription that is past due already reminds of all its overdue invoices.
  if (status !== 'past_due') await mailOverdue(ctx, tx, order, { step: 'open', on: null, count: 0 })
}
