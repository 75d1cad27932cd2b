import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { prepare } from '../db/prepared.ts'
import type { Tables } from '../db/tables.ts'

export type UserRow = Selectable<Tables['user']>

export const findUserByEmail = async (db: Db, email: string): Promise<UserRow | undefined> =>
  (await usersByEmail(db, { email }))[0]

const usersByEmail = prepare((db, { email }: { email: string }) =>
  db.selectFrom('user').selectAll().where('email', '=', email),
)

/** By the spelling in which usernames are stored; the unique index answers. */
export const findUserByUsername = async (db: Db, username: string): Promise<UserRow | undefined> =>
  (await usersByUsername(db, { username }))[0]

const usersByUsername = prepare((db, { username }: { username: string }) =>
  db.selectFrom('user').selectAll().where('username', '=', username),
)

export const findUser = (db: Db, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()

/** Reads a user whom nobody else changes, or makes links for, until the transaction ends. */
export const lockUser = (tx: Tx, id: string): Promise<UserRow | undefined> =>
  tx.selectFrom('user').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * Whether a user may begin a session; a ban that comes at this moment waits, and then ends the session too. Locked so that
 * it can be lifted in the same transaction: two that only shared it would wait for each other.
 */
export const findBan = async (tx: Tx, id: string): Promise<Pick<UserRow, 'banned' | 'banExpires'> | undefined> =>
  (await bansOf(tx, { id }))[0]

const bansOf = prepare((tx, { id }: { id: string }) =>
  tx.selectFrom('user').select(['banned', 'banExpires']).where('id', '=', id).forNoKeyUpdate(),
)

/** Lifts a ban; nothing comes back when the user is gone. */
export const liftBan = (tx: Tx, id: string, now: Date): Promise<UserRow | undefined> =>
  updateUserRow(tx, id, { banned: false, banReason: null, banExpires: null, updatedAt: now })

/** A ban holds until it is lifted or has run out. */
export const isBanned = (user: Pick<UserRow, 'banned' | 'banExpires'>, now: Date): boolean =>
  user.banned && (user.banExpires === null || user.banExpires > now)

export const insertUser = (tx: Tx, user: Insertable<Tables['user']>): Promise<UserRow> =>
  tx.insertInto('user').values(user).returningAll().executeTakeFirstOrThrow()

/** Changes a user; nothing comes back when the user is gone. */
export const updateUserRow = (tx: Tx, id: string, changes: Updateable<Tables['user']>): Promise<UserRow | undefined> =>
  tx.updateTable('user').set(changes).where('id', '=', id).returningAll().executeTakeFirst()

/** Replaces the address only if it is still the one that the decision was made on. */
export const replaceEmail = (tx: Tx, id: string, from: string, to: string, now: Date): Promise<UserRow | undefined> =>
  tx
    .updateTable('user')
    .set({ email: to, emailVerified: false, updatedAt: now })
    .where('id', '=', id)
    .where('email', '=', from)
    .returningAll()
    .executeTakeFirst()

/** Marks an address verified, once: nothing comes back when it was already, or is another by now. */
export const markEmailVerified = (tx: Tx, id: string, email: string, now: Date): Promise<UserRow | undefined> =>
  tx
    .updateTable('user')
    .set({ emailVerified: true, updatedAt: now })
    .where('id', '=', id)
    .where('email', '=', email)
    .where('emailVerified', '=', false)
    .returningAll()
    .executeTakeFirst()

/** Accounts and sessions go with the user (foreign keys). */
export const deleteUserRow = (tx: Tx, id: string): Promise<UserRow | undefined> =>
  tx.deleteFrom('user').where('id', '=', id).returningAll().executeTakeFirst()
