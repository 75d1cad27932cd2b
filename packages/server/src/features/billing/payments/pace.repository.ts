import { sql } from 'kysely'
import { after, minutes } from '../../../foundation/clock.ts'
import type { Db } from '../../../foundation/db/database.ts'

/** How far ahead an account's turns may be reserved: a clock that was ahead must not halt the others' calls. */
const furthest = minutes(1)

export type TurnsWanted = {
  /** The processor account whose limit the calls share. */
  readonly account: string
  readonly count: number
  /** Between two calls, in milliseconds. */
  readonly gap: number
  /** How much of a quiet time may be caught up, in milliseconds. */
  readonly slack: number
  readonly now: Date
}

/**
 * Reserves the next turns of an account for one process, on PostgreSQL. Returns when the first of them begins, which is in
 * the past after a quiet time. The row holds when the last reserved turn ends: without one, the account was quiet.
 */
export async function reserveTurns(db: Db, { account, count, gap, slack, now }: TurnsWanted): Promise<Date> {
  const span = Math.ceil(count * gap)
  const quiet = after(now, -slack)
  const { expiresAt } = await db
    .insertInto('rateLimit')
    .values({ key: `calls ${account}`, count: 0, expiresAt: after(quiet, span) })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        expiresAt: sql<Date>`least(greatest(rate_limit.expires_at, ${quiet}), ${after(now, furthest)})
          + ${span} * interval '1 millisecond'`,
      }),
    )
    .returning('expiresAt')
    .executeTakeFirstOrThrow()
  return after(expiresAt, -span)
}
