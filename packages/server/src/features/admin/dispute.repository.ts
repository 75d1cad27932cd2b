import { sql } from 'kysely'
import type { Db } from '../../foundation/db/database.ts'
import { countRows } from '../../foundation/db/rows.ts'
import type { Position } from './list-cursor.ts'

/** Written like the condition of the open-disputes index; PostgreSQL uses that index only for the same words. */
const isOpen = sql<boolean>`dispute.status in ('early_warning', 'needs_response', 'under_review')`

export type OpenDisputeRow = Awaited<ReturnType<typeof pageOfOpenDisputes>>[number]

/** The undecided disputes of all organizations, oldest first. */
export function pageOfOpenDisputes(
  db: Db,
  { behind, limit }: { readonly behind?: Position | undefined; readonly limit: number },
) {
  let query = db
    .selectFrom('dispute')
    .innerJoin('organization', 'organization.id', 'dispute.organizationId')
    .innerJoin('order', 'order.id', 'dispute.orderId')
    .innerJoin('payment', 'payment.id', 'dispute.paymentId')
    .selectAll('dispute')
    .select(['organization.name as organizationName', 'organization.slug as organizationSlug'])
    .select(['order.invoiceNumber', 'payment.isTest'])
    .where(isOpen)
  if (behind)
    query = query.where(
      sql<boolean>`(${sql.ref('dispute.createdAt')}, ${sql.ref('dispute.id')}) > (${behind.value}, ${behind.id})`,
    )
  return query.orderBy('dispute.createdAt').orderBy('dispute.id').limit(limit).execute()
}

/** How many open disputes need a response. */
export const countDisputesToAnswer = (db: Db): Promise<number> =>
  countRows(
    db
      .selectFrom('dispute')
      .where(isOpen)
      .where((where) =>
        where.or([
          where('status', '=', 'needs_response'),
          where.and([where('status', '=', 'early_warning'), where('evidenceDueBy', 'is not', null)]),
        ]),
      ),
  )
