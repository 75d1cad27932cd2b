import { sql } from 'kysely'
import type { Db } from '../../foundation/db/database.ts'
import { countRows } from '../../foundation/db/rows.ts'

/** Each count reads one index: `user_created`, `organization_created`, `session_user` or `event_type`. */

export type CountedTable = 'user' | 'organization'

/** How many rows were created from one moment to another; of all times without them. */
export function countCreated(db: Db, table: CountedTable, from?: Date, until?: Date): Promise<number> {
  let query = db.selectFrom(table as 'user') // both have the column
  if (from) query = query.where('createdAt', '>=', from)
  if (until) query = query.where('createdAt', '<', until)
  return countRows(query)
}

/** How many users have a session that has not ended. */
export async function countActiveUsers(db: Db, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('session')
    .select(sql<number>`count(distinct ${sql.ref('userId')})`.as('count'))
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Far more than failed sign-ins are recorded in a day of ordinary use. */
const mostRefusals = 2_000

/** How many accounts were refused a sign-in since a moment, because of too many attempts. */
export async function countLockedAccounts(db: Db, since: Date): Promise<number> {
  const rows = await db
    .selectFrom('event')
    .select(['userId', 'data', 'createdAt'])
    .where('type', '=', 'sign_in.failed')
    .orderBy('id', 'desc')
    .limit(mostRefusals)
    .execute()
  const refused = rows.filter(({ data, createdAt }) => createdAt >= since && data?.reason === 'too-many-attempts')
  return new Set(refused.flatMap(({ userId }) => userId ?? [])).size
}
