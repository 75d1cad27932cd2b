import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { emit } from '../outbox.ts'
import { deleteAccountsOf, lockAccounts } from './account.repository.ts'
import { deleteSessionsOf } from './session.repository.ts'
import { lockUser, markEmailVerified, type UserRow } from './user.repository.ts'
import { deleteAllProofs } from './verification.repository.ts'

/**
 * Reads a user whom nobody changes, and whose ways in stay as they are, until the transaction ends; nothing when the user
 * is gone. Locked in the order in which everybody does (ARCHITECTURE.md, "Transactions").
 */
export async function lockUserAndAccounts(tx: Tx, id: string): Promise<UserRow | undefined> {
  await lockAccounts(tx, id)
  return lockUser(tx, id)
}

/** Ends every way in that there is to a user, and what was mailed to them: password, linked accounts, sessions, links. */
export async function endAllAccess(tx: Tx, userId: string): Promise<void> {
  await deleteAccountsOf(tx, userId)
  await deleteSessionsOf(tx, userId)
  await deleteAllProofs(tx, userId)
}

/**
 * Somebody proves that a user's address is theirs, by another way than the link that the account itself was mailed. Where
 * nobody had proved it before, what is there may be a squatter's: password, linked accounts, sessions and links end, the
 * user stays (security, §0: "linking and pre-registered accounts"). An address that was verified already changes nothing.
 */
export async function takePossession(ctx: Context, tx: Tx, user: UserRow): Promise<UserRow> {
  if (user.emailVerified) return user
  const now = ctx.clock.now()
  await endAllAccess(tx, user.id)
  const verified = await markEmailVerified(tx, user.id, user.email, now)
  await emit(tx, now, { type: 'user.email_verified', actorId: user.id, userId: user.id })
  return verified ?? user
}
