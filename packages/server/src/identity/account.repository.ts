import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { prepare } from '../db/prepared.ts'
import type { Tables } from '../db/tables.ts'
import { newId } from '../ids.ts'

export type AccountRow = Selectable<Tables['account']>

/** The account that holds a user's password. */
export const credentialProvider = 'credential'

export const findCredentialAccount = async (db: Db, userId: string): Promise<AccountRow | undefined> =>
  (await credentialAccounts(db, { userId }))[0]

const credentialAccounts = prepare((db, { userId }: { userId: string }) =>
  db.selectFrom('account').selectAll().where('userId', '=', userId).where('providerId', '=', credentialProvider),
)

/**
 * Keeps a user's accounts as they are until the transaction ends. A sign-in looks at the account before the user, so
 * whoever changes or deletes both does so in this order: else the two could wait for each other.
 */
export const lockAccounts = (tx: Tx, userId: string): Promise<unknown> =>
  tx.selectFrom('account').select('id').where('userId', '=', userId).orderBy('id').forUpdate().execute()

/** Gives a user a password, replacing the one there is: two at once cannot make two accounts. */
export const putCredentialAccount = (tx: Tx, userId: string, password: string, now: Date): Promise<unknown> =>
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

/** Every way in that a user has, the password among them. */
export const deleteAccountsOf = (tx: Tx, userId: string): Promise<unknown> =>
  tx.deleteFrom('account').where('userId', '=', userId).execute()

/** Replaces a password only if it is still the one that was checked. */
export const replacePassword = (
  tx: Tx,
  userId: string,
  from: string | null,
  to: string,
  now: Date,
): Promise<{ id: string } | undefined> =>
  tx
    .updateTable('account')
    .set({ password: to, updatedAt: now })
    .where('userId', '=', userId)
    .where('providerId', '=', credentialProvider)
    .where('password', from === null ? 'is' : '=', from)
    .returning('id')
    .executeTakeFirst()

/** Whether a password is still the one that was checked; it stays so until the transaction ends. */
export async function isStillPassword(tx: Tx, userId: string, password: string): Promise<boolean> {
  const accounts = await accountsByPassword(tx, { userId, password })
  return accounts.length > 0
}

const accountsByPassword = prepare((tx, given: { userId: string; password: string }) =>
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

/** One stored password of each foreign kind and cost that is still there; the partial index holds nothing else. */
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
