import type { Answer, ParsedQuery } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import { listEventsOfOrganization } from '../audit/event-list.ts'
import { requireMember, requirePermission } from './membership.ts'

/** An organization's events, newest first, for members who may read its audit log. */
export async function listOrganizationEvents(
  ctx: Context,
  current: SessionRow,
  query: ParsedQuery<'listOrganizationEvents'>,
): Promise<Answer<'listOrganizationEvents'>> {
  const organizationId = query.organizationId ?? current.session.activeOrganizationId
  if (!organizationId) throw new TollgateError('NO_ACTIVE_ORGANIZATION')
  const membership = await requireMember(ctx, ctx.db, current, organizationId, 'YOU_ARE_NOT_A_MEMBER')
  requirePermission(membership, 'audit', 'read', 'ORGANIZATION_EVENTS_NOT_ALLOWED')
  const { type, actorId } = query
  return listEventsOfOrganization(ctx, { organizationId: membership.organizationId, type, actorId }, query)
}
