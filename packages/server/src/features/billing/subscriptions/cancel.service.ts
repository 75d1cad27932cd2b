import type { ParsedBillingBody } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import type { ComputedOrder, OrderLine } from '../engine/compute-order.ts'
import { inBody, invalid } from '../invalid.ts'
import { balanceOf } from '../order/balance.repository.ts'
import { changeSubscription, type SubscriptionRow } from '../order/subscription.repository.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { voidOpenOrders } from '../settlement/void-order.service.ts'
import { withTaxes } from '../tax/taxes.ts'
import { findPendingChange } from './change.repository.ts'
import type { ChangeWork } from './change-plan.ts'
import { hasEnded } from './changeable.ts'
import { graceEndOf, isEndingUnpaid } from './dunning-schedule.ts'
import { type Ending, endNow } from './end.service.ts'
import { abandon } from './first-payment.ts'
import { billWaiting, type LastOrderWork } from './last-order.ts'
import { lockBoth, showSubscription, tellChanged } from './locked.ts'
import { creditLines, type PeriodCredit } from './period-credit.ts'
import { asQuoted, hashOf, type QuoteKey, quoteOf } from './quote.ts'
import { type Quote, toQuoted, unnamedQuote } from './quoted-order.ts'
import { insertEntries, listWaitingEntries } from './renewal.repository.ts'
import { chargeOf, lineOfEntry, readSubscribed } from './subscribed.ts'

/** Ends a subscription at once. */
export const revokeSubscription: BillingHandler<'revokeSubscription'> = async ({ ctx, seller, params, current }) => {
  await cancelNow(ctx, seller.organizationId, params.id, {}, current?.user.id ?? null)
  return showSubscription(ctx, seller.organizationId, params.id)
}

type Cancellation = Pick<
  ParsedBillingBody<'updateSubscription'>,
  'customerCancellationReason' | 'customerCancellationComment' | 'credit' | 'quoteId'
>

const reasonsOf = ({ customerCancellationReason, customerCancellationComment }: Cancellation) => ({
  customerCancellationReason: customerCancellationReason ?? null,
  customerCancellationComment: customerCancellationComment ?? null,
})

/** Cancels at the end of the period; until then the subscription stays as it is. */
export async function cancelAtEnd(
  ctx: Context,
  organizationId: Id<'organization'>,
  id: Id<'subscription'>,
  given: Cancellation,
  actorId: Id<'user'> | null,
): Promise<void> {
  await withTaxes(ctx, 'required', (taxes) =>
    ctx.transaction(async (tx) => {
      const row = await lockBoth(tx, organizationId, id)
      if (hasEnded(row) || row.cancelAtPeriodEnd) throw new TollgateError('ALREADY_CANCELED_SUBSCRIPTION')
      if (row.status === 'incomplete') return abandon(ctx, tx, row)
      // Its success would find another subscription than was paid for.
      if ((await findPendingChange(tx, id))?.paymentUnderWay) throw new TollgateError('SUBSCRIPTION_CHANGE_PENDING')
      const now = ctx.clock.now()
      const endsAt = endOfCanceled(row, now)
      if (endsAt === 'now') return endAndBill({ ctx, tx, taxes }, row, { ...reasonsOf(given), actorId })
      // Nothing more is collected (SUB-19).
      if (row.status === 'past_due') await voidOpenOrders(ctx, tx, row)
      const changed = await changeSubscription(tx, id, {
        cancelAtPeriodEnd: true,
        canceledAt: now,
        endsAt,
        ...(row.status === 'past_due' && { nextActionAt: endsAt }),
        pendingChange: null,
        schedule: null,
        pauseAtPeriodEnd: false,
        resumesAt: null,
        ...reasonsOf(given),
        modifiedAt: now,
      })
      await tellChanged(ctx, tx, changed, ['subscription.updated', 'subscription.canceled'], actorId)
    }),
  )
}

/** Ends a locked subscription now, and bills what waits (SUB-24); of one past due, nothing more is collected (SUB-19). */
async function endAndBill(work: LastOrderWork, row: SubscriptionRow, ending: Ending): Promise<void> {
  const ended = await endNow(work.ctx, work.tx, row, ending)
  if (row.status !== 'past_due') await billWaiting(work, ended)
}

/**
 * When a subscription ends that is canceled now. A paused one has no period to wait for, and of one past due nothing more
 * is collected: it ends now, or with its grace (SUB-19).
 */
function endOfCanceled(row: SubscriptionRow, now: Date): Date | 'now' {
  if (row.status === 'paused') return 'now'
  if (row.status !== 'past_due') return proven(row.currentPeriodEnd, 'it is active')
  const graceEnd = graceEndOf(row)
  return graceEnd > now ? graceEnd : 'now'
}

/** Withdraws a cancellation at the end of the period. */
export async function uncancel(
  ctx: Context,
  organizationId: Id<'organization'>,
  id: Id<'subscription'>,
  actorId: Id<'user'> | null,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const row = await lockBoth(tx, organizationId, id)
    if (row.endedAt !== null) throw new TollgateError('SUBSCRIPTION_ENDED')
    if (!row.cancelAtPeriodEnd) throw new TollgateError('SUBSCRIPTION_NOT_CANCELED')
    // What was unpaid is void, so nothing can bring it back.
    if (isEndingUnpaid(row)) throw new TollgateError('SUBSCRIPTION_ENDED')
    const changed = await changeSubscription(tx, id, {
      cancelAtPeriodEnd: false,
      canceledAt: null,
      endsAt: null,
      ...reasonsOf({}),
      modifiedAt: ctx.clock.now(),
    })
    await tellChanged(ctx, tx, changed, ['subscription.updated', 'subscription.uncanceled'], actorId)
  })
}

