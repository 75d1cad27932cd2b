import { expect } from 'vitest'
import { violationsOfBooks } from '../../packages/server/src/features/billing/books/books.service.ts'
import { createShop, fixedPrice } from '../../packages/server/src/features/billing/testing/shop.ts'
import { copySubscribers } from '../../packages/server/src/features/billing/testing/subscribers.ts'
import { standingClock, systemClock } from '../../packages/server/src/foundation/clock.ts'
import type { Db } from '../../packages/server/src/foundation/db/database.ts'
import { createTestServer } from '../../packages/server/src/testing.ts'
import { lookInto } from './state.ts'

const price = 1000

/** Subscriptions of one seller in an unused database, which all began at this moment. */
export async function subscribeMany(databaseUrl: string, count: number): Promise<void> {
  await using server = await createTestServer({}, { databaseUrl, clock: standingClock(systemClock.now()) })
  const { ctx } = server.tollgate.internals
  const shop = await createShop(server)
  await shop.buy(await shop.product([fixedPrice(price)], 'month'))
  await ctx.jobs.runDue()
  await copySubscribers(ctx, count - 1)
}

/** How many orders renewals have posted, as the seller's count of orders tells without reading them. */
export async function countPosted(db: Db): Promise<number> {
  const { orders } = await db
    .selectFrom('orderCount')
    .select((of) => of.fn.sum('orders').as('orders'))
    .executeTakeFirstOrThrow()
  return Number(orders) - 1 // the one that a checkout has sold
}

/** Whether all charges of renewals have come to their ends. */
export const isAllCharged = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('job').select('id').where('kind', '=', 'charge-payment').limit(1).execute()).length === 0

/** Each period of each subscription has one order, which one payment has paid; and the books hold. */
export async function expectRenewedOnce(
  databaseUrl: string,
  { subscriptions, renewals }: { readonly subscriptions: number; readonly renewals: number },
): Promise<void> {
  await lookInto(databaseUrl, async ({ db }) => {
    expect(await violationsOfBooks(db)).toEqual([])
    const orders = await db
      .selectFrom('order')
      .select(['id', 'subscriptionId', 'status', 'totalAmount', 'periodStart', 'periodEnd', 'invoiceNumber'])
      .where('billingReason', '=', 'subscription_cycle')
      .orderBy('periodStart')
      .execute()
    const bySubscription = Map.groupBy(orders, ({ subscriptionId }) => subscriptionId)
    expect([bySubscription.size, orders.length]).toEqual([subscriptions, subscriptions * renewals])
    const rows = await db.selectFrom('subscription').select(['id', 'status', 'currentPeriodEnd']).execute()
    for (const { id, status, currentPeriodEnd } of rows) {
      const own = bySubscription.get(id) ?? []
      expect([status, own.length, own.at(-1)?.periodEnd]).toEqual(['active', renewals, currentPeriodEnd])
      for (const [at, order] of own.entries()) {
        expect([order.status, order.totalAmount]).toEqual(['paid', price])
        if (at > 0) expect(order.periodStart).toEqual(own[at - 1]?.periodEnd)
      }
    }
    const numbers = new Set(orders.map(({ invoiceNumber }) => invoiceNumber))
    expect(numbers.size).toBe(orders.length)

    const all = orders.length + 1 // the one that a checkout has sold
    const charged = await db.selectFrom('sandboxIntent').select('status').where('amount', '=', price).execute()
    expect(charged).toEqual(Array(all).fill({ status: 'succeeded' }))
    const payments = await db.selectFrom('payment').select('status').where('amount', '=', price).execute()
    expect(payments).toEqual(Array(all).fill({ status: 'succeeded' }))
    const told = await db.selectFrom('event').select('subjectId').where('type', '=', 'order.paid').execute()
    expect([told.length, new Set(told.map(({ subjectId }) => subjectId)).size]).toEqual([all, all])
  })
}
