import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'

export type MagicLinkRow = Selectable<Tables['magicLink']>

/** A code is tried five times (security, §0): the chance of a guess stays at one in two hundred thousand. */
const triesLimit = 5

/** Stores a link with its code; the ones before, mailed to the same mailbox, end. */
export const replaceMagicLink = (tx: Tx, link: MagicLinkRow): Promise<unknown> => {
  const { mailbox, ...rest } = link
  return tx
    .insertInto('magicLink')
    .values(link)
    .onConflict((conflict) => conflict.column('mailbox').doUpdateSet(rest))
    .execute()
}

/** Whether it has expired is the caller's to see. */
export const findMagicLink = (db: Db, tokenHash: string): Promise<MagicLinkRow | undefined> =>
  db.selectFrom('magicLink').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst()

/** Uses a link and its code up: of several calls at once, one gets true. */
export async function consumeMagicLink(tx: Tx, tokenHash: string, now: Date): Promise<boolean> {
  const row = await tx
    .deleteFrom('magicLink')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .returning('mailbox')
    .executeTakeFirst()
  return row !== undefined
}

/** Counts a try of the mailbox's code, before anybody has compared it; nothing when there is none, or none is left. */
export const countTry = (tx: Tx, mailbox: string): Promise<MagicLinkRow | undefined> =>
  tx
    .updateTable('magicLink')
    .set((set) => ({ tries: set('tries', '+', 1) }))
    .where('mailbox', '=', mailbox)
    .where('tries', '<', triesLimit)
    .returningAll()
    .executeTakeFirst()

/** Ends a code that has been tried too often, and its link; true if there was one. */
export async function deleteExhaustedLink(tx: Tx, mailbox: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('magicLink')
    .where('mailbox', '=', mailbox)
    .where('tries', '>=', triesLimit)
    .returning('mailbox')
    .executeTakeFirst()
  return row !== undefined
}
