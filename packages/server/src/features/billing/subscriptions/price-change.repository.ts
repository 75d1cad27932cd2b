import type { ParsedBillingQuery } from '@tollgate/contract/billing-types'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Id, Lists, Tx } from '../../../foundation/db/database.ts'
import { lockInOrder } from '../../../foundation/db/lock-order.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, readPage, whereOneOf } from '../list.repository.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'
import { billableStatuses } from '../states.ts'

export type PriceChangeRow = Selectable<Tables['priceChange']>
export type NoticeRow = Selectable<Tables['priceChangeNotice']>

const ofOrganization = (db: Db, organizationId: Id<'organization'>) =>
  db.selectFrom('priceChange').selectAll().where('organizationId', '=', organizationId)

export const pageOfPriceChanges = (
  lists: Lists,
  organizationId: Id<'organization'>,
  query: ParsedBillingQuery<'listPriceChanges'>,
) =>
  readPage(whereOneOf(ofOrganization(lists.db, organizationId), 'priceChange', query, ['productId']), query, {
    columns: {
      created_at: column('priceChange.createdAt', 'time'),
      starts_at: column('priceChange.startsAt', 'time'),
    },
    id: 'priceChange.id',
  })

export const findPriceChange = (db: Db, organizationId: Id<'organization'>, id: Id<'priceChange'>) =>
  ofOrganization(db, organizationId).where('id', '=', id).executeTakeFirst()

/** A change by its id alone, for jobs. */
export const findAnyPriceChange = (db: Db, id: Id<'priceChange'>): Promise<PriceChangeRow | undefined> =>
  db.selectFrom('priceChange').selectAll().where('id', '=', id).executeTakeFirst()

/** The same, which nothing cancels until the transaction ends. */
export const holdPriceChange = (tx: Tx, id: Id<'priceChange'>): Promise<PriceChangeRow | undefined> =>
  lockInOrder(
    tx,
    'priceChange',
    id,
    tx.selectFrom('priceChange').selectAll().where('id', '=', id),
    'forShare',
  ).executeTakeFirst()

export const insertPriceChange = (tx: Tx, row: Insertable<Tables['priceChange']>): Promise<PriceChangeRow> =>
  tx.insertInto('priceChange').values(row).returningAll().executeTakeFirstOrThrow()

/** Changes a price change that has not begun; undefined for one that has, or is canceled. */
export const changePlanned = (
  tx: Tx,
  id: Id<'priceChange'>,
  changes: Updateable<Tables['priceChange']>,
): Promise<PriceChangeRow | undefined> =>
  tx
    .updateTable('priceChange')
    .set(changes)
    .where('id', '=', id)
    .where('status', '=', 'planned')
    .returningAll()
    .executeTakeFirst()

/** Notes how far the list of the subscriptions is. */
export async function noteListed(
  tx: Tx,
  id: Id<'priceChange'>,
  changes: Pick<Updateable<Tables['priceChange']>, 'listedUntil' | 'listedId' | 'isListed'>,
): Promise<void> {
  await tx.updateTable('priceChange').set(changes).where('id', '=', id).execute()
}

/** The fixed prices that a product has or had, in order of their creation. */
export const listFixedPrices = (db: Db, organizationId: Id<'organization'>, productId: Id<'product'>) =>
  db
    .selectFrom('productPrice')
    .select(['id', 'priceCurrency', 'priceAmount', 'taxBehavior', 'isArchived'])
    .where('organizationId', '=', organizationId)
    .where('productId', '=', productId)
    .where('amountType', '=', 'fixed')
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

type Concerned = {
  readonly organizationId: Id<'organization'>
  readonly productId: Id<'product'>
  readonly priceIds: readonly Id<'productPrice'>[]
}

/** The subscriptions that go on, without a schedule, at one of these prices. */
const concernedBy = (db: Db, { organizationId, productId, priceIds }: Concerned) =>
  db
    .selectFrom('subscription')
    .innerJoin('subscriptionItem', 'subscriptionItem.subscriptionId', 'subscription.id')
    .where('subscription.organizationId', '=', organizationId)
    .where('subscription.productId', '=', productId)
    .where('subscription.status', 'in', billableStatuses)
    .where('subscription.cancelAtPeriodEnd', '=', false)
    .where('subscription.schedule', 'is', null)
    .where('subscriptionItem.productPriceId', 'in', priceIds)

/** How many subscriptions a change concerns, with their units and what they pay for a period, by currency. */
export async function sumsOfConcerned(lists: Lists, concerned: Concerned) {
  const rows = await concernedBy(lists.db, concerned)
    .select('subscription.currency')
    .select(({ fn }) => [
      fn.countAll().as('count'),
      fn.sum('subscriptionItem.quantity').as('units'),
      sql<string>`sum(subscription_item.quantity * subscription_item.unit_amount)`.as('amount'),
    ])
    .groupBy('subscription.currency')
    .execute()
  return rows.map(({ currency, count, units, amount }) => ({
    currency,
    count: Number(count),
    units: Number(units),
    amount: Number(amount),
  }))
}

