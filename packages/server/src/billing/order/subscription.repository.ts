import type { ExpressionBuilder, Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Db, Lists, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import {
  column,
  customersByExternalId,
  type ListRequest,
  metadataFits,
  type Page,
  readPage,
  type SortColumn,
} from '../list.repository.ts'
import { activeStatuses, billableStatuses, type SubscriptionStatus } from '../states.ts'

export type SubscriptionRow = Selectable<Tables['subscription']>

export type SubscriptionFilters = {
  readonly productId?: string[] | undefined
  readonly customerId?: string[] | undefined
  readonly externalCustomerId?: string[] | undefined
  readonly discountId?: string[] | undefined
  readonly active?: boolean | undefined
  readonly status?: SubscriptionStatus[] | undefined
  readonly cancelAtPeriodEnd?: boolean | undefined
  readonly customerCancellationReason?: string[] | undefined
  /** The moments themselves belong to what fits; what was never canceled, or has not begun, does not. */
  readonly canceledAtAfter?: Date | undefined
  readonly canceledAtBefore?: Date | undefined
  readonly startedAfter?: Date | undefined
  readonly startedBefore?: Date | undefined
  readonly metadata?: Readonly<Record<string, readonly string[]>> | undefined
}

/** By the name that people know, not by the id. */
const nameOf = (table: 'customer' | 'product' | 'discount', shown: string, id: string): SortColumn['ref'] =>
  sql`(select ${sql.ref(`${table}.${shown}`)} from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = ${sql.ref(id)})`

const columns: Readonly<Record<string, SortColumn>> = {
  created_at: column('subscription.createdAt', 'time'),
  customer: { ref: nameOf('customer', 'email', 'subscription.customerId'), kind: 'text' },
  status: column('subscription.status', 'text'),
  started_at: column('subscription.startedAt', 'nullable'),
  current_period_end: column('subscription.currentPeriodEnd', 'nullable'),
  ended_at: column('subscription.endedAt', 'nullable'),
  ends_at: column('subscription.endsAt', 'nullable'),
  amount: column('subscription.amount', 'number'),
  product: { ref: nameOf('product', 'name', 'subscription.productId'), kind: 'text' },
  discount: { ref: nameOf('discount', 'name', 'subscription.discountId'), kind: 'nullable' },
}

/** A page of an organization's subscriptions. */
export const pageOfSubscriptions = (
  lists: Lists,
  organizationId: string,
  filters: SubscriptionFilters & ListRequest,
): Promise<Page<SubscriptionRow>> =>
  readPage(fittingSubscriptions(lists, organizationId, filters), filters, { columns, id: 'subscription.id' })

/** Those of an organization's subscriptions that fit. */
export function fittingSubscriptions(lists: Lists, organizationId: string, filters: SubscriptionFilters) {
  const { customerCancellationReason, canceledAtAfter, canceledAtBefore, startedAfter, startedBefore } = filters
  const { productId, customerId, externalCustomerId, discountId, active, status, cancelAtPeriodEnd, metadata } = filters
  let query = lists.db.selectFrom('subscription').selectAll().where('organizationId', '=', organizationId)
  if (productId) query = query.where('productId', 'in', productId)
  if (customerId) query = query.where('customerId', 'in', customerId)
  if (externalCustomerId)
    query = query.where('customerId', 'in', customersByExternalId(lists.db, organizationId, externalCustomerId))
  if (discountId) query = query.where('discountId', 'in', discountId)
  if (active !== undefined) query = query.where('status', active ? 'in' : 'not in', activeStatuses)
  if (status) query = query.where('status', 'in', status)
  if (cancelAtPeriodEnd !== undefined) query = query.where('cancelAtPeriodEnd', '=', cancelAtPeriodEnd)
  if (customerCancellationReason) query = query.where('customerCancellationReason', 'in', customerCancellationReason)
  if (canceledAtAfter) query = query.where('canceledAt', '>=', canceledAtAfter)
  if (canceledAtBefore) query = query.where('canceledAt', '<=', canceledAtBefore)
  if (startedAfter) query = query.where('startedAt', '>=', startedAfter)
  if (startedBefore) query = query.where('startedAt', '<=', startedBefore)
  if (metadata) query = query.where(metadataFits(lists, 'subscription.metadata', metadata))
  return query
}

export const findSubscription = (db: Db, organizationId: string, id: string): Promise<SubscriptionRow | undefined> =>
  db
    .selectFrom('subscription')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()

export const listSubscriptionsById = (db: Db, organizationId: string, ids: readonly string[]) =>
  db
    .selectFrom('subscription')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', 'in', ids)
    .execute()

/**
 * Whether a subscription was begun by whoever merely typed its customer's address, and costs nobody anything: there is
 * nothing that it could be paid by. Any stranger can make one.
 */
export const isBegunByStranger = (by: ExpressionBuilder<Tables, 'subscription'>) =>
  by.and([
    by('subscription.amount', '=', 0),
    by('subscription.paymentMethodId', 'is', null),
    by.exists(
      by
        .selectFrom('checkout')
        .select('checkout.id')
        .whereRef('checkout.id', '=', 'subscription.checkoutId')
        .where('checkout.isBuyerKnown', '=', false),
    ),
  ])

/** Whom a subscription may be bought by: any of what is known of them. */
export type SubscriberKey = {
  readonly customerId: string | null
  readonly emailKey: string | null
  readonly userId: string | null
  readonly buyerOrganizationId: string | null
  /** Whether what strangers have begun for nothing counts, too. */
  readonly countsStrangers: boolean
}

/** Whether somebody has a subscription with this seller that is there and is paid for, or will be. */
export async function isSubscribed(db: Db, organizationId: string, who: SubscriberKey): Promise<boolean> {
  // Each key by its own index: with `or` the database would read every customer of the seller. Of all sellers' customers it
  // is the subscription that says whose it is.
  const present = db.selectFrom('customer').select('id').where('deletedAt', 'is', null)
  const { customerId, emailKey, userId, buyerOrganizationId, countsStrangers } = who
  const customers = [
    ...(customerId === null ? [] : [present.where('id', '=', customerId)]),
    ...(emailKey === null
      ? []
      : [present.where('organizationId', '=', organizationId).where('emailKey', '=', emailKey)]),
    ...(userId === null ? [] : [present.where('userId', '=', userId)]),
    ...(buyerOrganizationId === null ? [] : [present.where('buyerOrganizationId', '=', buyerOrganizationId)]),
  ]
  const [first, ...others] = customers
  if (!first) return false
  const row = await db
    .selectFrom('subscription')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where(
      'customerId',
      'in',
      others.reduce((all, one) => all.union(one), first),
    )
    .where('status', 'in', billableStatuses)
    .$if(!countsStrangers, (query) => query.where((by) => by.not(isBegunByStranger(by))))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The subscriptions of a customer that are paid for, or will be; more than a hundred are as good as a hundred. */
export async function listBillableSubscriptions(
  db: Db,
  organizationId: string,
  customerId: string,
): Promise<{ id: string; isBegunByStranger: boolean }[]> {
  const rows = await db
    .selectFrom('subscription')
    .select('subscription.id')
    .select((by) => isBegunByStranger(by).as('isBegunByStranger'))
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .where('status', 'in', billableStatuses)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(100)
    .execute()
  return rows.map((row) => ({ ...row, isBegunByStranger: Boolean(row.isBegunByStranger) })) // SQLite gives 0 or 1
}

/** The ids of the prices of several subscriptions, in their order (SUB-4). */
export async function pricesOfSubscriptions(db: Db, ids: readonly string[]): Promise<Map<string, string[]>> {
  const prices = new Map<string, string[]>(ids.map((id) => [id, []]))
  if (ids.length === 0) return prices
  const rows = await db
    .selectFrom('subscriptionPrice')
    .select(['subscriptionId', 'productPriceId'])
    .where('subscriptionId', 'in', ids)
    .orderBy('position')
    .execute()
  for (const { subscriptionId, productPriceId } of rows) prices.get(subscriptionId)?.push(productPriceId)
  return prices
}

export const insertSubscription = (
  tx: Tx,
  subscription: Insertable<Tables['subscription']>,
): Promise<SubscriptionRow> =>
  tx.insertInto('subscription').values(subscription).returningAll().executeTakeFirstOrThrow()

/** Sets the prices that a subscription keeps until its product changes. */
export async function setSubscriptionPrices(
  tx: Tx,
  subscriptionId: string,
  priceIds: readonly string[],
): Promise<void> {
  await tx.deleteFrom('subscriptionPrice').where('subscriptionId', '=', subscriptionId).execute()
  const rows = priceIds.map((productPriceId, position) => ({ subscriptionId, productPriceId, position }))
  if (rows.length > 0) await tx.insertInto('subscriptionPrice').values(rows).execute()
}

/** Changes a customer's subscription that is still there; nothing where it has ended. */
export const changeBillableSubscription = (
  tx: Tx,
  { organizationId, customerId, id }: { organizationId: string; customerId: string; id: string },
  changes: Updateable<Tables['subscription']>,
): Promise<SubscriptionRow | undefined> =>
  tx
    .updateTable('subscription')
    .set(changes)
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('customerId', '=', customerId)
    .where('status', 'in', billableStatuses)
    .returningAll()
    .executeTakeFirst()
