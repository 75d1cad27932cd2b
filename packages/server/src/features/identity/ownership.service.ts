import type { Context } from '../../foundation/context.ts'
import type { Id, Tx } from '../../foundation/db/database.ts'
import { emit } from '../../foundation/outbox.ts'
import { deleteSessionsOf } from './session.repository.ts'
import { deleteAccountsOf, lockAccounts, lockUser, markEmailVerified, type UserRow } from './user.repository.ts'
import { deleteAllProofs } from './verification.repository.ts'

/**
 * Reads and locks a user and their sign-in methods until the transaction ends; undefined when the user is gone. The
 * lock order is that of `lock-order.ts`.
 */
export async function lockUserAndAccounts(tx: Tx, id: Id<'user'>): Promise<UserRow | undefined> {
  await lockAccounts(tx, id)
  return lockUser(tx, id)
}

/** Ends every sign-in method of a user and every mailed link: password, linked accounts, sessions, links. */
export async function endAllAccess(tx: Tx, userId: Id<'user'>): Promise<void> {
  await deleteAccountsOf(tx, userId)
  await deleteSessionsOf(tx, userId)
  await deleteAllProofs(tx, userId)
}

/**
 * Marks a user's address as verified by a proof other than the account's own link. If the address was unverified, the
 * account may be a squatter's: its password, linked accounts, sessions and links end, and the user stays (security,
 * §0: "linking and pre-registered accounts"). A verified address changes nothing.
 */
export async function takePossession(ctx: Context, tx: Tx, user: UserRow): Promise<UserRow> {
  if (user.emailVerified) return user
  const now = ctx.clock.now()
  await endAllAccess(tx, user.id)
  const verified = await markEmailVerified(tx, user.id, user.email, now)
  await emit(tx, now, { type: 'user.email_verified', actorId: user.id, userId: user.id })
  return verified ?? user
}
