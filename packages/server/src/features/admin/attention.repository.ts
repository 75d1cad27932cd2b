import { type SqlBool, sql } from 'kysely'
import type { Db, Id, Tx } from '../../foundation/db/database.ts'
import { countRows, hasRow } from '../../foundation/db/rows.ts'
import type { Tables } from '../../foundation/db/tables.ts'
import type { Position } from './list-cursor.ts'

export type AttentionRow = Awaited<ReturnType<typeof pageOfAttention>>[number]

type Kind = Tables['attention']['kind']

const attention = (db: Db) =>
  db
    .selectFrom('attention')
    .leftJoin('organization', 'organization.id', 'attention.organizationId')
    .leftJoin('user', 'user.id', 'attention.resolvedBy')
    .selectAll('attention')
    .select(['organization.name as organizationName', 'organization.slug as organizationSlug'])
    .select(['user.name as resolverName', 'user.email as resolverEmail'])

/** Open or resolved entries of the attention list, newest first. */
export function pageOfAttention(
  db: Db,
  {
    isResolved,
    kind,
    before,
    limit,
  }: {
    readonly isResolved: boolean
    readonly kind: Kind | undefined
    readonly before: Position | undefined
    readonly limit: number
  },
) {
  let query = attention(db).where('attention.resolvedAt', isResolved ? 'is not' : 'is', null)
  if (kind) query = query.where('attention.kind', '=', kind)
  if (before)
    query = query.where(
      sql<SqlBool>`(${sql.ref('attention.createdAt')}, ${sql.ref('attention.id')}) < (${before.value}, ${before.id})`,
    )
  return query.orderBy('attention.createdAt', 'desc').orderBy('attention.id', 'desc').limit(limit).execute()
}

export const findAttention = (db: Db, id: Id<'attention'>): Promise<AttentionRow | undefined> =>
  attention(db).where('attention.id', '=', id).executeTakeFirst()

/** Resolves an open entry; false if it does not exist or is resolved already. */
export const resolveAttention = (
  tx: Tx,
  id: Id<'attention'>,
  resolution: { readonly resolvedAt: Date; readonly resolvedBy: Id<'user'>; readonly note: string },
): Promise<boolean> =>
  hasRow(
    tx.updateTable('attention').set(resolution).where('id', '=', id).where('resolvedAt', 'is', null).returning('id'),
  )

/** How many entries are open. */
export const countOpenAttention = (db: Db): Promise<number> =>
  countRows(db.selectFrom('attention').where('resolvedAt', 'is', null))
