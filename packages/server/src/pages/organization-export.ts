import type { Answer } from '@tollgate/contract/types'
import { type CsvColumns, csvStream } from '../csv.ts'
import { listEventsOfOrganization } from '../event-list.ts'
import { look } from './invitation-look.ts'
import { requireOrganization } from './organization-pages.ts'
import { signInAndBack } from './page-data.ts'
import type { Visit } from './visit.ts'

type AuditEvent = Answer<'listOrganizationEvents'>['events'][number]

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

/** Everything that has happened in an organization, newest first, as a CSV file, for who may read its audit log. */
export async function exportEvents(visit: Visit): Promise<Response> {
  const nothing = () => visit.page(visit.data('not-found', {}), { status: 404 })
  if (visit.ctx.config.organization === false) return nothing()
  if (!(await visit.session())) return visit.redirect(signInAndBack(visit.url.pathname))
  const { id, slug } = await requireOrganization(visit)
  // Asked as everybody asks, which decides whether the visitor may; what follows is more of the same.
  const first = await look(visit.call('listOrganizationEvents', { query: { organizationId: id, limit: 1 } }))
  if (!first.found) return nothing()
  return visit.answer(
    new Response(fileOf(visit, id), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${slug.replaceAll(/[^\w-]/g, '_')}-audit.csv"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'",
      },
    }),
  )
}

/** The file piece by piece, as fast as it is taken. */
function fileOf({ ctx }: Visit, organizationId: string): ReadableStream<Uint8Array> {
  let cursor: string | undefined
  let left = mostEvents
  return csvStream(columns, async () => {
    if (left <= 0) return undefined
    const { events, nextCursor } = await listEventsOfOrganization(
      ctx,
      { organizationId },
      { cursor, limit: Math.min(batch, left) },
    )
    cursor = nextCursor ?? undefined
    left = cursor === undefined ? 0 : left - events.length
    return events
  })
}
