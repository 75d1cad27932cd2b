import type { Order, Subscription } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id } from '../../../foundation/db/database.ts'
import type { PendingChange } from '../../../foundation/db/tables/order.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { readPrices, readProducts } from '../catalog/product.service.ts'
import { readCustomers } from '../customer/customer-view.ts'
import { readDiscounts } from '../discount/discount.service.ts'
import { pricesOfSubscriptions, type SubscriptionRow } from './subscription.repository.ts'

/** A subscription as orders embed it. */
export const toSubscriptionBase = (row: SubscriptionRow): NonNullable<Order['subscription']> => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  modifiedAt: iso(row.modifiedAt),
  amount: row.amount,
  quantity: row.quantity,
  currency: row.currency,
  recurringInterval: row.recurringInterval,
  recurringIntervalCount: row.intervalCount,
  status: shownStatus(row),
  currentPeriodStart: row.currentPeriodStart.toISOString(),
  currentPeriodEnd: iso(row.currentPeriodEnd),
  trialStart: iso(row.trialStart),
  trialEnd: iso(row.trialEnd),
  cancelAtPeriodEnd: row.cancelAtPeriodEnd,
  canceledAt: iso(row.canceledAt),
  startedAt: iso(row.startedAt),
  endsAt: iso(row.endsAt),
  endedAt: iso(row.endedAt),
  pastDueAt: iso(row.pastDueAt),
  pausedAt: iso(row.pausedAt),
  resumesAt: iso(row.resumesAt),
  pauseAtPeriodEnd: row.pauseAtPeriodEnd,
  collectionMethod: row.collectionMethod,
  netTermsDays: row.netTermsDays,
  customerId: row.customerId,
  productId: row.productId,
  discountId: row.discountId,
  checkoutId: row.checkoutId,
  customerCancellationReason: row.customerCancellationReason,
  customerCancellationComment: row.customerCancellationComment,
  metadata: row.metadata,
  customFieldData: row.customFieldData,
  seats: null,
  pendingUpdate: row.pendingChange && pendingUpdateOf(row, row.pendingChange),
  scheduledPhases: row.schedule?.phases.filter(({ beganAt }) => beganAt === null).length ?? 0,
})

/** The status on the wire, whose list is closed: a paused subscription gives nothing, and has not ended. */
const shownStatus = ({ status }: SubscriptionRow): Subscription['status'] => (status === 'paused' ? 'unpaid' : status)

/** A change that waits for the end of the period, in the terms of SDK 1.0. */
const pendingUpdateOf = (
  row: Pick<SubscriptionRow, 'productId' | 'quantity'>,
  { id, createdAt, appliesAt, productId, quantity = 1 }: PendingChange,
) => ({
  id,
  createdAt,
  modifiedAt: null,
  appliesAt,
  productId: productId === row.productId ? null : productId,
  seats: null,
  quantity: quantity === row.quantity ? null : quantity,
})

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

/** Objects embedded in a subscription. */
type Embedded = Pick<Subscription, 'customer' | 'product' | 'discount' | 'prices'>

/** A subscription as responses and events show it. */
export const toSubscription = (row: SubscriptionRow, embedded: Embedded): Subscription => ({
  ...toSubscriptionBase(row),
  ...embedded,
  meters: [],
})

/** Subscriptions as responses show them, in the rows' order, with one query per kind of embedded object. */
export async function readSubscriptions(
  ctx: Context,
  db: Db,
  organizationId: Id<'organization'>,
  rows: readonly SubscriptionRow[],
): Promise<Subscription[]> {
  if (rows.length === 0) return []
  const distinct = (ids: readonly (string | null)[]) => [...new Set(ids.filter((id) => id !== null))]
  const customers = await readCustomers(ctx, db, organizationId, distinct(rows.map((row) => row.customerId)))
  const products = await readProducts(db, organizationId, distinct(rows.map((row) => row.productId)))
  const discounts = await readDiscounts(db, organizationId, distinct(rows.map((row) => row.discountId)))
  const priceIds = await pricesOfSubscriptions(
    db,
    rows.map((row) => row.id),
  )
  const prices = await readPrices(db, organizationId, distinct([...priceIds.values()].flat()))
  return rows.map((row) =>
    toSubscription(row, {
      // Subscriptions and orders refer to these rows, so they are never deleted.
      customer: proven(customers.get(row.customerId), 'all that the rows name were read'),
      product: proven(products.get(row.productId), 'all that the rows name were read'),
      discount:
        row.discountId === null ? null : proven(discounts.get(row.discountId), 'all that the rows name were read'),
      prices: proven(priceIds.get(row.id), 'all that the rows name were read').map((id) =>
        proven(prices.get(id), 'all that the rows name were read'),
      ),
    }),
  )
}
