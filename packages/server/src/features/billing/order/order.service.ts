import type { Order } from '@tollgate/contract/billing-types'
import type { Db, Id } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { keptAnswers } from '../../../foundation/kept-answers.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { findOrder, itemsOfOrders, type OrderRow, pageOfOrders } from './order.repository.ts'
import { toOrder } from './order-view.ts'
import { listSubscriptionsById } from './subscription.repository.ts'

export const listOrders: BillingHandler<'listOrders'> = async ({ ctx, seller: { organizationId }, query }) => {
  const { rows, pagination } = await pageOfOrders(ctx.database.lists, organizationId, query)
  return { items: await readOrders(ctx.db, organizationId, rows), pagination }
}

/** Maximum number of orders and items in the cached answers: a few megabytes. */
const keptLimit = 2000
const keptOrders = keptAnswers<Order>('orders', keptLimit, ({ items }) => 1 + items.length)

export const getOrder: BillingHandler<'getOrder'> = ({ ctx, caller, seller: { organizationId }, params: { id } }) => {
  const read = async () => {
    const row = await findOrder(ctx.db, organizationId, id)
    if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
    return readOrder(ctx.db, row)
  }
  return keptOrders({ ctx, caller }, `${organizationId} ${id}`, read)
}

/** An order as responses and events show it. */
export async function readOrder(db: Db, row: OrderRow): Promise<Order> {
  const [order] = await readOrders(db, row.organizationId, [row])
  return proven(order, 'one row gives one answer')
}

/** Orders as responses show them. Only items and subscriptions are read; the snapshot holds the rest. */
export async function readOrders(
  db: Db,
  organizationId: Id<'organization'>,
  rows: readonly OrderRow[],
): Promise<Order[]> {
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