/** Ends a subscription now, also one that is canceled at the end of its period (SUB-1). */
export async function cancelNow(
  ctx: Context,
  organizationId: Id<'organization'>,
  id: Id<'subscription'>,
  given: Cancellation,
  actorId: Id<'user'> | null,
): Promise<void> {
  await withTaxes(ctx, 'required', (taxes) =>
    ctx.transaction(async (tx) => {
      const row = await lockBoth(tx, organizationId, id)
      if (hasEnded(row)) throw new TollgateError('ALREADY_CANCELED_SUBSCRIPTION')
      if (row.status === 'incomplete') return abandon(ctx, tx, row)
      // The seam of metered usage: what was used up to now becomes waiting lines here, as the credit does (SUB-17).
      const back = await creditAsQuoted({ ctx, db: tx, taxes }, row, given)
      await insertEntries(tx, row, back, ctx.clock.now())
      await endAndBill({ ctx, tx, taxes }, row, { ...reasonsOf(given), actorId })
    }),
  )
}

/** The credit of an ending. Only a quote needs the last order, and its tax, to be computed before. */
async function creditAsQuoted(
  work: ChangeWork,
  row: SubscriptionRow,
  { credit = 'none', quoteId }: Pick<Cancellation, 'credit' | 'quoteId'>,
): Promise<OrderLine[]> {
  const { ctx, db } = work
  if (quoteId == null) return creditLines(db, await readSubscribed(ctx, db, row), credit, ctx.clock.now())
  const { back } = await asQuoted(
    ctx,
    { quoteId, subject: row.id },
    (asOf) => prepareEnding(work, row, credit, asOf),
    (prepared) => toEndingQuote(ctx, row, prepared),
  )
  return back
}

/** An ending at once: the lines of its credit, and its last order. */
type PreparedEnding = {
  readonly back: OrderLine[]
  readonly order: ComputedOrder | undefined
  readonly key: QuoteKey
}

async function prepareEnding(
  work: ChangeWork,
  row: SubscriptionRow,
  credit: PeriodCredit,
  asOf: Date,
): Promise<PreparedEnding> {
  const { ctx, db } = work
  const back = await creditLines(db, await readSubscribed(ctx, db, row), credit, asOf)
  const order = await lastOrder(work, row, back)
  const inputs = { version: row.version, credit, order: order ? toQuoted(row, order) : null }
  return { back, order, key: { subject: row.id, inputHash: hashOf(inputs), asOf } }
}

const toEndingQuote = (ctx: Context, row: SubscriptionRow, { key, order }: PreparedEnding): Quote => ({
  ...quoteOf(ctx, key),
  appliesAt: key.asOf.toISOString(),
  order: order ? toQuoted(row, order) : null,
  nextOrder: null,
})

/** The order that bills what waits, and further lines; undefined where there are none, or nothing more is collected. */
async function lastOrder(
  work: ChangeWork,
  row: SubscriptionRow,
  further: readonly OrderLine[],
): Promise<ComputedOrder | undefined> {
  const { ctx, db } = work
  const subscribed = await readSubscribed(ctx, db, row)
  const entries = row.status === 'past_due' ? [] : await listWaitingEntries(db, row.id)
  const lines = [...entries.map((entry) => lineOfEntry(entry, subscribed)), ...further]
  if (lines.length === 0) return undefined
  const balance = await balanceOf(db, row.customerId, row.currency)
  return chargeOf(work, subscribed, { lines, discount: undefined, balance })
}

type AskedCancel = Pick<ParsedBillingBody<'previewSubscriptionChange'>, 'revoke' | 'credit'>

/** Refuses a credit of a cancellation that leaves the running period to the customer (SUB-32). */
export function requireCreditFits({ revoke, credit }: AskedCancel): void {
  if (credit !== undefined && credit !== 'none' && !revoke)
    throw invalid(inBody('credit', 'Only what ends at once gives a credit.'))
}

/** Shows what a cancellation bills or gives back: the last order, now or at the end of the period. */
export async function previewCancel(work: ChangeWork, row: SubscriptionRow, asked: AskedCancel): Promise<Quote> {
  requireCreditFits(asked)
  if (hasEnded(row) || (row.cancelAtPeriodEnd && !asked.revoke))
    throw new TollgateError('ALREADY_CANCELED_SUBSCRIPTION')
  const { ctx } = work
  const now = ctx.clock.now()
  if (asked.revoke) return toEndingQuote(ctx, row, await prepareEnding(work, row, asked.credit ?? 'none', now))
  const end = endOfCanceled(row, now)
  const order = await lastOrder(work, row, [])
  const last = order ? toQuoted(row, order) : null
  return {
    ...unnamedQuote,
    appliesAt: (end === 'now' ? now : end).toISOString(),
    order: end === 'now' ? last : null,
    nextOrder: end === 'now' ? null : last,
  }
}
