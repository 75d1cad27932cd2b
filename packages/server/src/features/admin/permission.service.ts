import type { ParsedBody } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { Id } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { can } from '../identity/access.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { findUser } from '../identity/users.service.ts'

/** Whether the caller has all requested permissions; server code may ask about another user or a role. */
export const adminHasPermission: AuthHandler<'adminHasPermission'> = async ({ ctx, caller, session, body }) => {
  const asked = body.permissions ?? body.permission
  if (!asked) throw new TollgateError('VALIDATION_ERROR')
  const holder = await holderOf(ctx, caller, session, body)
  return { error: null, success: holder !== undefined && can(ctx, holder, asked) }
}

/** Administrator permissions do not apply during an impersonation. */
async function holderOf(
  ctx: Context,
  { isServer }: Caller,
  { session, user }: SessionRow,
  { userId, role }: ParsedBody<'adminHasPermission'>,
): Promise<{ id: Id<'user'>; role: string | null } | undefined> {
  if (isServer && role !== undefined) return { id: '', role }
  if (isServer && userId !== undefined) return findUser(ctx.db, userId)
  return session.impersonatedBy === null ? user : undefined
}
