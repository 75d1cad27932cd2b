import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, minutes } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { createTestMerchant } from '../testing/merchant.ts'
import { ordersOfSubscription as ordersOf } from '../testing/orders.ts'
import { wrongAt } from '../testing/refusal.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
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

/** A subscription to a plan of 1000 a month, beside a larger plan of 3000 and a smaller one of 400. */
async function subscribed(given: { card?: string; discount?: object } = {}) {
  const shop = await createShop(server)
  const discount = given.discount && (await shop.discount(given.discount))
  const team = await shop.product([fixedPrice(1000)], 'month', 'Team')
  const business = await shop.product([fixedPrice(3000)], 'month', 'Business')
  const solo = await shop.product([fixedPrice(400)], 'month', 'Solo')
  const yearly = await shop.product([fixedPrice(10_000)], 'year', 'Yearly')
  const { order } = await shop.buy(team, {
    confirmation_token_id: `ctoken_sandbox_${given.card ?? 'success'}`,
    ...(discount && { discount_code: discount.code }),
  })
  const id = order.subscription_id as string
  // Orders of one moment have no order among them.
  server.clock.advance(1000)
  return { shop, id, customerId: order.customer_id as string, plans: { team, business, solo, yearly } }
}

const read = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body
const preview = (shop: Shop, id: string, body: object) => shop.post(`/subscriptions/${id}/preview`, body)
const change = (shop: Shop, id: string, body: object) => shop.patch(`/subscriptions/${id}`, body)
const balanceOf = async (customerId: string) => {
  const rows = await ctx()
    .db.selectFrom('customerBalanceEntry')
    .select('amount')
    .where('customerId', '=', customerId)
    .execute()
  return rows.reduce((sum, { amount }) => sum + amount, 0)
}

describe('a quote', () => {
  test('shows the order that the change then posts, to the cent', async () => {
    const { shop, id, plans } = await subscribed({ discount: { basis_points: 1000, duration: 'forever' } })
    server.clock.advance(days(9) + minutes(17))

    const asked = { product_id: plans.business, proration_behavior: 'invoice' }
    const { body: quote } = await preview(shop, id, asked)
    server.clock.advance(minutes(5))
    const answer = await change(shop, id, { ...asked, quote_id: quote.id })

    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ product_id: plans.business, amount: 2700 })
    const [, order] = await ordersOf(shop, id)
    expect(order).toMatchObject({ billing_reason: 'subscription_update', status: 'paid', paid: true })
    for (const member of ['subtotal_amount', 'net_amount', 'tax_amount', 'total_amount', 'due_amount'])
      expect([member, order[member]]).toEqual([member, quote.order[member]])
    expect(quote.order.items.map((item: { proration: boolean }) => item.proration)).toEqual([true, true])
    expect(quote.order.items[0].amount).toBeLessThan(0)
  })

  test('of a change is refused with the new one after the subscription has changed', async () => {
    const { shop, id, plans } = await subscribed()
    const asked = { product_id: plans.business, proration_behavior: 'invoice' }
    const { body: quote } = await preview(shop, id, asked)
    await shop.patch(`/products/${plans.business}`, { prices: [fixedPrice(5000)] })

    const refused = await change(shop, id, { ...asked, quote_id: quote.id })

    expect([refused.status, refused.body.error]).toEqual([409, 'QuoteChanged'])
    expect(refused.body.quote.order.total_amount).toBe(4000)
    expect((await read(shop, id)).product_id).toBe(plans.team)
    expect((await change(shop, id, { ...asked, quote_id: refused.body.quote.id })).status).toBe(200)
  })

  test('ends after a while, and holds for its own subscription alone', async () => {
    const one = await subscribed()
    const asked = { product_id: one.plans.business, proration_behavior: 'invoice' }
    const { body: quote } = await preview(one.shop, one.id, asked)
    const other = await one.shop.buy(one.plans.team)

    const foreign = await change(one.shop, other.order.subscription_id, { ...asked, quote_id: quote.id })
    server.clock.advance(minutes(16))
    const late = await change(one.shop, one.id, { ...asked, quote_id: quote.id })
    const forged = await change(one.shop, one.id, { ...asked, quote_id: 'quote' })

    expect([foreign.status, late.status, forged.status]).toEqual([409, 409, 409])
  })

  test('without a change is the next order', async () => {
    const { shop, id } = await subscribed()

    const { body } = await preview(shop, id, {})

    expect(body).toMatchObject({ id: null, order: null, next_order: { total_amount: 1000, due_amount: 1000 } })
  })
})

