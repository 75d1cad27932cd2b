import { after, days, standingClock } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { callFor, type JobHandler, restart, sweepPeriod } from '../../../foundation/jobs.ts'
import { lastOf, proven } from '../../../foundation/proof/proven.ts'
import { lockCustomer } from '../customer/customer.repository.ts'
import { tellStateChanged } from '../customer/customer-state.ts'
import { findMethodFor, type MethodToCharge } from '../customer/payment-method.repository.ts'
import { discountOn } from '../discount/discount-rules.ts'
import { periodEnd } from '../engine/period.ts'
import { organizationMaySell } from '../merchant/may-sell.service.ts'
import { balanceOf } from '../order/balance.repository.ts'
import { changeSubscription, lockSubscription, type SubscriptionRow } from '../order/subscription.repository.ts'
import { type PostedOrder, postOrder } from '../posting/post-order.service.ts'
import { beginOffSession } from '../settlement/off-session.service.ts'
import { mailReceiptOf } from '../settlement/settle-order.service.ts'
import { type Taxes, withTaxes } from '../tax/taxes.ts'
import { applyPending } from './apply-change.ts'
import { fallDue, tryAgain } from './dunning.service.ts'
import { billWaiting } from './last-order.ts'
import { listDue, listSellersDue, listWaitingEntries, markEntriesBilled, nextAction } from './renewal.repository.ts'
import {
  chargeOf,
  discountAt,
  fullAmountOf,
  lineOfEntry,
  linesOf,
  readSubscribed,
  type Subscribed,
  tellSubscription,
} from './subscribed.ts'
import { isReminderDue, remindOfTrialEnd } from './trial-end.ts'

/*
 * Renewals have no jobs of their own: `next_action_at` says when the engine acts on a subscription. One job finds the
 * sellers who have something due, and one job for each seller renews in slices, so that sellers share the job loop fairly.
 */

const finderId = 'find-renewals'

/** Sellers of one step, and renewals of one run of a seller's job. */
const sellersAtOnce = 200
const renewalsAtOnce = 40
/** How long what is due for a seller who is stopped waits for the next look. */
const nextLookAtSeller = days(1)
/** Renewals of a seller that are under way at once. SQLite runs one transaction at a time, and PostgreSQL several. */
const underWay = { sqlite: 1, postgres: 8 } as const

/**
 * Schedules the search for due subscriptions, if one falls due before the next sweep. A new subscription falls due in a
 * day at the earliest, so each is seen in time.
 */
export async function scheduleRenewals(ctx: Context, nextSweep: Date): Promise<void> {
  const next = await nextAction(ctx.db)
  if (next && next <= nextSweep)
    await ctx.transaction((tx) => restart(tx, ctx.clock.now(), { id: finderId, kind: 'find-renewals' }))
}

/** Gives each seller with a due subscription a job, and runs again when the next one falls due. */
export function createFindHandler(ctx: Context): JobHandler {
  return async () => {
    const now = ctx.clock.now()
    for (let last = ''; ; ) {
      const sellers = await listSellersDue(ctx.db, now, last, sellersAtOnce)
      const due = sellers.filter(({ isDue }) => isDue)
      if (due.length > 0)
        await ctx.transaction(async (tx) => {
          // A job that waits because one of its subscriptions fails looks at the others now.
          for (const { organizationId } of due)
            await callFor(tx, now, {
              id: `renew ${organizationId}`,
              kind: 'renew-subscriptions',
              payload: organizationId,
              organizationId,
            })
        })
      if (sellers.length < sellersAtOnce) break
      last = lastOf(sellers, 'a full step has sellers').organizationId
    }
    const next = await nextAction(ctx.db)
    return next && next > now && next <= after(now, sweepPeriod) ? next : undefined
  }
}

/**
 * Acts on a seller's due subscriptions, the longest due first; runs again at once while more are due. One that fails
 * keeps no other from its turn; the job then fails, and tries it again.
 */
export function createRenewHandler(ctx: Context): JobHandler {
  return async ({ payload: organizationId }) => {
    const now = ctx.clock.now()
    const failures: unknown[] = []
    for (let last: SubscriptionRow | undefined; ; ) {
      const due = await listDue(ctx.db, organizationId, now, last, renewalsAtOnce)
      const waiting = due.values()
      const inTurn = async () => {
        for (const row of waiting)
          await act(ctx, row).catch((error) => {
            ctx.log.error({ err: error, subscription: row.id }, 'A subscription cannot renew')
            failures.push(error)
          })
      }
      await Promise.all(Array.from({ length: underWay[ctx.database.dialect] }, inTurn))
      last = due.at(-1)
      if (due.length < renewalsAtOnce) break
      if (failures.length === 0) return now
    }
    if (failures.length > 0) throw failures[0]
    const next = await nextAction(ctx.db, organizationId)
    return next && next <= now ? now : undefined
  }
}

