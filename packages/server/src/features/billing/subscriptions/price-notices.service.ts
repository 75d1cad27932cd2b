import { after, days } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { callFor, type JobHandler, sweepPeriod } from '../../../foundation/jobs.ts'
import { enqueueMail } from '../../../foundation/mail/mail.jobs.ts'
import { lastOf, proven } from '../../../foundation/proof/proven.ts'
import { periodEnd } from '../engine/period.ts'
import { skipNotices } from '../order/price-notice.repository.ts'
import { findSubscription, listSubscriptionItems, type SubscriptionRow } from '../order/subscription.repository.ts'
import { isBillable } from '../states.ts'
import { hasEnded } from './changeable.ts'
import { subscriberOf } from './life-mails.ts'
import {
  findAnyPriceChange,
  holdPriceChange,
  insertNotices,
  listConcerned,
  listDueNotices,
  listNoticed,
  moveNotice,
  type NoticeRow,
  nextNotice,
  noteListed,
  type PriceChangeRow,
} from './price-change.repository.ts'
import { fullAmountOf } from './subscribed.ts'

/*
 * Notices of changes of price: one job lists the subscriptions that a change concerns, in slices, and another one sends
 * what is due. A row for each subscription says how far it is, so that each subscriber gets one notice, however often a
 * process dies.
 */

const jobId = 'tell-price-changes'

/** Subscriptions of one transaction of a list, and notices of one run of the job. */
const listedAtOnce = 200
const noticesAtOnce = 100

/** Notices are sent this much earlier than they must be, because jobs take their time. */
const slack = days(1)

/** When the next notice is to be sent, perhaps after a moment. */
export const nextPriceNotice = (ctx: Pick<Context, 'db'>, moment?: Date): Promise<Date | undefined> =>
  nextNotice(ctx.db, moment)

/** Schedules the job that sends notices, if one is to be sent before the next sweep. */
export async function schedulePriceNotices(ctx: Context, nextSweep: Date): Promise<void> {
  const next = await nextPriceNotice(ctx)
  if (next && next <= nextSweep)
    // A run under way may have looked before the notice was there.
    await ctx.transaction((tx) => callFor(tx, ctx.clock.now(), { id: jobId, kind: 'tell-price-changes', payload: '' }))
}

/** Lists the subscriptions that a change of price concerns; begins where a former run has ended. */
export const createListHandler =
  (ctx: Context): JobHandler =>
  async ({ payload: id }) => {
    while (await listSlice(ctx, id)) {
      // Each slice is a transaction of its own.
    }
    await schedulePriceNotices(ctx, after(ctx.clock.now(), sweepPeriod))
    return undefined
  }

/** Lists one slice; false once there is nothing more to list. */
async function listSlice(ctx: Context, id: string): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const change = await findAnyPriceChange(tx, id)
    if (!change || change.status === 'canceled' || change.isListed) return false
    const { organizationId, productId, prices } = change
    const priceIds = prices.flatMap(({ fromPriceIds }) => fromPriceIds)
    const concerned = { organizationId, productId, priceIds }
    const rows = priceIds.length === 0 ? [] : await listConcerned(tx, concerned, change, listedAtOnce)
    const now = ctx.clock.now()
    // A subscription waits for one change at a time: the later one counts.
    await skipNotices(
      tx,
      rows.map(({ id }) => id),
    )
    await insertNotices(
      tx,
      rows.map((row) => ({
        id: newUuid(),
        organizationId,
        priceChangeId: change.id,
        subscriptionId: row.id,
        status: 'planned' as const,
        noticeAt: noticeAt(change, row, now),
        createdAt: now,
      })),
    )
    if (rows.length < listedAtOnce) {
      await noteListed(tx, change.id, { isListed: true })
      return false
    }
    const { createdAt, id: listedId } = lastOf(rows, 'a full slice has rows')
    await noteListed(tx, change.id, { listedUntil: createdAt, listedId })
    return true
  })
}

/** When a subscriber gets their mail: so many days before the first renewal at or after the change begins, or at once. */
function noticeAt({ startsAt, noticeDays }: PriceChangeRow, row: SubscriptionRow, now: Date): Date {
  if (noticeDays === 0) return now
  const due = after(firstRenewal(row, startsAt), -(days(noticeDays) + slack))
  return due > now ? due : now
}

/** The first end of a period at or after a moment. */
function firstRenewal(row: SubscriptionRow, moment: Date): Date {
  const cycle = { interval: row.recurringInterval, count: row.intervalCount }
  let end = proven(row.currentPeriodEnd, 'it is billed')
  while (end < moment) end = periodEnd(end, cycle, row.anchorDay)
  return end
}

