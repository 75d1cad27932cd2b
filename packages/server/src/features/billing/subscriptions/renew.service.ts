import { after, days, overdueClock } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { callFor, type JobHandler, restart, sweepPeriod } from '../../../foundation/jobs.ts'
import { lastOf, proven } from '../../../foundation/proof/proven.ts'
import { lockCustomer } from '../customer/customer.repository.ts'
import { organizationMaySell } from '../merchant/may-sell.service.ts'
import { changeSubscription, lockSubscription, type SubscriptionRow } from '../order/subscription.repository.ts'
import { type Taxes, withTaxes } from '../tax/taxes.ts'
import { applyWaiting } from './apply-change.ts'
import { beginPeriod } from './begin-period.ts'
import { tryAgain } from './dunning.service.ts'
import { isEndingUnpaid } from './dunning-schedule.ts'
import { expireInTime } from './first-payment.ts'
import { billWaiting } from './last-order.ts'
import { move } from './move.ts'
import { pause, resume } from './pause.ts'
import { isReminderDue, remind } from './reminders.ts'
import { listDue, listSellersDue, nextAction } from './renewal.repository.ts'
import { readSubscribed, tellSubscription } from './subscribed.ts'

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
    // What is due now has its job, and may not be done yet.
    const next = await nextAction(ctx.db, { after: now })
    return next && next <= after(now, sweepPeriod) ? next : undefined
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
    const next = await nextAction(ctx.db, { organizationId })
    return next && next <= now ? now : undefined
  }
}

/**
 * Does what is due for one subscription: a reminder, its end, its pause or resumption, the retry of a failed payment, or
 * its next period.
 */
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
      const then = { ...ctx, clock: overdueClock(ctx.clock, dueAt) }
      if (row.status === 'incomplete') return expireInTime(then, tx, row)
      const isLive = row.status === 'active' || row.status === 'trialing'
      if (!isLive && row.status !== 'past_due' && row.status !== 'paused') {
        await changeSubscription(tx, id, { nextActionAt: null })
        return
      }
      const maySell = () => organizationMaySell({ config: ctx.config, db: tx }, organizationId)
      if (isLive && isReminderDue(row, dueAt)) return remind(ctx, tx, row, taxes, await maySell())
      if (isEndingUnpaid(row) || (isLive && row.cancelAtPeriodEnd)) return end(then, tx, row, taxes)
      if (isLive && row.pauseAtPeriodEnd) return pause(then, tx, row, row.resumesAt, null)
      // A seller who is stopped takes no further money: what is due waits until they may sell again.
      if (!(await maySell())) {
        await changeSubscription(tx, id, { nextActionAt: after(now, nextLookAtSeller) })
        return
      }
      if (row.status === 'past_due') return tryAgain(then, tx, row)
      if (row.status === 'paused') return resume({ ctx: then, tx, taxes }, row, null)
      await renew(then, tx, row, taxes)
    }),
  )
}

/** Ends a subscription that was canceled at the end of its period, or of its grace: then nothing is billed (SUB-19). */
async function end(ctx: Context, tx: Tx, row: SubscriptionRow, taxes: Taxes): Promise<void> {
  const ended = await move(ctx, tx, row, 'end', { endedAt: ctx.clock.now(), nextActionAt: null })
  if (row.status !== 'past_due') await billWaiting({ ctx, tx, taxes }, ended)
}

/**
 * Begins the next period, and posts its order (SUB-3). A change that waited for the end of the period applies, and the
 * lines that waited are billed.
 */
export async function renew(ctx: Context, tx: Tx, before: SubscriptionRow, taxes: Taxes): Promise<void> {
  const subscribed = await readSubscribed(ctx, tx, await applyWaiting(ctx, tx, before))
  const { id, anchorDay, status } = subscribed.row
  const start = proven(before.currentPeriodEnd, 'an active subscription has a period')
  await beginPeriod(
    { ctx, tx, taxes },
    subscribed,
    { start, anchorDay, cause: 'subscription_cycle' },
    async (changes, { isPayable }) => {
      // The end of a trial begins the subscription, unless there is nothing to charge: it then falls past due (SUB-25).
      if (status === 'trialing' && isPayable) return move(ctx, tx, subscribed.row, 'endTrial', changes)
      const row = await changeSubscription(tx, id, { ...changes, modifiedAt: ctx.clock.now() })
      await tellSubscription(ctx, tx, { ...subscribed, row }, ['subscription.updated'])
      return row
    },
  )
}
