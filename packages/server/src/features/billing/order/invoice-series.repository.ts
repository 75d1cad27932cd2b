import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { enterLock } from '../../../foundation/db/lock-order.ts'
import { prepare } from '../../../foundation/db/prepared.ts'
import { waitForTurn } from '../../../foundation/db/turns.ts'
import { proven } from '../../../foundation/proof/proven.ts'

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
  await waitForTurn(tx, `invoice series ${organizationId} ${kind}`)
  const [taken] = await raise(tx, { organizationId, kind })
  const { prefix, lastNumber } = proven(taken, 'each organization that sells has its series')
  return { prefix, number: lastNumber }
}

const raise = prepare((db, { organizationId, kind }: { organizationId: Id<'organization'>; kind: SeriesKind }) =>
  db
    .updateTable('invoiceSeries')
    .set((set) => ({ lastNumber: set('lastNumber', '+', 1) }))
    .where('organizationId', '=', organizationId)
    .where('kind', '=', kind)
    .returning(['prefix', 'lastNumber']),
)

/** Every series with the last number that it gave. */
export const listSeries = (db: Db) =>
  db
    .selectFrom('invoiceSeries')
    .select(['organizationId', 'kind', 'lastNumber'])
    .orderBy('organizationId')
    .orderBy('kind')
    .execute()

/** The last number that a series has given. */
export async function findLastNumber(db: Db, organizationId: Id<'organization'>, kind: SeriesKind): Promise<number> {
  const { lastNumber } = await db
    .selectFrom('invoiceSeries')
    .select('lastNumber')
    .where('organizationId', '=', organizationId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return lastNumber
}
