import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import { newId } from '../ids.ts'

export type AccountRow = Selectable<Tables['account']>

/** The account that holds a user's password. */
export const credentialProvider = 'credential'

export const findCredentialAccount = (db: Db, userId: string): Promise<AccountRow | undefined> =>
  db
    .selectFrom('account')
    .selectAll()
    .where('userId', '=', userId)
    .where('providerId', '=', credentialProvider)
    .executeTakeFirst()

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

/** One stored password of each foreign kind that is still there; the partial index holds nothing else. */
export async function listImportedPasswords(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('account')
    .select((select) => select.fn.min('password').as('password'))
    .where(sql<boolean>`password is not null and substr(password, 1, 10) <> '$argon2id$'`)
    .groupBy(sql`substr(password, 1, 2)`)
    .execute()
  return rows.flatMap(({ password }) => password ?? [])
}
