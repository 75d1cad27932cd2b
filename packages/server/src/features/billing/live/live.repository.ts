import type { Db, Id } from '../../../foundation/db/database.ts'

/** The events of some organizations since an id, by the index of their events. */
export const listEventsSince = (db: Db, organizationIds: readonly Id<'organization'>[], sinceId: string) =>
  db
    .selectFrom('event')
    .select(['merchantId', 'id', 'type'])
    .where('merchantId', 'in', organizationIds)
    .where('id', '>=', sinceId)
    .execute()
