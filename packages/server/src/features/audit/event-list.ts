import type { Answer } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { Db, Id } from '../../foundation/db/database.ts'
import { lastOf } from '../../foundation/proof/proven.ts'
import { isAdministrator } from '../identity/access.ts'

type EventFilter = {
  readonly userId?: Id<'user'> | undefined
  readonly actorId?: Id<'user'> | undefined
  readonly organizationId?: Id<'organization'> | undefined
  readonly type?: string | undefined
  readonly area?: 'accounts' | 'sales' | undefined
}

type AuditEvent = Omit<Answer<'adminListEvents'>['events'][number], 'organization'>

/** A cursor is the last event's id. */
type Page = { readonly cursor?: string | undefined; readonly limit?: number | undefined }

const usualLimit = 50

/** A page of events, newest first, with the names of users, actors and organizations that still exist. */
export async function listEvents(db: Db, filter: EventFilter, page: Page): Promise<Answer<'adminListEvents'>> {
  const { rows, nextCursor } = await readPage(page, (limit) => readEvents(db, filter, page.cursor, limit))
  return {
    events: rows.map((row) => ({ ...toAuditEvent(row), organization: organizationOf(row) })),
    nextCursor,
  }
}

/**
 * A page of an organization's events, for members who may read its audit log. For users who are not members it shows
 * only the id: their current name and address are private.
 */
export async function listEventsOfOrganization(
  ctx: Context,
  filter: EventFilter & { readonly organizationId: Id<'organization'> },
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
  // One extra row shows whether another page follows.
  const rows = await read(count + 1)
  const shown = rows.slice(0, count)
  return { rows: shown, nextCursor: rows.length > count ? lastOf(shown, 'a limit is at least one').id : null }
}

const readEvents = (db: Db, filter: EventFilter, before: string | undefined, limit: number) =>
  eventsOf(db, filter, before, limit)
    .leftJoin('user as actor', 'actor.id', 'event.actorId')
    .leftJoin('user as concerned', 'concerned.id', 'event.userId')
    .leftJoin('organization', (join) =>
      join.on('organization.id', '=', ({ fn }) => fn.coalesce('event.organizationId', 'event.merchantId')),
    )
    .select(people)
    .select(['organization.id as namedId', 'organization.name as organizationName'])
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
  if (filter.area === 'accounts') query = query.where('event.merchantId', 'is', null)
  if (filter.area === 'sales') query = query.where('event.merchantId', 'is not', null)
  if (before !== undefined) query = query.where('event.id', '<', before)
  return query.orderBy('event.id', 'desc').limit(limit)
}

type AdministratorRow = Awaited<ReturnType<typeof readEvents>>[number]
type EventRow = Omit<AdministratorRow, 'namedId' | 'organizationName'>

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
    data: row.data,
    createdAt: createdAt.toISOString(),
  }
}

/** Null for the server, for deleted users, and for users that the reader may not see. */
const toPerson = (id: string | null, name: string | null, email: string | null): AuditEvent['actor'] =>
  id !== null && name !== null && email !== null ? { id, name, email } : null

/** The seller of a sale. Null for events outside of organizations, and for deleted organizations. */
const organizationOf = ({ namedId: id, organizationName: name }: AdministratorRow) =>
  id !== null && name !== null ? { id, name } : null
