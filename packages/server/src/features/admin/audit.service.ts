import type { Answer, ParsedQuery } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { listEvents } from '../audit/event-list.ts'
import { requireAdmin } from '../identity/access.ts'

/** The audit log, newest first, filtered by user, actor or event type. */
export async function adminListEvents(
  ctx: Context,
  current: SessionRow,
  query: ParsedQuery<'adminListEvents'>,
): Promise<Answer<'adminListEvents'>> {
  requireAdmin(ctx, current, 'event', 'list', 'ADMIN_LIST_EVENTS')
  return listEvents(ctx.db, query, query)
}
