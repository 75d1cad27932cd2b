import type { Db, Id, Tx } from '../../foundation/db/database.ts'

/** The newest mails, optionally to one address. */
export function listInbox(db: Db, recipient?: string) {
  const query = db.selectFrom('inboxMessage').selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(200)
  return (recipient === undefined ? query : query.where('recipient', '=', recipient)).execute()
}

export const findInboxMessage = (db: Db, id: Id<'inboxMessage'>) =>
  db.selectFrom('inboxMessage').selectAll().where('id', '=', id).executeTakeFirst()

export const emptyInbox = (tx: Tx) => tx.deleteFrom('inboxMessage').execute()

/** Lets all sessions that have not expired expire at one time. */
export const extendSessions = (tx: Tx, expiresAt: Date, now: Date) =>
  tx
    .updateTable('session')
    .set({ expiresAt, updatedAt: now })
    .where('expiresAt', '>', now)
    .where('expiresAt', '<', expiresAt)
    .execute()

const clockSetting = 'clock_offset_milliseconds'

/** The development clock survives a restart. */
export const saveClockOffset = (tx: Tx, offset: number, now: Date) =>
  tx
    .insertInto('setting')
    .values({ key: clockSetting, value: String(offset), updatedAt: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: String(offset), updatedAt: now }))
    .execute()

export async function findClockOffset(db: Db): Promise<number> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', clockSetting).executeTakeFirst()
  return Number(row?.value ?? 0)
}
