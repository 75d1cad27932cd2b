import type { Insertable, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db, Lists, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import {
  column,
  contains,
  customersByExternalId,
  type ListRequest,
  metadataFits,
  type Page,
  readPage,
  type SortColumn,
} from '../list.repository.ts'
import type { OrderStatus } from '../states.ts'

export type OrderRow = Selectable<Tables['order']>
export type OrderItemRow = Selectable<Tables['orderItem']>

export type OrderFilters = {
  readonly productId?: string[] | undefined
  readonly productBillingType?: ('one_time' | 'recurring')[] | undefined
  readonly discountId?: string[] | undefined
  readonly customerId?: string[] | undefined
  readonly externalCustomerId?: string[] | undefined
  readonly checkoutId?: string[] | undefined
  readonly subscriptionId?: string[] | undefined
  readonly status?: OrderStatus[] | undefined
  /** Both moments belong to what fits. */
  readonly createdAfter?: Date | undefined
  readonly createdBefore?: Date | undefined
  readonly query?: string | undefined
  readonly metadata?: Readonly<Record<string, readonly string[]>> | undefined
}

/** By the name that people know, not by the id. */
const nameOf = (table: 'customer' | 'product' | 'discount', shown: string, id: string): SortColumn['ref'] =>
  sql`(select ${sql.ref(`${table}.${shown}`)} from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = ${sql.ref(id)})`

const columns: Readonly<Record<string, SortColumn>> = {
  created_at: column('order.createdAt', 'time'),
  amount: column('order.netAmount', 'number'),
  net_amount: column('order.netAmount', 'number'),
  status: column('order.status', 'text'),
  invoice_number: column('order.invoiceNumber', 'text'),
  customer: { ref: nameOf('customer', 'email', 'order.customerId'), kind: 'text' },
  product: { ref: nameOf('product', 'name', 'order.productId'), kind: 'text' },
  discount: { ref: nameOf('discount', 'name', 'order.discountId'), kind: 'nullable' },
  subscription: column('order.subscriptionId', 'nullable'),
}

const ordersOf = (db: Db, organizationId: string) =>
  db.selectFrom('order').selectAll().where('organizationId', '=', organizationId)

/** A page of an organization's orders. Where nothing is left out, their number is the merchant's counter, not a count. */
export async function pageOfOrders(
  lists: Lists,
  organizationId: string,
  filters: OrderFilters & ListRequest,
): Promise<Page<OrderRow>> {
  const all = ordersOf(lists.db, organizationId)
  const query = await fittingOrders(lists, organizationId, filters, all)
  return readPage(query, filters, {
    columns,
    id: 'order.id',
    ...(query === all && { count: () => countOrders(lists.db, organizationId) }),
  })
}

/** Those of an organization's orders that fit; all of them, as they were given, where nothing is asked for. */
export async function fittingOrders(
  lists: Lists,
  organizationId: string,
  filters: OrderFilters,
  all = ordersOf(lists.db, organizationId),
) {
  const { productId, productBillingType, discountId, customerId, externalCustomerId } = filters
  const { checkoutId, subscriptionId, status, createdAfter, createdBefore, query: text, metadata } = filters
  let query = text ? await ordersByText(lists, organizationId, text) : all
  if (productId) query = query.where('productId', 'in', productId)
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
  if (discountId) query = query.where('discountId', 'in', discountId)
  if (customerId) query = query.where('customerId', 'in', customerId)
  if (externalCustomerId)
    query = query.where('customerId', 'in', customersByExternalId(lists.db, organizationId, externalCustomerId))
  if (checkoutId) query = query.where('checkoutId', 'in', checkoutId)
  if (subscriptionId) query = query.where('subscriptionId', 'in', subscriptionId)
  if (status) query = query.where('status', 'in', status)
  if (createdAfter) query = query.where('createdAt', '>=', createdAfter)
  if (createdBefore) query = query.where('createdAt', '<=', createdBefore)
  if (metadata) query = query.where(metadataFits(lists, 'order.metadata', metadata))
  return query
}

/** Customers up to which their orders are looked up one by one; of more than that every other order fits, and is met soon. */
const fewCustomers = 500

/** Orders with an invoice number, and those of whoever has a text in their name or address. */
async function ordersByText(lists: Lists, organizationId: string, text: string) {
  const { db } = lists
  const invoiceNumber = text.toUpperCase()
  const fitting = db
    .selectFrom('customer')
    .select('customer.id')
    .where('customer.organizationId', '=', organizationId)
    .where((has) => has.or([contains(lists, 'customer.email', text), contains(lists, 'customer.name', text)]))
  const customers = await fitting.limit(fewCustomers + 1).execute()
  if (customers.length > fewCustomers)
    return db
      .selectFrom('order')
      .selectAll()
      .where('organizationId', '=', organizationId)
      .where((is) => is.or([is('invoiceNumber', '=', invoiceNumber), is('customerId', 'in', fitting)]))
  // By nothing but the ids: asked for the organization besides, SQLite would walk through all of its orders.
  const own = db.selectFrom('order as own').select('own.id').where('own.organizationId', '=', organizationId)
  const ids = customers.map(({ id }) => id)
  const byNumber = own.where('own.invoiceNumber', '=', invoiceNumber)
  const found = ids.length === 0 ? byNumber : byNumber.unionAll(own.where('own.customerId', 'in', ids))
  return db.selectFrom('order').selectAll().where('id', 'in', found)
}

/** How many orders there are: invoice numbers have no gaps and orders stay, so the counter of the one is that of the other. */
async function countOrders(db: Db, organizationId: string): Promise<number> {
  const { ordersCount } = await db
    .selectFrom('merchant')
    .select('ordersCount')
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  return ordersCount
}

export const findOrder = (db: Db, organizationId: string, id: string): Promise<OrderRow | undefined> =>
  db
    .selectFrom('order')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()

/** The items of several orders, each in its order. */
export async function itemsOfOrders(db: Db, ids: readonly string[]): Promise<Map<string, OrderItemRow[]>> {
  const items = new Map<string, OrderItemRow[]>(ids.map((id) => [id, []]))
  if (ids.length === 0) return items
  const rows = await db.selectFrom('orderItem').selectAll().where('orderId', 'in', ids).orderBy('position').execute()
  for (const row of rows) items.get(row.orderId)?.push(row)
  return items
}

/**
 * The next number of an organization's orders, without gaps (ORD-7): it is taken in the order's own transaction, and others
 * wait until that ends; so it is taken as late as possible.
 */
export const takeOrderNumber = (
  tx: Tx,
  organizationId: string,
): Promise<{ ordersCount: number; invoicePrefix: string }> =>
  tx
    .updateTable('merchant')
    .set((set) => ({ ordersCount: set('ordersCount', '+', 1) }))
    .where('organizationId', '=', organizationId)
    .returning(['ordersCount', 'invoicePrefix'])
    .executeTakeFirstOrThrow()

export const insertOrder = (tx: Tx, order: Insertable<Tables['order']>): Promise<OrderRow> =>
  tx.insertInto('order').values(order).returningAll().executeTakeFirstOrThrow()

export const insertOrderItems = (tx: Tx, items: readonly Insertable<Tables['orderItem']>[]): Promise<OrderItemRow[]> =>
  tx.insertInto('orderItem').values(items).returningAll().execute()
