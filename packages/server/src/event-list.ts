import type { Answer } from '@tollgate/contract/types'
import { isAdministrator } from './access.ts'
import type { Context } from './context.ts'
import type { Db } from './db/database.ts'

type EventFilter = {
  readonly userId?: string | undefined
  readonly actorId?: string | undefined
  readonly organizationId?: string | undefined
  readonly type?: string | undefined
}

type AuditEvent = Answer<'adminListEvents'>['events'][number]

/** A cursor is the last event's id. */
type Page = { readonly cursor?: string | undefined; readonly limit?: number | undefined }

const usualLimit = 50

/** A page of what has happened, newest first, with the names of whom it concerns and of who acted, as far as they still exist. */
export async function listEvents(db: Db, filter: EventFilter, page: Page): Promise<Answer<'adminListEvents'>> {
  const { rows, nextCursor } = await readPage(page, (limit) => readEvents(db, filter, page.cursor, limit))
  return { events: rows.map(toAuditEvent), nextCursor }
}

/**
 * The same of an organization, for members who may read it. Whoever has left, or was never in it, keeps their present name
 * and address to themselves: of them there is the id alone.
 */
export async function listEventsOfOrganization(
  ctx: Context,
  filter: EventFilter & { readonly organizationId: string },
  page: Page,
): Promise<Answer<'listOrganizationEvents'>> {
  const { rows, nextCursor } = await readPage(page, (limit) => readMembersEvents(ctx.db, filter, page.cursor, limit))
  return {
    events: rows.map((row) => ({
      ...toAuditEvent(row),
      byAdministrator:
        row.actorId !== null &&
        row.actorName === null &&
        isAdministrator(ctx, { id: row.actorId, role: row.actorRole }),
    })),
    nextCursor,
  }
}

async function readPage<Row extends { id: string }>({ limit }: Page, read: (limit: number) => Promise<Row[]>) {
  const count = limit || usualLimit
  // One more than is shown, to know whether there is another page.
  const rows = await read(count + 1)
  const shown = rows.slice(0, count)
  return { rows: shown, nextCursor: rows.length > count ? shown.at(-1)!.id : null } // a limit is at least one
}

const readEvents = (db: Db, filter: EventFilter, before: string | undefined, limit: number) =>
  eventsOf(db, filter, before, limit)
    .leftJoin('user as actor', 'actor.id', 'event.actorId')
    .leftJoin('user as concerned', 'concerned.id', 'event.userId')
    .select(people)
    .execute()

const readMembersEvents = (db: Db, filter: EventFilter, before: string | undefined, limit: number) =>
  eventsOf(db, filter, before, limit)
    .leftJoin('member as acting', (join) =>
      join.onRef('acting.organizationId', '=', 'event.organizationId').onRef('acting.userId', '=', 'event.actorId'),
    )
    .leftJoin('member as affected', (join) =>
      join.onRef('affected.organizationId', '=', 'event.organizationId').onRef('affected.userId', '=', 'event.userId'),
    )
    .leftJoin('user as actor', 'actor.id', 'acting.userId')
    .leftJoin('user as concerned', 'concerned.id', 'affected.userId')
    .leftJoin('user as holder', 'holder.id', 'event.actorId')
    .select(people)
    .select('holder.role as actorRole')
    .execute()

const people = [
  'actor.name as actorName',
  'actor.email as actorEmail',
  'concerned.name as userName',
  'concerned.email as userEmail',
] as const

/** Each filter has its index. */
function eventsOf(db: Db, filter: EventFilter, before: string | undefined, limit: number) {
  let query = db
    .selectFrom('event')
    .select(['event.id', 'event.type', 'event.actorId', 'event.userId', 'event.organizationId'])
    .select(['event.data', 'event.createdAt'])
  if (filter.userId !== undefined) query = query.where('event.userId', '=', filter.userId)
  if (filter.actorId !== undefined) query = query.where('event.actorId', '=', filter.actorId)
  if (filter.organizationId !== undefined) query = query.where('event.organizationId', '=', filter.organizationId)
  if (filter.type !== undefined) query = query.where('event.type', '=', filter.type)
  if (before !== undefined) query = query.where('event.id', '<', before)
  return query.orderBy('event.id', 'desc').limit(limit)
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

/** Null for the server itself, and for whoever has been deleted since, or is not to be shown. */
const toPerson = (id: string | null, name: string | null, email: string | null): AuditEvent['actor'] =>
  id !== null && name !== null && email !== null ? { id, name, email } : null
