import type { Answer, ParsedBody } from '@tollgate/contract/types'
import { lockAdministrators, requireAdmin } from '../access.ts'
import { after, seconds } from '../clock.ts'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'
import { toKnownUser } from '../identity/session-answer.ts'
import { deleteSessionsOf, liftBan, lockUser, updateUserRow } from '../identity/users.service.ts'
import { emit } from '../outbox.ts'

/**
 * Bans a user, for ever or for a while, and ends their sessions in the same transaction. Nobody bans themselves, so that
 * there is always somebody who administers.
 */
export async function adminBanUser(
  ctx: Context,
  current: SessionRow,
  body: ParsedBody<'adminBanUser'>,
): Promise<Answer<'adminBanUser'>> {
  requireAdmin(ctx, current, 'user', 'ban', 'ADMIN_BAN_USERS')
  const { userId, banReason = null, banExpiresIn } = body
  if (userId === current.user.id) throw new TollgateError('ADMIN_CANNOT_BAN_YOURSELF')
  const now = ctx.clock.now()
  const banExpires = banExpiresIn === undefined ? null : after(now, seconds(banExpiresIn))
  const user = await ctx.transaction(async (tx) => {
    await lockAdministrators(ctx, tx, current, 'ADMIN_BAN_USERS')
    const banned = await updateUserRow(tx, userId, { banned: true, banReason, banExpires, updatedAt: now })
    if (!banned) throw new TollgateError('ADMIN_USER_NOT_FOUND')
    await deleteSessionsOf(tx, userId)
    const data = { reason: banReason, until: banExpires?.toISOString() ?? null }
    await emit(tx, now, { type: 'user.banned', actorId: current.user.id, userId, data })
    return banned
  })
  return { user: toKnownUser(user, now) }
}

/** Lifts a ban; of a user who is not banned, nothing changes. */
export async function adminUnbanUser(
  ctx: Context,
  current: SessionRow,
  userId: string,
): Promise<Answer<'adminUnbanUser'>> {
  requireAdmin(ctx, current, 'user', 'ban', 'ADMIN_BAN_USERS')
  const now = ctx.clock.now()
  const user = await ctx.transaction(async (tx) => {
    const known = await lockUser(tx, userId)
    if (!known?.banned) return known
    const lifted = await liftBan(tx, userId, now)
    await emit(tx, now, { type: 'user.unbanned', actorId: current.user.id, userId })
    return lifted
  })
  if (!user) throw new TollgateError('ADMIN_USER_NOT_FOUND')
  return { user: toKnownUser(user, now) }
}
