import { type Selectable, sql } from 'kysely'
import type { Db, Lists } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { sortableIdsFrom } from '../../ids.ts'

export type EventRow = Omit<Selectable<Tables['event']>, 'merchantId'>

/** Events of one place, each found by an index: a shop's (of one customer, or of one type), an organization's, an account's. */
export type Source = (
  | { readonly merchantId: string; readonly customerId?: string }
  | { readonly organizationId: string }
  | { readonly userId: string }
) & {
  /** No other types than these; every type where there are none. */
  readonly types?: readonly string[] | undefined
  /** Every type but this one. */
  readonly without?: string
}

export type Window = {
  /** The id of the event that the page before ended with. */
  readonly before?: string | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  readonly limit: number
}

/** The newest events of several sources that share none, in one query. */
export async function pageOfEvents({ db }: Lists, sources: readonly Source[], window: Window): Promise<EventRow[]> {
  const [first, ...others] = sources.flatMap(parted).map((source) => eventsOf(db, source, window))
  if (!first) return []
  if (others.length === 0) return first.execute()
  const whole = db.selectFrom(first.as('part')).selectAll()
  const all = others.reduce((rows, part) => rows.unionAll(db.selectFrom(part.as('part')).selectAll()), whole)
  return db.selectFrom(all.as('event')).selectAll().orderBy('id', 'desc').limit(window.limit).execute()
}

/** A shop has a great many events: those of some types are looked for by each of them, in the index of types. */
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
      'payload',
      'data',
      'createdAt',
    ])
  if ('merchantId' in source) query = query.where('merchantId', '=', source.merchantId)
  else if ('organizationId' in source) query = query.where('organizationId', '=', source.organizationId)
  else query = query.where('userId', '=', source.userId)
  if ('merchantId' in source && source.customerId) query = query.where('customerId', '=', source.customerId)
  if (source.types) query = query.where('type', 'in', source.types)
  if (source.without) query = query.where('type', '<>', source.without)
  // Ids begin with their time: what is cut off by time is cut off in the same index.
  if (since) query = query.where('id', '>=', sortableIdsFrom(since))
  if (until) query = query.where('id', '<', sortableIdsFrom(new Date(until.getTime() + 1)))
  if (before !== undefined) query = query.where('id', '<', before)
  return query.orderBy('id', 'desc').limit(limit)
}

/** Who a customer of an organization is on this server; nothing where there is no such customer. A removed one counts. */
export const findWhoCustomerIs = (db: Db, organizationId: string, id: string) =>
  db
    .selectFrom('customer')
    .select(['userId', 'buyerOrganizationId'])
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Names by user ids; of members of an organization alone, where one is given. */
export async function namesOf(db: Db, ids: readonly string[], memberOf?: string): Promise<Map<string, string>> {
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

/** Names by ids of organizations. */
export async function organizationNamesOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('organization').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** How often events went out to an organization's endpoints, by event and state. */
export async function countDeliveries(db: Db, organizationId: string, eventIds: readonly string[]) {
  const rows = await db
    .selectFrom('webhookMessage')
    .select(['eventId', 'state', 'organizationId', sql<number>`count(*)`.as('count')])
    // By the events alone, so that SQLite finds them by their index and not everything of the organization.
    .where('eventId', 'in', eventIds)
    .groupBy(['eventId', 'state', 'organizationId'])
    .execute()
  return rows.filter((row) => row.organizationId === organizationId)
}
