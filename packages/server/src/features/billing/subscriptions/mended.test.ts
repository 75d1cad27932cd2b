import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours, minutes } from '../../../foundation/clock.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../../testing.ts'
import { nextMoment } from '../../dev/move-clock.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import type { Processor } from '../payments/processor.ts'
import { ordersOfSubscription as ordersOf } from '../testing/orders.ts'
import { createShop, fixedPrice, freePrice, newBuyer, type Shop } from '../testing/shop.ts'
import { giveCredit, setCard } from '../testing/subscribers.ts'
import { pass } from '../testing/time.ts'

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

describe('a processor that does not answer for days', () => {
  test('is not asked for a second payment of the same order', async () => {
    const { shop, id } = await subscribed({ card: 'renewal_decline' })
    await pass(server, days(32))
    await setCard(server, shop, 'success')
    // Each retry's payment is begun, and what becomes of it is unknown.
    await whileAway(() => pass(server, days(13)))
    const [, renewal] = await ordersOf(shop, id)
    expect(await statusesOf(shop, renewal.id)).toEqual(['failed', 'pending'])

    await pass(server, hours(2))

    expect(await statusesOf(shop, renewal.id)).toEqual(['failed', 'succeeded'])
    expect((await subscription(shop, id)).status).toBe('active')
  })

  test('charges nothing that was canceled meanwhile (SUB-19)', async () => {
    const { shop, id, customerId } = await subscribed()
    await whileAway(async () => {
      await pass(server, days(32))
      await shop.delete(`/subscriptions/${id}`)
    })

    await pass(server, hours(3))

    const [, renewal] = await ordersOf(shop, id)
    expect(await statusesOf(shop, renewal.id)).toEqual(['failed'])
    expect((await shop.get(`/customers/${customerId}`)).status).toBe(200)
  })
})

describe('a subscription past due', () => {
  test('ends at once where it is canceled for the end of its period, and is tried no more (SUB-19)', async () => {
    const { shop, id } = await subscribed({ card: 'renewal_decline' })
    await pass(server, days(32))
    await setCard(server, shop, 'success')

    const { body } = await shop.patch(`/subscriptions/${id}`, { cancel_at_period_end: true })
    await pass(server, days(25))

    expect(body.status).toBe('canceled')
    const [, renewal] = await ordersOf(shop, id)
    expect(await statusesOf(shop, renewal.id)).toEqual(['failed'])
  })
})

describe('a card that its bank refuses for good', () => {
  test('is not charged again: at the end of the retries, the subscription ends (SUB-13)', async () => {
    const { shop, id } = await subscribed()
    await setCard(server, shop, 'expired')

    await pass(server, days(32))
    const { status } = await subscription(shop, id)
    await pass(server, days(22))

    const [, renewal] = await ordersOf(shop, id)
    expect([status, (await subscription(shop, id)).status]).toEqual(['past_due', 'canceled'])
    expect(await statusesOf(shop, renewal.id)).toEqual(['failed'])
  })

  test('is replaced by another one in time', async () => {
    const { shop, id, customerId } = await subscribed()
    await setCard(server, shop, 'expired')
    await pass(server, days(32))
    const { db } = ctx()
    const former = await db
      .selectFrom('paymentMethod')
      .selectAll()
      .where('customerId', '=', customerId)
      .executeTakeFirstOrThrow()
    await db.updateTable('paymentMethod').set({ deletedAt: ctx().clock.now() }).where('id', '=', former.id).execute()
    const other = { id: newUuid(), processorReference: 'sandbox_method:success:12:2040', referenceHash: newUuid() }
    await db
      .insertInto('paymentMethod')
      .values({ ...former, ...other })
      .execute()

    await pass(server, days(22))

    expect((await subscription(shop, id)).status).toBe('active')
  })
})

describe('a subscription that cannot renew', () => {
  test('keeps no other one of its seller from it', async () => {
    const { shop, product, id } = await subscribed()
    server.clock.advance(minutes(1))
    const { order } = await shop.buy(product)
    await ctx().db.updateTable('subscription').set({ productId: 'gone' }).where('id', '=', id).execute()

    await pass(server, days(32))

    expect(await ordersOf(shop, order.subscription_id)).toHaveLength(2)
    await ctx().db.updateTable('subscription').set({ productId: product }).where('id', '=', id).execute()
  })

  test('hides no later one from the development clock', async () => {
    await using own = await createTestServer()
    const { ctx } = own.tollgate.internals
    const shop = await createShop(own)
    const product = await shop.product([fixedPrice(1000)], 'month')
    const { order: first } = await shop.buy(product)
    own.clock.advance(days(10))
    const { order: second } = await shop.buy(product)
    const { current_period_end: end } = await subscription(shop, second.subscription_id)
    await ctx.db
      .updateTable('subscription')
      .set({ productId: 'gone' })
      .where('id', '=', first.subscription_id)
      .execute()

    await pass(own, days(25))

    expect(await nextMoment(ctx, ctx.clock.now(), new Date(end))).toEqual(new Date(end))
  })
})