test('the next order is shown as it will be where a change waits for the end of the period', async () => {
  const { shop, id, plans } = await subscribed()
  await change(shop, id, { product_id: plans.solo, proration_behavior: 'next_period' })

  const { body } = await preview(shop, id, {})
  await pass(server, days(32))

  expect(body.next_order.total_amount).toBe(400)
  expect((await ordersOf(shop, id))[1].total_amount).toBe(400)
})

describe('a change', () => {
  test('that is declined leaves everything as it was (SUB-9, SUB-28)', async () => {
    const { shop, id, plans, customerId } = await subscribed({ card: 'renewal_decline' })
    const before = await read(shop, id)

    const answer = await change(shop, id, { product_id: plans.business, proration_behavior: 'invoice' })

    expect([answer.status, answer.body.error]).toEqual([402, 'PaymentFailed'])
    expect(await read(shop, id)).toEqual(before)
    expect(await ordersOf(shop, id)).toHaveLength(1)
    expect(await balanceOf(customerId)).toBe(0)
  })

  test('with prorate waits for the next order (SUB-8)', async () => {
    const { shop, id, plans } = await subscribed()
    const asked = { product_id: plans.business, proration_behavior: 'prorate' }
    const { body: quote } = await preview(shop, id, asked)

    await change(shop, id, { ...asked, quote_id: quote.id })
    const between = await ordersOf(shop, id)
    await pass(server, days(32))

    expect(quote.order).toBeNull()
    expect(between).toHaveLength(1)
    const [, renewal] = await ordersOf(shop, id)
    expect(renewal).toMatchObject({ billing_reason: 'subscription_cycle', total_amount: quote.next_order.total_amount })
    expect(renewal.items.map((item: { amount: number }) => item.amount)).toEqual([3000, -1000, 3000])
  })

  test('to a smaller plan applies at the end of the period, and can be withdrawn (SUB-18)', async () => {
    const { shop, id, plans } = await subscribed()

    const { body: waiting } = await change(shop, id, { product_id: plans.solo })
    const { body: withdrawn } = await change(shop, id, { pending_update: null })
    await change(shop, id, { product_id: plans.solo })
    await pass(server, days(32))

    expect(waiting).toMatchObject({ product_id: plans.team, pending_update: { product_id: plans.solo } })
    expect(withdrawn.pending_update).toBeNull()
    const [, renewal] = await ordersOf(shop, id)
    expect(renewal).toMatchObject({ total_amount: 400, product_id: plans.solo })
    expect(await read(shop, id)).toMatchObject({ product_id: plans.solo, pending_update: null, amount: 400 })
  })

  test('to a yearly plan begins a new period with a credit for the old one (SUB-23)', async () => {
    const { shop, id, plans } = await subscribed()

    await change(shop, id, { product_id: plans.yearly, proration_behavior: 'prorate' })

    const [, order] = await ordersOf(shop, id)
    expect(order.items.map((item: { amount: number; proration: boolean }) => [item.amount, item.proration])).toEqual([
      [-1000, true],
      [10_000, false],
    ])
    expect(await read(shop, id)).toMatchObject({ recurring_interval: 'year', amount: 10_000 })
  })

  test('with reset, sent again with its key, is the same change and bills once', async () => {
    const { shop, id, plans } = await subscribed()
    const asked = { product_id: plans.team, proration_behavior: 'reset' }
    const key = { 'idempotency-key': 'reset once' }

    const answers = [
      await shop.patch(`/subscriptions/${id}`, asked, key),
      await shop.patch(`/subscriptions/${id}`, asked, key),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    expect(await ordersOf(shop, id)).toHaveLength(2)
  })

  test('with reset gives no credit; a smaller plan at once leaves credit, which the next order uses (ORD-6)', async () => {
    const reset = await subscribed()
    const down = await subscribed()

    await change(reset.shop, reset.id, { product_id: reset.plans.business, proration_behavior: 'reset' })
    await change(down.shop, down.id, { product_id: down.plans.solo, proration_behavior: 'invoice' })
    const credit = await balanceOf(down.customerId)
    await pass(server, days(32))

    expect((await ordersOf(reset.shop, reset.id))[1].total_amount).toBe(3000)
    expect(credit).toBe(600)
    expect((await ordersOf(down.shop, down.id)).map((order) => [order.total_amount, order.due_amount])).toEqual([
      [1000, 1000],
      [-600, 0],
      [400, 0],
    ])
  })

  test('there and back costs nothing, a used-up discount included (SUB-22)', async () => {
    const { shop, id, plans } = await subscribed({ discount: { basis_points: 5000, duration: 'once' } })
    server.clock.advance(days(11))

    await change(shop, id, { product_id: plans.business, proration_behavior: 'invoice' })
    await change(shop, id, { product_id: plans.team, proration_behavior: 'invoice' })

    const [, there, back] = await ordersOf(shop, id)
    expect(there.total_amount + back.total_amount).toBe(0)
  })

  test('to what a subscription cannot have is refused at the product (SUB-5)', async () => {
    const { shop, id, plans } = await subscribed()
    const once = await shop.product([fixedPrice(900)])
    const chosen = await shop.product([{ amount_type: 'custom' }], 'month')
    await shop.patch(`/products/${plans.solo}`, { is_archived: true })
    const other = await createShop(server)

    for (const product_id of [once, chosen, plans.solo, await other.product([fixedPrice(100)], 'month')])
      expect(wrongAt(await change(shop, id, { product_id }))).toBe('422 product_id')
    expect((await change(shop, id, {})).status).toBe(422)
    expect((await change(shop, id, { product_id: plans.business, revoke: true })).status).toBe(422)
  })

  test('by several requests at once happens once', async () => {
    const { shop, id, plans } = await subscribed()
    const asked = { product_id: plans.business, proration_behavior: 'invoice' }
    const { body: quote } = await preview(shop, id, asked)

    const answers = await Promise.all([1, 2, 3].map(() => change(shop, id, { ...asked, quote_id: quote.id })))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await ordersOf(shop, id)).toHaveLength(2)
  })

  test('needs the right to write, of the seller alone', async () => {
    const { shop, id, plans } = await subscribed()
    const other = await createTestMerchant(server)
    const reader = await createTestMerchant(server, ['subscriptions:read'])

    const asked = { product_id: plans.business }
    expect((await other.patch(`/subscriptions/${id}`, asked)).status).toBe(404)
    expect((await other.post(`/subscriptions/${id}/preview`, asked)).status).toBe(404)
    expect((await reader.patch(`/subscriptions/${id}`, asked)).status).toBe(403)
    expect((await shop.get(`/subscriptions/${id}`)).body.product_id).toBe(plans.team)
  })
})

