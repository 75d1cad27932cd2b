import { TollgateError } from '../../foundation/error.ts'
import { emit } from '../../foundation/outbox.ts'
import { requireAdmin, transactionAsAdministrator } from '../identity/access.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { toSession } from '../identity/session-answer.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findSessionByToken,
  findUser,
  listEverySession,
  lockUser,
} from '../identity/users.service.ts'

/** A user's unexpired sessions, newest first; `impersonatedBy` marks an administrator's impersonation. */
export const adminListUserSessions: AuthHandler<'adminListUserSessions'> = async ({ ctx, session, body }) => {
  const { userId } = body
  requireAdmin(ctx, session, 'session', 'list', 'ADMIN_LIST_SESSIONS')
  if (!(await findUser(ctx.db, userId))) throw new TollgateError('ADMIN_USER_NOT_FOUND')
  const sessions = await listEverySession(ctx.db, userId, ctx.clock.now())
  return { sessions: sessions.map(toSession) }
}

/** Ends a session of any user, by its token. */
export const adminRevokeUserSession: AuthHandler<'adminRevokeUserSession'> = async ({
  ctx,
  session: current,
  body: { sessionToken: token },
}) => {
  requireAdmin(ctx, current, 'session', 'revoke', 'ADMIN_REVOKE_SESSIONS')
  const session = await findSessionByToken(ctx.db, token)
  if (!session) throw new TollgateError('SESSION_NOT_FOUND')
  await transactionAsAdministrator(ctx, current, 'ADMIN_REVOKE_SESSIONS', async (tx) => {
    if (!(await deleteSession(tx, session.id))) return // a concurrent request ended it first
    const data = { sessionId: session.id }
    await emit(tx, ctx.clock.now(), { type: 'session.revoked', actorId: current.user.id, userId: session.userId, data })
  })
  return { success: true }
}

/** Ends every session of a user, and their impersonations of others. */
export const adminRevokeUserSessions: AuthHandler<'adminRevokeUserSessions'> = async ({ ctx, session, body }) => {
  const { userId } = body
  requireAdmin(ctx, session, 'session', 'revoke', 'ADMIN_REVOKE_SESSIONS')
  await transactionAsAdministrator(ctx, session, 'ADMIN_REVOKE_SESSIONS', async (tx) => {
    if (!(await lockUser(tx, userId))) throw new TollgateError('ADMIN_USER_NOT_FOUND')
    const count = await deleteSessionsOf(tx, userId)
    if (count === 0) return
    await emit(tx, ctx.clock.now(), {
      type: 'session.revoked',
      actorId: session.user.id,
      userId,
      data: { count },
    })
  })
  return { success: true }
}
