import type { ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { Insertable, Selectable } from 'kysely'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { prepare } from '../../../foundation/db/prepared.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, readPage, whereOneOf } from '../list.repository.ts'

/** Adds to the ledger; entries never change. */
export async function insertBalanceEntry(tx: Tx, entry: Insertable<Tables['customerBalanceEntry']>): Promise<void> {
  await tx.insertInto('customerBalanceEntry').values(entry).execute()
}

/** Adds an entry, unless one of that id is in the ledger. */
export async function insertBalanceEntryOnce(tx: Tx, entry: Insertable<Tables['customerBalanceEntry']>): Promise<void> {
  await tx
    .insertInto('customerBalanceEntry')
    .values(entry)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

export type BalanceEntryRow = Selectable<Tables['customerBalanceEntry']>

/** The credit that a payment of a processor became; undefined if it became none. */
export const findCreditOf = (
  db: Db,
  paymentId: Id<'payment'>,
  processor: Tables['payment']['processor'],
): Promise<BalanceEntryRow | undefined> =>
  db
    .selectFrom('customerBalanceEntry')
    .innerJoin('payment', 'payment.id', 'customerBalanceEntry.paymentId')
    .selectAll('customerBalanceEntry')
    .where('payment.id', '=', paymentId)
    .where('payment.processor', '=', processor)
    .executeTakeFirst()

export const hasBalanceEntry = async (db: Db, id: Id<'customerBalanceEntry'>): Promise<boolean> =>
  (await db.selectFrom('customerBalanceEntry').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** The sum of a customer's entries in a currency. */
export async function ledgerSumOf(db: Db, customerId: Id<'customer'>, currency: string): Promise<number> {
  const [entries] = await sumOf(db, { customerId, currency })
  return Number(entries?.balance ?? 0)
}

const sumOf = prepare((db, { customerId, currency }: { customerId: Id<'customer'>; currency: string }) =>
  db
    .selectFrom('customerBalanceEntry')
    .select((by) => by.fn.sum<string | number | null>('amount').as('balance'))
    .where('customerId', '=', customerId)
    .where('currency', '=', currency),
)

/** The sum of a customer's entries in each currency that they have one in. */
export async function listBalances(
  db: Db,
  customerId: Id<'customer'>,
): Promise<{ readonly currency: string; readonly amount: number }[]> {
  const rows = await db
    .selectFrom('customerBalanceEntry')
    .select((by) => ['currency', by.fn.sum<string | number>('amount').as('amount')])
    .where('customerId', '=', customerId)
    .groupBy('currency')
    .orderBy('currency')
    .execute()
  return rows.map(({ currency, amount }) => ({ currency, amount: Number(amount) }))
}

const columns = {
  created_at: column('customerBalanceEntry.createdAt', 'time'),
  amount: column('customerBalanceEntry.amount', 'number'),
}

/** A page of a customer's ledger. */
export const pageOfBalanceEntries = (
  db: Db,
  customerId: Id<'customer'>,
  query: ParsedBillingQuery<'listCustomerBalance'>,
) => {
  const entries = db.selectFrom('customerBalanceEntry').selectAll().where('customerId', '=', customerId)
  const fitting = whereOneOf(entries, 'customerBalanceEntry', query, ['currency'])
  return readPage(fitting, query, { columns, id: 'customerBalanceEntry.id' })
}

/**
 * A customer's credit (positive) or debt (negative) in a currency, without what payments under way have reserved. Lock
 * the customer before spending it.
 */
export async function balanceOf(db: Db, customerId: Id<'customer'>, currency: string): Promise<number> {
  const balance = await ledgerSumOf(db, customerId, currency)
  if (balance <= 0) return balance
  const pending = await db
    .selectFrom('payment')
    .select((by) => by.fn.sum<string | number | null>('reservedBalance').as('reserved'))
    .where('customerId', '=', customerId)
    .where('currency', '=', currency)
    .where('status', '=', 'pending')
    .where('reservedBalance', '>', 0)
    .executeTakeFirst()
  return balance - Number(pending?.reserved ?? 0)
}
