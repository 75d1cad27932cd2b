import type { ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { Selectable, Updateable } from 'kysely'
import type { Db, Id, Lists, Tx } from '../../../foundation/db/database.ts'
import { enterLock } from '../../../foundation/db/lock-order.ts'
import { prepare, prepareInsert, prepareUpdate } from '../../../foundation/db/prepared.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import {
  column,
  contains,
  customersByExternalId,
  type ListFilters,
  metadataFits,
  nameOf,
  readPage,
  type SortColumn,
  whereOneOf,
} from '../list.repository.ts'
import { before, orderTransitions } from '../states.ts'
import { numbersMeant } from './invoice-number.ts'

export type OrderRow = Selectable<Tables['order']>
export type OrderItemRow = Selectable<Tables['orderItem']>

const columns: Readonly<Record<string, SortColumn>> = {
  created_at: column('order.createdAt', 'time'),
  amount: column('order.netAmount', 'number'),
  net_amount: column('order.netAmount', 'number'),
  status: column('order.status', 'text'),
  invoice_number: column('order.invoiceNumber', 'nullable'),
  customer: { ref: nameOf('customer', 'email', 'order.customerId'), kind: 'text' },
  product: { ref: nameOf('product', 'name', 'order.productId'), kind: 'text' },
  discount: { ref: nameOf('discount', 'name', 'order.discountId'), kind: 'nullable' },
  subscription: column('order.subscriptionId', 'nullable'),
}

/** Drafts stay inside. */
const ordersOf = (db: Db, organizationId: Id<'organization'>) =>
  db.selectFrom('order').selectAll().where('organizationId', '=', organizationId).where('status', '!=', 'draft')

/** A page of an organization's orders. Without filters the merchant's counter replaces counting. */
export async function pageOfOrders(
  lists: Lists,
  organizationId: Id<'organization'>,
  filters: ParsedBillingQuery<'listOrders'>,
) {
  const all = ordersOf(lists.db, organizationId)
  const query = await fittingOrders(lists, organizationId, filters, all)
  return readPage(query, filters, {
    columns,
    id: 'order.id',
    ...(query === all && { count: () => countOrders(lists.db, organizationId) }),
  })
}

/** Filters an organization's orders; returns `all` itself if there is no filter. */
export async function fittingOrders(
  lists: Lists,
  organizationId: Id<'organization'>,
  filters: ListFilters<'listOrders'>,
  all = ordersOf(lists.db, organizationId),
) {
  const { productBillingType, externalCustomerId, query: text, metadata } = filters
  let query = text ? await ordersByText(lists, organizationId, text) : all
  query = whereOneOf(query, 'order', filters, ['productId', 'discountId', 'customerId'])
  query = whereOneOf(query, 'order', filters, ['checkoutId', 'subscriptionId', 'status'])
  if (productBillingType)
    query = query.where('productId', 'in', (products) =>
      products
        .selectFrom('product')
        .select('product.id')
        .where('product.organizationId', '=', organizationId)
        .where((is) =>
          is.or(productBillingType.map((type) => is('recurringInterval', type === 'one_time' ? 'is' : 'is not', null))),
        ),
    )
  if (externalCustomerId)
    query = query.where('customerId', 'in', customersByExternalId(lists.db, organizationId, externalCustomerId))
  if (metadata) query = query.where(metadataFits(lists, 'order.metadata', metadata))
  return query
}

/** What stands before the numbers of an organization's invoices; none before it sells. */
const findPrefix = async (db: Db, organizationId: Id<'organization'>): Promise<string | undefined> => {
  const series = await db
    .selectFrom('invoiceSeries')
    .select('prefix')
    .where('organizationId', '=', organizationId)
    .where('kind', '=', 'invoice')
    .executeTakeFirst()
  return series?.prefix
}

/**
 * Maximum customers whose orders are looked up one by one. With more, most orders match, and a scan finds a page soon.
 */
const fewCustomers = 500

