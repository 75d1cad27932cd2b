import { type Selectable, sql } from 'kysely'
import type { Db, Id, Lists, Tx } from '../../../foundation/db/database.ts'
import { bodyOfEvent } from '../../../foundation/db/event-body.ts'
import { hasRow } from '../../../foundation/db/rows.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { sortableIdsAfter, sortableIdsFrom } from '../../../foundation/ids.ts'

export type EventRow = Omit<Selectable<Tables['event']>, 'merchantId' | 'payloadOf'>

/** A source of events with its own index: a shop (one customer, or one type), an object, an organization, or an account. */
export type Source = (
  | { readonly merchantId: Id<'organization'>; readonly customerId?: Id<'customer'> }
  | { readonly subjectId: string }
  | { readonly organizationId: Id<'organization'> }
  | { readonly userId: Id<'user'> }
) & {
  /** Only these types; all types if missing. */
  readonly types?: readonly string[] | undefined
  /** All types but these. */
  readonly without?: readonly string[]
}

export type Window = {
  /** The id of the last event on the previous page. */
  readonly before?: string | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  readonly limit: number
}

/** The newest events of several disjoint sources, in one query. */
export async function pageOfEvents({ db }: Lists, sources: readonly Source[], window: Window): Promise<EventRow[]> {
  const [first, ...others] = sources.flatMap(parted).map((source) => eventsOf(db, source, window))
  if (!first) return []
  if (others.length === 0) return first.execute()
  const whole = db.selectFrom(first.as('part')).selectAll()
  const all = others.reduce((rows, part) => rows.unionAll(db.selectFrom(part.as('part')).selectAll()), whole)
  return db.selectFrom(all.as('event')).selectAll().orderBy('id', 'desc').limit(window.limit).execute()
}

/** A shop has very many events: each wanted type is looked up in the index of types. */
const parted = (source: Source): Source[] =>
  'merchantId' in source && source.customerId === undefined && source.types
    ? source.types.map((type) => ({ ...source, types: [type] }))
    : [source]

function eventsOf(db: Db, source: Source, { before, since, until, limit }: Window) {
  let query = db
    .selectFrom('event')
    .select([
      'id',
      'type',
      'actorId',
      'userId',
      'organizationId',
      'subjectId',
      'customerId',
      'data',
      'createdAt',
      bodyOfEvent().as('payload'),
    ])
  if ('merchantId' in source) query = query.where('merchantId', '=', source.merchantId)
  else if ('subjectId' in source) query = query.where('subjectId', '=', source.subjectId)
  else if ('organizationId' in source) query = query.where('organizationId', '=', source.organizationId)
  else query = query.where('userId', '=', source.userId)
  if ('merchantId' in source && source.customerId) query = query.where('customerId', '=', source.customerId)
  if (source.types) query = query.where('type', 'in', source.types)
  if (source.without) query = query.where('type', 'not in', source.without)
  // Ids begin with their time, so the time limit uses the same index.
  if (since) query = query.where('id', '>=', sortableIdsFrom(since))
  if (until) query = query.where('id', '<', sortableIdsFrom(new Date(until.getTime() + 1)))
  if (before !== undefined) query = query.where('id', '<', before)
  return query.orderBy('id', 'desc').limit(limit)
}

/** A seller's subscription and its newest orders, by id; none where it is not theirs, or not that customer's. */
export async function subjectsOfSubscription(
  db: Db,
  organizationId: Id<'organization'>,
  { subscriptionId, customerId }: { subscriptionId: Id<'subscription'>; customerId: Id<'customer'> | undefined },
): Promise<string[]> {
  let subscription = db
    .selectFrom('subscription')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('id', '=', subscriptionId)
  if (customerId !== undefined) subscription = subscription.where('customerId', '=', customerId)
  if (!(await hasRow(subscription))) return []
  const orders = await db
    .selectFrom('order')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('subscriptionId', '=', subscriptionId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(mostOrders)
    .execute()
  return [subscriptionId, ...orders.map(({ id }) => id)]
}

/** The most orders whose events one page reads: each is a part of its query. */
const mostOrders = 100

/** The user or organization behind a customer, removed ones included; undefined if there is no such customer. */
export const findWhoCustomerIs = (db: Db, organizationId: Id<'organization'>, id: Id<'customer'>) =>
  db
    .selectFrom('customer')
    .select(['userId', 'buyerOrganizationId'])
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Names by user id, optionally of one organization's members only. */
export async function namesOf(db: Db, ids: readonly Id<'user'>[], memberOf?: string): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  let query = db.selectFrom('user').select(['user.id', 'user.name']).where('user.id', 'in', ids)
  if (memberOf !== undefined)
    query = query.where((is) =>
      is.exists(
        is
          .selectFrom('member')
          .select('member.id')
          .where('member.organizationId', '=', memberOf)
          .whereRef('member.userId', '=', 'user.id'),
      ),
    )
  return new Map((await query.execute()).map(({ id, name }) => [id, name]))
}

/** Names of organizations by id. */
export async function organizationNamesOf(db: Db, ids: readonly Id<'organization'>[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('organization').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** How many deliveries to an organization's endpoints each event has, by state. */
export async function countDeliveries(db: Db, organizationId: Id<'organization'>, eventIds: readonly Id<'event'>[]) {
  const rows = await db
    .selectFrom('webhookMessage')
    .select(['eventId', 'state', 'organizationId', sql<number>`count(*)`.as('count')])
    // Filters by the events alone: SQLite then uses their index instead of reading the whole organization.
    .where('eventId', 'in', eventIds)
    .groupBy(['eventId', 'state', 'organizationId'])
    .execute()
  return rows.filter((row) => row.organizationId === organizationId)
}

/** The first seller after another one, by id, that has events: one step in the index of sellers. */
export async function nextSellerWithEvents(db: Db, last?: Id<'organization'>): Promise<Id<'organization'> | undefined> {
  const row = await db
    .selectFrom('event')
    .select('merchantId')
    .where('merchantId', 'is not', null)
    .$if(last !== undefined, (query) => query.where('merchantId', '>', last!))
    .orderBy('merchantId')
    .limit(1)
    .executeTakeFirst()
  return row?.merchantId ?? undefined
}

/**
 * Deletes some events of a seller from before a time: at least as many as the limit, if there are. Returns how many.
 * Events of one millisecond are deleted together, because they may share a body.
 */
export async function deleteEventsOfSeller(
  tx: Tx,
  organizationId: Id<'organization'>,
  before: Date,
  limit: number,
): Promise<number> {
  const last = await tx
    .selectFrom('event')
    .select('id')
    .where('merchantId', '=', organizationId)
    .where('id', '<', sortableIdsFrom(before))
    .orderBy('id')
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst()
  const { numDeletedRows } = await tx
    .deleteFrom('event')
    .where('merchantId', '=', organizationId)
    .where('id', '<', last ? sortableIdsAfter(last.id) : sortableIdsFrom(before))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
