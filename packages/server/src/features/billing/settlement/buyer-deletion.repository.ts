import type { Db, Id } from '../../../foundation/db/database.ts'
import type { Buyers } from '../../organization/purchases-of-buyers.ts'
import type { CustomerRow } from '../customer/customer.repository.ts'
import { subscriptionMoves } from '../states.ts'

/** Maximum number of customers whose purchases one plan names; a deletion ends those of all. */
export const mostListed = 100

/** The customers that sellers have of the buyers, by seller. */
export async function listCustomersOfBuyers(
  db: Db,
  { userId, organizationIds }: Buyers,
): Promise<Pick<CustomerRow, 'organizationId' | 'id'>[]> {
  const present = db.selectFrom('customer').select(['organizationId', 'id']).where('deletedAt', 'is', null)
  // One query per index; `or` would read all customers.
  const ofUser = userId === null ? [] : await present.where('userId', '=', userId).execute()
  const ofOrganizations =
    organizationIds.length === 0 ? [] : await present.where('buyerOrganizationId', 'in', organizationIds).execute()
  return [...ofUser, ...ofOrganizations].toSorted((one, other) =>
    one.organizationId === other.organizationId
      ? one.id.localeCompare(other.id)
      : one.organizationId.localeCompare(other.organizationId),
  )
}

type Customers = {
  readonly organizationIds: readonly Id<'organization'>[]
  readonly customerIds: readonly Id<'customer'>[]
}

const liveOf = (db: Db, { organizationIds, customerIds }: Customers) =>
  db
    .selectFrom('subscription')
    .where('subscription.organizationId', 'in', organizationIds)
    .where('subscription.customerId', 'in', customerIds)
    .where('subscription.status', 'in', subscriptionMoves.revoke.from)

/** The first live subscriptions of customers, oldest first, with the names of what they are. */
export const listLiveSubscriptions = (db: Db, customers: Customers) =>
  liveOf(db, customers)
    .innerJoin('organization', 'organization.id', 'subscription.organizationId')
    .innerJoin('product', 'product.id', 'subscription.productId')
    .select([
      'subscription.id',
      'subscription.status',
      'subscription.amount',
      'subscription.currency',
      'subscription.recurringInterval',
      'subscription.intervalCount',
      'subscription.currentPeriodEnd',
      'organization.name as seller',
      'product.name as product',
    ])
    .orderBy('subscription.createdAt')
    .orderBy('subscription.id')
    .limit(mostListed)
    .execute()

export const countLiveSubscriptions = async (db: Db, customers: Customers): Promise<number> =>
  Number(
    (
      await liveOf(db, customers)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  )

/** What customers owe by currency: of live subscriptions, or of everything else. */
export async function sumOpenOrders(db: Db, customers: Customers, of: 'live subscriptions' | 'others') {
  const rows = await db
    .selectFrom('order')
    .where('order.organizationId', 'in', customers.organizationIds)
    .where('order.customerId', 'in', customers.customerIds)
    .where('order.status', '=', 'pending')
    .where((by) => {
      const isOfLive = by.exists(
        by
          .selectFrom('subscription')
          .select('subscription.id')
          .whereRef('subscription.id', '=', 'order.subscriptionId')
          .where('subscription.status', 'in', subscriptionMoves.revoke.from),
      )
      return of === 'live subscriptions' ? isOfLive : by.not(isOfLive)
    })
    .select('currency')
    .select(({ fn }) => [fn.countAll().as('count'), fn.sum('totalAmount').as('total')])
    .select(({ fn }) => fn.sum('appliedBalanceAmount').as('balance'))
    .groupBy('currency')
    .orderBy('currency')
    .execute()
  return rows.map(({ currency, count, total, balance }) => ({
    currency,
    count: Number(count),
    amount: Number(total) + Number(balance),
  }))
}

export const countMethods = async (db: Db, { organizationIds, customerIds }: Customers): Promise<number> =>
  Number(
    (
      await db
        .selectFrom('paymentMethod')
        .where('organizationId', 'in', organizationIds)
        .where('customerId', 'in', customerIds)
        .where('deletedAt', 'is', null)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  )
