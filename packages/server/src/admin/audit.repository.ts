import type { Db } from '../db/database.ts'

export type EventFilter = {
  readonly userId?: string | undefined
  readonly actorId?: string | undefined
  readonly type?: string | undefined
}

/** Events before one, newest first, with the names of whom they concern and of who acted, as far as they still exist. */
export function listEvents(db: Db, filter: EventFilter, before: string | undefined, limit: number) {
  let query = db
    .selectFrom('event')
    .leftJoin('user as actor', 'actor.id', 'event.actorId')
    .leftJoin('user as concerned', 'concerned.id', 'event.userId')
    .select(['event.id', 'event.type', 'event.actorId', 'event.userId', 'event.data', 'event.createdAt'])
    .select(['actor.name as actorName', 'actor.email as actorEmail'])
    .select(['concerned.name as userName', 'concerned.email as userEmail'])
  if (filter.userId !== undefined) query = query.where('event.userId', '=', filter.userId)
  if (filter.actorId !== undefined) query = query.where('event.actorId', '=', filter.actorId)
  if (filter.type !== undefined) query = query.where('event.type', '=', filter.type)
  if (before !== undefined) query = query.where('event.id', '<', before)
  return query.orderBy('event.id', 'desc').limit(limit).execute()
}
