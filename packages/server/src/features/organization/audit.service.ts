import { TollgateError } from '../../foundation/error.ts'
import { listEventsOfOrganization } from '../audit/event-list.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { requireMember, requirePermission } from './membership.ts'

/** An organization's events, newest first, for members who may read its audit log. */
export const listOrganizationEvents: AuthHandler<'listOrganizationEvents'> = async ({ ctx, session, query }) => {
  const organizationId = query.organizationId ?? session.session.activeOrganizationId
  if (!organizationId) throw new TollgateError('NO_ACTIVE_ORGANIZATION')
  const membership = await requireMember(ctx, ctx.db, session, organizationId, 'YOU_ARE_NOT_A_MEMBER')
  requirePermission(membership, 'audit', 'read', 'ORGANIZATION_EVENTS_NOT_ALLOWED')
  const { type, actorId } = query
  return listEventsOfOrganization(ctx, { organizationId: membership.organizationId, type, actorId }, query)
}