describe('what waits for the next order of a subscription that ends (SUB-24)', () => {
  /** A subscription of 1000 that has changed to 3000, or to 400, in the middle of its period. */
  async function changed(price: number) {
    const { shop, id, customerId } = await subscribed()
    const plan = await shop.product([fixedPrice(price)], 'month', 'Plan')
    const { current_period_start: start, current_period_end: end } = await subscription(shop, id)
    await pass(server, (new Date(end).getTime() - new Date(start).getTime()) / 2)
    await shop.patch(`/subscriptions/${id}`, { product_id: plan, proration_behavior: 'prorate' })
    return { shop, id, customerId }
  }

  test.each(['cancel', 'revoke'])('is billed in a last order, and charged: %s', async (how) => {
    const { shop, id } = await changed(3000)

    if (how === 'cancel') await shop.patch(`/subscriptions/${id}`, { cancel_at_period_end: true })
    else await shop.delete(`/subscriptions/${id}`)
    await pass(server, days(20))

    expect((await subscription(shop, id)).status).toBe('canceled')
    const orders = await ordersOf(shop, id)
    expect(orders.map((order) => [order.billing_reason, order.status, order.total_amount])).toEqual([
      ['subscription_create', 'paid', 1000],
      ['subscription_cycle', 'paid', 1000],
    ])
    expect(orders[1].items.map(({ proration }: { proration: boolean }) => proration)).toEqual([true, true])
  })

  test('becomes the customer’s credit where it is negative', async () => {
    const { shop, id, customerId } = await changed(400)

    await shop.delete(`/subscriptions/${id}`)

    const entries = ctx().db.selectFrom('customerBalanceEntry').select(['amount', 'reason'])
    expect(await entries.where('customerId', '=', customerId).execute()).toEqual([
      { amount: 300, reason: 'subscription_cycle' },
    ])
  })
})

describe('a change whose payment is under way', () => {
  /** A customer with two subscriptions of 1000 and a credit of 1500, and a plan of 3000. */
  async function twoSubscriptions() {
    const { shop, product, buyer, id, customerId } = await subscribed()
    const plan = await shop.product([fixedPrice(3000)], 'month', 'Plan')
    const settings = { allowMultipleSubscriptions: true, allowCustomerUpdates: true, prorationBehavior: 'prorate' }
    await ctx()
      .db.updateTable('merchant')
      .set({ subscriptionSettings: settings as never })
      .where('organizationId', '=', shop.organizationId)
      .execute()
    const second = await shop.buy(product, buyer)
    await giveCredit(server, shop, customerId, 1500)
    return { shop, customerId, ids: [id, second.order.subscription_id as string] as const, plan }
  }

  /** The processor charges, and its answer is lost. */
  async function whileLost(work: () => Promise<unknown>): Promise<void> {
    const { charge } = ctx().payments.sandbox
    const lost: Processor['charge'] = async (asked) => {
      await charge(asked)
      throw new Error('connection reset')
    }
    await whileAway(work, { charge: lost })
  }

  test('keeps the balance that it was quoted with from other orders', async () => {
    const { shop, customerId, ids, plan } = await twoSubscriptions()
    const asked = { product_id: plan, proration_behavior: 'invoice' }
    await whileLost(() => shop.patch(`/subscriptions/${ids[0]}`, asked))
    await shop.patch(`/subscriptions/${ids[1]}`, asked)

    await pass(server, minutes(2))

    const entries = await ctx()
      .db.selectFrom('customerBalanceEntry')
      .select(['amount', 'reason'])
      .where('customerId', '=', customerId)
      .execute()
    // It is reserved for the first change, and the second is charged in full.
    expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
    for (const id of ids) expect((await subscription(shop, id)).product_id).toBe(plan)
  })

  test('is not undone by a cancellation at the end of the period', async () => {
    const { shop, ids, plan } = await twoSubscriptions()
    await whileLost(() => shop.patch(`/subscriptions/${ids[0]}`, { product_id: plan, proration_behavior: 'invoice' }))

    const refused = await shop.patch(`/subscriptions/${ids[0]}`, { cancel_at_period_end: true })
    await pass(server, minutes(2))
    const { body } = await shop.patch(`/subscriptions/${ids[0]}`, { cancel_at_period_end: true })

    expect(refused.status).toBe(409)
    expect([body.product_id, body.cancel_at_period_end]).toEqual([plan, true])
  })
})

test('a payment that is too small for the processor is collected with the next order', async () => {
  const { shop, id, customerId } = await subscribed()
  await giveCredit(server, shop, customerId, 990)
  const { sandbox } = ctx().payments
  const { limitsIn } = sandbox
  Object.assign(sandbox, { limitsIn: () => ({ least: 50, most: 99_999_999 }) })

  await pass(server, days(62))

  Object.assign(sandbox, { limitsIn })
  expect((await subscription(shop, id)).status).toBe('active')
  const orders = await ordersOf(shop, id)
  expect(orders.map((order) => [order.status, order.applied_balance_amount, order.due_amount])).toEqual([
    ['paid', 0, 1000],
    ['paid', -1000, 0],
    ['paid', 10, 1010],
  ])
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
  await pass(server, days(32))

  expect((await subscription(shop, id)).product_id).toBe(plan)
})
