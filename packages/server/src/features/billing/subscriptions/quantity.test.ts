import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, minutes } from '../../../foundation/clock.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { ordersOfSubscription as ordersOf } from '../testing/orders.ts'
import { wrongAt } from '../testing/refusal.ts'
import { createShop, fixedPrice, freePrice, type Shop } from '../testing/shop.ts'
import { cardholder } from '../testing/subscribers.ts'
import { pass } from '../testing/time.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ billing: { tax: { provider: 'table', registrations: [{ country: 'DE' }] } } })
})
afterAll(async () => {
  expect(await violationsOfBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})
const ctx = () => server.tollgate.internals.ctx

const change = (shop: Shop, id: string, body: object) => shop.patch(`/subscriptions/${id}`, body)
const preview = (shop: Shop, id: string, body: object) => shop.post(`/subscriptions/${id}/preview`, body)
const read = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body
const amountsOf = (order: TestAnswer['body']) =>
  order.items.map(({ quantity, amount }: { quantity: number; amount: number }) => [quantity, amount])
const totalsOf = ({ subtotal_amount, discount_amount, tax_amount, total_amount, due_amount }: TestAnswer['body']) => ({
  subtotal_amount,
  discount_amount,
  tax_amount,
  total_amount,
  due_amount,
})

/** A shop with a plan of 10.00 a month and a larger one of 30.00, and a customer with a card. */
async function setUp() {
  const shop = await createShop(server)
  const customer_id = await cardholder(server, shop)
  const team = await shop.product([fixedPrice(1000)], 'month', 'Team')
  const business = await shop.product([fixedPrice(3000)], 'month', 'Business')
  return { shop, customer_id, team, business }
}

/** A subscription to so many units of the plan of 10.00. */
async function subscribed(quantity: number, given: object = {}) {
  const { shop, customer_id, ...plans } = await setUp()
  const begun = await shop.post('/subscriptions', { product_id: plans.team, customer_id, quantity, ...given })
  expect(begun.status).toBe(201)
  server.clock.advance(1000)
  return { shop, customer_id, id: begun.body.id as string, ...plans }
}

describe('a subscription that begins with several units', () => {
  test('charges for all of them at once and at each renewal, as its quote says', async () => {
    const { shop, customer_id, team } = await setUp()
    const asked = { product_id: team, customer_id, quantity: 7 }

    const { body: quote } = await shop.post('/subscriptions/preview', asked)
    const begun = await shop.post('/subscriptions', { ...asked, quote_id: quote.id })
    await pass(server, days(32))

    expect(begun.body).toMatchObject({ quantity: 7, amount: 7000 })
    const [first, renewal] = await ordersOf(shop, begun.body.id)
    expect(amountsOf(first)).toEqual([[7, 7000]])
    expect(totalsOf(first)).toEqual(totalsOf(quote.order))
    expect(totalsOf(renewal)).toEqual(totalsOf(quote.next_order))
    expect(renewal.subscription).toMatchObject({ quantity: 7 })
    const revenue = await shop.get('/subscriptions/recurring-revenue')
    expect(revenue.body.items).toMatchObject([{ monthly_recurring_revenue: 7000, subscriptions_count: 1 }])
  })

  test('has its units and the price of one on its invoice', async () => {
    const { shop, id } = await subscribed(3)
    const [order] = await ordersOf(shop, id)

    const stored = await ctx()
      .db.selectFrom('document')
      .select('content')
      .where('orderId', '=', order.id)
      .where('kind', '=', 'invoice')
      .executeTakeFirstOrThrow()

    expect(JSON.parse(stored.content).lines).toMatchObject([
      { label: 'Team', quantity: 3, unitAmount: 1000, amount: 3000 },
    ])
  })

  test('is refunded as a whole', async () => {
    const { shop, id } = await subscribed(3)
    const [order] = await ordersOf(shop, id)

    const refund = await shop.post('/refunds', { order_id: order.id, reason: 'other', amount: 3000 })

    expect([refund.status, refund.body.amount, refund.body.tax_amount]).toEqual([200, 3000, 570])
  })

  test.each([0, -1, 1.5, 10_001, '3', null])('is refused where these are %j', async (quantity) => {
    const { shop, customer_id, team } = await setUp()

    expect(wrongAt(await shop.post('/subscriptions', { product_id: team, customer_id, quantity }))).toBe('422 quantity')
    expect(wrongAt(await shop.post('/subscriptions/preview', { product_id: team, customer_id, quantity }))).toBe(
      '422 quantity',
    )
  })

  test('is refused where no price is fixed', async () => {
    const { shop, customer_id } = await setUp()
    const chosen = await shop.product([{ amount_type: 'custom' }], 'month')
    const free = await shop.product([freePrice], 'month')

    for (const asked of [{ product_id: chosen, amount: 500 }, { product_id: free }])
      expect(wrongAt(await shop.post('/subscriptions', { ...asked, customer_id, quantity: 2 }))).toBe('422 quantity')
  })
})

describe('a change of quantity', () => {
  test('is quoted as it is posted, now and at the end of the period', async () => {
    const { shop, id } = await subscribed(2)
    server.clock.advance(days(9) + minutes(17))
    const asked = { quantity: 5, proration_behavior: 'invoice' }

    const { body: quote } = await preview(shop, id, asked)
    server.clock.advance(minutes(5))
    const answer = await change(shop, id, { ...asked, quote_id: quote.id })
    await pass(server, days(32))

    expect(answer.body).toMatchObject({ quantity: 5, amount: 5000 })
    const [, posted, renewal] = await ordersOf(shop, id)
    expect(totalsOf(posted)).toEqual(totalsOf(quote.order))
    expect(posted.items.map(({ quantity }: { quantity: number }) => quantity)).toEqual([2, 5])
    expect(totalsOf(renewal)).toEqual(totalsOf(quote.next_order))
    expect(amountsOf(renewal)).toEqual([[5, 5000]])
  })

  test('upwards waits for the next order, as the seller’s setting says', async () => {
    const { shop, id } = await subscribed(1)

    const { body } = await change(shop, id, { quantity: 3 })
    await pass(server, days(32))

    expect(body).toMatchObject({ quantity: 3, pending_update: null })
    expect(amountsOf((await ordersOf(shop, id))[1])).toEqual([
      [3, 3000],
      [1, -1000],
      [3, 3000],
    ])
  })

  test('downwards waits for the end of the period, is shown, and can be discarded (SUB-18)', async () => {
    const { shop, id } = await subscribed(5)

    const { body: quote } = await preview(shop, id, { quantity: 2 })
    const { body: waiting } = await change(shop, id, { quantity: 2, quote_id: quote.id })
    const { body: kept } = await change(shop, id, { pending_update: null })
    await change(shop, id, { quantity: 2 })
    const { body: next } = await preview(shop, id, {})
    await pass(server, days(32))

    expect(waiting).toMatchObject({ quantity: 5, pending_update: { quantity: 2, product_id: null } })
    expect(kept).toMatchObject({ quantity: 5, pending_update: null })
    expect([quote.order, quote.next_order.subtotal_amount, next.next_order.subtotal_amount]).toEqual([null, 2000, 2000])
    expect(await read(shop, id)).toMatchObject({ quantity: 2, amount: 2000, pending_update: null })
    expect(amountsOf((await ordersOf(shop, id))[1])).toEqual([[2, 2000]])
  })

  test('with reset begins a new period without a credit', async () => {
    const { shop, id } = await subscribed(2)
    server.clock.advance(days(10))

    const { body } = await change(shop, id, { quantity: 4, proration_behavior: 'reset' })

    expect(body.current_period_start).toBe(ctx().clock.now().toISOString())
    expect(amountsOf((await ordersOf(shop, id))[1])).toEqual([[4, 4000]])
  })

  test('is of the price that the subscription has, though its product costs more or is archived since', async () => {
    const { shop, id, team } = await subscribed(2)
    await shop.patch(`/products/${team}`, { prices: [fixedPrice(9000)] })
    await shop.patch(`/products/${team}`, { is_archived: true })

    const { status, body } = await change(shop, id, { quantity: 3 })

    expect([status, body.amount]).toEqual([200, 3000])
  })

  test('comes with another product, which otherwise keeps the quantity as far as it has a fixed price', async () => {
    const { shop, id, business } = await subscribed(3)
    const free = await shop.product([freePrice], 'month', 'Free')

    const { body: larger } = await change(shop, id, { product_id: business })
    const { body: both } = await change(shop, id, { product_id: business, quantity: 4 })
    const refused = await change(shop, id, { product_id: free, quantity: 2 })
    const { body: last } = await change(shop, id, { product_id: free, proration_behavior: 'prorate' })

    expect([larger.product_id, larger.quantity, larger.amount]).toEqual([business, 3, 9000])
    expect([both.quantity, both.amount]).toEqual([4, 12_000])
    expect(wrongAt(refused)).toBe('422 quantity')
    expect([last.quantity, last.amount]).toEqual([1, 0])
  })

  test.each([0, -3, 2.5, 10_001, '4', null])('to %j is refused', async (quantity) => {
    const { shop, id } = await subscribed(1)

    expect(wrongAt(await change(shop, id, { quantity }))).toBe('422 quantity')
    expect(wrongAt(await preview(shop, id, { quantity }))).toBe('422 quantity')
  })

  test('is refused beside another kind of change, and where the customer has chosen the amount', async () => {
    const { shop, id, customer_id } = await subscribed(1)
    const chosen = await shop.product([{ amount_type: 'custom' }], 'month')
    await shop.delete(`/subscriptions/${id}`)
    const own = await shop.post('/subscriptions', { product_id: chosen, amount: 700, customer_id })

    expect((await change(shop, own.body.id, { quantity: 2, cancel_at_period_end: true })).status).toBe(422)
    expect(wrongAt(await change(shop, own.body.id, { quantity: 2 }))).toBe('422 quantity')
    expect(wrongAt(await preview(shop, own.body.id, { quantity: 1 }))).toBe('422 quantity')
    expect((await read(shop, own.body.id)).amount).toBe(700)
  })

  test('there and back at once costs nothing, at any moment and under a discount (SUB-22)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 0, max: days(27) }),
        fc.boolean(),
        async (from, to, passed, isDiscounted) => {
          const { shop, id } = await subscribed(from)
          if (isDiscounted) await change(shop, id, { discount_id: (await shop.discount({ duration: 'forever' })).id })
          server.clock.advance(passed)

          await change(shop, id, { quantity: to, proration_behavior: 'invoice' })
          await change(shop, id, { quantity: from, proration_behavior: 'invoice' })

          const [, there, back] = await ordersOf(shop, id)
          expect((there?.total_amount ?? 0) + (back?.total_amount ?? 0)).toBe(0)
          expect((await read(shop, id)).quantity).toBe(from)
        },
      ),
      { numRuns: 8 },
    )
  })
})
