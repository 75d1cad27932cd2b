import { after, days } from '../clock.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { TollgateError } from '../error.ts'
import { findUserByUsername } from './user.repository.ts'
import { freeUsername, isUsernameReserved, keepUsername } from './verification.repository.ts'

/**
 * Usernames are public, and where addresses have to be verified a sign-up must not tell whether its address is taken
 * (security, §0). So a username is gone after a sign-up with a taken address as it is after one with a new address, of
 * which nobody has to follow the link either: it is reserved for whoever has the address, without being theirs.
 */

/** As long as a user who never verifies the address would have the name. */
const keptFor = days(365 * 100)

/** Only there a sign-up with a taken address looks like any other. */
const reserves = ({ config }: Context): boolean => config.emailAndPassword.requireEmailVerification

/** Whether nobody has a username and it is reserved for nobody. */
export async function isUsernameFree(ctx: Context, username: string): Promise<boolean> {
  if (await findUserByUsername(ctx.db, username)) return false
  return !reserves(ctx) || !(await isUsernameReserved(ctx.db, username))
}

/** Reserves a username for the owner of a taken address; throws USERNAME_TAKEN as a sign-up with a new one would. */
export async function reserveUsername(ctx: Context, tx: Tx, username: string, ownerId: string): Promise<void> {
  await keep(ctx, tx, username, ownerId)
  if (await findUserByUsername(tx, username)) throw new TollgateError('USERNAME_TAKEN')
}

/**
 * Writes a user who takes a username, unless it is reserved for somebody else. For the time of the transaction the name is
 * reserved here as well, so that of a sign-up with a taken address and one with a new one at the same moment one waits.
 */
export async function takingUsername<T>(
  ctx: Context,
  tx: Tx,
  { username, userId }: { username: string | null | undefined; userId: string },
  write: () => Promise<T>,
): Promise<T> {
  if (!username || !reserves(ctx)) return write()
  await keep(ctx, tx, username, userId)
  const written = await write()
  await freeUsername(tx, username)
  return written
}

async function keep(ctx: Context, tx: Tx, username: string, userId: string): Promise<void> {
  const now = ctx.clock.now()
  if (!(await keepUsername(tx, { username, userId, expiresAt: after(now, keptFor), now })))
    throw new TollgateError('USERNAME_TAKEN')
}
