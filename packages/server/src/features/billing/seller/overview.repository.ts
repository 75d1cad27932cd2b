import { sql } from 'kysely'
import type { Db, Id } from '../../../foundation/db/database.ts'

/** Sums paid orders since a time, by currency: net of tax and refunds. */
export const sumOrdersSince = (db: Db, organizationId: Id<'organization'>, since: Date) =>
  db
    .selectFrom('order')
    .select(['currency', sql<number>`count(*)`.as('orders')])
    .select(sql<number>`sum(${sql.ref('netAmount')} - ${sql.ref('refundedAmount')})`.as('amount'))
    .where('organizationId', '=', organizationId)
    .where('createdAt', '>=', since)
    .where('status', '!=', 'pending')
    .groupBy('currency')
    .execute()