describe('a cancellation', () => {
  test('at the end of the period stops the renewal, and can be withdrawn before (SUB-1)', async () => {
    const { shop, id } = await subscribed()

    const canceled = await change(shop, id, { cancel_at_period_end: true, customer_cancellation_reason: 'unused' })
    const again = await change(shop, id, { cancel_at_period_end: true })
    const back = await change(shop, id, { cancel_at_period_end: false })
    const twice = await change(shop, id, { cancel_at_period_end: false })
    await change(shop, id, { cancel_at_period_end: true })
    await pass(server, days(40))

    expect(canceled.body).toMatchObject({ status: 'active', cancel_at_period_end: true, ended_at: null })
    expect(canceled.body.ends_at).toBe(canceled.body.current_period_end)
    expect([again.status, again.body.error]).toEqual([403, 'AlreadyCanceledSubscription'])
    expect(back.body).toMatchObject({ canceled_at: null, ends_at: null, customer_cancellation_reason: null })
    expect([twice.status, twice.body.error]).toEqual([400, 'BadRequest'])
    const ended = await read(shop, id)
    expect(ended).toMatchObject({ status: 'canceled', ended_at: canceled.body.current_period_end })
    expect(await ordersOf(shop, id)).toHaveLength(1)
    expect((await change(shop, id, { cancel_at_period_end: false })).status).toBe(410)
  })

  test('at once ends it, also while it is canceled at the end of its period', async () => {
    const { shop, id, plans } = await subscribed()
    await change(shop, id, { cancel_at_period_end: true })

    const answer = await shop.delete(`/subscriptions/${id}`)

    expect(answer.body).toMatchObject({ status: 'canceled' })
    expect(answer.body.ended_at).not.toBeNull()
    expect((await shop.delete(`/subscriptions/${id}`)).status).toBe(403)
    expect((await change(shop, id, { product_id: plans.business })).status).toBe(403)
  })
})
