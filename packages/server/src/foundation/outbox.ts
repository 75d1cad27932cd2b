import type { EventType } from '@tollgate/contract/events'
import type { Selectable } from 'kysely'
import type { Id, Tx } from './db/database.ts'
import { prepareInsert } from './db/prepared.ts'
import type { SessionRow } from './db/session-row.ts'
import type { EventData } from './db/tables/installation.ts'
import type { Tables } from './db/tables.ts'
import { newSortableId } from './ids.ts'
import { enqueue, type JobKind } from './jobs.ts'

export type NewEvent = {
  readonly type: EventType
  /** The user who caused it; null for the server. */
  readonly actorId: Id<'user'> | null
  /** The user that it is about; null for an event of a whole organization. */
  readonly userId: Id<'user'> | null
  readonly organizationId?: Id<'organization'>
  /** Never a secret. */
  readonly data?: EventData
}

/** The actor of a session: its user, or the administrator who impersonates them. */
export const actorOf = ({ session, user }: SessionRow): string => session.impersonatedBy ?? user.id

/** The job that an event starts for its user. */
const jobAfter: { readonly [Type in EventType]?: JobKind } = { 'user.email_verified': 'join-by-domain' }

/** An event as the table stores it. */
export type EventRow = Selectable<Tables['event']>

const eventsOf = new WeakMap<Tx, EventRow[]>()

/**
 * Notes an event of a transaction. `writeEvents` writes all of them at the end, in this order and by one statement: they
 * commit or vanish with the change.
 */
export function note(tx: Tx, now: Date, event: Pick<EventRow, 'type' | 'actorId'> & Partial<EventRow>): void {
  const noted = eventsOf.get(tx) ?? []
  eventsOf.set(tx, noted)
  noted.push({
    id: newSortableId(now),
    userId: null,
    organizationId: null,
    merchantId: null,
    subjectId: null,
    customerId: null,
    payload: null,
    payloadOf: null,
    data: null,
    createdAt: now,
    ...event,
  })
}

/** Notes an event of people, and starts the job that follows from it. */
export async function emit(tx: Tx, now: Date, event: NewEvent): Promise<void> {
  const { type, actorId, userId, organizationId = null, data } = event
  note(tx, now, { type, actorId, userId, organizationId, data: data ?? null })
  const kind = jobAfter[type]
  if (kind && userId !== null) await enqueue(tx, now, { kind, payload: userId })
}

/** Rows of one statement: far below the parameter limits of both databases. */
const batch = 500

/** Writes the events of a transaction at its end, and answers them, each with its body. */
export async function writeEvents(tx: Tx): Promise<readonly EventRow[]> {
  const events = eventsOf.get(tx) ?? []
  const stored = events.length > 1 ? withoutCopies(events) : events
  for (let at = 0; at < stored.length; at += batch) await insertEvents(tx, ...stored.slice(at, at + batch))
  return events
}

/**
 * Stores each body once: a later event with the same body names the first. They share seller, object and time as well,
 * because events are deleted by these, and a body must not go before its last event.
 */
function withoutCopies(events: readonly EventRow[]): EventRow[] {
  const holders = new Map<string, Id<'event'>>()
  return events.map((event) => {
    const { id, merchantId, subjectId, payload, createdAt } = event
    if (payload === null) return event
    const key = `${merchantId} ${subjectId} ${createdAt.getTime()} ${payload}`
    const holder = holders.get(key)
    if (holder !== undefined) return { ...event, payload: null, payloadOf: holder }
    holders.set(key, id)
    return event
  })
}

const insertEvents = prepareInsert('event')