/**
 * Sends the notices that are due; runs again at once while there are more. One that fails keeps no other from its turn;
 * the job then fails, and tries it again.
 */
export function createNoticeHandler(ctx: Context): JobHandler {
  return async () => {
    const now = ctx.clock.now()
    const failures: unknown[] = []
    for (let last: NoticeRow | undefined; ; ) {
      const due = await listDueNotices(ctx.db, now, last, noticesAtOnce)
      failures.push(...(await tellEach(ctx, due, tell)))
      last = due.at(-1)
      if (due.length < noticesAtOnce) break
      if (failures.length === 0) return now
    }
    if (failures.length > 0) throw failures[0]
    const next = await nextPriceNotice(ctx, now)
    return next && next <= after(now, sweepPeriod) ? next : undefined
  }
}

/** Tells the subscribers of some notices; returns the failures. */
async function tellEach(ctx: Context, notices: readonly NoticeRow[], tellOne: typeof tell): Promise<unknown[]> {
  const failures: unknown[] = []
  for (const notice of notices)
    await ctx
      .transaction((tx) => tellOne(ctx, tx, notice))
      .catch((error) => {
        ctx.log.error({ err: error, subscription: notice.subscriptionId }, 'A change of price cannot be told')
        failures.push(error)
      })
  return failures
}

/** Tells those who have their notice of a canceled change that their price stays, each once. */
export const createKeptHandler =
  (ctx: Context): JobHandler =>
  async ({ payload: id }) => {
    const failures: unknown[] = []
    for (let last: NoticeRow | undefined; ; ) {
      const noticed = await listNoticed(ctx.db, id, last, noticesAtOnce)
      failures.push(...(await tellEach(ctx, noticed, tellKept)))
      last = noticed.at(-1)
      if (noticed.length < noticesAtOnce) break
    }
    if (failures.length > 0) throw failures[0]
    return undefined
  }

/** Tells one subscriber that their price stays. */
async function tellKept(ctx: Context, tx: Tx, notice: NoticeRow): Promise<void> {
  const { organizationId, subscriptionId } = notice
  if (!(await moveNotice(tx, notice, { status: 'skipped' }))) return
  const row = proven(await findSubscription(tx, organizationId, subscriptionId), 'notices go with their subscription')
  const to = hasEnded(row) ? undefined : await subscriberOf(tx, row)
  if (!to) return
  await enqueueMail(ctx, tx, { id: `price-kept ${notice.id}`, ...to.address, template: 'price-kept', data: to.data })
}

/** Tells one subscriber of their new price. One that has ended, ends, or has another price meanwhile is left out. */
async function tell(ctx: Context, tx: Tx, notice: NoticeRow): Promise<void> {
  const { organizationId, priceChangeId, subscriptionId } = notice
  // One that is canceled meanwhile waits for this notice, and its job then finds it.
  const change = proven(await holdPriceChange(tx, priceChangeId), 'notices go with their change')
  const row = proven(await findSubscription(tx, organizationId, subscriptionId), 'notices go with their subscription')
  const items = await listSubscriptionItems(tx, row.id)
  const replaced = change.prices.find(({ fromPriceIds }) =>
    items.some(({ productPriceId }) => fromPriceIds.includes(productPriceId)),
  )
  const isConcerned =
    change.status !== 'canceled' && isBillable(row.status) && !row.cancelAtPeriodEnd && row.schedule === null
  if (!replaced || !isConcerned) {
    await moveNotice(tx, notice, { status: 'skipped' })
    return
  }
  const now = ctx.clock.now()
  if (!(await moveNotice(tx, notice, { status: 'noticed', noticedAt: now }))) return
  const to = await subscriberOf(tx, row)
  if (!to) return
  const earliest = after(now, days(change.noticeDays))
  const renewsOn = firstRenewal(row, earliest > change.startsAt ? earliest : change.startsAt)
  await enqueueMail(ctx, tx, {
    id: `price-change ${notice.id}`,
    ...to.address,
    template: 'price-change',
    data: {
      ...to.data,
      currency: row.currency,
      beforeAmount: fullAmountOf(items),
      totalAmount: fullAmountOf(
        items.map((item) =>
          replaced.fromPriceIds.includes(item.productPriceId) ? { ...item, unitAmount: replaced.amount } : item,
        ),
      ),
      renewsOn: renewsOn.toISOString(),
    },
  })
}
