import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { enterLock, lockInOrder } from '../../foundation/db/lock-order.ts'
import { prepare } from '../../foundation/db/prepared.ts'
import type { Tables } from '../../foundation/db/tables.ts'

export type UserRow = Selectable<Tables['user']>

export const findUserByEmail = async (db: Db, email: string): Promise<UserRow | undefined> =>
  (await usersByEmail(db, { email }))[0]

const usersByEmail = prepare((db, { email }: { email: string }) =>
  db.selectFrom('user').selectAll().where('email', '=', email),
)

/** Finds a user by the normalised username, which has a unique index. */
export const findUserByUsername = async (db: Db, username: string): Promise<UserRow | undefined> =>
  (await usersByUsername(db, { username }))[0]

const usersByUsername = prepare((db, { username }: { username: string }) =>
  db.selectFrom('user').selectAll().where('username', '=', username),
)

export const findUser = (db: Db, id: Id<'user'>): Promise<UserRow | undefined> =>
  db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()

/** Reads a user and locks the row, against changes and new links, until the transaction ends. */
export const lockUser = (tx: Tx, id: Id<'user'>): Promise<UserRow | undefined> =>
  lockInOrder(tx, 'user', id, tx.selectFrom('user').selectAll().where('id', '=', id)).executeTakeFirst()

/** What decides whether a user may begin a session. */
export type SignInState = Pick<UserRow, 'banned' | 'banExpires' | 'emailVerified'>

/**
 * Reads and locks whether a user may begin a session. A concurrent ban waits, and then ends the session too. The lock
 * is exclusive because the transaction may lift the ban: two shared locks would deadlock.
 */
export async function findSignInState(tx: Tx, id: Id<'user'>): Promise<SignInState | undefined> {
  enterLock(tx, 'user', id)
  return (await signInStates(tx, { id }))[0]
}

const signInStates = prepare((tx, { id }: { id: Id<'user'> }) =>
  tx.selectFrom('user').select(['banned', 'banExpires', 'emailVerified']).where('id', '=', id).forNoKeyUpdate(),
)

/** Lifts a ban; returns undefined when the user is gone. */
export const liftBan = (tx: Tx, id: Id<'user'>, now: Date): Promise<UserRow | undefined> =>
  updateUserRow(tx, id, { banned: false, banReason: null, banExpires: null, updatedAt: now })

/** A ban holds until it is lifted or expires. */
export const isBanned = (user: Pick<UserRow, 'banned' | 'banExpires'>, now: Date): boolean =>
  user.banned && (user.banExpires === null || user.banExpires > now)

export const insertUser = (tx: Tx, user: Insertable<Tables['user']>): Promise<UserRow> =>
  tx.insertInto('user').values(user).returningAll().executeTakeFirstOrThrow()

/** Changes a user; returns undefined when the user is gone. */
export const updateUserRow = (
  tx: Tx,
  id: Id<'user'>,
  changes: Updateable<Tables['user']>,
): Promise<UserRow | undefined> =>
  tx.updateTable('user').set(changes).where('id', '=', id).returningAll().executeTakeFirst()

/** Replaces the address only if it is still the one that the decision was based on. */
export const replaceEmail = (
  tx: Tx,
  id: Id<'user'>,
  from: string,
  to: string,
  now: Date,
): Promise<UserRow | undefined> =>
  tx
    .updateTable('user')
    .set({ email: to, emailVerified: false, updatedAt: now })
    .where('id', '=', id)
    .where('email', '=', from)
    .returningAll()
    .executeTakeFirst()

/** Marks an address verified, once; returns undefined when it is already verified or has changed. */
export const markEmailVerified = (tx: Tx, id: Id<'user'>, email: string, now: Date): Promise<UserRow | undefined> =>
  tx
    .updateTable('user')
    .set({ emailVerified: true, updatedAt: now })
    .where('id', '=', id)
    .where('email', '=', email)
    .where('emailVerified', '=', false)
    .returningAll()
    .executeTakeFirst()

/** Foreign keys delete accounts and sessions along with the user. */
export const deleteUserRow = (tx: Tx, id: Id<'user'>): Promise<UserRow | undefined> =>
  tx.deleteFrom('user').where('id', '=', id).returningAll().executeTakeFirst()
