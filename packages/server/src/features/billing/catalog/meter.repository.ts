import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Db, Id, Lists, Tx } from '../../../foundation/db/database.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, contains, type ListFilters, type ListRequest, metadataFits, readPage } from '../list.repository.ts'

export type MeterRow = Selectable<Tables['meter']>

const ofOrganization = (db: Db, organizationId: Id<'organization'>) =>
  db.selectFrom('meter').selectAll().where('organizationId', '=', organizationId)

export const findMeter = (db: Db, organizationId: Id<'organization'>, id: Id<'meter'>) =>
  ofOrganization(db, organizationId).where('id', '=', id).executeTakeFirst()

/** The organization's meters among the given ids. */
export const findMeters = (db: Db, organizationId: Id<'organization'>, ids: readonly Id<'meter'>[]) =>
  db.selectFrom('meter').select('id').where('organizationId', '=', organizationId).where('id', 'in', ids).execute()

const columns = { created_at: column('meter.createdAt', 'time'), name: column('meter.name', 'text') }

export const listMeterRows = (
  lists: Lists,
  organizationId: Id<'organization'>,
  request: ListRequest,
  filters: ListFilters<'listMeters'>,
) => readPage(fittingMeters(lists, organizationId, filters), request, { columns, id: 'meter.id' })

/** The matching meters of an organization. */
export function fittingMeters(
  lists: Lists,
  organizationId: Id<'organization'>,
  { query: text, isArchived, metadata }: ListFilters<'listMeters'>,
) {
  let query = ofOrganization(lists.db, organizationId)
  if (text) query = query.where(contains(lists, text, 'meter.name'))
  // No meter is ever archived.
  if (isArchived) query = query.where(sql<boolean>`1 = 0`)
  if (metadata) query = query.where(metadataFits(lists, 'meter.metadata', metadata))
  return query
}

export const insertMeter = (tx: Tx, meter: Insertable<Tables['meter']>) =>
  tx.insertInto('meter').values(meter).returningAll().executeTakeFirstOrThrow()

export const updateMeterRow = (
  tx: Tx,
  organizationId: Id<'organization'>,
  id: Id<'meter'>,
  change: Updateable<Tables['meter']>,
) =>
  tx
    .updateTable('meter')
    .set(change)
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
