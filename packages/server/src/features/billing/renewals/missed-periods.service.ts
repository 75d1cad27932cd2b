import type { BillingAnswer } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id } from '../../../foundation/db/database.ts'
import { callFor, type JobHandler } from '../../../foundation/jobs.ts'
import { lastOf } from '../../../foundation/proof/proven.ts'
import { discountOn } from '../discount/discount-rules.ts'
import { type Missed, missedPeriods } from '../engine/missed-periods.ts'
import { emitBilling } from '../events.ts'
import { findMerchant, updateMerchantRow } from '../merchant/merchant.repository.ts'
import { readSubscriptions } from '../order/subscription-view.ts'
import { nextRenewalAction } from '../posting/next-action.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { requireOwn } from '../seller/merchant.service.ts'
import { scheduleRenewals } from '../subscriptions/renew.service.ts'
import { beginRenewing, listUnbilled, type SubscriptionRow, type Unbilled } from './unbilled.repository.ts'

/*
 * Subscriptions of versions before renewals have stood in their first period. Nothing is ever billed backwards by
 * itself: the seller chooses by name. Until then these subscriptions have no next action, and so do not renew.
 */

type Choice = 'start_again' | 'bill_missed'
type Amounts = BillingAnswer<'getMissedPeriods'>['choices'][number]['amounts']

/** What undecided subscriptions have missed. */
export type MissedSummary = {
  readonly subscriptionsCount: number
  readonly ordersCount: number
  readonly amounts: Amounts
  /** The first end of a period that has not been reached, and the first that has been missed. */
  readonly nextEnd: Date | null
  readonly firstMissed: Date | null
}

/** Subscriptions of one read and, when their renewals begin, of one transaction. */
const slice = 200

/** Sums up what one seller's subscriptions have missed, or those of all sellers; `former` reads a database before its migration. */
export async function missedSummary(
  db: Db,
  now: Date,
  organizationId?: Id<'organization'>,
  schema: 'migrated' | 'former' = 'migrated',
): Promise<MissedSummary> {
  const amounts = new Map<string, number>()
  let summary: Omit<MissedSummary, 'amounts'> = {
    subscriptionsCount: 0,
    ordersCount: 0,
    nextEnd: null,
    firstMissed: null,
  }
  for (let after = ''; ; ) {
    const rows = await listUnbilled(db, schema, organizationId, after, slice)
    for (const row of rows) {
      const { periods, amount, end } = missedOf(row, now)
      amounts.set(row.currency, (amounts.get(row.currency) ?? 0) + amount)
      summary = {
        subscriptionsCount: summary.subscriptionsCount + 1,
        ordersCount: summary.ordersCount + periods,
        nextEnd: earlier(summary.nextEnd, end),
        firstMissed: earlier(summary.firstMissed, new Date(row.standsUntil)),
      }
    }
    if (rows.length < slice) break
    after = lastOf(rows, 'a full slice has rows').id
  }
  const charged = [...amounts].filter(([, amount]) => amount > 0).sort(([a], [b]) => (a < b ? -1 : 1))
  return { ...summary, amounts: charged.map(([currency, amount]) => ({ currency, amount })) }
}

const earlier = (one: Date | null, other: Date): Date => (one !== null && one < other ? one : other)

function missedOf(row: Unbilled, now: Date): Missed {
  const { offType: type, offDuration: duration } = row
  const amount = row.offAmount === null ? null : Number(row.offAmount)
  return missedPeriods(
    {
      cycle: { interval: row.recurringInterval, count: 1 },
      anchorDay: row.anchorDay,
      periodEnd: new Date(row.standsUntil),
      amount: Number(row.price),
      discount:
        type === null || duration === null
          ? null
          : {
              duration,
              on: (base) => discountOn({ type, amount, basisPoints: row.offPoints }, base),
              durationInMonths: row.offMonths,
              appliedAt: row.offSince === null ? null : new Date(row.offSince),
            },
    },
    now,
  )
}

export const getMissedPeriods: BillingHandler<'getMissedPeriods'> = ({ ctx, seller, params: { id } }) => {
  requireOwn(seller, id)
  return answer(ctx, id)
}

/**
 * Records the seller's choice, and begins the renewals by a job. A second choice decides for what the first has not
 * reached yet.
 */
export const decideMissedPeriods: BillingHandler<'decideMissedPeriods'> = async ({ ctx, seller, params, body }) => {
  const { id } = params
  requireOwn(seller, id)
  await ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    await updateMerchantRow(tx, id, { missedPeriods: body.choice, modifiedAt: now })
    // A running job may have read the choice before, or found its last subscription: it runs once more.
    await callFor(tx, now, { id: `begin-renewals ${id}`, kind: 'begin-renewals', payload: id, organizationId: id })
  })
  return answer(ctx, id)
}

async function answer(ctx: Context, organizationId: Id<'organization'>): Promise<BillingAnswer<'getMissedPeriods'>> {
  const now = ctx.clock.now()
  const { subscriptionsCount, ordersCount, amounts, nextEnd, firstMissed } = await missedSummary(
    ctx.db,
    now,
    organizationId,
  )
  const chosen = (await findMerchant(ctx.db, organizationId))?.missedPeriods ?? null
  const choice = (name: Choice, orders: number, charged: Amounts, first: Date | null) => ({
    name,
    ordersCount: orders,
    amounts: charged,
    firstRenewalAt: first?.toISOString() ?? null,
  })
  return {
    subscriptionsCount,
    chosen,
    choices: [choice('start_again', 0, [], nextEnd), choice('bill_missed', ordersCount, amounts, firstMissed)],
  }
}

/** Begins the renewals of a seller's undecided subscriptions, in slices; a second run finds none. */
export const createBeginRenewalsHandler =
  (ctx: Context): JobHandler =>
  async ({ payload: organizationId }) => {
    for (;;) {
      const chosen = (await findMerchant(ctx.db, organizationId))?.missedPeriods
      if (!chosen) return undefined
      const rows = await listUnbilled(ctx.db, 'migrated', organizationId, '', slice)
      for (const row of rows) await begin(ctx, row, chosen)
      if (rows.length < slice) break
    }
    // What fell due long ago is billed now.
    await scheduleRenewals(ctx, ctx.clock.now())
    return undefined
  }

/** One subscription: it starts again in the period that runs now, or pays for every period since its last one. */
async function begin(ctx: Context, row: Unbilled, choice: Choice): Promise<void> {
  await ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const { periods, start, end } = missedOf(row, now)
    const isLate = choice === 'start_again' && periods > 0
    const changes: Pick<SubscriptionRow, 'nextActionAt'> & Partial<SubscriptionRow> = isLate
      ? {
          nextActionAt: nextRenewalAction(ctx, row, { start, end }),
          currentPeriodStart: start,
          currentPeriodEnd: end,
          modifiedAt: now,
        }
      : { nextActionAt: nextRenewalAction(ctx, row, { start: now, end: new Date(row.standsUntil) }) }
    const begun = await beginRenewing(tx, row.id, changes)
    if (!begun || !isLate) return
    const { organizationId } = row
    for (const told of await readSubscriptions(ctx, tx, organizationId, [begun]))
      await emitBilling(tx, now, { organizationId, actorId: null }, 'subscription.updated', told)
  })
}
