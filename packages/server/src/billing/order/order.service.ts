import type { BillingAnswer, Order, ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { TollgateError } from '../../error.ts'
import type { Seller } from '../seller/seller.service.ts'
import { findOrder, itemsOfOrders, type OrderRow, pageOfOrders } from './order.repository.ts'
import { toOrder } from './order-view.ts'
import { listSubscriptionsById } from './subscription.repository.ts'

/** The orders of an organization. */
export async function listOrders(
  ctx: Context,
  { organizationId }: Seller,
  query: ParsedBillingQuery<'listOrders'>,
): Promise<BillingAnswer<'listOrders'>> {
  const { rows, pagination } = await pageOfOrders(ctx.database.lists, organizationId, query)
  return { items: await readOrders(ctx.db, organizationId, rows), pagination }
}

/** One of an organization's orders. */
export async function getOrder(
  ctx: Context,
  { organizationId }: Seller,
  id: string,
): Promise<BillingAnswer<'getOrder'>> {
  const row = await findOrder(ctx.db, organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return readOrder(ctx.db, row)
}

/** An order as answers and events show it. */
export async function readOrder(db: Db, row: OrderRow): Promise<Order> {
  const [order] = await readOrders(db, row.organizationId, [row])
  return order!
}

/** Orders as answers show them: besides their own rows only the subscriptions, which go on changing, are read. */
export async function readOrders(db: Db, organizationId: string, rows: readonly OrderRow[]): Promise<Order[]> {
  const items = await itemsOfOrders(
    db,
    rows.map(({ id }) => id),
  )
  const ids = [...new Set(rows.map(({ subscriptionId }) => subscriptionId).filter((id) => id !== null))]
  const found = ids.length > 0 ? await listSubscriptionsById(db, organizationId, ids) : []
  const subscriptions = new Map(found.map((row) => [row.id, row]))
  return rows.map((row) =>
    toOrder(row, items.get(row.id)!, row.subscriptionId === null ? undefined : subscriptions.get(row.subscriptionId)),
  )
}
