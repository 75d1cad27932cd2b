import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { enterLock } from '../../../foundation/db/lock-order.ts'

/** A series of numbers that runs without gaps: those of invoices, and those of credit notes. */
export type SeriesKind = 'invoice' | 'credit_note'

/**
 * Takes the next number of a series (ORD-7). Others who need one wait until the transaction ends, and a rollback gives
 * it back: take it as late as possible, and only for a document that the same transaction issues.
 */
export async function takeNumber(
  tx: Tx,
  organizationId: Id<'organization'>,
  kind: SeriesKind,
): Promise<{ readonly prefix: string; readonly number: number }> {
  enterLock(tx, 'invoiceSeries', `${organizationId} ${kind}`)
  const { prefix, lastNumber } = await tx
    .updateTable('invoiceSeries')
    .set((set) => ({ lastNumber: set('lastNumber', '+', 1) }))
    .where('organizationId', '=', organizationId)
    .where('kind', '=', kind)
    .returning(['prefix', 'lastNumber'])
    .executeTakeFirstOrThrow()
  return { prefix, number: lastNumber }
}

/** Every series with the last number that it gave. */
export const listSeries = (db: Db) =>
  db
    .selectFrom('invoiceSeries')
    .select(['organizationId', 'kind', 'lastNumber'])
    .orderBy('organizationId')
    .orderBy('kind')
    .execute()
