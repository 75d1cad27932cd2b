import type { PageData } from '@tollgate/contract/pages'
import type { Answer } from '@tollgate/contract/types'
import { listEvents, listEventsOfOrganization } from '../features/audit/event-list.ts'
import { type CsvColumns, csvOfLog, type LogPage } from '../foundation/csv.ts'
import { look } from './invitation-look.ts'
import { requireOrganization } from './organization-pages.ts'
import { type PageMakers, signInAndBack, toSignIn, whileOn } from './page-data.ts'
import type { Visit } from './visit.ts'

type AuditEvent = Omit<Answer<'adminListEvents'>['events'][number], 'organization'>

/** CSV exports of an organization's audit log and of the installation's. */
export const auditExports: PageMakers = {
  ...whileOn('organization', { '/org/:slug/audit/export': exportEvents }),
  '/admin/audit/export': exportAllEvents,
}

const columns: CsvColumns<AuditEvent> = [
  ['time', ({ createdAt }) => createdAt],
  ['event', ({ type }) => type],
  ['actor', ({ actor, actorId }) => actor?.name ?? actorId ?? ''],
  ['actor_email', ({ actor }) => actor?.email ?? ''],
  ['user', ({ user, userId }) => user?.name ?? userId ?? ''],
  ['user_email', ({ user }) => user?.email ?? ''],
  ['details', ({ data }) => (data ? JSON.stringify(data) : '')],
  ['id', ({ id }) => id],
]

/** The installation's log adds the organization, last, so that both files share their first columns. */
const allColumns: CsvColumns<AuditEvent> = [
  ...columns,
  ['organization_id', ({ organizationId }) => organizationId ?? ''],
]

/** An organization's events, newest first, as CSV, for members who may read its audit log. */
async function exportEvents(visit: Visit): Promise<PageData | Response> {
  const { ctx } = visit
  if (!(await visit.session())) return visit.redirect(signInAndBack(visit.url.pathname))
  const { id: organizationId, slug } = await requireOrganization(visit)
  // The first call decides whether the visitor may read the log; the file then pages past it.
  const cursor = cursorIn(visit)
  const first = await look(
    visit.call('listOrganizationEvents', { query: { organizationId, limit: 1, ...(cursor && { cursor }) } }),
  )
  if (!first.found) return visit.data('not-found', {})
  const file = fileOf(columns, cursor, (page) => listEventsOfOrganization(ctx, { organizationId }, page))
  return download(visit, `${slug.replaceAll(/[^\w-]/g, '_')}-audit.csv`, file)
}

/** The installation's events, newest first, as CSV, for administrators, with the filters of their page. */
async function exportAllEvents(visit: Visit): Promise<PageData | Response> {
  const { ctx, url } = visit
  if (!(await visit.session())) return toSignIn(visit)
  const named = (name: string) => url.searchParams.get(name) || undefined
  const filter = {
    type: named('type'),
    actorId: named('actor'),
    userId: named('user'),
    organizationId: named('organization'),
    area: areaIn(url.searchParams.get('area')),
  }
  const cursor = cursorIn(visit)
  const query = Object.fromEntries(Object.entries({ ...filter, cursor }).filter(([, value]) => value !== undefined))
  // The call decides whether the visitor may read the log and whether the filter is valid.
  const first = await look(visit.call('adminListEvents', { query: { ...query, limit: 1 } }))
  if (!first.found) return visit.data('not-found', {})
  return download(
    visit,
    'audit.csv',
    fileOf(allColumns, cursor, (page) => listEvents(ctx.db, filter, page)),
  )
}

/** An unknown area filters nothing. */
const areaIn = (given: string | null) => (['accounts', 'sales'] as const).find((area) => area === given)

const download = (visit: Visit, name: string, file: ReadableStream<Uint8Array>): Response =>
  visit.answer(
    new Response(file, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'",
      },
    }),
  )

/** The cursor that an earlier, truncated file ended with. */
const cursorIn = ({ url }: Visit): string | undefined => url.searchParams.get('cursor') || undefined

type Events = { readonly events: readonly AuditEvent[]; readonly nextCursor: string | null }

/** Streams the file as the client reads it; a truncated file ends with the cursor to continue from. */
const fileOf = (
  table: CsvColumns<AuditEvent>,
  cursor: string | undefined,
  read: (page: LogPage) => Promise<Events>,
): ReadableStream<Uint8Array> =>
  csvOfLog(table, {
    cursor,
    read: async (page) => {
      const { events, nextCursor } = await read(page)
      return { rows: events, nextCursor }
    },
    how: ({ id }) => `Ask for the older ones with cursor=${id}`,
  })
