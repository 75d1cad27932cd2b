import { sql } from 'kysely'
import type { Db } from '../../../foundation/db/database.ts'

export type TurnsWanted = {
  /** The processor account whose limit the calls share. */
  readonly account: string
  /** How long all of the turns last, in whole milliseconds. */
  readonly span: number
  /** The earliest and the latest time at which they may begin. */
  readonly earliest: Date
  readonly latest: Date
}

/**
 * Reserves the next turns of an account for one process, on PostgreSQL. Returns when they end; the row keeps that, so that
 * the next ones begin then. Without a row, the account was quiet.
 */
export async function reserveTurns(db: Db, { account, span, earliest, latest }: TurnsWanted): Promise<Date> {
  const length = sql<Date>`${span} * interval '1 millisecond'`
  const { expiresAt } = await db
    .insertInto('rateLimit')
    .values({ key: `calls ${account}`, count: 0, expiresAt: sql`${earliest}::timestamptz + ${length}` })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        expiresAt: sql<Date>`least(greatest(rate_limit.expires_at, ${earliest}), ${latest}) + ${length}`,
      }),
    )
    .returning('expiresAt')
    .executeTakeFirstOrThrow()
  return expiresAt
}
