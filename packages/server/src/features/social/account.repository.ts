import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { hasRow } from '../../foundation/db/rows.ts'
import type { Tables } from '../../foundation/db/tables.ts'

export type AccountRow = Selectable<Tables['account']>

/** More accounts than people link: one per provider, several of one only for people who have them. */
const accountLimit = 200

export const findAccount = (db: Db, providerId: string, accountId: string): Promise<AccountRow | undefined> =>
  db
    .selectFrom('account')
    .selectAll()
    .where('providerId', '=', providerId)
    .where('accountId', '=', accountId)
    .executeTakeFirst()

/** A user's accounts, oldest first. */
export const listAccountsOf = (db: Db, userId: Id<'user'>): Promise<AccountRow[]> =>
  db
    .selectFrom('account')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(accountLimit)
    .execute()

export const insertAccount = (tx: Tx, account: Insertable<Tables['account']>): Promise<unknown> =>
  tx.insertInto('account').values(account).execute()

/** Stores new tokens of an account; false if it no longer belongs to that user. */
export const updateAccount = (
  tx: Tx,
  { id, userId }: Pick<AccountRow, 'id' | 'userId'>,
  changes: Updateable<Tables['account']>,
): Promise<boolean> =>
  hasRow(tx.updateTable('account').set(changes).where('id', '=', id).where('userId', '=', userId).returning('id'))

/** Stores new tokens only if the refresh token is still the one that was exchanged for them. */
export const replaceTokens = (
  tx: Tx,
  id: Id<'account'>,
  from: string,
  changes: Updateable<Tables['account']>,
): Promise<boolean> =>
  hasRow(tx.updateTable('account').set(changes).where('id', '=', id).where('refreshToken', '=', from).returning('id'))

export const deleteAccount = (tx: Tx, id: Id<'account'>): Promise<unknown> =>
  tx.deleteFrom('account').where('id', '=', id).execute()
