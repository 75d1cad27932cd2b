import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { enterLock } from '../../foundation/db/lock-order.ts'
import { hasRow } from '../../foundation/db/rows.ts'
import { newId } from '../../foundation/ids.ts'
import { sha256 } from '../../foundation/token.ts'

/** The purpose of a one-time proof. A proof is valid for one purpose only. */
export type Purpose = 'reset-password' | 'verify-email' | 'change-email' | 'delete-user' | 'first-admin'

/** The secret itself is never stored: a leaked table opens nothing. */
const identifierOf = (purpose: Purpose, secret: string): string => `${purpose}:${sha256(secret)}`

export type NewProof = { purpose: Purpose; secret: string; userId: Id<'user'>; expiresAt: Date; now: Date }

export const insertProof = (tx: Tx, proof: NewProof): Promise<unknown> =>
  tx
    .insertInto('verification')
    .values({
      id: newId(),
      identifier: identifierOf(proof.purpose, proof.secret),
      value: proof.userId,
      expiresAt: proof.expiresAt,
      createdAt: proof.now,
      updatedAt: proof.now,
    })
    .execute()

/** An unexpired proof's owner and expiry; does not consume it. */
export const findProof = (db: Db, purpose: Purpose, secret: string, now: Date) =>
  db
    .selectFrom('verification')
    .select(['value as userId', 'expiresAt'])
    .where('identifier', '=', identifierOf(purpose, secret))
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** An unexpired proof's owner; does not consume it. */
export const findProofUser = async (db: Db, purpose: Purpose, secret: string, now: Date): Promise<string | undefined> =>
  (await findProof(db, purpose, secret, now))?.userId

/** Consumes a proof: of several concurrent calls, one gets true. */
export const consumeProof = (
  tx: Tx,
  purpose: Purpose,
  secret: string,
  userId: Id<'user'>,
  now: Date,
): Promise<boolean> =>
  hasRow(
    tx
      .deleteFrom('verification')
      .where('identifier', '=', identifierOf(purpose, secret))
      .where('value', '=', userId)
      .where('expiresAt', '>', now)
      .returning('id'),
  )

/** A new link ends the older ones. */
export const deleteProofs = (tx: Tx, purpose: Purpose, userId: Id<'user'>): Promise<unknown> =>
  tx.deleteFrom('verification').where('value', '=', userId).where('identifier', 'like', `${purpose}:%`).execute()

/** Ends the link and the code mailed to an address for sign-in. */
export function deleteMagicLink(tx: Tx, email: string): Promise<unknown> {
  enterLock(tx, 'magicLink')
  return tx.deleteFrom('magicLink').where('mailbox', '=', sha256(email)).execute()
}

export const deleteAllProofs = (tx: Tx, userId: Id<'user'>): Promise<unknown> =>
  tx.deleteFrom('verification').where('value', '=', userId).execute()

const usernameIdentifier = (username: string): string => `username:${username}`

/** Reserves a username for a user, or confirms that it is theirs; false when it belongs to another user. */
export async function keepUsername(
  tx: Tx,
  { username, userId, expiresAt, now }: { username: string; userId: Id<'user'>; expiresAt: Date; now: Date },
): Promise<boolean> {
  const identifier = usernameIdentifier(username)
  const row = await tx
    .insertInto('verification')
    .values({ id: newId(), identifier, value: userId, expiresAt, createdAt: now, updatedAt: now })
    .onConflict((conflict) =>
      conflict.column('identifier').doUpdateSet({ updatedAt: now }).where('verification.value', '=', userId),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const freeUsername = (tx: Tx, username: string): Promise<unknown> =>
  tx.deleteFrom('verification').where('identifier', '=', usernameIdentifier(username)).execute()

export const isUsernameReserved = (db: Db, username: string): Promise<boolean> =>
  hasRow(db.selectFrom('verification').select('id').where('identifier', '=', usernameIdentifier(username)))

export async function deleteExpiredProofs(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('verification').where('expiresAt', '<=', now).execute()
}
