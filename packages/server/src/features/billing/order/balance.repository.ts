import type { Insertable } from 'kysely'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import type { Tables } from '../../../foundation/db/tables.ts'

/** Adds to the ledger; entries never change. */
export async function insertBalanceEntry(tx: Tx, entry: Insertable<Tables['customerBalanceEntry']>): Promise<void> {
  await tx.insertInto('customerBalanceEntry').values(entry).execute()
}

/** A customer's credit (positive) or debt (negative) in a currency. Lock the customer before spending it. */
export async function balanceOf(db: Db, customerId: Id<'customer'>, currency: string): Promise<number> {
  const row = await db
    .selectFrom('customerBalanceEntry')
    .select((by) => by.fn.sum<string | number | null>('amount').as('balance'))
    .where('customerId', '=', customerId)
    .where('currency', '=', currency)
    .executeTakeFirst()
  return Number(row?.balance ?? 0)
}
