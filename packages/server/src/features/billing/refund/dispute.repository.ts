import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Lists, Tx } from '../../../foundation/db/database.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, type ListRequest, type Page, readPage } from '../list.repository.ts'
import type { DisputeStatus } from '../states.ts'

export type DisputeRow = Selectable<Tables['dispute']>

export type DisputeFilters = {
  readonly orderId?: string[] | undefined
  readonly customerId?: string[] | undefined
  readonly status?: DisputeStatus[] | undefined
}

const columns = { created_at: column('dispute.createdAt', 'time'), amount: column('dispute.amount', 'number') }

/** A page of the disputes of an organization's buyers. */
export const pageOfDisputes = (
  lists: Lists,
  organizationId: string,
  filters: DisputeFilters & ListRequest,
): Promise<Page<DisputeRow>> =>
  readPage(fittingDisputes(lists, organizationId, filters), filters, { columns, id: 'dispute.id' })

/** The matching disputes of an organization. */
export function fittingDisputes({ db }: Lists, organizationId: string, filters: DisputeFilters) {
  const { orderId, customerId, status } = filters
  let query = db.selectFrom('dispute').selectAll().where('organizationId', '=', organizationId)
  if (orderId) query = query.where('orderId', 'in', orderId)
  if (customerId) query = query.where('customerId', 'in', customerId)
  if (status) query = query.where('status', 'in', status)
  return query
}

export const findDispute = (db: Db, organizationId: string, id: string): Promise<DisputeRow | undefined> =>
  db
    .selectFrom('dispute')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()

/** A dispute of any organization, by the id from its refund. */
export const findDisputeById = (db: Db, id: string): Promise<DisputeRow | undefined> =>
  db.selectFrom('dispute').selectAll().where('id', '=', id).executeTakeFirst()

/** By the processor's id. */
export const findDisputeByReference = (
  db: Db,
  processor: DisputeRow['processor'],
  reference: string,
): Promise<DisputeRow | undefined> =>
  db
    .selectFrom('dispute')
    .selectAll()
    .where('processor', '=', processor)
    .where('processorReference', '=', reference)
    .executeTakeFirst()

export const listDisputesById = (db: Db, ids: readonly string[]): Promise<DisputeRow[]> =>
  db.selectFrom('dispute').selectAll().where('id', 'in', ids).execute()

/** The open dispute of an order. */
export const findOpenDispute = (db: Db, orderId: string): Promise<DisputeRow | undefined> =>
  db
    .selectFrom('dispute')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('status', 'in', ['early_warning', 'needs_response', 'under_review'])
    .orderBy('createdAt')
    .executeTakeFirst()

/** Inserts a dispute; undefined if its processor has already reported it. */
export const insertDispute = (tx: Tx, dispute: Insertable<Tables['dispute']>): Promise<DisputeRow | undefined> =>
  tx
    .insertInto('dispute')
    .values(dispute)
    .onConflict((conflict) => conflict.columns(['processor', 'processorReference']).doNothing())
    .returningAll()
    .executeTakeFirst()

/** Changes a dispute, unless it has changed since it was read. */
export const updateDispute = (
  tx: Tx,
  { id, status }: Pick<DisputeRow, 'id' | 'status'>,
  changes: Updateable<Tables['dispute']>,
): Promise<DisputeRow | undefined> =>
  tx
    .updateTable('dispute')
    .set(changes)
    .where('id', '=', id)
    .where('status', '=', status)
    .returningAll()
    .executeTakeFirst()
