import type { ParsedBillingBody } from '@tollgate/contract/billing-types'
import type { Db, Tx } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import type { ComputedOrder } from '../engine/compute-order.ts'
import { anchorDayOf, periodEnd } from '../engine/period.ts'
import { inBody, invalid } from '../invalid.ts'
import { balanceOf } from '../order/balance.repository.ts'
import { listOpenOrders } from '../order/order.repository.ts'
import { changeSubscription, type SubscriptionRow } from '../order/subscription.repository.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { withTaxes } from '../tax/taxes.ts'
import { postChange } from './apply-change.ts'
import { findPendingChange } from './change.repository.ts'
import type { ChangeWork } from './change-plan.ts'
import { hasEnded, requireUnscheduled } from './changeable.ts'
import { lockBoth, showSubscription, tellChanged } from './locked.ts'
import { pause, resume } from './pause.ts'
import { creditLines } from './period-credit.ts'
import { asQuoted, hashOf, type QuoteKey, quoteOf } from './quote.ts'
import { type Quote, toQuoted, unnamedQuote } from './quoted-order.ts'
import { listWaitingEntries } from './renewal.repository.ts'
import { chargeOf, discountAt, lineOfEntry, linesOf, readSubscribed, type Subscribed } from './subscribed.ts'

type AskedPause = ParsedBillingBody<'pauseSubscription'>

/** Pauses a subscription now, or at the end of its period (SUB-26, SUB-31, SUB-32). */
export const pauseSubscription: BillingHandler<'pauseSubscription'> = async ({
  ctx,
  seller,
  params,
  body,
  current,
}) => {
  const { organizationId } = seller
  const actorId = current?.user.id ?? null
  await withTaxes(ctx, 'required', (taxes) =>
    ctx.transaction(async (tx) => {
      const row = await lockBoth(tx, organizationId, params.id)
      const resumesAt = await requirePausable(tx, row, body, ctx.clock.now())
      if (body.at === 'period_end') {
        const changes = { pauseAtPeriodEnd: true, resumesAt, modifiedAt: ctx.clock.now() }
        return tellChanged(ctx, tx, await changeSubscription(tx, row.id, changes), ['subscription.updated'], actorId)
      }
      const work = { ctx, db: tx, taxes }
      const { subscribed, order: computed } = await asQuoted(
        ctx,
        { quoteId: body.quoteId ?? null, subject: row.id },
        (asOf) => preparePause(work, row, body, asOf),
        (prepared) => toPauseQuote(work, row, body, prepared),
      )
      await pause(ctx, tx, row, resumesAt, actorId)
      if (computed) await postChange(ctx, tx, subscribed, { id: newUuid(), computed, isDiscounted: false }, undefined)
    }),
  )
  return showSubscription(ctx, organizationId, params.id)
}

/** Resumes a paused subscription, or withdraws a pause at the end of the period (SUB-26). */
export const resumeSubscription: BillingHandler<'resumeSubscription'> = async ({ ctx, seller, params, current }) => {
  const { organizationId } = seller
  const actorId = current?.user.id ?? null
  await withTaxes(ctx, 'required', (taxes) =>
    ctx.transaction(async (tx) => {
      const row = await lockBoth(tx, organizationId, params.id)
      if (hasEnded(row)) throw new TollgateError('SUBSCRIPTION_ENDED')
      if (row.status === 'paused') return resume({ ctx, tx, taxes }, row, actorId)
      if (!row.pauseAtPeriodEnd) throw new TollgateError('SUBSCRIPTION_NOT_PAUSED')
      const changes = { pauseAtPeriodEnd: false, resumesAt: null, modifiedAt: ctx.clock.now() }
      await tellChanged(ctx, tx, await changeSubscription(tx, row.id, changes), ['subscription.updated'], actorId)
    }),
  )
  return showSubscription(ctx, organizationId, params.id)
}

