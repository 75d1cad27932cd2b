import type { Db, Id, Lists, Tx } from '../../../foundation/db/database.ts'

/** A user's public fields. */
export const listPublicUsers = (db: Db, ids: readonly Id<'user'>[]) =>
  db
    .selectFrom('user')
    .select(['id', 'email', 'emailVerified', 'name', 'image', 'username', 'createdAt', 'updatedAt'])
    .where('id', 'in', ids)
    .execute()

export const listPublicOrganizations = (db: Db, ids: readonly Id<'organization'>[]) =>
  db.selectFrom('organization').select(['id', 'name', 'slug', 'logo', 'createdAt']).where('id', 'in', ids).execute()

/** The source of events: an organization's sales, changes within it, or changes of any account. */
export type Source = {
  readonly column: 'merchantId' | 'organizationId' | 'installation'
  readonly types: readonly string[]
}

export type MessageState = 'pending' | 'succeeded' | 'failed' | 'skipped'

/** A range of event ids, the end exclusive. Ids begin with their time. */
export type Span = { readonly from: string; readonly until: string }

const eventsOf = (db: Db, organizationId: Id<'organization'>, { column, types }: Source, { from, until }: Span) => {
  const query = db.selectFrom('event').where('id', '>=', from).where('id', '<', until).where('type', 'in', types)
  if (column === 'installation') return query.where('merchantId', 'is', null)
  return column === 'merchantId'
    ? query.where('merchantId', '=', organizationId)
    : query.where('organizationId', '=', organizationId).where('merchantId', 'is', null)
}

/** The number of events in a range, up to a limit, and how many have a message for an endpoint in some states. */
export async function countEvents(
  { db }: Lists,
  endpoint: { readonly id: Id<'webhookEndpoint'>; readonly organizationId: Id<'organization'> },
  source: Source,
  span: Span,
  { states, limit }: { states: readonly MessageState[]; limit: number },
): Promise<{ all: number; known: number }> {
  const ids = eventsOf(db, endpoint.organizationId, source, span).select('id').orderBy('id').limit(limit)
  const { all, known } = await db
    .selectFrom(ids.as('found'))
    .leftJoin('webhookMessage', (join) =>
      join
        .onRef('webhookMessage.eventId', '=', 'found.id')
        .on('webhookMessage.endpointId', '=', endpoint.id)
        .on('webhookMessage.state', 'in', states),
    )
    .select((of) => [of.fn.countAll().as('all'), of.fn.count('webhookMessage.id').as('known')])
    .executeTakeFirstOrThrow()
  return { all: Number(all), known: Number(known) }
}

export const listEvents = (db: Db, organizationId: Id<'organization'>, source: Source, span: Span, limit: number) =>
  eventsOf(db, organizationId, source, span).selectAll().orderBy('id').limit(limit).execute()

/** How far back to look for the newest event of a type. */
const lookBack = 2000

/** The newest event of a type; undefined if there is no recent one. */
export const newestEvent = (db: Db, organizationId: Id<'organization'>, { column, types }: Source) =>
  db
    .selectFrom('event')
    .selectAll()
    .where('id', 'in', (among) =>
      among
        .selectFrom((inner) =>
          inner
            .selectFrom('event as recent')
            .select(['recent.id', 'recent.type', 'recent.merchantId'])
            .$if(column !== 'installation', (query) =>
              query.where(column === 'merchantId' ? 'recent.merchantId' : 'recent.organizationId', '=', organizationId),
            )
            .orderBy('recent.id', 'desc')
            .limit(lookBack)
            .as('newest'),
        )
        .select('newest.id')
        .where('newest.type', 'in', types)
        .$if(column !== 'merchantId', (query) => query.where('newest.merchantId', 'is', null)),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The messages of some events for an endpoint. */
export const listMessagesFor = (db: Db, endpointId: Id<'webhookEndpoint'>, eventIds: readonly Id<'event'>[]) =>
  db
    .selectFrom('webhookMessage')
    .select(['id', 'eventId', 'state', 'attempts', 'payload'])
    .where('endpointId', '=', endpointId)
    .where('eventId', 'in', eventIds)
    .execute()

export async function deleteMessages(tx: Tx, ids: readonly Id<'webhookMessage'>[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('webhookMessage').where('id', 'in', ids).execute()
}
