import type { Db, Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { sha256 } from '../token.ts'

/** What a one-time proof is for. A proof for one purpose is none for another. */
export type Purpose = 'reset-password' | 'verify-email' | 'change-email' | 'delete-user' | 'first-admin'

/** The secret itself is never stored: a leaked table opens nothing. */
const identifierOf = (purpose: Purpose, secret: string): string => `${purpose}:${sha256(secret)}`

export type NewProof = { purpose: Purpose; secret: string; userId: string; expiresAt: Date; now: Date }

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

/** An unexpired proof: whom it belongs to, and until when, without using it up. */
export const findProof = (
  db: Db,
  purpose: Purpose,
  secret: string,
  now: Date,
): Promise<{ userId: string; expiresAt: Date } | undefined> =>
  db
    .selectFrom('verification')
    .select(['value as userId', 'expiresAt'])
    .where('identifier', '=', identifierOf(purpose, secret))
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** Whom an unexpired proof belongs to, without using it up. */
export const findProofUser = async (db: Db, purpose: Purpose, secret: string, now: Date): Promise<string | undefined> =>
  (await findProof(db, purpose, secret, now))?.userId

/** Uses a proof up: of several calls at once, one gets true. */
export async function consumeProof(
  tx: Tx,
  purpose: Purpose,
  secret: string,
  userId: string,
  now: Date,
): Promise<boolean> {
  const row = await tx
    .deleteFrom('verification')
    .where('identifier', '=', identifierOf(purpose, secret))
    .where('value', '=', userId)
    .where('expiresAt', '>', now)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** A new link ends the older ones. */
export const deleteProofs = (tx: Tx, purpose: Purpose, userId: string): Promise<unknown> =>
  tx.deleteFrom('verification').where('value', '=', userId).where('identifier', 'like', `${purpose}:%`).execute()

/** Ends the link and the code that were mailed to an address to sign in with. */
export const deleteMagicLink = (tx: Tx, email: string): Promise<unknown> =>
  tx.deleteFrom('magicLink').where('mailbox', '=', sha256(email)).execute()

export const deleteAllProofs = (tx: Tx, userId: string): Promise<unknown> =>
  tx.deleteFrom('verification').where('value', '=', userId).execute()

const usernameIdentifier = (username: string): string => `username:${username}`

/** Reserves a username for a user, or finds that it is theirs already; false when it is somebody else's. */
export async function keepUsername(
  tx: Tx,
  { username, userId, expiresAt, now }: { username: string; userId: string; expiresAt: Date; now: Date },
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

export async function isUsernameReserved(db: Db, username: string): Promise<boolean> {
  const row = await db
    .selectFrom('verification')
    .select('id')
    .where('identifier', '=', usernameIdentifier(username))
    .executeTakeFirst()
  return row !== undefined
}
