import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'

export type SandboxTokenRow = Selectable<Tables['sandboxToken']>
export type SandboxIntentRow = Selectable<Tables['sandboxIntent']>

export async function insertToken(tx: Tx, token: Insertable<Tables['sandboxToken']>): Promise<void> {
  await tx.insertInto('sandboxToken').values(token).execute()
}

export async function hasToken(db: Db, id: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('sandboxToken')
    .select('id')
    .where('id', '=', id)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Takes a token out of the table, so that it pays once; nothing where there is none, or its time is over. */
export const consumeToken = (tx: Tx, id: string, now: Date): Promise<SandboxTokenRow | undefined> =>
  tx.deleteFrom('sandboxToken').where('id', '=', id).where('expiresAt', '>', now).returningAll().executeTakeFirst()

/** Makes an intent; nothing where there is one of this payment already. */
export const insertIntent = (
  tx: Tx,
  intent: Insertable<Tables['sandboxIntent']>,
): Promise<SandboxIntentRow | undefined> =>
  tx
    .insertInto('sandboxIntent')
    .values(intent)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst()

export const findIntent = (db: Db, paymentId: string): Promise<SandboxIntentRow | undefined> =>
  db.selectFrom('sandboxIntent').selectAll().where('id', '=', paymentId).executeTakeFirst()

export const findIntentBySecret = (db: Db, clientSecretHash: string): Promise<SandboxIntentRow | undefined> =>
  db.selectFrom('sandboxIntent').selectAll().where('clientSecretHash', '=', clientSecretHash).executeTakeFirst()

/** Decides an intent that waits for its buyer; nothing where it has been decided. */
export const decideIntent = (
  tx: Tx,
  id: string,
  decision: { readonly status: 'succeeded' | 'failed'; readonly declineReason: string | null; readonly now: Date },
): Promise<SandboxIntentRow | undefined> =>
  tx
    .updateTable('sandboxIntent')
    .set({ status: decision.status, declineReason: decision.declineReason, updatedAt: decision.now })
    .where('id', '=', id)
    .where('status', '=', 'requires_action')
    .returningAll()
    .executeTakeFirst()
