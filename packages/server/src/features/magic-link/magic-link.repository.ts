import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../foundation/db/database.ts'
import { enterLock } from '../../foundation/db/lock-order.ts'
import { hasRow } from '../../foundation/db/rows.ts'
import type { Tables } from '../../foundation/db/tables.ts'

export type MagicLinkRow = Selectable<Tables['magicLink']>

/** A code allows five tries (security, §0): the chance of a guess stays at one in two hundred thousand. */
const triesLimit = 5

/** Stores a link with its code, and ends earlier ones mailed to the same mailbox. */
export const replaceMagicLink = (tx: Tx, link: MagicLinkRow): Promise<unknown> => {
  const { mailbox, ...rest } = link
  return tx
    .insertInto('magicLink')
    .values(link)
    .onConflict((conflict) => conflict.column('mailbox').doUpdateSet(rest))
    .execute()
}

/** The caller checks the expiry. */
export const findMagicLink = (db: Db, tokenHash: string): Promise<MagicLinkRow | undefined> =>
  db.selectFrom('magicLink').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst()

/** Consumes a link and its code: of several concurrent calls, one gets true. */
export async function consumeMagicLink(tx: Tx, tokenHash: string, now: Date): Promise<boolean> {
  enterLock(tx, 'magicLink')
  const row = await tx
    .deleteFrom('magicLink')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .returning('mailbox')
    .executeTakeFirst()
  return row !== undefined
}

/** Counts a try of the mailbox's code before any comparison; undefined without a code or remaining tries. */
export const countTry = (tx: Tx, mailbox: string): Promise<MagicLinkRow | undefined> =>
  tx
    .updateTable('magicLink')
    .set((set) => ({ tries: set('tries', '+', 1) }))
    .where('mailbox', '=', mailbox)
    .where('tries', '<', triesLimit)
    .returningAll()
    .executeTakeFirst()

/** Ends a code with too many tries, and its link; true if there was one. */
export const deleteExhaustedLink = (tx: Tx, mailbox: string): Promise<boolean> =>
  hasRow(
    tx.deleteFrom('magicLink').where('mailbox', '=', mailbox).where('tries', '>=', triesLimit).returning('mailbox'),
  )

export async function deleteLinksExpiredBefore(tx: Tx, time: Date): Promise<void> {
  await tx.deleteFrom('magicLink').where('expiresAt', '<=', time).execute()
}
