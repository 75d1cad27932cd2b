import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { emit } from '../outbox.ts'
import { deleteAccountsOf } from './account.repository.ts'
import { deleteSessionsOf } from './session.repository.ts'
import { markEmailVerified, type UserRow } from './user.repository.ts'
import { deleteAllProofs } from './verification.repository.ts'

/**
 * Somebody proves that a user's address is theirs, by another way than the link that the account itself was mailed. Where
 * nobody had proved it before, what is there may be a squatter's: password, linked accounts, sessions and links end, the
 * user stays (security, §0: "linking and pre-registered accounts"). An address that was verified already changes nothing.
 */
export async function takePossession(ctx: Context, tx: Tx, user: UserRow): Promise<UserRow> {
  if (user.emailVerified) return user
  const now = ctx.clock.now()
  await deleteAccountsOf(tx, user.id)
  await deleteSessionsOf(tx, user.id)
  await deleteAllProofs(tx, user.id)
  const verified = await markEmailVerified(tx, user.id, user.email, now)
  await emit(tx, now, { type: 'user.email_verified', actorId: user.id, userId: user.id })
  return verified ?? user
}
