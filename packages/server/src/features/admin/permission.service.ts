import type { ParsedBody } from '@tollgate/contract/types'
import type { Context } from '../../foundation/context.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/route.ts'
import { can } from '../identity/access.ts'
import { findUser } from '../identity/users.service.ts'

/** Whether the caller has all requested permissions; server code may ask about another user or a role. */
export async function adminHasPermission(
  ctx: Context,
  caller: Caller,
  current: SessionRow,
  body: ParsedBody<'adminHasPermission'>,
): Promise<{ error: null; success: boolean }> {
  const asked = body.permissions ?? body.permission
  if (!asked) throw new TollgateError('VALIDATION_ERROR')
  const holder = await holderOf(ctx, caller, current, body)
  return { error: null, success: holder !== undefined && can(ctx, holder, asked) }
}

/** Administrator permissions do not apply during an impersonation. */
async function holderOf(
  ctx: Context,
  { isServer }: Caller,
  { session, user }: SessionRow,
  { userId, role }: ParsedBody<'adminHasPermission'>,
): Promise<{ id: string; role: string | null } | undefined> {
  if (isServer && role !== undefined) return { id: '', role }
  if (isServer && userId !== undefined) return findUser(ctx.db, userId)
  return session.impersonatedBy === null ? user : undefined
}
