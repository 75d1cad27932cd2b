import type { ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { ExpressionBuilder, Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Id, Lists, Tx } from '../../../foundation/db/database.ts'
import { enterLock } from '../../../foundation/db/lock-order.ts'
import { prepare, prepareUpdate } from '../../../foundation/db/prepared.ts'
import { hasRow } from '../../../foundation/db/rows.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { firstOf } from '../../../foundation/proof/proven.ts'
import {
  column,
  createdBetween,
  customersByExternalId,
  type ListFilters,
  metadataFits,
  nameOf,
  readPage,
  type SortColumn,
  whereOneOf,
} from '../list.repository.ts'
import {
  activeStatuses,
  billableStatuses,
  chargedStatuses,
  type SubscriptionMove,
  subscriptionMoves,
} from '../states.ts'

export type SubscriptionRow = Selectable<Tables['subscription']>

type ById = { readonly organizationId: Id<'organization'>; readonly id: Id<'subscription'> }

const columns: Readonly<Record<string, SortColumn>> = {
  created_at: column('subscription.createdAt', 'time'),
  customer: { ref: nameOf('customer', 'email', 'subscription.customerId'), kind: 'text' },
  status: column('subscription.status', 'text'),
  started_at: column('subscription.startedAt', 'nullable'),
  current_period_end: column('subscription.currentPeriodEnd', 'nullable'),
  ended_at: column('subscription.endedAt', 'nullable'),
  ends_at: column('subscription.endsAt', 'nullable'),
  amount: column('subscription.amount', 'number'),
  past_due_at: column('subscription.pastDueAt', 'nullable'),
  product: { ref: nameOf('product', 'name', 'subscription.productId'), kind: 'text' },
  discount: { ref: nameOf('discount', 'name', 'subscription.discountId'), kind: 'nullable' },
}

export const pageOfSubscriptions = (
  lists: Lists,
  organizationId: Id<'organization'>,
  query: ParsedBillingQuery<'listSubscriptions'>,
  now: Date,
) => readPage(fittingSubscriptions(lists, organizationId, query, now), query, { columns, id: 'subscription.id' })

const subscriptionsOf = (db: Db, organizationId: Id<'organization'>) =>
  db.selectFrom('subscription').selectAll().where('organizationId', '=', organizationId)

const filtered = ['productId', 'customerId', 'discountId', 'status', 'customerCancellationReason'] as const

type Filters = ListFilters<'listSubscriptions'>

/** Lists show paused subscriptions as unpaid, so a search for these finds both (interface, section 7). */
const storedStatuses = ({ status }: Pick<Filters, 'status'>) =>
  status?.includes('unpaid') ? { status: [...status, 'paused' as const] } : {}

/** Filters an organization's subscriptions. Bounds of time are inclusive; rows without such a time never match. */
export function fittingSubscriptions(lists: Lists, organizationId: Id<'organization'>, filters: Filters, now: Date) {
  const { externalCustomerId, active, cancelAtPeriodEnd, renewsWithinDays, metadata } = filters
  const { canceledAtAfter, canceledAtBefore, startedAfter, startedBefore } = filters
  const sought = { ...filters, ...storedStatuses(filters) }
  let query = whereOneOf(subscriptionsOf(lists.db, organizationId), 'subscription', sought, filtered)
  if (externalCustomerId)
    query = query.where('customerId', 'in', customersByExternalId(lists.db, organizationId, externalCustomerId))
  if (active !== undefined) query = query.where('status', active ? 'in' : 'not in', activeStatuses)
  if (cancelAtPeriodEnd !== undefined) query = query.where('cancelAtPeriodEnd', '=', cancelAtPeriodEnd)
  if (renewsWithinDays !== undefined)
    query = query.where(renewsBy(new Date(now.getTime() + renewsWithinDays * dayLength)))
  if (canceledAtAfter) query = query.where('canceledAt', '>=', canceledAtAfter)
  if (canceledAtBefore) query = query.where('canceledAt', '<=', canceledAtBefore)
  if (startedAfter) query = query.where('startedAt', '>=', startedAfter)
  if (startedBefore) query = query.where('startedAt', '<=', startedBefore)
  if (metadata) query = query.where(metadataFits(lists, 'subscription.metadata', metadata))
  return query
}

/** In milliseconds. */
const dayLength = 86_400_000

type OfSubscription = ExpressionBuilder<Tables, 'subscription'>

/** Whether a subscription goes on by itself after its period. */
const goesOn = (by: OfSubscription) =>
  by.and([by('status', 'in', activeStatuses), by('cancelAtPeriodEnd', '=', false), by('pauseAtPeriodEnd', '=', false)])

/** Whether a subscription goes on with a period that begins at the moment at the latest. */
const renewsBy = (moment: Date) => (by: OfSubscription) => by.and([goesOn(by), by('currentPeriodEnd', '<=', moment)])

/** Whether a subscription has a price that is not free, and so may charge later. */
const hasPaidPrice = (by: OfSubscription) =>
  by.exists(
    by
      .selectFrom('subscriptionItem')
      .innerJoin('productPrice', 'productPrice.id', 'subscriptionItem.productPriceId')
      .select('subscriptionItem.id')
      .whereRef('subscriptionItem.subscriptionId', '=', 'subscription.id')
      .where('productPrice.amountType', '<>', 'free'),
  )

/**
 * What the fitting subscriptions charge, by currency and interval: as many rows as there are kinds of cycles. One index
 * has all of it.
 */
export const revenueStatement = (
  lists: Lists,
  organizationId: Id<'organization'>,
  query: Partial<ParsedBillingQuery<'getRecurringRevenue'>>,
  now: Date,
) =>
  createdBetween(fittingSubscriptions(lists, organizationId, query, now), query, columns.created_at)
    .where('status', 'in', chargedStatuses)
    .clearSelect()
    .select(['currency', 'recurringInterval', 'intervalCount'])
    .select(({ fn }) => [fn.countAll().as('count'), fn.sum('amount').as('amount')])
    .groupBy(['currency', 'recurringInterval', 'intervalCount'])

export const findSubscription = (db: Db, organizationId: Id<'organization'>, id: Id<'subscription'>) =>
  subscriptionsOf(db, organizationId).where('id', '=', id).executeTakeFirst()

/** The subscription of an id that this server has sealed, of any seller. */
export const findSubscriptionById = (db: Db, id: Id<'subscription'>) =>
  db.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirst()

export function listSubscriptionsById(db: Db, organizationId: Id<'organization'>, ids: readonly Id<'subscription'>[]) {
  const [id] = ids
  return id !== undefined && ids.length === 1
    ? subscriptionById(db, { organizationId, id })
    : subscriptionsOf(db, organizationId).where('id', 'in', ids).execute()
}

const subscriptionById = prepare((db, { organizationId, id }: ById) =>
  subscriptionsOf(db, organizationId).where('id', '=', id),
)

/**
 * Whether a stranger may have started the subscription: it is free, has no payment method, and its buyer only typed
 * the customer's address.
 */
export const isBegunByStranger = (by: OfSubscription) =>
  by.and([
    by('subscription.amount', '=', 0),
    by('subscription.paymentMethodId', 'is', null),
    by.exists(
      by
        .selectFrom('order')
        .select('order.id')
        .whereRef('order.organizationId', '=', 'subscription.organizationId')
        .whereRef('order.subscriptionId', '=', 'subscription.id')
        // An owner who has taken it over has bought by another checkout.
        .whereRef('order.checkoutId', '=', 'subscription.checkoutId')
        .where('order.isBuyerKnown', '=', false),
    ),
  ])

/** Identifies a subscriber; any one key suffices. */
export type SubscriberKey = {
  readonly customerId: Id<'customer'> | null
  readonly emailKey: string | null
  readonly userId: Id<'user'> | null
  readonly buyerOrganizationId: Id<'organization'> | null
  /** Whether free subscriptions that a stranger started count too. */
  readonly countsStrangers: boolean
}

/** Whether the subscriber has a billable subscription with this seller. */
export async function isSubscribed(db: Db, organizationId: Id<'organization'>, who: SubscriberKey): Promise<boolean> {
  // One query per key, so that each uses its own index; `or` would read all of the seller's customers. The subscription
  // limits the result to this seller.
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

const ofCustomer = (db: Db, organizationId: Id<'organization'>, customerId: Id<'customer'>) =>
  db.selectFrom('subscription').where('organizationId', '=', organizationId).where('customerId', '=', customerId)

/** A customer's subscriptions that wait for their first payment. */
export const listIncompleteSubscriptions = (
  db: Db,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
): Promise<SubscriptionRow[]> =>
  ofCustomer(db, organizationId, customerId).selectAll().where('status', '=', 'incomplete').orderBy('id').execute()

/** A customer's billable subscriptions, at most 100, which suffices for every caller. */
export async function listBillableSubscriptions(
  db: Db,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
): Promise<{ id: Id<'subscription'>; isBegunByStranger: boolean }[]> {
  const rows = await ofCustomer(db, organizationId, customerId)
    .select('subscription.id')
    .select((by) => isBegunByStranger(by).as('isBegunByStranger'))
    .where('status', 'in', billableStatuses)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(100)
    .execute()
  return rows.map((row) => ({ ...row, isBegunByStranger: Boolean(row.isBegunByStranger) })) // SQLite returns 0 or 1
}

/** A customer's subscriptions whose payment is past due, oldest first. */
export async function listPastDue(
  db: Db,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
): Promise<Id<'subscription'>[]> {
  const rows = await ofCustomer(db, organizationId, customerId)
    .select('id')
    .where('status', '=', 'past_due')
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Whether a customer has a subscription that charges a method later and goes on: it has a price that is not free, and is
 * not collected by invoice (SUB-20).
 */
export const needsMethod = (db: Db, organizationId: Id<'organization'>, customerId: Id<'customer'>): Promise<boolean> =>
  hasRow(
    ofCustomer(db, organizationId, customerId)
      .select('id')
      .where('status', 'in', billableStatuses)
      .where('cancelAtPeriodEnd', '=', false)
      .where('collectionMethod', '=', 'charge_automatically')
      .where(hasPaidPrice),
  )

/** A customer's subscriptions that go on and may charge a method later, at most 100. The next due is first. */
export const listGoingOn = (
  db: Db,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
): Promise<SubscriptionRow[]> =>
  ofCustomer(db, organizationId, customerId)
    .selectAll()
    .where(goesOn)
    .where('collectionMethod', '=', 'charge_automatically')
    .where(hasPaidPrice)
    .orderBy('currentPeriodEnd')
    .orderBy('id')
    .limit(100)
    .execute()

/**
 * Makes a method pay all of a customer's subscriptions that have not ended; false if it already does. Their amounts stay,
 * so quotes still hold.
 */
export async function chargeSubscriptionsBy(
  tx: Tx,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
  paymentMethodId: Id<'paymentMethod'>,
): Promise<boolean> {
  enterLock(tx, 'subscription')
  const moved = await tx
    .updateTable('subscription')
    .set({ paymentMethodId })
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .where('status', 'in', [...billableStatuses, 'paused'])
    .where((by) => by.or([by('paymentMethodId', 'is', null), by('paymentMethodId', '<>', paymentMethodId)]))
    .returning('id')
    .execute()
  return moved.length > 0
}

/** Price ids by subscription, in order (SUB-4). */
export async function pricesOfSubscriptions(
  db: Db,
  ids: readonly Id<'subscription'>[],
): Promise<Map<string, Id<'productPrice'>[]>> {
  const prices = new Map<string, Id<'productPrice'>[]>(ids.map((id) => [id, []]))
  if (ids.length === 0) return prices
  const rows = await db
    .selectFrom('subscriptionItem')
    .select(['subscriptionId', 'productPriceId'])
    .where('subscriptionId', 'in', ids)
    .orderBy('position')
    .execute()
  for (const { subscriptionId, productPriceId } of rows) prices.get(subscriptionId)?.push(productPriceId)
  return prices
}

export const insertSubscription = (tx: Tx, subscription: Insertable<Tables['subscription']>) =>
  tx.insertInto('subscription').values(subscription).returningAll().executeTakeFirstOrThrow()

export type NewSubscriptionItem = Omit<Insertable<Tables['subscriptionItem']>, 'subscriptionId' | 'position'>

/** Sets what a subscription charges each period; it stays until the product changes (SUB-4). */
export async function setSubscriptionItems(
  tx: Tx,
  subscriptionId: Id<'subscription'>,
  items: readonly NewSubscriptionItem[],
): Promise<void> {
  await tx.deleteFrom('subscriptionItem').where('subscriptionId', '=', subscriptionId).execute()
  const rows = items.map((item, position) => ({ ...item, subscriptionId, position }))
  if (rows.length > 0) await tx.insertInto('subscriptionItem').values(rows).execute()
}

export type SubscriptionItemRow = Selectable<Tables['subscriptionItem']>

/** What a subscription charges each period, in order. */
export const listSubscriptionItems = (db: Db, id: Id<'subscription'>): Promise<SubscriptionItemRow[]> =>
  itemsOf(db, { id })

const itemsOf = prepare((db, { id }: { id: Id<'subscription'> }) =>
  db.selectFrom('subscriptionItem').selectAll().where('subscriptionId', '=', id).orderBy('position'),
)

/** Locks a subscription until the transaction ends. */
export async function lockSubscription(
  tx: Tx,
  organizationId: Id<'organization'>,
  id: Id<'subscription'>,
): Promise<SubscriptionRow | undefined> {
  enterLock(tx, 'subscription', id)
  return (await lockedById(tx, { organizationId, id })).at(0)
}

const lockedById = prepare((db, { organizationId, id }: ById) =>
  subscriptionsOf(db, organizationId).where('id', '=', id).forUpdate(),
)

/** All of a subscription but its status, which only its moves change. */
export type SubscriptionChanges = Omit<Updateable<Tables['subscription']>, 'status'>

/** Moves subscriptions to another status by the table of moves; returns those whose status allows it. */
const moved = (tx: Tx, move: SubscriptionMove, changes: SubscriptionChanges) => {
  const { from, to } = subscriptionMoves[move]
  return tx
    .updateTable('subscription')
    .set((set) => ({ ...changes, status: to, version: set('version', '+', 1) }))
    .where('status', 'in', from)
    .returningAll()
}

/** Moves a locked subscription to another status; undefined where its status does not allow it. */
export const moveSubscription = (
  tx: Tx,
  id: Id<'subscription'>,
  move: SubscriptionMove,
  changes: SubscriptionChanges,
): Promise<SubscriptionRow | undefined> => moved(tx, move, changes).where('id', '=', id).executeTakeFirst()

/** Ends and returns all live subscriptions of a customer (contract, 3.3: revoke). */
export const endSubscriptionsOf = (
  tx: Tx,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
  now: Date,
): Promise<SubscriptionRow[]> =>
  moved(tx, 'revoke', {
    canceledAt: now,
    endsAt: now,
    endedAt: now,
    nextActionAt: null,
    schedule: null,
    modifiedAt: now,
  })
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .execute()

/** Changes a locked subscription; each change of what it is raises its version, so that no former quote holds. */
export const changeSubscription = async (
  tx: Tx,
  id: Id<'subscription'>,
  changes: SubscriptionChanges,
): Promise<SubscriptionRow> => firstOf(await changeById(tx, changes, { id }), 'the subscription is locked')

const changeById = prepareUpdate((db, changes, { id }: { id: Id<'subscription'> }) =>
  db
    .updateTable('subscription')
    .set((set) => ({ ...changes, version: set('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll(),
)

/** Says when the engine acts next on a locked subscription. It costs the same, so quotes and payments under way hold. */
export async function setNextAction(tx: Tx, id: Id<'subscription'>, nextActionAt: Date | null): Promise<void> {
  await tx.updateTable('subscription').set({ nextActionAt }).where('id', '=', id).execute()
}

/** Updates a customer's live subscription; undefined if it has ended. */
export const changeBillableSubscription = (
  tx: Tx,
  {
    organizationId,
    customerId,
    id,
  }: { organizationId: Id<'organization'>; customerId: Id<'customer'>; id: Id<'subscription'> },
  changes: SubscriptionChanges,
) =>
  tx
    .updateTable('subscription')
    // A quote for what it cost before holds no longer.
    .set((set) => ({ ...changes, version: set('version', '+', 1) }))
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('customerId', '=', customerId)
    .where('status', 'in', billableStatuses)
    .returningAll()
    .executeTakeFirst()
