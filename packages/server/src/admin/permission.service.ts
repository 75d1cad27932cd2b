import type { ParsedBody } from '@tollgate/contract/types'
import { can } from '../access.ts'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from '../http/route.ts'
import { findUser } from '../identity/users.service.ts'

/** Whether the caller holds all that is asked for; server code may ask for another user, or for a role. */
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

/** Nobody administers while they act as somebody else. */
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
