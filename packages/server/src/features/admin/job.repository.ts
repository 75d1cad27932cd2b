import { sql } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { proven } from '../../foundation/proof/proven.ts'
import type { Position } from './list-cursor.ts'

export type DeadJobs = {
  readonly kind?: string | undefined
  readonly before?: Position | undefined
  readonly limit: number
}

/** Dead jobs, the latest first. */
export async function pageOfDeadJobs(db: Db, { kind, before, limit }: DeadJobs) {
  let query = db
    .selectFrom('job')
    .select(['id', 'kind', 'payload', 'attempts', 'lastError', 'createdAt', 'deadAt'])
    .where('deadAt', 'is not', null)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (before)
    query = query.where(sql<boolean>`(${sql.ref('deadAt')}, ${sql.ref('id')}) < (${before.value}, ${before.id})`)
  const rows = await query.orderBy('deadAt', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return rows.map((row) => ({ ...row, deadAt: proven(row.deadAt, 'the query asks for dead jobs') }))
}

/** A job with this many failed attempts in a row, over half an hour, counts as failing. */
const failingAttempts = 4
/** Those that fail longest; they usually share a few causes. */
const mostFailing = 50

/** Failing jobs that still retry; those of payments and refunds retry indefinitely. */
export const listFailingJobs = (db: Db) =>
  db
    .selectFrom('job')
    .select(['id', 'kind', 'payload', 'attempts', 'lastError', 'createdAt', 'runAt'])
    .where('deadAt', 'is', null)
    .where('lastError', 'is not', null)
    .where('attempts', '>=', failingAttempts)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(mostFailing)
    .execute()

/** The tables of objects that belong to organizations. */
export type Owned = 'payment' | 'refund' | 'customField' | 'file' | 'webhookEndpoint'

/** The organization of each object, by object id; deleted objects are left out. */
export async function listOwners(
  db: Db,
  table: Owned,
  ids: readonly string[],
): Promise<{ subjectId: string; id: string; name: string }[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom(`${table} as owned` as 'payment as owned') // all of them have these columns
    .innerJoin('organization', 'organization.id', 'owned.organizationId')
    .select(['owned.id as subjectId', 'organization.id', 'organization.name'])
    .where('owned.id', 'in', ids)
    .execute()
}

/** The number of dead jobs of each kind. */
export async function countDeadJobs(db: Db): Promise<{ kind: string; count: number }[]> {
  const rows = await db
    .selectFrom('job')
    .select(['kind', sql<number>`count(*)`.as('count')])
    .where('deadAt', 'is not', null)
    .groupBy('kind')
    .orderBy('kind')
    .execute()
  return rows.map(({ kind, count }) => ({ kind, count: Number(count) }))
}

/** Removes a dead job; returns its kind, or undefined if it does not exist. */
export async function deleteDeadJob(tx: Tx, id: Id<'job'>): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('job')
    .where('id', '=', id)
    .where('deadAt', 'is not', null)
    .returning('kind')
    .executeTakeFirst()
  return row?.kind
}
