import type { Selectable } from 'kysely'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { prepare } from '../../../foundation/db/prepared.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import type { OrderLine } from '../engine/compute-order.ts'
import type { OrderItemRow } from '../order/order.repository.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'

export type BillingEntryRow = Selectable<Tables['billingEntry']>

/** When the engine acts next on any subscription, of one seller or after a moment if these are given. */
export async function nextAction(
  db: Db,
  { organizationId, after }: { readonly organizationId?: Id<'organization'>; readonly after?: Date } = {},
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('subscription')
    .select('nextActionAt')
    .where('nextActionAt', 'is not', null)
    .$if(organizationId !== undefined, (query) => query.where('organizationId', '=', organizationId!))
    .$if(after !== undefined, (query) => query.where('nextActionAt', '>', after!))
    .orderBy('nextActionAt')
    .limit(1)
    .executeTakeFirst()
  return row?.nextActionAt ?? undefined
}

/** Sellers after `after` who have a subscription with an action due, in order: one step of the index for each. */
export async function listSellersDue(
  db: Db,
  now: Date,
  after: string,
  limit: number,
): Promise<{ organizationId: Id<'organization'>; isDue: boolean }[]> {
  const rows: { organizationId: Id<'organization'>; isDue: boolean }[] = []
  for (let last = after; rows.length < limit; ) {
    const next = await db
      .selectFrom('subscription')
      .select(['organizationId', 'nextActionAt'])
      .where('nextActionAt', 'is not', null)
      .where('organizationId', '>', last)
      .orderBy('organizationId')
      .orderBy('nextActionAt')
      .limit(1)
      .executeTakeFirst()
    if (!next) break
    last = next.organizationId
    rows.push({ organizationId: last, isDue: next.nextActionAt !== null && next.nextActionAt <= now })
  }
  return rows
}

/** A seller's subscriptions with an action due, the longest due first; those behind `last`, if it is given. */
export function listDue(
  db: Db,
  organizationId: Id<'organization'>,
  now: Date,
  last: Pick<SubscriptionRow, 'id' | 'nextActionAt'> | undefined,
  limit: number,
): Promise<SubscriptionRow[]> {
  let due = db
    .selectFrom('subscription')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('nextActionAt', '<=', now)
  if (last)
    due = due.where((is) =>
      is.or([
        is('nextActionAt', '>', last.nextActionAt),
        is.and([is('nextActionAt', '=', last.nextActionAt), is('id', '>', last.id)]),
      ]),
    )
  return due.orderBy('nextActionAt').orderBy('id').limit(limit).execute()
}

/** The lines of changes that wait for a subscription's next order. */
export const listWaitingEntries = (db: Db, subscriptionId: Id<'subscription'>): Promise<BillingEntryRow[]> =>
  waitingOf(db, { subscriptionId })

const waitingOf = prepare((db, { subscriptionId }: { subscriptionId: Id<'subscription'> }) =>
  db
    .selectFrom('billingEntry')
    .selectAll()
    .where('subscriptionId', '=', subscriptionId)
    .where('orderItemId', 'is', null)
    .orderBy('createdAt')
    .orderBy('position')
    .orderBy('id'),
)

/** Keeps the lines of a change for the next order of the subscription (SUB-8). */
export async function insertEntries(
  tx: Tx,
  { organizationId, id, customerId, currency }: SubscriptionRow,
  lines: readonly OrderLine[],
  now: Date,
): Promise<void> {
  if (lines.length === 0) return
  const rows = lines.map((line, position) => ({
    id: newUuid(),
    organizationId,
    subscriptionId: id,
    customerId,
    kind: 'proration' as const,
    label: line.label,
    amount: line.amount,
    currency,
    quantity: line.quantity,
    unitAmount: line.unitAmount,
    productPriceId: line.productPriceId,
    periodStart: line.period?.start ?? null,
    periodEnd: line.period?.end ?? null,
    position,
    createdAt: now,
  }))
  await tx.insertInto('billingEntry').values(rows).execute()
}

/** Ties waiting lines to the items that have billed them: the last ones of their order, one for each. */
export async function markEntriesBilled(
  tx: Tx,
  entries: readonly BillingEntryRow[],
  items: readonly OrderItemRow[],
): Promise<void> {
  for (const [at, { id }] of entries.entries()) {
    const item = proven(items[items.length - entries.length + at], 'each waiting line has an item')
    await tx.updateTable('billingEntry').set({ orderItemId: item.id }).where('id', '=', id).execute()
  }
}

/**
 * What the orders of a subscription's running period have brought in, refunds subtracted: in the terms of its prices,
 * which contain the tax or do not.
 */
export async function paidInPeriod(
  db: Db,
  { id, currentPeriodStart }: SubscriptionRow,
  taxBehavior: 'inclusive' | 'exclusive',
): Promise<number> {
  const orders = await db
    .selectFrom('order')
    .select(['netAmount', 'totalAmount', 'refundedAmount', 'refundedTaxAmount'])
    .where('subscriptionId', '=', id)
    .where('periodStart', '=', currentPeriodStart)
    .where('paidAt', 'is not', null)
    .execute()
  return orders.reduce(
    (sum, order) =>
      sum +
      (taxBehavior === 'inclusive'
        ? order.totalAmount - order.refundedAmount - order.refundedTaxAmount
        : order.netAmount - order.refundedAmount),
    0,
  )
}
