import { PostgresAdapter, sql } from 'kysely'
import type { Tx } from './database.ts'
import { prepare } from './prepared.ts'

/**
 * Waits for the turn of a transaction among all that will lock the same much wanted row, and keeps it until the
 * transaction ends. PostgreSQL wakes every transaction that waits for a row at each commit, and all but one wait again;
 * of those that wait for their turn it wakes the first alone. SQLite runs one transaction at a time anyway.
 */
export async function waitForTurn(tx: Tx, row: string): Promise<void> {
  if (tx.getExecutor().adapter instanceof PostgresAdapter) await takeTurn(tx, { row })
}

const takeTurn = prepare(
  (db, { row }: { row: string }) => db.selectNoFrom(sql`pg_advisory_xact_lock(hashtextextended(${row}, 0))`.as('turn')),
  { answersNothing: true },
)
