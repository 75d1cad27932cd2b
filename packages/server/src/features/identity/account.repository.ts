import { type Selectable, sql } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { enterLock, lockInOrder } from '../../foundation/db/lock-order.ts'
import { prepare } from '../../foundation/db/prepared.ts'
import type { Tables } from '../../foundation/db/tables.ts'
import { newId } from '../../foundation/ids.ts'

export type AccountRow = Selectable<Tables['account']>

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
