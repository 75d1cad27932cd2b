import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { enterLock, lockInOrder } from '../../foundation/db/lock-order.ts'
import { prepare } from '../../foundation/db/prepared.ts'
import type { Tables } from '../../foundation/db/tables.ts'
import { newId } from '../../foundation/ids.ts'

/** Users, and the accounts by which they sign in. */

export type UserRow = Selectable<Tables['user']>
type AccountRow = Selectable<Tables['account']>

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

/** The account that holds a user's password. */
export const credentialProvider = 'credential'

export const findCredentialAccount = async (db: Db, userId: Id<'user'>): Promise<AccountRow | undefined> =>
  (await credentialAccounts(db, { userId }))[0]

const credentialAccounts = prepare((db, { userId }: { userId: Id<'user'> }) =>
  db.selectFrom('account').selectAll().where('userId', '=', userId).where('providerId', '=', credentialProvider),
)

/**
 * Locks a user's accounts until the transaction ends. A sign-in reads the account before the user, so every writer of
 * both locks in this order to avoid a deadlock.
 */
export const lockAccounts = (tx: Tx, userId: Id<'user'>): Promise<unknown> =>
  lockInOrder(
    tx,
    'account',
    userId,
    tx.selectFrom('account').select('id').where('userId', '=', userId).orderBy('id'),
  ).execute()

/** Sets a user's password, replacing any existing one. Two concurrent calls cannot create two accounts. */
export const putCredentialAccount = (tx: Tx, userId: Id<'user'>, password: string, now: Date): Promise<unknown> =>
  tx
    .insertInto('account')
    .values({
      id: newId(),
      providerId: credentialProvider,
      accountId: userId,
      userId,
      password,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.columns(['providerId', 'accountId']).doUpdateSet({ password, updatedAt: now }))
    .execute()

/** Every sign-in method of a user, including the password. */
export const deleteAccountsOf = (tx: Tx, userId: Id<'user'>): Promise<unknown> =>
  tx.deleteFrom('account').where('userId', '=', userId).execute()

/** Replaces a password only if it is still the one that was checked. */
export const replacePassword = (tx: Tx, userId: Id<'user'>, from: string | null, to: string, now: Date) =>
  tx
    .updateTable('account')
    .set({ password: to, updatedAt: now })
    .where('userId', '=', userId)
    .where('providerId', '=', credentialProvider)
    .where('password', from === null ? 'is' : '=', from)
    .returning('id')
    .executeTakeFirst()

/** Whether a password is still the one that was checked; locks it until the transaction ends. */
export async function isStillPassword(tx: Tx, userId: Id<'user'>, password: string): Promise<boolean> {
  enterLock(tx, 'account', userId)
  const accounts = await accountsByPassword(tx, { userId, password })
  return accounts.length > 0
}

const accountsByPassword = prepare((tx, given: { userId: Id<'user'>; password: string }) =>
  tx
    .selectFrom('account')
    .select('id')
    .where('userId', '=', given.userId)
    .where('providerId', '=', credentialProvider)
    .where('password', '=', given.password)
    .forShare(),
)

/** More kinds and costs than any import brings. */
const importedKindsLimit = 20

/** One stored password of each foreign kind and cost still in use; the partial index holds only foreign ones. */
export async function listImportedPasswords(db: Db): Promise<string[]> {
  const cost = sql`case
    when password like '$2%' then substr(password, 1, 7)
    when password like '%pbkdf2%' then substr(password, 1, 20)
    when password like '$%' then substr(password, 1, 24)
    else 'other' end`
  const rows = await db
    .selectFrom('account')
    .select((select) => select.fn.min('password').as('password'))
    .where(sql<boolean>`password is not null and substr(password, 1, 31) <> '$argon2id$v=19$m=19456,t=2,p=1$'`)
    .groupBy(cost)
    .limit(importedKindsLimit)
    .execute()
  return rows.flatMap(({ password }) => password ?? [])
}