/** Orders with this number of an invoice or a receipt, in full or by its end, or whose customer's name or address contains the text. */
async function ordersByText(lists: Lists, organizationId: Id<'organization'>, text: string) {
  const { db } = lists
  // Whole numbers, which the indexes find; the end of a number alone would need a scan.
  const numbers = numbersMeant(text, await findPrefix(db, organizationId))
  const fitting = db
    .selectFrom('customer')
    .select('customer.id')
    .where('customer.organizationId', '=', organizationId)
    .where(contains(lists, text, 'customer.email', 'customer.name'))
  const customers = await fitting.limit(fewCustomers + 1).execute()
  if (customers.length > fewCustomers)
    return ordersOf(db, organizationId).where((is) =>
      is.or([is('invoiceNumber', 'in', numbers), is('receiptNumber', 'in', numbers), is('customerId', 'in', fitting)]),
    )
  // Filter by id alone: with the organization too, SQLite would scan all of its orders.
  const own = db.selectFrom('order as own').select('own.id').where('own.organizationId', '=', organizationId)
  const ids = customers.map(({ id }) => id)
  const byNumber = own.where('own.invoiceNumber', 'in', numbers).unionAll(own.where('own.receiptNumber', 'in', numbers))
  const found = ids.length === 0 ? byNumber : byNumber.unionAll(own.where('own.customerId', 'in', ids))
  return db.selectFrom('order').selectAll().where('id', 'in', found)
}

/** Every posted order is counted with its insert. */
async function countOrders(db: Db, organizationId: Id<'organization'>): Promise<number> {
  const { orders } = await db
    .selectFrom('orderCount')
    .select((by) => by.fn.sum<string | number | null>('orders').as('orders'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  return Number(orders ?? 0)
}

/** Rows of the count, so that concurrent sales of a seller seldom wait for each other. */
const countSlots = 16

/** Counts a posted order, in the slot that its id chooses. */
export async function countOrder(tx: Tx, { organizationId, id }: Pick<OrderRow, 'organizationId' | 'id'>) {
  await countInSlot(tx, { organizationId, slot: Number.parseInt(id.slice(-1), countSlots) })
}

const countInSlot = prepare((db, { organizationId, slot }: { organizationId: Id<'organization'>; slot: number }) =>
  db
    .insertInto('orderCount')
    .values({ organizationId, slot, orders: 1 })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'slot']).doUpdateSet((set) => ({ orders: set('orderCount.orders', '+', 1) })),
    ),
)

export const findOrder = async (
  db: Db,
  organizationId: Id<'organization'>,
  id: Id<'order'>,
): Promise<OrderRow | undefined> => (await ordersById(db, { organizationId, id })).at(0)

const ordersById = prepare((db, { organizationId, id }: { organizationId: Id<'organization'>; id: Id<'order'> }) =>
  ordersOf(db, organizationId).where('id', '=', id),
)

/** An order of any organization: a pay link names only the order. */
export const findOrderById = (db: Db, id: Id<'order'>): Promise<OrderRow | undefined> =>
  db.selectFrom('order').selectAll().where('id', '=', id).executeTakeFirst()

/** Items by order id, in each order's sequence. */
export async function itemsOfOrders(db: Db, ids: readonly Id<'order'>[]): Promise<Map<string, OrderItemRow[]>> {
  const items = new Map<string, OrderItemRow[]>(ids.map((id) => [id, []]))
  if (ids.length === 0) return items
  const [id] = ids
  const rows =
    ids.length === 1 && id !== undefined
      ? await itemsOfOne(db, { id })
      : await db.selectFrom('orderItem').selectAll().where('orderId', 'in', ids).orderBy('position').execute()
  for (const row of rows) items.get(row.orderId)?.push(row)
  return items
}

const itemsOfOne = prepare((db, { id }: { id: Id<'order'> }) =>
  db.selectFrom('orderItem').selectAll().where('orderId', '=', id).orderBy('position'),
)

/** Inserts an order that has every column, so that the transaction need not wait for the stored row. */
export async function insertOrder(tx: Tx, order: OrderRow): Promise<void> {
  await insertOrderRow(tx, order)
}

const insertOrderRow = prepareInsert('order')

/** Inserts the items of an order in the same way. */
export async function insertOrderItems(tx: Tx, items: readonly OrderItemRow[]): Promise<void> {
  await insertItems(tx, ...items)
}

const insertItems = prepareInsert('orderItem')

/** Locks a posted order that is not paid; undefined if it was paid, refunded or voided meanwhile. */
export async function lockUnpaid(
  tx: Tx,
  organizationId: Id<'organization'>,
  id: Id<'order'>,
): Promise<OrderRow | undefined> {
  enterLock(tx, 'order', id)
  return (await unpaidById(tx, { organizationId, id })).at(0)
}

