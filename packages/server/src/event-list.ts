import type { Answer } from '@tollgate/contract/types'
import type { Db } from './db/database.ts'

export type EventFilter = {
  readonly userId?: string | undefined
  readonly actorId?: string | undefined
  readonly organizationId?: string | undefined
  readonly type?: string | undefined
}

type EventPage = Answer<'adminListEvents'>
type AuditEvent = EventPage['events'][number]

const usualLimit = 50

/**
 * A page of what has happened, newest first, with the names of whom it concerns and of who acted, as far as they still
 * exist. A cursor is the last event's id; each filter has its index.
 */
export async function listEvents(
  db: Db,
  filter: EventFilter,
  { cursor, limit = usualLimit }: { cursor?: string | undefined; limit?: number | undefined },
): Promise<EventPage> {
  const count = limit || usualLimit
  // One more than is shown, to know whether there is another page.
  const rows = await readEvents(db, filter, cursor, count + 1)
  const page = rows.slice(0, count)
  return {
    events: page.map(toAuditEvent),
    nextCursor: rows.length > count ? page.at(-1)!.id : null, // a limit is at least one
  }
}

function readEvents(db: Db, filter: EventFilter, before: string | undefined, limit: number) {
  let query = db
    .selectFrom('event')
    .leftJoin('user as actor', 'actor.id', 'event.actorId')
    .leftJoin('user as concerned', 'concerned.id', 'event.userId')
    .select(['event.id', 'event.type', 'event.actorId', 'event.userId', 'event.organizationId'])
    .select(['event.data', 'event.createdAt'])
    .select(['actor.name as actorName', 'actor.email as actorEmail'])
    .select(['concerned.name as userName', 'concerned.email as userEmail'])
  if (filter.userId !== undefined) query = query.where('event.userId', '=', filter.userId)
  if (filter.actorId !== undefined) query = query.where('event.actorId', '=', filter.actorId)
  if (filter.organizationId !== undefined) query = query.where('event.organizationId', '=', filter.organizationId)
  if (filter.type !== undefined) query = query.where('event.type', '=', filter.type)
  if (before !== undefined) query = query.where('event.id', '<', before)
  return query.orderBy('event.id', 'desc').limit(limit).execute()
}

type EventRow = Awaited<ReturnType<typeof readEvents>>[number]

function toAuditEvent(row: EventRow): AuditEvent {
  const { id, type, actorId, userId, organizationId, createdAt } = row
  return {
    id,
    type,
    actorId,
    actor: toPerson(actorId, row.actorName, row.actorEmail),
    userId,
    user: toPerson(userId, row.userName, row.userEmail),
    organizationId,
    data: row.data as AuditEvent['data'], // written by `emit`, which takes nothing but plain records
    createdAt: createdAt.toISOString(),
  }
}

/** Null for the server itself, and for whoever has been deleted since. */
const toPerson = (id: string | null, name: string | null, email: string | null): AuditEvent['actor'] =>
  id !== null && name !== null && email !== null ? { id, name, email } : null
