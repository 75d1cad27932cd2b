import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { moveClock } from '../../dev/move-clock.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { ordersOfSubscription } from '../testing/orders.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ billing: { dunning: { retryAfterDays: [3, 4] } } })
})
afterAll(async () => {
  expect(await violationsOfBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})
const ctx = () => server.tollgate.internals.ctx
const pass = (time: number) => moveClock(ctx(), new Date(ctx().clock.now().getTime() + time))

const subscription = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body
const decide = (shop: Shop, settings: object) =>
  shop.patch(`/organizations/${shop.organizationId}`, { subscription_settings: settings })

/** A monthly subscription whose card is declined by each renewal. */
async function declined(settings: object = {}) {
  const shop = await createShop(server)
  await decide(shop, settings)
  const product = await shop.product([fixedPrice(1000)], 'month')
  const { order } = await shop.buy(product, { confirmation_token_id: 'ctoken_sandbox_renewal_decline' })
  return { shop, id: order.subscription_id as string, customerId: order.customer_id as string }
}

/** The whole days between the first failure of a subscription's renewal and each attempt. */
async function daysOfAttempts(shop: Shop, id: string): Promise<number[]> {
  const { items } = (await shop.get('/payments?limit=100&status=failed&sorting=created_at')).body
  const renewal = (await ordersOfSubscription(shop, id)).at(-1)
  const times = items
    .filter(({ order_id }: { order_id: string }) => order_id === renewal.id)
    .map(({ created_at }: { created_at: string }) => new Date(created_at).getTime())
  return times.map((time: number) => Math.round((time - times[0]) / days(1)))
}

describe('the schedule of retries', () => {
  test('is the installation’s where the seller has none, and its last failure ends the subscription', async () => {
    const { shop, id } = await declined()

    await pass(days(45))

    expect(await daysOfAttempts(shop, id)).toEqual([0, 3, 7])
    expect((await subscription(shop, id)).status).toBe('canceled')
  })

  test('is the seller’s own, and stays with a dunning that has begun', async () => {
    const { shop, id } = await declined({ dunning_retry_after_days: [1, 1, 2] })
    const other = await shop.buy(await shop.product([fixedPrice(500)], 'month'), {
      confirmation_token_id: 'ctoken_sandbox_renewal_decline',
      customer_email: 'other@example.com',
    })
    await pass(days(32))
    expect((await subscription(shop, id)).status).toBe('past_due')

    await decide(shop, { dunning_retry_after_days: null })
    await pass(days(20))

    expect(await daysOfAttempts(shop, id)).toEqual([0, 1, 2, 4])
    expect(await daysOfAttempts(shop, other.order.subscription_id)).toEqual([0, 1, 2, 4])
    const { subscription_settings } = (await shop.get(`/organizations/${shop.organizationId}`)).body
    expect(subscription_settings.dunning_retry_after_days).toBeNull()
  })

  test('of a dunning from before schedules were kept is the former one', async () => {
    const { shop, id } = await declined()
    await pass(days(32))
    await ctx().db.updateTable('subscription').set({ dunningSchedule: null }).where('id', '=', id).execute()

    await pass(days(25))

    expect(await daysOfAttempts(shop, id)).toEqual([0, 3, 7, 14, 21])
  })

  test.each([[[]], [[0]], [[61]], [[1.5]], [Array(11).fill(1)], ['2,5']])('cannot be %j', async (chosen) => {
    const shop = await createShop(server)

    const { status, body } = await decide(shop, { dunning_retry_after_days: chosen })

    expect(status).toBe(422)
    expect(body.detail[0].loc.slice(0, 3)).toEqual(['body', 'subscription_settings', 'dunning_retry_after_days'])
  })
})
