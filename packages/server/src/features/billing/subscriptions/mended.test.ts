import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours, minutes } from '../../../foundation/clock.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../../testing.ts'
import { moveClock } from '../../dev/move-clock.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import type { Processor } from '../payments/processor.ts'
import { ordersOfSubscription as ordersOf } from '../testing/orders.ts'
import { createShop, fixedPrice, freePrice, newBuyer, type Shop } from '../testing/shop.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ billing: { processors: { sandbox: { events: 'never' } } } })
})
afterAll(async () => {
  expect(await violationsOfBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})
const ctx = () => server.tollgate.internals.ctx

async function subscribed({ card = 'success', price = 1000 } = {}) {
  const shop = await createShop(server)
  const product = await shop.product([fixedPrice(price)], 'month')
  const buyer = newBuyer()
  const { order } = await shop.buy(product, { ...buyer, confirmation_token_id: `ctoken_sandbox_${card}` })
  return { shop, product, buyer, id: order.subscription_id as string, customerId: order.customer_id as string }
}

const subscription = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body
const pass = async (time: number) => moveClock(ctx(), new Date(ctx().clock.now().getTime() + time))
const paymentsOf = async (shop: Shop, orderId: string): Promise<TestAnswer['body'][]> =>
  (await shop.get(`/payments?order_id=${orderId}&limit=100`)).body.items
const statusesOf = async (shop: Shop, orderId: string) =>
  (await paymentsOf(shop, orderId)).map(({ status }) => status).toSorted()

/** The sandbox answers nothing while `work` runs. */
async function whileAway(work: () => Promise<unknown>, changed: Partial<Processor> = {}): Promise<void> {
  const { sandbox } = ctx().payments
  const gone = () => Promise.reject(new Error('connection reset'))
  const before = { charge: sandbox.charge, look: sandbox.look, cancel: sandbox.cancel }
  Object.assign(sandbox, { charge: gone, look: gone, cancel: gone, ...changed })
  try {
    await work()
  } finally {
    Object.assign(sandbox, before)
  }
}

/** A customer's card from now on. */
const useCard = (shop: Shop, card: string) =>
  ctx()
    .db.updateTable('paymentMethod')
    .set({ processorReference: `sandbox_method:${card}:12:2040` })
    .where('organizationId', '=', shop.organizationId)
    .execute()

describe('a processor that does not answer for days', () => {
  test('is not asked for a second payment of the same order', async () => {
    const { shop, id } = await subscribed({ card: 'renewal_decline' })
    await pass(days(32))
    await useCard(shop, 'success')
    // Each retry's payment is begun, and what becomes of it is unknown.
    await whileAway(() => pass(days(13)))
    const [, renewal] = await ordersOf(shop, id)
    expect(await statusesOf(shop, renewal.id)).toEqual(['failed', 'pending'])

    await pass(hours(2))

    expect(await statusesOf(shop, renewal.id)).toEqual(['failed', 'succeeded'])
    expect((await subscription(shop, id)).status).toBe('active')
  })

  test('charges nothing that was canceled meanwhile (SUB-19)', async () => {
    const { shop, id, customerId } = await subscribed()
    await whileAway(async () => {
      await pass(days(32))
      await shop.delete(`/subscriptions/${id}`)
    })

    await pass(hours(3))

    const [, renewal] = await ordersOf(shop, id)
    expect(await statusesOf(shop, renewal.id)).toEqual(['failed'])
    expect((await shop.get(`/customers/${customerId}`)).status).toBe(200)
  })
})

describe('a subscription past due', () => {
  test('ends at once where it is canceled for the end of its period, and is tried no more (SUB-19)', async () => {
    const { shop, id } = await subscribed({ card: 'renewal_decline' })
    await pass(days(32))
    await useCard(shop, 'success')

    const { body } = await shop.patch(`/subscriptions/${id}`, { cancel_at_period_end: true })
    await pass(days(25))

    expect(body.status).toBe('canceled')
    const [, renewal] = await ordersOf(shop, id)
    expect(await statusesOf(shop, renewal.id)).toEqual(['failed'])
  })
})

describe('a subscription that cannot renew', () => {
  test('keeps no other one of its seller from it', async () => {
    const { shop, product, id } = await subscribed()
    server.clock.advance(minutes(1))
    const { order } = await shop.buy(product)
    await ctx().db.updateTable('subscription').set({ productId: 'gone' }).where('id', '=', id).execute()

    await pass(days(32))

    expect(await ordersOf(shop, order.subscription_id)).toHaveLength(2)
    await ctx().db.updateTable('subscription').set({ productId: product }).where('id', '=', id).execute()
  })
})

test('a change that waits for the end of the period is gone when a purchase switches the subscription', async () => {
  const shop = await createShop(server)
  const [free, later, plan] = [
    await shop.product([freePrice], 'month', 'Free'),
    await shop.product([fixedPrice(500)], 'month', 'Later'),
    await shop.product([fixedPrice(900)], 'month', 'Plan'),
  ]
  const buyer = newBuyer()
  const { order } = await shop.buy(free, buyer)
  const id = order.subscription_id
  const waits = { product_id: later, proration_behavior: 'next_period' }
  expect((await shop.patch(`/subscriptions/${id}`, waits)).body.pending_update).not.toBeNull()

  const { order: bought } = await shop.buy(plan, buyer).catch(async () => {
    const checkout = await shop.checkout(plan, { subscription_id: id })
    await shop.confirm(checkout, buyer)
    return { order: (await shop.ordersOf(checkout))[0] }
  })
  expect(bought.subscription_id).toBe(id)
  await pass(days(32))

  expect((await subscription(shop, id)).product_id).toBe(plan)
})
