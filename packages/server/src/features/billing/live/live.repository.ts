import type { Db, Id } from '../../../foundation/db/database.ts'

/** The newest event of each type, and their number, of some organizations since an id; by the index of their events. */
export const listLatestEvents = (db: Db, organizationIds: readonly Id<'organization'>[], sinceId: string) =>
  db
    .selectFrom('event')
    .select(['merchantId', 'type'])
    .select(({ fn }) => [fn.max('id').as('newestId'), fn.countAll().as('count')])
    .where('merchantId', 'in', organizationIds)
    .where('id', '>=', sinceId)
    .groupBy(['merchantId', 'type'])
    .execute()
