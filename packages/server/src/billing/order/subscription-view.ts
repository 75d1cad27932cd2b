import type { Order, Subscription } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
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
  currency: row.currency,
  recurringInterval: row.recurringInterval as Subscription['recurringInterval'], // copied from a product's
  recurringIntervalCount: 1,
  status: row.status as Subscription['status'], // written from the table of states
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
  customerId: row.customerId,
  productId: row.productId,
  discountId: row.discountId,
  checkoutId: row.checkoutId,
  customerCancellationReason: row.customerCancellationReason as Subscription['customerCancellationReason'], // of the contract's list
  customerCancellationComment: row.customerCancellationComment,
  metadata: row.metadata as Subscription['metadata'], // written from the schema of metadata
  customFieldData: row.customFieldData as Subscription['customFieldData'], // checked by the product's fields
  seats: null,
  pendingUpdate: null,
})

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

/** What a subscription is shown with. */
type Embedded = Pick<Subscription, 'customer' | 'product' | 'discount' | 'prices'>

/** A subscription as answers and events show it. */
export const toSubscription = (row: SubscriptionRow, embedded: Embedded): Subscription => ({
  ...toSubscriptionBase(row),
  ...embedded,
  meters: [],
})

/** Subscriptions as answers show them, in the order of the rows: one query for each kind of thing in them. */
export async function readSubscriptions(
  ctx: Context,
  db: Db,
  organizationId: string,
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
      // Customers, products, discounts and prices are kept for good, because subscriptions and orders name them.
      customer: customers.get(row.customerId)!,
      product: products.get(row.productId)!,
      discount: row.discountId === null ? null : discounts.get(row.discountId)!,
      prices: priceIds.get(row.id)!.map((id) => prices.get(id)!),
    }),
  )
}
