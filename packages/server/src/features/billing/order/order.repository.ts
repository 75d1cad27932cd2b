import type { ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { Insertable, Selectable } from 'kysely'
import type { Db, Id, Lists, Tx } from '../../../foundation/db/database.ts'
import { prepare } from '../../../foundation/db/prepared.ts'
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

export type OrderRow = Selectable<Tables['order']>
export type OrderItemRow = Selectable<Tables['orderItem']>

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

const ordersOf = (db: Db, organizationId: Id<'organization'>) =>
  db.selectFrom('order').selectAll().where('organizationId', '=', organizationId)

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

/**
 * Maximum customers whose orders are looked up one by one. With more, most orders match, and a scan finds a page soon.
 */
const fewCustomers = 500

/** Orders with this invoice number, or whose customer's name or address contains the text. */
async function ordersByText(lists: Lists, organizationId: Id<'organization'>, text: string) {
  const { db } = lists
  const invoiceNumber = text.toUpperCase()
  const fitting = db
    .selectFrom('customer')
    .select('customer.id')
    .where('customer.organizationId', '=', organizationId)
    .where(contains(lists, text, 'customer.email', 'customer.name'))
  const customers = await fitting.limit(fewCustomers + 1).execute()
  if (customers.length > fewCustomers)
    return ordersOf(db, organizationId).where((is) =>
      is.or([is('invoiceNumber', '=', invoiceNumber), is('customerId', 'in', fitting)]),
    )
  // Filter by id alone: with the organization too, SQLite would scan all of its orders.
  const own = db.selectFrom('order as own').select('own.id').where('own.organizationId', '=', organizationId)
  const ids = customers.map(({ id }) => id)
  const byNumber = own.where('own.invoiceNumber', '=', invoiceNumber)
  const found = ids.length === 0 ? byNumber : byNumber.unionAll(own.where('own.customerId', 'in', ids))
  return db.selectFrom('order').selectAll().where('id', 'in', found)
}

/** Invoice numbers have no gaps and orders are never deleted, so the counter is the number of orders. */
async function countOrders(db: Db, organizationId: Id<'organization'>): Promise<number> {
  const { ordersCount } = await db
    .selectFrom('merchant')
    .select('ordersCount')
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  return ordersCount
}

export const findOrder = async (
  db: Db,
  organizationId: Id<'organization'>,
  id: Id<'order'>,
): Promise<OrderRow | undefined> => (await ordersById(db, { organizationId, id })).at(0)

const ordersById = prepare((db, { organizationId, id }: { organizationId: Id<'organization'>; id: Id<'order'> }) =>
  ordersOf(db, organizationId).where('id', '=', id),
)

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

/**
 * Takes the organization's next order number, without gaps (ORD-7). Concurrent purchases wait until the transaction
 * ends, so take it as late as possible.
 */
export const takeOrderNumber = (tx: Tx, organizationId: Id<'organization'>) =>
  tx
    .updateTable('merchant')
    .set((set) => ({ ordersCount: set('ordersCount', '+', 1) }))
    .where('organizationId', '=', organizationId)
    .returning(['ordersCount', 'invoicePrefix'])
    .executeTakeFirstOrThrow()

export const insertOrder = (tx: Tx, order: Insertable<Tables['order']>) =>
  tx.insertInto('order').values(order).returningAll().executeTakeFirstOrThrow()

export const insertOrderItems = (tx: Tx, items: readonly Insertable<Tables['orderItem']>[]) =>
  tx.insertInto('orderItem').values(items).returningAll().execute()
