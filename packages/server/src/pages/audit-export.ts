import type { Answer } from '@tollgate/contract/types'
import { type CsvColumns, csvStream } from '../csv.ts'
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

/** Most events of one file; whoever needs older ones reads them by the API. */
const mostEvents = 50_000
/** How many are read at once: what is held in memory, however long the file becomes. */
const batch = 500

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
  const first = await look(visit.call('listOrganizationEvents', { query: { organizationId, limit: 1 } }))
  if (!first.found) return nothing(visit)
  const file = fileOf(columns, (page) => listEventsOfOrganization(ctx, { organizationId }, page))
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
  const query = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
  // Asked as everybody asks: whether the visitor may, and whether there can be such a filter.
  const first = await look(visit.call('adminListEvents', { query: { ...query, limit: 1 } }))
  if (!first.found) return nothing(visit)
  return download(
    visit,
    'audit.csv',
    fileOf(allColumns, (page) => listEvents(ctx.db, filter, page)),
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

type Page = { readonly cursor: string | undefined; readonly limit: number }
type Events = { readonly events: readonly AuditEvent[]; readonly nextCursor: string | null }

/** The file piece by piece, as fast as it is taken. */
function fileOf(table: CsvColumns<AuditEvent>, read: (page: Page) => Promise<Events>): ReadableStream<Uint8Array> {
  let cursor: string | undefined
  let left = mostEvents
  return csvStream(table, async () => {
    if (left <= 0) return undefined
    const { events, nextCursor } = await read({ cursor, limit: Math.min(batch, left) })
    cursor = nextCursor ?? undefined
    left = cursor === undefined ? 0 : left - events.length
    return events
  })
}
