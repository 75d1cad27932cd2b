import type { ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Id, Lists, Tx } from '../../../foundation/db/database.ts'
import { lockInOrder } from '../../../foundation/db/lock-order.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, customersByExternalId, type ListFilters, readPage, whereOneOf } from '../list.repository.ts'
import { before, orderTransitions, refundTransitions } from '../states.ts'

export type RefundRow = Selectable<Tables['refund']>

const columns = { created_at: column('refund.createdAt', 'time'), amount: column('refund.amount', 'number') }

/** A page of an organization's refunds. */
export const pageOfRefunds = (
  lists: Lists,
  organizationId: Id<'organization'>,
  query: ParsedBillingQuery<'listRefunds'>,
) => readPage(fittingRefunds(lists, organizationId, query), query, { columns, id: 'refund.id' })

const refundsOf = (db: Db, organizationId: Id<'organization'>) =>
  db.selectFrom('refund').selectAll().where('organizationId', '=', organizationId)

const filtered = ['id', 'orderId', 'subscriptionId', 'customerId', 'status'] as const

/** The matching refunds of an organization. */
export function fittingRefunds({ db }: Lists, organizationId: Id<'organization'>, filters: ListFilters<'listRefunds'>) {
  const { externalCustomerId, succeeded } = filters
  let query = whereOneOf(refundsOf(db, organizationId), 'refund', filters, filtered)
  if (externalCustomerId)
    query = query.where('customerId', 'in', customersByExternalId(db, organizationId, externalCustomerId))
  if (succeeded !== undefined)
    query = query.where('status', 'in', succeeded ? ['succeeded'] : ['pending', 'failed', 'canceled'])
  return query
}

export const findRefund = (db: Db, organizationId: Id<'organization'>, id: Id<'refund'>) =>
  refundsOf(db, organizationId).where('id', '=', id).executeTakeFirst()

/** A refund of any organization, for the processor's answers and events, which name only the refund. */
export const findRefundById = (db: Db, id: Id<'refund'>) =>
  db.selectFrom('refund').selectAll().where('id', '=', id).executeTakeFirst()

/** By the processor's id, for refunds that began there. */
export const findRefundByReference = (db: Db, processor: RefundRow['processor'], reference: string) =>
  db
    .selectFrom('refund')
    .selectAll()
    .where('processor', '=', processor)
    .where('processorReference', '=', reference)
    .executeTakeFirst()

/** The pending refunds of an order: their amounts are reserved. */
export const listPendingRefunds = (db: Db, orderId: Id<'order'>) =>
  db.selectFrom('refund').selectAll().where('orderId', '=', orderId).where('status', '=', 'pending').execute()

/** The refunds of an order that are complete or under way. */
export const listHeldRefunds = (db: Db, orderId: Id<'order'>) =>
  db
    .selectFrom('refund')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('status', 'in', ['pending', 'succeeded'])
    .execute()

export const insertRefund = (tx: Tx, refund: Insertable<Tables['refund']>) =>
  tx.insertInto('refund').values(refund).returningAll().executeTakeFirstOrThrow()

/** A refund; the caller holds the lock of its order. */
export const lockRefund = (tx: Tx, id: Id<'refund'>) =>
  lockInOrder(tx, 'refund', id, tx.selectFrom('refund').selectAll().where('id', '=', id)).executeTakeFirst()

/** Changes the state of a locked refund, if the transition is allowed. */
export const transitionRefund = (
  tx: Tx,
  id: Id<'refund'>,
  next: 'succeeded' | 'failed' | 'canceled',
  changes: Updateable<Tables['refund']>,
) =>
  tx
    .updateTable('refund')
    .set({ ...changes, status: next })
    .where('id', '=', id)
    .where('status', 'in', before(refundTransitions, next))
    .returningAll()
    .executeTakeFirstOrThrow()

/** Stores the processor's id of a pending refund, once. */
export async function noteReference(tx: Tx, id: Id<'refund'>, reference: string): Promise<void> {
  await tx
    .updateTable('refund')
    .set({ processorReference: reference })
    .where('id', '=', id)
    .where('processorReference', 'is', null)
    .execute()
}

/** Locks an order, so that its refunds run one after the other; undefined if the organization has no such order. */
export const lockOrder = (tx: Tx, organizationId: Id<'organization'>, id: Id<'order'>) =>
  lockInOrder(
    tx,
    'order',
    id,
    tx.selectFrom('order').selectAll().where('organizationId', '=', organizationId).where('id', '=', id),
  ).executeTakeFirst()

/** The names and customers of some orders, by id. */
export async function namesOfOrders(db: Db, ids: readonly Id<'order'>[]) {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await db
    .selectFrom('order')
    .innerJoin('customer', 'customer.id', 'order.customerId')
    .select(['order.id', 'order.invoiceNumber', 'customer.name as customerName', 'customer.email as customerEmail'])
    .where('order.id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, ...names }) => [id, names]))
}

/** Updates a locked order's refunded amounts and its status. */
export const setRefunded = (
  tx: Tx,
  id: Id<'order'>,
  next: 'paid' | 'partially_refunded' | 'refunded',
  changes: { readonly refundedAmount: number; readonly refundedTaxAmount: number; readonly modifiedAt: Date },
) =>
  tx
    .updateTable('order')
    .set({ ...changes, status: next })
    .where('id', '=', id)
    .where('status', 'in', [next, ...before(orderTransitions, next)])
    .returningAll()
    .executeTakeFirstOrThrow()
