import type { Answer, ParsedQuery } from '@tollgate/contract/types'
import { requireAdmin } from '../access.ts'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import { listEvents } from '../event-list.ts'

/** What has happened, newest first: of everybody, of one user, of one actor, of one kind. */
export async function adminListEvents(
  ctx: Context,
  current: SessionRow,
  query: ParsedQuery<'adminListEvents'>,
): Promise<Answer<'adminListEvents'>> {
  requireAdmin(ctx, current, 'event', 'list', 'ADMIN_LIST_EVENTS')
  return listEvents(ctx.db, query, query)
}
