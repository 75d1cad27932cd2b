import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Lists, Tx } from '../../../foundation/db/database.ts'
import { lockInOrder } from '../../../foundation/db/lock-order.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, customersByExternalId, type ListRequest, type Page, readPage } from '../list.repository.ts'
import type { OrderRow } from '../order/order.repository.ts'
import type { PaymentRow } from '../order/payment.repository.ts'
import { before, orderTransitions, type RefundStatus, refundTransitions } from '../states.ts'

export type RefundRow = Selectable<Tables['refund']>

export type RefundFilters = {
  readonly id?: string[] | undefined
  readonly orderId?: string[] | undefined
  readonly subscriptionId?: string[] | undefined
  readonly customerId?: string[] | undefined
  readonly externalCustomerId?: string[] | undefined
  readonly status?: RefundStatus[] | undefined
  readonly succeeded?: boolean | undefined
}

const columns = { created_at: column('refund.createdAt', 'time'), amount: column('refund.amount', 'number') }

/** A page of an organization's refunds. */
export const pageOfRefunds = (
  lists: Lists,
  organizationId: string,
  filters: RefundFilters & ListRequest,
): Promise<Page<RefundRow>> =>
  readPage(fittingRefunds(lists, organizationId, filters), filters, { columns, id: 'refund.id' })

/** The matching refunds of an organization. */
export function fittingRefunds({ db }: Lists, organizationId: string, filters: RefundFilters) {
  const { id, orderId, subscriptionId, customerId, externalCustomerId, status, succeeded } = filters
  let query = db.selectFrom('refund').selectAll().where('organizationId', '=', organizationId)
  if (id) query = query.where('id', 'in', id)
  if (orderId) query = query.where('orderId', 'in', orderId)
  if (subscriptionId) query = query.where('subscriptionId', 'in', subscriptionId)
  if (customerId) query = query.where('customerId', 'in', customerId)
  if (externalCustomerId)
    query = query.where('customerId', 'in', customersByExternalId(db, organizationId, externalCustomerId))
  if (status) query = query.where('status', 'in', status)
  if (succeeded !== undefined)
    query = query.where('status', 'in', succeeded ? ['succeeded'] : ['pending', 'failed', 'canceled'])
  return query
}

export const findRefund = (db: Db, organizationId: string, id: string): Promise<RefundRow | undefined> =>
  db
    .selectFrom('refund')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()

/** A refund of any organization, for the processor's answers and events, which name only the refund. */
export const findRefundById = (db: Db, id: string): Promise<RefundRow | undefined> =>
  db.selectFrom('refund').selectAll().where('id', '=', id).executeTakeFirst()

/** By the processor's id, for refunds that began there. */
export const findRefundByReference = (
  db: Db,
  processor: RefundRow['processor'],
  reference: string,
): Promise<RefundRow | undefined> =>
  db
    .selectFrom('refund')
    .selectAll()
    .where('processor', '=', processor)
    .where('processorReference', '=', reference)
    .executeTakeFirst()

/** The pending refunds of an order: their amounts are reserved. */
export const listPendingRefunds = (db: Db, orderId: string): Promise<RefundRow[]> =>
  db.selectFrom('refund').selectAll().where('orderId', '=', orderId).where('status', '=', 'pending').execute()

export const insertRefund = (tx: Tx, refund: Insertable<Tables['refund']>): Promise<RefundRow> =>
  tx.insertInto('refund').values(refund).returningAll().executeTakeFirstOrThrow()

/** A refund; the caller holds the lock of its order. */
export const lockRefund = (tx: Tx, id: string): Promise<RefundRow | undefined> =>
  lockInOrder(tx, 'refund', id, tx.selectFrom('refund').selectAll().where('id', '=', id)).executeTakeFirst()

/** Changes the state of a locked refund, if the transition is allowed. */
export const transitionRefund = (
  tx: Tx,
  id: string,
  next: 'succeeded' | 'failed' | 'canceled',
  changes: Updateable<Tables['refund']>,
): Promise<RefundRow> =>
  tx
    .updateTable('refund')
    .set({ ...changes, status: next })
    .where('id', '=', id)
    .where('status', 'in', before(refundTransitions, next))
    .returningAll()
    .executeTakeFirstOrThrow()

/** Stores the processor's id of a pending refund, once. */
export async function noteReference(tx: Tx, id: string, reference: string): Promise<void> {
  await tx
    .updateTable('refund')
    .set({ processorReference: reference })
    .where('id', '=', id)
    .where('processorReference', 'is', null)
    .execute()
}

/** Locks an order, so that its refunds run one after the other; undefined if the organization has no such order. */
export const lockOrder = (tx: Tx, organizationId: string, id: string): Promise<OrderRow | undefined> =>
  lockInOrder(
    tx,
    'order',
    id,
    tx.selectFrom('order').selectAll().where('organizationId', '=', organizationId).where('id', '=', id),
  ).executeTakeFirst()

/** The names and customers of some orders, by id. */
export async function namesOfOrders(db: Db, ids: readonly string[]) {
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
  id: string,
  next: 'paid' | 'partially_refunded' | 'refunded',
  changes: { readonly refundedAmount: number; readonly refundedTaxAmount: number; readonly modifiedAt: Date },
): Promise<OrderRow> =>
  tx
    .updateTable('order')
    .set({ ...changes, status: next })
    .where('id', '=', id)
    .where('status', 'in', [next, ...before(orderTransitions, next)])
    .returningAll()
    .executeTakeFirstOrThrow()

/** The payment of an order; undefined if the order was free. */
export const findChargeOfOrder = (db: Db, organizationId: string, orderId: string): Promise<PaymentRow | undefined> =>
  db
    .selectFrom('payment')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('orderId', '=', orderId)
    .where('status', '=', 'succeeded')
    .where('purpose', '=', 'charge')
    .executeTakeFirst()

/**
 * The next number of an organization's credit notes, without gaps. The transaction that issues the note takes it, and
 * blocks others until it ends; so takes it as late as possible.
 */
export const takeCreditNoteNumber = (
  tx: Tx,
  organizationId: string,
): Promise<{ creditNotesCount: number; invoicePrefix: string }> =>
  tx
    .updateTable('merchant')
    .set((set) => ({ creditNotesCount: set('creditNotesCount', '+', 1) }))
    .where('organizationId', '=', organizationId)
    .returning(['creditNotesCount', 'invoicePrefix'])
    .executeTakeFirstOrThrow()
