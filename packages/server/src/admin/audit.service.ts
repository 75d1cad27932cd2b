import type { Answer, ParsedQuery } from '@tollgate/contract/types'
import { requireAdmin } from '../access.ts'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import { type EventFilter, listEvents } from './audit.repository.ts'

const usualLimit = 50

/** What has happened, newest first: of everybody, of one user, of one actor, of one kind. A cursor is the last event's id. */
export async function adminListEvents(
  ctx: Context,
  current: SessionRow,
  query: ParsedQuery<'adminListEvents'>,
): Promise<Answer<'adminListEvents'>> {
  requireAdmin(ctx, current, 'event', 'list', 'ADMIN_LIST_EVENTS')
  const limit = query.limit || usualLimit
  const filter: EventFilter = query
  // One more than is shown, to know whether there is another page.
  const rows = await listEvents(ctx.db, filter, query.cursor, limit + 1)
  const page = rows.slice(0, limit)
  return {
    events: page.map(toAuditEvent),
    nextCursor: rows.length > limit ? page.at(-1)!.id : null, // a limit is at least one
  }
}

type EventRow = Awaited<ReturnType<typeof listEvents>>[number]
type AuditEvent = Answer<'adminListEvents'>['events'][number]

function toAuditEvent(row: EventRow): AuditEvent {
  const { id, type, actorId, userId, createdAt } = row
  return {
    id,
    type,
    actorId,
    actor: toPerson(actorId, row.actorName, row.actorEmail),
    userId,
    user: toPerson(userId, row.userName, row.userEmail),
    data: row.data as AuditEvent['data'], // written by `emit`, which takes nothing but plain records
    createdAt: createdAt.toISOString(),
  }
}

/** Null for the server itself, and for whoever has been deleted since. */
const toPerson = (id: string | null, name: string | null, email: string | null): AuditEvent['actor'] =>
  id !== null && name !== null && email !== null ? { id, name, email } : null