/** Refuses a pause that cannot be (SUB-31); returns when it ends by itself. */
async function requirePausable(db: Db | Tx, row: SubscriptionRow, body: AskedPause, now: Date): Promise<Date | null> {
  if (hasEnded(row)) throw new TollgateError('ALREADY_CANCELED_SUBSCRIPTION')
  if (row.status !== 'active') throw new TollgateError('SUBSCRIPTION_NOT_ACTIVE')
  requireUnscheduled(row)
  if (row.cancelAtPeriodEnd || row.pauseAtPeriodEnd || row.pendingChange !== null || (await isBeingPaid(db, row, body)))
    throw new TollgateError('SUBSCRIPTION_CHANGE_PENDING')
  if (body.at === 'period_end' && body.credit !== undefined && body.credit !== 'none')
    throw invalid(inBody('credit', 'Only a pause that begins at once gives a credit.'))
  const resumesAt = body.resumesAt ?? null
  const begins = body.at === 'now' ? now : proven(row.currentPeriodEnd, 'it is active')
  if (resumesAt !== null && resumesAt <= begins)
    throw invalid(inBody('resumes_at', 'The pause would end before it begins.'))
  return resumesAt
}

/** Whether a payment that is under way decides what the subscription is: of a change, or of the running period. */
async function isBeingPaid(db: Db, row: SubscriptionRow, { at }: AskedPause): Promise<boolean> {
  if (await findPendingChange(db, row.id)) return true
  // An open invoice is paid in its own time, and stays as it is.
  return at === 'now' && (await listOpenOrders(db, row)).some(({ dueAt }) => dueAt === null)
}

/** A pause with the order that gives back what the customer asked for, if that is anything. */
type PreparedPause = {
  readonly subscribed: Subscribed
  readonly order: ComputedOrder | undefined
  readonly key: QuoteKey
}

async function preparePause(
  work: ChangeWork,
  row: SubscriptionRow,
  asked: AskedPause,
  asOf: Date,
): Promise<PreparedPause> {
  const subscribed = await readSubscribed(work.ctx, work.db, row)
  const order = await creditOrder(work, subscribed, asked, asOf)
  const { at, credit = 'none', resumesAt = null } = asked
  const inputs = { version: row.version, at, credit, resumesAt, order: order ? toQuoted(row, order) : null }
  return { subscribed, order, key: { subject: row.id, inputHash: hashOf(inputs), asOf } }
}

async function creditOrder(
  work: ChangeWork,
  subscribed: Subscribed,
  { at, credit = 'none' }: AskedPause,
  asOf: Date,
): Promise<ComputedOrder | undefined> {
  const lines = at === 'now' ? await creditLines(work.db, subscribed, credit, asOf) : []
  if (lines.length === 0) return undefined
  const balance = await balanceOf(work.db, subscribed.row.customerId, subscribed.row.currency)
  return chargeOf(work, subscribed, { lines, discount: undefined, balance })
}

/** Shows what a pause gives back, and the order with which the subscription resumes where that is known. */
export async function previewPause(work: ChangeWork, row: SubscriptionRow, asked: AskedPause): Promise<Quote> {
  const now = work.ctx.clock.now()
  await requirePausable(work.db, row, asked, now)
  return toPauseQuote(work, row, asked, await preparePause(work, row, asked, now))
}

async function toPauseQuote(
  work: ChangeWork,
  row: SubscriptionRow,
  { at, resumesAt }: AskedPause,
  { subscribed, order, key }: PreparedPause,
): Promise<Quote> {
  const next = resumesAt && (await resumptionOrder(work, subscribed, resumesAt, order))
  const begins = at === 'now' ? key.asOf : proven(row.currentPeriodEnd, 'it is active')
  return {
    // A pause to come changes no amount.
    ...(at === 'now' ? quoteOf(work.ctx, key) : unnamedQuote),
    appliesAt: begins.toISOString(),
    order: order ? toQuoted(row, order) : null,
    nextOrder: next ? toQuoted(row, next) : null,
  }
}

async function resumptionOrder(
  work: ChangeWork,
  subscribed: Subscribed,
  start: Date,
  credit: ComputedOrder | undefined,
): Promise<ComputedOrder> {
  const { row } = subscribed
  const cycle = { interval: row.recurringInterval, count: row.intervalCount }
  const period = { start, end: periodEnd(start, cycle, anchorDayOf(start)) }
  const entries = await listWaitingEntries(work.db, row.id)
  return chargeOf(work, subscribed, {
    lines: [...linesOf(subscribed, period), ...entries.map((entry) => lineOfEntry(entry, subscribed))],
    discount: discountAt(subscribed, start),
    balance: credit?.balance.after ?? (await balanceOf(work.db, row.customerId, row.currency)),
  })
}