/** The next subscriptions that a change concerns, behind the last one that was looked at. */
export function listConcerned(
  db: Db,
  concerned: Concerned,
  { listedUntil, listedId }: Pick<PriceChangeRow, 'listedUntil' | 'listedId'>,
  limit: number,
): Promise<SubscriptionRow[]> {
  let query = concernedBy(db, concerned).selectAll('subscription')
  if (listedUntil !== null)
    query = query.where((is) =>
      is.or([
        is('subscription.createdAt', '>', listedUntil),
        is.and([is('subscription.createdAt', '=', listedUntil), is('subscription.id', '>', listedId)]),
      ]),
    )
  return query.orderBy('subscription.createdAt').orderBy('subscription.id').limit(limit).execute()
}

/** Plans notices. A subscription waits for one change at a time: those of its earlier change are skipped before. */
export async function insertNotices(tx: Tx, rows: readonly Insertable<Tables['priceChangeNotice']>[]): Promise<void> {
  if (rows.length === 0) return
  await tx.insertInto('priceChangeNotice').values(rows).execute()
}

/** When the next notice is to be sent, perhaps after a moment. */
export async function nextNotice(db: Db, after?: Date): Promise<Date | undefined> {
  const row = await db
    .selectFrom('priceChangeNotice')
    .select('noticeAt')
    .where('status', '=', 'planned')
    .$if(after !== undefined, (query) => query.where('noticeAt', '>', after!))
    .orderBy('noticeAt')
    .limit(1)
    .executeTakeFirst()
  return row?.noticeAt
}

/** Notices that are due, the longest first; those behind `last`, if it is given. */
export function listDueNotices(db: Db, now: Date, last: NoticeRow | undefined, limit: number): Promise<NoticeRow[]> {
  let due = db.selectFrom('priceChangeNotice').selectAll().where('status', '=', 'planned').where('noticeAt', '<=', now)
  if (last)
    due = due.where((is) =>
      is.or([is('noticeAt', '>', last.noticeAt), is.and([is('noticeAt', '=', last.noticeAt), is('id', '>', last.id)])]),
    )
  return due.orderBy('noticeAt').orderBy('id').limit(limit).execute()
}

/** Those who have their notice of a change and do not have its price yet, behind a subscription, if one is given. */
export function listNoticed(
  db: Db,
  priceChangeId: Id<'priceChange'>,
  last: NoticeRow | undefined,
  limit: number,
): Promise<NoticeRow[]> {
  let noticed = db.selectFrom('priceChangeNotice').selectAll().where('priceChangeId', '=', priceChangeId)
  if (last) noticed = noticed.where('subscriptionId', '>', last.subscriptionId)
  return noticed.where('status', '=', 'noticed').orderBy('subscriptionId').limit(limit).execute()
}

/** Moves a notice on; false if another process has. */
export async function moveNotice(
  tx: Tx,
  { id, status }: Pick<NoticeRow, 'id' | 'status'>,
  changes: Pick<Updateable<Tables['priceChangeNotice']>, 'status' | 'noticedAt' | 'appliedAt'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('priceChangeNotice')
    .set(changes)
    .where('id', '=', id)
    .where('status', '=', status)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The change of price that a subscription waits for, with its notice. */
export const findOpenNotice = (db: Db, subscriptionId: Id<'subscription'>) =>
  db
    .selectFrom('priceChangeNotice')
    .innerJoin('priceChange', 'priceChange.id', 'priceChangeNotice.priceChangeId')
    .selectAll('priceChangeNotice')
    .select(['priceChange.productId', 'priceChange.prices', 'priceChange.startsAt', 'priceChange.noticeDays'])
    .select('priceChange.status as changeStatus')
    .where('priceChangeNotice.subscriptionId', '=', subscriptionId)
    .where('priceChangeNotice.status', 'in', ['planned', 'noticed'])
    .where('priceChange.status', '<>', 'canceled')
    .executeTakeFirst()

/** How many notices are in each status, and how many of all were sent. */
export type NoticeCounts = Partial<Record<NoticeRow['status'] | 'told', number>>

/** How many notices of some changes are in each status. */
export async function countNotices(db: Db, ids: readonly Id<'priceChange'>[]): Promise<Map<string, NoticeCounts>> {
  const counts = new Map<string, NoticeCounts>(ids.map((id) => [id, {}]))
  if (ids.length === 0) return counts
  const rows = await db
    .selectFrom('priceChangeNotice')
    .select(['priceChangeId', 'status'])
    .select(({ fn }) => [fn.countAll().as('count'), fn.count('noticedAt').as('told')])
    .where('priceChangeId', 'in', ids)
    .groupBy(['priceChangeId', 'status'])
    .execute()
  for (const { priceChangeId, status, count, told } of rows) {
    const before = counts.get(priceChangeId)
    counts.set(priceChangeId, { ...before, [status]: Number(count), told: (before?.told ?? 0) + Number(told) })
  }
  return counts
}
