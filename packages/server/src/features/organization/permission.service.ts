import type { Answer, ParsedBody } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { allows, requireMember } from './membership.ts'
import { namedOrganization } from './named-organization.ts'

/**
 * Whether the caller has all requested permissions. Pages call it often, so for the active organization the session
 * brings the membership and no query runs.
 */
export const hasPermission: AuthHandler<'hasPermission'> = ({ ctx, session, body }) => answerAbout(ctx, session, body)

/** The same without dispatch, for `createPermissionAnswers`. */
export async function answerAbout(
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
