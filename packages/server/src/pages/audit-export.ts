import type { Answer } from '@tollgate/contract/types'
import { type CsvColumns, csvOfLog, type LogPage } from '../csv.ts'
import { listEvents, listEventsOfOrganization } from '../event-list.ts'
import { look } from './invitation-look.ts'
import { requireOrganization } from './organization-pages.ts'
import { signInAndBack } from './page-data.ts'
import type { Visit } from './visit.ts'

type AuditEvent = Answer<'adminListEvents'>['events'][number]

/** Audit logs as files: that of an organization, and that of the installation. */
export const auditExports: Readonly<Record<string, (visit: Visit) => Promise<Response>>> = {
  '/org/:slug/audit/export': exportEvents,
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

/** Everybody's events tell where they happened, too; behind the others, so that the columns of both files are the same. */
const allColumns: CsvColumns<AuditEvent> = [
  ...columns,
  ['organization_id', ({ organizationId }) => organizationId ?? ''],
]

/** Everything that has happened in an organization, newest first, as a CSV file, for who may read its audit log. */
async function exportEvents(visit: Visit): Promise<Response> {
  const { ctx } = visit
  if (ctx.config.organization === false) return nothing(visit)
  if (!(await visit.session())) return visit.redirect(signInAndBack(visit.url.pathname))
  const { id: organizationId, slug } = await requireOrganization(visit)
  // Asked as everybody asks, which decides whether the visitor may; what follows is more of the same.
  const cursor = cursorIn(visit)
  const first = await look(
    visit.call('listOrganizationEvents', { query: { organizationId, limit: 1, ...(cursor && { cursor }) } }),
  )
  if (!first.found) return nothing(visit)
  const file = fileOf(columns, cursor, (page) => listEventsOfOrganization(ctx, { organizationId }, page))
  return download(visit, `${slug.replaceAll(/[^\w-]/g, '_')}-audit.csv`, file)
}

/** What has happened in this installation, newest first, as a CSV file, for administrators; narrowed as their page is. */
async function exportAllEvents(visit: Visit): Promise<Response> {
  const { ctx, url } = visit
  if (!(await visit.session())) return visit.redirect(signInAndBack(url.pathname + url.search))
  const named = (name: string) => url.searchParams.get(name) || undefined
  const filter = {
    type: named('type'),
    actorId: named('actor'),
    userId: named('user'),
    organizationId: named('organization'),
  }
  const cursor = cursorIn(visit)
  const query = Object.fromEntries(Object.entries({ ...filter, cursor }).filter(([, value]) => value !== undefined))
  // Asked as everybody asks: whether the visitor may, and whether there can be such a filter.
  const first = await look(visit.call('adminListEvents', { query: { ...query, limit: 1 } }))
  if (!first.found) return nothing(visit)
  return download(
    visit,
    'audit.csv',
    fileOf(allColumns, cursor, (page) => listEvents(ctx.db, filter, page)),
  )
}

const nothing = (visit: Visit): Promise<Response> => visit.page(visit.data('not-found', {}), { status: 404 })

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

/** Behind which event a file begins: what another one ended with. */
const cursorIn = ({ url }: Visit): string | undefined => url.searchParams.get('cursor') || undefined

type Events = { readonly events: readonly AuditEvent[]; readonly nextCursor: string | null }

/** The file piece by piece, as fast as it is taken; it says so where it ends before the oldest. */
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
