import type { Insertable } from 'kysely'
import type { Tx } from '../../../foundation/db/database.ts'
import type { Tables } from '../../../foundation/db/tables.ts'

/** Adds to the ledger; entries never change. */
export async function insertBalanceEntry(tx: Tx, entry: Insertable<Tables['customerBalanceEntry']>): Promise<void> {
  await tx.insertInto('customerBalanceEntry').values(entry).execute()
}
