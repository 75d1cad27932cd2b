import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** What orders that were paid since a moment come to, by currency: net of tax and of what was refunded. */
export const sumOrdersSince = (db: Db, organizationId: string, since: Date) =>
  db
    .selectFrom('order')
    .select(['currency', sql<number>`count(*)`.as('orders')])
    .select(sql<number>`sum(${sql.ref('netAmount')} - ${sql.ref('refundedAmount')})`.as('amount'))
    .where('organizationId', '=', organizationId)
    .where('createdAt', '>=', since)
    .where('status', '!=', 'pending')
    .groupBy('currency')
    .execute()
