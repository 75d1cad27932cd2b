import type { Insertable, Selectable } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import type { Tables } from '../../foundation/db/tables.ts'

export type KeyRow = Selectable<Tables['jwks']>

/** Even hourly rotation leaves fewer keys in a month, and a verifier reads all of them. */
const publishedLimit = 1000

export const insertKey = (tx: Tx, key: Insertable<Tables['jwks']>): Promise<unknown> =>
  tx.insertInto('jwks').values(key).execute()

/** The keys that still verify tokens: unreplaced keys first, each group newest first. */
export const listPublishedKeys = (db: Db, now: Date): Promise<KeyRow[]> =>
  db
    .selectFrom('jwks')
    .selectAll()
    .where((is) => is.or([is('retiresAt', 'is', null), is('retiresAt', '>', now)]))
    .orderBy((by) => by.case().when('retiresAt', 'is', null).then(0).else(1).end())
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(publishedLimit)
    .execute()

/** Sets the keys' end; returns how many had none yet. Zero means that another process has replaced them. */
export async function retireKeys(tx: Tx, ids: readonly Id<'jwks'>[], retiresAt: Date): Promise<number> {
  const rows = await tx
    .updateTable('jwks')
    .set({ retiresAt })
    .where('id', 'in', ids)
    .where('retiresAt', 'is', null)
    .returning('id')
    .execute()
  return rows.length
}

export async function deleteRetiredKeys(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('jwks').where('retiresAt', '<=', now).execute()
}