const unpaidById = prepare((db, { organizationId, id }: { organizationId: Id<'organization'>; id: Id<'order'> }) =>
  ordersOf(db, organizationId)
    .where('id', '=', id)
    .where('status', 'in', before(orderTransitions, 'paid'))
    .where('paidAt', 'is', null)
    .forNoKeyUpdate(),
)

/** Changes an order that the transaction has locked. */
export async function updateOrder(tx: Tx, id: Id<'order'>, changes: Updateable<Tables['order']>): Promise<void> {
  await updateOrderRow(tx, changes, { id })
}

const updateOrderRow = prepareUpdate((db, changes, { id }: { id: Id<'order'> }) =>
  db.updateTable('order').set(changes).where('id', '=', id),
)

/** Voids an order that is not paid, and locks it; undefined if it was paid or voided meanwhile. */
export const markVoid = (
  tx: Tx,
  id: Id<'order'>,
  now: Date,
  voidReason: string | null,
): Promise<OrderRow | undefined> =>
  tx
    .updateTable('order')
    .set({ status: 'void', appliedBalanceAmount: 0, voidedAt: now, voidReason, modifiedAt: now })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst()

type OfSubscription = { readonly organizationId: Id<'organization'>; readonly id: Id<'subscription'> }

/** The orders of a subscription that wait for their payment, the oldest first. */
export const listOpenOrders = (db: Db, { organizationId, id }: OfSubscription): Promise<OrderRow[]> =>
  db
    .selectFrom('order')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('subscriptionId', '=', id)
    .where('status', '=', 'pending')
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/**
 * Those of them that keep the subscription past due: an invoice that is not overdue, and has no notice of that, is not one.
 */
export const listUnpaidOrders = async (db: Db, subscription: OfSubscription): Promise<OrderRow[]> =>
  (await listOpenOrders(db, subscription)).filter(
    ({ dueAt, dueNotice }) => dueAt === null || dueNotice >= overdueNotice,
  )

/** The last notice of an invoice: it is overdue. */
export const overdueNotice = 3

/** Records a notice of a locked order's due date. */
export const noteDue = (tx: Tx, id: Id<'order'>, dueNotice: number): Promise<void> => updateOrder(tx, id, { dueNotice })

/** The newest order of a subscription: its buyer, as they last bought. */
export const findLatestOrder = async (db: Db, { organizationId, id }: OfSubscription): Promise<OrderRow | undefined> =>
  (await latestOf(db, { organizationId, id })).at(0)

const latestOf = prepare((db, { organizationId, id }: OfSubscription) =>
  db
    .selectFrom('order')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('subscriptionId', '=', id)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1),
)

/**
 * The discount that a subscription's running period was billed with: that of the latest order of whole prices. The orders
 * of changes within the period have prorations alone.
 */
export async function findBilledDiscount(
  db: Db,
  { organizationId, id }: OfSubscription,
): Promise<Id<'discount'> | null> {
  const order = await db
    .selectFrom('order')
    .select('discountId')
    .where('organizationId', '=', organizationId)
    .where('subscriptionId', '=', id)
    .where((by) =>
      by.exists(
        by
          .selectFrom('orderItem')
          .select('orderItem.id')
          .whereRef('orderItem.orderId', '=', 'order.id')
          .where('orderItem.proration', '=', false),
      ),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return order?.discountId ?? null
}

/** Gives an order its invoice number; undefined if it has one. */
export const setInvoiceNumber = (tx: Tx, id: Id<'order'>, invoiceNumber: string): Promise<OrderRow | undefined> =>
  tx
    .updateTable('order')
    .set({ invoiceNumber })
    .where('id', '=', id)
    .where('invoiceNumber', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Marks an order as invoiced and locks it until the transaction ends; undefined if it was marked before. */
export const markInvoiced = (
  tx: Tx,
  organizationId: Id<'organization'>,
  id: Id<'order'>,
  now: Date,
): Promise<OrderRow | undefined> =>
  changeBillingDetails(tx, organizationId, id, { invoiceIssuedAt: now, modifiedAt: now })

/** Changes to whom an order's invoice is made out; undefined if it is already issued, or no such order exists. */
export const changeBillingDetails = (
  tx: Tx,
  organizationId: Id<'organization'>,
  id: Id<'order'>,
  changes: Updateable<Tables['order']>,
): Promise<OrderRow | undefined> =>
  tx
    .updateTable('order')
    .set(changes)
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('invoiceIssuedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
