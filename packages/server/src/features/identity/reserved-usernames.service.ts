import { after, days } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import type { Id, Tx } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import { findUserByUsername } from './user.repository.ts'
import { freeUsername, isUsernameReserved, keepUsername } from './verification.repository.ts'

/**
 * Usernames are public, and where addresses must be verified, a sign-up must not reveal whether its address is taken
 * (security, §0). A sign-up with a taken address therefore takes the username just as one with a new address does: the
 * name is reserved for the address's owner without becoming theirs.
 */

/** As long as a user who never verifies the address would hold the name. */
const keptFor = days(365 * 100)

/** Only with required verification do sign-ups with taken and new addresses look alike. */
const reserves = ({ config }: Context): boolean => config.emailAndPassword.requireEmailVerification

/** Whether a username is neither taken nor reserved. */
export async function isUsernameFree(ctx: Context, username: string): Promise<boolean> {
  if (await findUserByUsername(ctx.db, username)) return false
  return !reserves(ctx) || !(await isUsernameReserved(ctx.db, username))
}

/** Reserves a username for the owner of a taken address; throws USERNAME_TAKEN as a sign-up with a new one would. */
export async function reserveUsername(ctx: Context, tx: Tx, username: string, ownerId: Id<'user'>): Promise<void> {
  await keep(ctx, tx, username, ownerId)
  if (await findUserByUsername(tx, username)) throw new TollgateError('USERNAME_TAKEN')
}

/**
 * Writes a user who takes a username, unless it is reserved for another user. It also reserves the name until the
 * transaction ends, so that concurrent sign-ups with a taken and a new address wait for each other.
 */
export async function takingUsername<T>(
  ctx: Context,
  tx: Tx,
  { username, userId }: { username: string | null | undefined; userId: Id<'user'> },
  write: () => Promise<T>,
): Promise<T> {
  if (!username || !reserves(ctx)) return write()
  await keep(ctx, tx, username, userId)
  const written = await write()
  await freeUsername(tx, username)
  return written
}

async function keep(ctx: Context, tx: Tx, username: string, userId: Id<'user'>): Promise<void> {
  const now = ctx.clock.now()
  if (!(await keepUsername(tx, { username, userId, expiresAt: after(now, keptFor), now })))
    throw new TollgateError('USERNAME_TAKEN')
}
