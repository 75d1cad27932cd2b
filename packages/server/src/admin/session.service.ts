import type { Answer } from '@tollgate/contract/types'
import { requireAdmin } from '../access.ts'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'
import { toSession } from '../identity/session-answer.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findSessionByToken,
  findUser,
  listEverySession,
  lockUser,
} from '../identity/users.service.ts'
import { emit } from '../outbox.ts'

/** A user's unexpired sessions, newest first; those of administrators who act as them are marked `impersonatedBy`. */
export async function adminListUserSessions(
  ctx: Context,
  current: SessionRow,
  userId: string,
): Promise<Answer<'adminListUserSessions'>> {
  requireAdmin(ctx, current, 'session', 'list', 'ADMIN_LIST_SESSIONS')
  if (!(await findUser(ctx.db, userId))) throw new TollgateError('ADMIN_USER_NOT_FOUND')
  const sessions = await listEverySession(ctx.db, userId, ctx.clock.now())
  return { sessions: sessions.map(toSession) }
}

/** Ends one session of anybody, named by its token. */
export async function adminRevokeUserSession(
  ctx: Context,
  current: SessionRow,
  token: string,
): Promise<{ success: true }> {
  requireAdmin(ctx, current, 'session', 'revoke', 'ADMIN_REVOKE_SESSIONS')
  const session = await findSessionByToken(ctx.db, token)
  if (!session) throw new TollgateError('SESSION_NOT_FOUND')
  await ctx.transaction(async (tx) => {
    if (!(await deleteSession(tx, session.id))) return // somebody was first: it is ended all the same
    const data = { sessionId: session.id }
    await emit(tx, ctx.clock.now(), { type: 'session.revoked', actorId: current.user.id, userId: session.userId, data })
  })
  return { success: true }
}

/** Ends every session of a user, and those that they have begun as others. */
export async function adminRevokeUserSessions(
  ctx: Context,
  current: SessionRow,
  userId: string,
): Promise<{ success: true }> {
  requireAdmin(ctx, current, 'session', 'revoke', 'ADMIN_REVOKE_SESSIONS')
  await ctx.transaction(async (tx) => {
    if (!(await lockUser(tx, userId))) throw new TollgateError('ADMIN_USER_NOT_FOUND')
    const count = await deleteSessionsOf(tx, userId)
    if (count === 0) return
    await emit(tx, ctx.clock.now(), {
      type: 'session.revoked',
      actorId: current.user.id,
      userId,
      data: { count },
    })
  })
  return { success: true }
}
