import { listEvents } from '../audit/event-list.ts'
import { requireAdmin } from '../identity/access.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'

/** The audit log, newest first, filtered by user, actor or event type. */
export const adminListEvents: AuthHandler<'adminListEvents'> = async ({ ctx, session, query }) => {
  requireAdmin(ctx, session, 'event', 'list', 'ADMIN_LIST_EVENTS')
  return listEvents(ctx.db, query, query)
}
