import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Db, Lists, Tx } from '../../../foundation/db/database.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, contains, type ListRequest, metadataFits, type Page, readPage } from '../list.repository.ts'

export type MeterRow = Selectable<Tables['meter']>

/** Meters of one organization. */
export const findMeter = (db: Db, organizationId: string, id: string): Promise<MeterRow | undefined> =>
  db
    .selectFrom('meter')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()

/** The organization's meters among the given ids. */
export const findMeters = (db: Db, organizationId: string, ids: readonly string[]): Promise<{ id: string }[]> =>
  db.selectFrom('meter').select('id').where('organizationId', '=', organizationId).where('id', 'in', ids).execute()

export type MeterFilters = {
  readonly query?: string | undefined
  readonly isArchived?: boolean | undefined
  readonly metadata?: Readonly<Record<string, readonly string[]>> | undefined
}

const columns = { created_at: column('meter.createdAt', 'time'), name: column('meter.name', 'text') }

export function listMeterRows(
  lists: Lists,
  organizationId: string,
  request: ListRequest,
  { query: text, isArchived, metadata }: MeterFilters,
): Promise<Page<MeterRow>> {
  let query = lists.db.selectFrom('meter').selectAll().where('organizationId', '=', organizationId)
  if (text) query = query.where(contains(lists, 'meter.name', text))
  // No meter is ever archived.
  if (isArchived) query = query.where(sql<boolean>`1 = 0`)
  if (metadata) query = query.where(metadataFits(lists, 'meter.metadata', metadata))
  return readPage(query, request, { columns, id: 'meter.id' })
}

export const insertMeter = (tx: Tx, meter: Insertable<Tables['meter']>): Promise<MeterRow> =>
  tx.insertInto('meter').values(meter).returningAll().executeTakeFirstOrThrow()

export const updateMeterRow = (
  tx: Tx,
  organizationId: string,
  id: string,
  change: Updateable<Tables['meter']>,
): Promise<MeterRow | undefined> =>
  tx
    .updateTable('meter')
    .set(change)
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
