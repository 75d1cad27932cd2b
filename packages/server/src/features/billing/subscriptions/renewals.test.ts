import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours, minutes } from '../../../foundation/clock.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../../testing.ts'
import { moveClock } from '../../dev/move-clock.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { ordersOfSubscription as ordersOf } from '../testing/orders.ts'
import { createShop, fixedPrice, freePrice, type Shop } from '../testing/shop.ts'
import { giveCredit } from '../testing/subscribers.ts'
import { pass } from '../testing/time.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(async () => {
  expect(await violationsOfBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})
const ctx = () => server.tollgate.internals.ctx

async function subscribed(given: { card?: string; price?: number; interval?: 'month' | 'year'; code?: object } = {}) {
  const shop = await createShop(server)
  const { card = 'success', price = 1000, interval = 'month', code } = given
  const discount = code && (await shop.discount(code))
  const product = await shop.product([price === 0 ? freePrice : fixedPrice(price)], interval)
  const { order } = await shop.buy(product, {
    confirmation_token_id: `ctoken_sandbox_${card}`,
    ...(discount && { discount_code: discount.code }),
  })
  return { shop, product, id: order.subscription_id as string, customerId: order.customer_id as string }
}

const subscription = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body

describe('a renewal', () => {
  test('bills each period once, at its own time, while the clock steps over months', async () => {
    const { shop, id } = await subscribed()
    const { current_period_end: first } = await subscription(shop, id)

    await pass(server, days(100))

    const orders = await ordersOf(shop, id)
    expect(orders.map((order) => [order.billing_reason, order.status, order.total_amount])).toEqual([
      ['subscription_create', 'paid', 1000],
      ['subscription_cycle', 'paid', 1000],
      ['subscription_cycle', 'paid', 1000],
      ['subscription_cycle', 'paid', 1000],
    ])
    expect(orders[1].created_at).toBe(first)
    expect((await subscription(shop, id)).status).toBe('active')
  })

  test('is told in order: the new period, the order, its payment, and then the state of the customer (CUS-4)', async () => {
    const { shop } = await subscribed()
    const by = await subscribed({ price: 0 })
    const tell = async (organizationId: string) =>
      (
        await ctx()
          .db.selectFrom('event')
          .select('type')
          .where('merchantId', '=', organizationId)
          .where('createdAt', '>', start)
          .orderBy('id')
          .execute()
      ).map(({ type }) => type)
    const start = ctx().clock.now()

    await pass(server, days(32))

    expect(await tell(shop.organizationId)).toEqual([
      'subscription.updated',
      'order.created',
      'order.updated',
      'order.updated',
      'order.paid',
      'customer.state_changed',
    ])
    // Nothing is charged, so the state follows at once.
    expect((await tell(by.shop.organizationId)).at(-1)).toBe('customer.state_changed')
    expect((await tell(by.shop.organizationId)).filter((type) => type === 'customer.state_changed')).toHaveLength(1)
  })

  test('comes in its minute, also shortly after one of another seller', async () => {
    const first = await subscribed()
    server.clock.advance(minutes(7))
    const second = await subscribed()
    const { current_period_end } = await subscription(second.shop, second.id)

    await moveClock(ctx(), new Date(new Date(current_period_end).getTime() + minutes(1)))

    expect(await ordersOf(first.shop, first.id)).toHaveLength(2)
    expect(await ordersOf(second.shop, second.id)).toHaveLength(2)
  })

  test('of several processes happens once', async () => {
    const { shop, id } = await subscribed()
    const { current_period_end } = await subscription(shop, id)
    ctx().clock.advance(new Date(current_period_end).getTime() - ctx().clock.now().getTime())

    await Promise.all([ctx().jobs.runDue(), ctx().jobs.runDue()])

    expect(await ordersOf(shop, id)).toHaveLength(2)
  })

  test('of a free subscription is an order of zero, and a discount ends when its time is over (SUB-11)', async () => {
    const free = await subscribed({ price: 0 })
    const off = await subscribed({ code: { basis_points: 5000, duration: 'repeating', duration_in_months: 2 } })

    await pass(server, days(70))

    expect((await ordersOf(free.shop, free.id)).map((order) => order.status)).toEqual(['paid', 'paid', 'paid'])
    expect((await ordersOf(off.shop, off.id)).map((order) => order.total_amount)).toEqual([500, 500, 1000])
    expect((await subscription(off.shop, off.id)).discount_id).toBeNull()
  })

  test('uses the customer’s balance first (SUB-30)', async () => {
    const { shop, id, customerId } = await subscribed()
    await giveCredit(server, shop, customerId, 300)

    await pass(server, days(32))

    const [, renewal] = await ordersOf(shop, id)
    expect([renewal.total_amount, renewal.applied_balance_amount, renewal.due_amount]).toEqual([1000, -300, 700])
    const [payment] = (await shop.get(`/payments?order_id=${renewal.id}`)).body.items
    expect(payment.amount).toBe(700)
  })
})

describe('a declined renewal', () => {
  test('makes the subscription past due, is tried four times, and ends it (SUB-13)', async () => {
    const { shop, id } = await subscribed({ card: 'renewal_decline' })

    await pass(server, days(32))
    const due = await subscription(shop, id)
    await pass(server, days(22))

    expect([due.status, due.past_due_at !== null]).toEqual(['past_due', true])
    const [, renewal] = await ordersOf(shop, id)
    expect([renewal.status, renewal.paid, renewal.due_amount]).toEqual(['pending', false, 0])
    const { items } = (await shop.get(`/payments?order_id=${renewal.id}&limit=100`)).body
    expect(items.map(({ status }: { status: string }) => status)).toEqual(Array(5).fill('failed'))
    expect((await subscription(shop, id)).status).toBe('canceled')
  })

  test('recovers with another card, and renews at the end of its period', async () => {
    const { shop, id, customerId } = await subscribed({ card: 'renewal_decline' })
    await pass(server, days(32))
    const { current_period_end } = await subscription(shop, id)
    await ctx()
      .db.updateTable('paymentMethod')
      .set({ processorReference: 'sandbox_method:success:12:2040' })
      .where('customerId', '=', customerId)
      .execute()

    // The next retry comes within five days, whatever the length of the month.
    await pass(server, days(5) + hours(1))

    const [, renewal] = await ordersOf(shop, id)
    expect(renewal.paid).toBe(true)
    expect(await subscription(shop, id)).toMatchObject({ status: 'active', past_due_at: null, current_period_end })
  })

  test('with a card that asks its owner waits for the customer, and is not tried again by itself', async () => {
    const { shop, id } = await subscribed({ card: 'success' })
    await ctx()
      .db.updateTable('paymentMethod')
      .set({ processorReference: 'sandbox_method:requires_action:12:2040' })
      .where('organizationId', '=', shop.organizationId)
      .execute()

    await pass(server, days(45))

    const [, renewal] = await ordersOf(shop, id)
    const { items } = (await shop.get(`/payments?order_id=${renewal.id}&limit=100`)).body
    expect(items.map((one: TestAnswer['body']) => [one.status, one.decline_reason])).toEqual([
      ['failed', 'authentication_required'],
    ])
    expect((await subscription(shop, id)).status).toBe('past_due')
  })
})
