import { sql } from 'kysely'
import type { Db, Lists } from '../../foundation/db/database.ts'
import { countRows } from '../../foundation/db/rows.ts'
import { between, isWithin, type Span, valuesOf } from '../../foundation/db/spans.ts'

/** Each count reads one index: `user_created`, `organization_created`, `session_user` or `event_type`. */

export type CountedTable = 'user' | 'organization'

/** How many rows were created from one moment to another; of all times without them. */
export function countCreated(db: Db, table: CountedTable, from?: Date, until?: Date): Promise<number> {
  let query = db.selectFrom(table as 'user') // both have the column
  if (from) query = query.where('createdAt', '>=', from)
  if (until) query = query.where('createdAt', '<', until)
  return countRows(query)
}

/** How many users were created in each span. */
export async function signUpsIn(lists: Lists, spans: readonly Span[]): Promise<number[]> {
  const { rows } = await sql<{ position: number; count: number | string }>`
    select span.column1 as position, count(*) as count
    from ${valuesOf(lists, spans)} join ${sql.table('user')} as person on ${isWithin('person.createdAt')}
    where ${between('person.createdAt', spans)}
    group by span.column1`.execute(lists.db)
  const counts = new Map(rows.map(({ position, count }) => [position, Number(count)]))
  return spans.map((_, position) => counts.get(position) ?? 0)
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