/** Does what is due for one subscription: its end, the retry of a failed payment, or its next period. */
async function act(ctx: Context, { organizationId, id, customerId }: SubscriptionRow): Promise<void> {
  await withTaxes(ctx, 'required', (taxes) =>
    ctx.transaction(async (tx) => {
      const now = ctx.clock.now()
      await lockCustomer(tx, organizationId, { id: customerId })
      const row = await lockSubscription(tx, organizationId, id)
      const dueAt = row?.nextActionAt
      // Another process has acted on it meanwhile.
      if (!row || !dueAt || dueAt > now) return
      // Orders and periods carry the moment that they were due at, however late it is (SUB-29).
      const then = { ...ctx, clock: standingClock(dueAt) }
      const isLive = row.status === 'active' || row.status === 'trialing'
      if (!isLive && row.status !== 'past_due') {
        await changeSubscription(tx, id, { nextActionAt: null })
        return
      }
      if (isLive && isReminderDue(row, dueAt)) return remindOfTrialEnd(ctx, tx, row, taxes)
      if (isLive && row.cancelAtPeriodEnd) return end(then, tx, row, taxes)
      // A seller who is stopped takes no further money: what is due waits until they may sell again.
      if (!(await organizationMaySell({ config: ctx.config, db: tx }, organizationId))) {
        await changeSubscription(tx, id, { nextActionAt: after(now, nextLookAtSeller) })
        return
      }
      await (row.status === 'past_due' ? tryAgain(then, tx, row) : renew(then, tx, row, taxes))
    }),
  )
}

/** Ends a subscription that was canceled at the end of its period. */
async function end(ctx: Context, tx: Tx, row: SubscriptionRow, taxes: Taxes): Promise<void> {
  const now = ctx.clock.now()
  const ended = await changeSubscription(tx, row.id, {
    status: 'canceled',
    endedAt: now,
    nextActionAt: null,
    modifiedAt: now,
  })
  await tellSubscription(ctx, tx, await readSubscribed(ctx, tx, ended), [
    'subscription.updated',
    'subscription.revoked',
  ])
  await tellStateChanged(ctx, tx, row.organizationId, row.customerId)
  await billWaiting({ ctx, tx, taxes }, ended)
}

/**
 * Begins the next period, and posts its order (SUB-3, SUB-14): the period advances first, then its payment is begun. A
 * change that waited for the end of the period applies, and the lines that waited are billed.
 */
export async function renew(ctx: Context, tx: Tx, before: SubscriptionRow, taxes: Taxes): Promise<void> {
  const now = ctx.clock.now()
  const changed = await applyPending(ctx, tx, before)
  const subscribed = await readSubscribed(ctx, tx, changed)
  const start = proven(before.currentPeriodEnd, 'an active subscription has a period')
  const cycle = { interval: changed.recurringInterval, count: changed.intervalCount }
  const period = { start, end: periodEnd(start, cycle, changed.anchorDay) }
  const discount = discountAt(subscribed, start)
  const full = fullAmountOf(subscribed.items)
  const entries = await listWaitingEntries(tx, changed.id)
  const lines = [...linesOf(subscribed, period), ...entries.map((entry) => lineOfEntry(entry, subscribed))]
  const balance = await balanceOf(tx, changed.customerId, changed.currency)
  const computed = await chargeOf({ ctx, db: tx, taxes }, subscribed, { lines, discount, balance })
  const method = await findMethodFor(tx, changed.organizationId, changed.customerId, changed.paymentMethodId)
  // The end of a trial begins the subscription, unless there is nothing to charge: it then falls past due (SUB-25).
  const becomesActive = changed.status === 'trialing' && (computed.dueNow === 0 || method !== undefined)
  const row = await changeSubscription(tx, changed.id, {
    ...(becomesActive && { status: 'active' }),
    currentPeriodStart: period.start,
    currentPeriodEnd: period.end,
    nextActionAt: period.end,
    discountId: discount?.id ?? null,
    ...(discount && { discountAppliedAt: changed.discountAppliedAt ?? start }),
    amount: full - (discount ? discountOn(discount, full) : 0),
    modifiedAt: now,
  })
  const types = becomesActive
    ? (['subscription.updated', 'subscription.active'] as const)
    : (['subscription.updated'] as const)
  await tellSubscription(ctx, tx, { ...subscribed, row }, types)
  const posted = await postOrder(ctx, tx, {
    organizationId: row.organizationId,
    billingReason: 'subscription_cycle',
    computed,
    currency: row.currency,
    taxBehavior: subscribed.taxBehavior,
    product: subscribed.product,
    discount,
    buyer: subscribed.buyer,
    subscription: { row, period, cause: 'subscription_cycle' },
    checkoutId: null,
    payment: undefined,
    isTest: isTestOf(ctx),
    customFieldData: row.customFieldData,
    metadata: row.metadata,
  })
  await markEntriesBilled(tx, entries, posted.items)
  if (becomesActive) await tellStateChanged(ctx, tx, row.organizationId, row.customerId)
  await collect(ctx, tx, row, subscribed, { ...posted, method })
}

const isTestOf = (ctx: Context): boolean => ctx.payments.forNewCheckouts.isTest

/** Begins the payment of a posted order. Without a saved method, the subscription waits for its customer. */
async function collect(
  ctx: Context,
  tx: Tx,
  row: SubscriptionRow,
  { customer }: Subscribed,
  { order, documents, method }: PostedOrder & { readonly method: MethodToCharge | undefined },
): Promise<void> {
  if (order.status !== 'pending') {
    if (order.totalAmount > 0) await mailReceiptOf(ctx, tx, order, documents)
    return
  }
  if (!method) return fallDue(ctx, tx, row, { order, payment: undefined }, true)
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
}
