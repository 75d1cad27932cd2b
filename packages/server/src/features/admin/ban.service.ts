import { after, seconds } from '../../foundation/clock.ts'
import { TollgateError } from '../../foundation/error.ts'
import { emit } from '../../foundation/outbox.ts'
import { requireAdmin, transactionAsAdministrator } from '../identity/access.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { toKnownUser } from '../identity/session-answer.ts'
import { deleteSessionsOf, liftBan, lockUser, updateUserRow } from '../identity/users.service.ts'

/**
 * Bans a user, permanently or for a while, and ends their sessions in the same transaction. Users cannot ban
 * themselves, so at least one administrator stays.
 */
export const adminBanUser: AuthHandler<'adminBanUser'> = async ({ ctx, session, body }) => {
  requireAdmin(ctx, session, 'user', 'ban', 'ADMIN_BAN_USERS')
  const { userId, banReason = null, banExpiresIn } = body
  if (userId === session.user.id) throw new TollgateError('ADMIN_CANNOT_BAN_YOURSELF')
  const now = ctx.clock.now()
  const banExpires = banExpiresIn === undefined ? null : after(now, seconds(banExpiresIn))
  const user = await transactionAsAdministrator(ctx, session, 'ADMIN_BAN_USERS', async (tx) => {
    const banned = await updateUserRow(tx, userId, { banned: true, banReason, banExpires, updatedAt: now })
    if (!banned) throw new TollgateError('ADMIN_USER_NOT_FOUND')
    await deleteSessionsOf(tx, userId)
    const data = { reason: banReason, until: banExpires?.toISOString() ?? null }
    await emit(tx, now, { type: 'user.banned', actorId: session.user.id, userId, data })
    return banned
  })
  return { user: toKnownUser(user, now) }
}

/** Lifts a ban; a no-op for a user who is not banned. */
export const adminUnbanUser: AuthHandler<'adminUnbanUser'> = async ({ ctx, session, body: { userId } }) => {
  requireAdmin(ctx, session, 'user', 'ban', 'ADMIN_BAN_USERS')
  const now = ctx.clock.now()
  const user = await transactionAsAdministrator(ctx, session, 'ADMIN_BAN_USERS', async (tx) => {
    const known = await lockUser(tx, userId)
    if (!known?.banned) return known
    const lifted = await liftBan(tx, userId, now)
    await emit(tx, now, { type: 'user.unbanned', actorId: session.user.id, userId })
    return lifted
  })
  if (!user) throw new TollgateError('ADMIN_USER_NOT_FOUND')
  return { user: toKnownUser(user, now) }
}
