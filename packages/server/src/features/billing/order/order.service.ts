import type { Order } from '@tollgate/contract/billing-types'
import type { Db } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { findOrder, itemsOfOrders, type OrderRow, pageOfOrders } from './order.repository.ts'
import { toOrder } from './order-view.ts'
import { listSubscriptionsById } from './subscription.repository.ts'

export const listOrders: BillingHandler<'listOrders'> = async ({ ctx, seller: { organizationId }, query }) => {
  const { rows, pagination } = await pageOfOrders(ctx.database.lists, organizationId, query)
  return { items: await readOrders(ctx.db, organizationId, rows), pagination }
}

export const getOrder: BillingHandler<'getOrder'> = async ({ ctx, seller: { organizationId }, params: { id } }) => {
  const row = await findOrder(ctx.db, organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return readOrder(ctx.db, row)
}

/** An order as responses and events show it. */
export async function readOrder(db: Db, row: OrderRow): Promise<Order> {
  const [order] = await readOrders(db, row.organizationId, [row])
  return proven(order, 'one row gives one answer')
}

/** Orders as responses show them. Only items and subscriptions are read; the snapshot holds the rest. */
export async function readOrders(db: Db, organizationId: string, rows: readonly OrderRow[]): Promise<Order[]> {
  const items = await itemsOfOrders(
    db,
    rows.map(({ id }) => id),
  )
  const ids = [...new Set(rows.map(({ subscriptionId }) => subscriptionId).filter((id) => id !== null))]
  const found = ids.length > 0 ? await listSubscriptionsById(db, organizationId, ids) : []
  const subscriptions = new Map(found.map((row) => [row.id, row]))
  return rows.map((row) =>
    toOrder(
      row,
      proven(items.get(row.id), 'all that the rows name were read'),
      row.subscriptionId === null ? undefined : subscriptions.get(row.subscriptionId),
    ),
  )
}
