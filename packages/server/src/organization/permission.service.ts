import type { Answer, ParsedBody } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'
import { allows, requireMember } from '../membership.ts'
import { namedOrganization } from './named-organization.ts'

/**
 * Whether the caller may do all that is asked for. Asked on many a page, so that for the active organization it costs no
 * query of its own: the session has brought the membership along.
 */
export async function hasPermission(
  ctx: Context,
  current: SessionRow,
  body: ParsedBody<'hasPermission'>,
): Promise<Answer<'hasPermission'>> {
  const asked = body.permissions ?? body.permission
  if (!asked) throw new TollgateError('VALIDATION_ERROR')
  const organizationId = namedOrganization(current, body)
  const membership = await requireMember(ctx, ctx.db, current, organizationId, 'NOT_A_MEMBER_UNAUTHORIZED')
  return { error: null, success: allows(membership, asked) }
}
