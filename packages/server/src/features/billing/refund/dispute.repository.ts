import type { ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Id, Lists, Tx } from '../../../foundation/db/database.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, type ListFilters, readPage, whereOneOf } from '../list.repository.ts'

export type DisputeRow = Selectable<Tables['dispute']>

const columns = { created_at: column('dispute.createdAt', 'time'), amount: column('dispute.amount', 'number') }

/** A page of the disputes of an organization's buyers. */
export const pageOfDisputes = (
  lists: Lists,
  organizationId: Id<'organization'>,
  query: ParsedBillingQuery<'listDisputes'>,
) => readPage(fittingDisputes(lists, organizationId, query), query, { columns, id: 'dispute.id' })

/** The matching disputes of an organization. */
export const fittingDisputes = (
  { db }: Lists,
  organizationId: Id<'organization'>,
  filters: ListFilters<'listDisputes'>,
) => whereOneOf(disputesOf(db, organizationId), 'dispute', filters, ['orderId', 'customerId', 'status'])

const disputesOf = (db: Db, organizationId: Id<'organization'>) =>
  db.selectFrom('dispute').selectAll().where('organizationId', '=', organizationId)

export const findDispute = (db: Db, organizationId: Id<'organization'>, id: Id<'dispute'>) =>
  disputesOf(db, organizationId).where('id', '=', id).executeTakeFirst()

/** A dispute of any organization, by the id from its refund. */
export const findDisputeById = (db: Db, id: Id<'dispute'>) =>
  db.selectFrom('dispute').selectAll().where('id', '=', id).executeTakeFirst()

/** By the processor's id. */
export const findDisputeByReference = (db: Db, processor: DisputeRow['processor'], reference: string) =>
  db
    .selectFrom('dispute')
    .selectAll()
    .where('processor', '=', processor)
    .where('processorReference', '=', reference)
    .executeTakeFirst()

export const listDisputesById = (db: Db, ids: readonly Id<'dispute'>[]) =>
  db.selectFrom('dispute').selectAll().where('id', 'in', ids).execute()

/** The open dispute of an order. */
export const findOpenDispute = (db: Db, orderId: Id<'order'>) =>
  db
    .selectFrom('dispute')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('status', 'in', ['early_warning', 'needs_response', 'under_review'])
    .orderBy('createdAt')
    .executeTakeFirst()

/** Inserts a dispute; undefined if its processor has already reported it. */
export const insertDispute = (tx: Tx, dispute: Insertable<Tables['dispute']>) =>
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
) =>
  tx
    .updateTable('dispute')
    .set(changes)
    .where('id', '=', id)
    .where('status', '=', status)
    .returningAll()
    .executeTakeFirst()
