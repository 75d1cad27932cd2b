import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, minutes } from '../../../foundation/clock.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../../testing.ts'
import { moveClock } from '../../dev/move-clock.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { ordersOfSubscription as ordersOf } from '../testing/orders.ts'
import { wrongAt } from '../testing/refusal.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { cardholder, giveCredit } from '../testing/subscribers.ts'
import { passTo } from '../testing/time.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ billing: { tax: { provider: 'table', registrations: [{ country: 'DE' }] } } })
})
afterAll(async () => {
  expect(await violationsOfBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})
const ctx = () => server.tollgate.internals.ctx
const now = () => ctx().clock.now()

const berlin = { country: 'DE', line1: 'Torstraße 1', city: 'Berlin', postal_code: '10119' }

type Order = TestAnswer['body']

const amounts = [
  'subtotal_amount',
  'discount_amount',
  'net_amount',
  'tax_amount',
  'total_amount',
  'applied_balance_amount',
  'due_amount',
] as const

/** What a quote says of an order, and what an order then is: its amounts and its lines. */
const essence = (order: Order) => ({
  ...Object.fromEntries(amounts.map((member) => [member, order[member]])),
  currency: order.currency,
  items: order.items.map(({ label, amount, tax_amount, proration, product_price_id }: Order) => ({
    label,
    amount,
    tax_amount,
    proration,
    product_price_id,
  })),
})

const latest = async (shop: Shop, id: string): Promise<Order> => (await ordersOf(shop, id)).at(-1)
const read = async (shop: Shop, id: string): Promise<Order> => (await shop.get(`/subscriptions/${id}`)).body

describe('a quote that no longer holds is refused with the new one, which then holds', () => {
  /** What changes between the quote and the call. */
  const moves: [
    string,
    (shop: Shop, has: { product: string; discount: string; customer: string }) => Promise<unknown>,
  ][] = [
    ['the price', (shop, { product }) => shop.patch(`/products/${product}`, { prices: [fixedPrice(3500)] })],
    ['the discount', (shop, { discount }) => shop.patch(`/discounts/${discount}`, { basis_points: 4000 })],
    ['the credit of the customer', (shop, { customer }) => giveCredit(server, shop, customer, 250)],
    [
      'the place of the customer, whose tax is another',
      (shop, { customer }) =>
        shop.patch(`/customers/${customer}`, { billing_address: { country: 'US', state: 'US-TX' } }),
    ],
  ]

  test.each(moves)('for a beginning: %s', async (_, move) => {
    const shop = await createShop(server)
    const customer = await cardholder(server, shop, { customer_billing_address: berlin })
    const product = await shop.product([fixedPrice(3000)], 'month', 'Team')
    const { id: discount } = await shop.discount({ basis_points: 1000 })
    const asked = { product_id: product, customer_id: customer, discount_id: discount }
    const { body: quote } = await shop.post('/subscriptions/preview', asked)
    await move(shop, { product, discount, customer })

    const refused = await shop.post('/subscriptions', { ...asked, quote_id: quote.id })
    const fresh = refused.body.quote
    const begun = await shop.post('/subscriptions', { ...asked, quote_id: fresh?.id })

    expect([refused.status, refused.body.error]).toEqual([409, 'QuoteChanged'])
    expect(essence(fresh.order)).not.toEqual(essence(quote.order))
    expect(begun.status).toBe(201)
    expect(essence(await latest(shop, begun.body.id))).toEqual(essence(fresh.order))
  })

  test.each(moves.filter(([name]) => name !== 'the discount'))('for a change of product: %s', async (_, move) => {
    const shop = await createShop(server)
    const customer = await cardholder(server, shop, { customer_billing_address: berlin })
    const team = await shop.product([fixedPrice(1000)], 'month', 'Team')
    const product = await shop.product([fixedPrice(3000)], 'month', 'Business')
    const { body } = await shop.post('/subscriptions', { product_id: team, customer_id: customer })
    server.clock.advance(days(3))
    const path = `/subscriptions/${body.id}`
    const asked = { product_id: product, proration_behavior: 'invoice' }
    const { body: quote } = await shop.post(`${path}/preview`, asked)
    await move(shop, { product, discount: '', customer })

    const refused = await shop.patch(path, { ...asked, quote_id: quote.id })
    const fresh = refused.body.quote
    const changed = await shop.patch(path, { ...asked, quote_id: fresh?.id })

    expect([refused.status, refused.body.error]).toEqual([409, 'QuoteChanged'])
    expect([changed.status, changed.body.product_id]).toEqual([200, product])
    expect(essence(await latest(shop, body.id))).toEqual(essence(fresh.order))
  })
})

test('a customer without an address begins nothing that is taxed by it', async () => {
  const shop = await createShop(server)
  const customer_id = await cardholder(server, shop, { customer_billing_address: berlin })
  await shop.patch(`/customers/${customer_id}`, { billing_address: null })
  const product_id = await shop.product([fixedPrice(1000)], 'month')

  expect(wrongAt(await shop.post('/subscriptions', { product_id, customer_id }))).toBe('422 customer_id')
})

/** A discount, or none. */
const discounts = fc.constantFrom(
  undefined,
  { basis_points: 1000, duration: 'once' },
  { basis_points: 3333, duration: 'forever' },
  { basis_points: 10_000, duration: 'once' },
  { basis_points: 2500, duration: 'repeating', duration_in_months: 2 },
  { type: 'fixed', amount: 777, currency: 'usd', duration: 'forever' },
)
const prices = fc.constantFrom(999, 1000, 1234, 2999, 7777)

/** What happens to a subscription: a change of product or of discount, after some days. */
const change = fc.record({
  after: fc.integer({ min: 0, max: 20 }),
  product: fc.nat({ max: 4 }),
  discount: discounts,
  behavior: fc.constantFrom('invoice', 'prorate', 'next_period', 'reset', undefined),
  isOfDiscount: fc.boolean(),
})

const life = fc.record({
  price: prices,
  discount: discounts,
  trialDays: fc.constantFrom(0, 0, 5),
  credit: fc.constantFrom(0, 0, 300, 5000),
  isInclusive: fc.boolean(),
  changes: fc.array(change, { maxLength: 3 }),
})

test('a quote equals the order that is posted, for each beginning and change of a life', async () => {
  await fc.assert(
    fc.asyncProperty(life, async ({ price, discount, trialDays, credit, isInclusive, changes }) => {
      const shop = await createShop(server)
      const tax_behavior = isInclusive ? 'inclusive' : 'exclusive'
      const priced = (amount: number) => [{ ...fixedPrice(amount), tax_behavior }]
      const customer_id = await cardholder(server, shop, { customer_billing_address: berlin })
      if (credit > 0) await giveCredit(server, shop, customer_id, credit)
      const products = await Promise.all([
        shop.product(priced(price), 'month', 'Team'),
        shop.product(priced(400), 'month', 'Solo'),
        shop.product(priced(3000), 'month', 'Business'),
        shop.product(priced(20_000), 'year', 'Yearly'),
        shop.product(priced(4321), 'month', 'Odd'),
      ])
      const begins = {
        product_id: products[0],
        customer_id,
        ...(discount && { discount_id: (await shop.discount(discount)).id }),
        ...(trialDays > 0 && { trial_interval: 'day', trial_interval_count: trialDays }),
      }
      const { body: quote } = await shop.post('/subscriptions/preview', begins)
      const begun = await shop.post('/subscriptions', { ...begins, quote_id: quote.id })
      expect([begun.status, begun.text]).toEqual([201, begun.text])
      const id = begun.body.id
      const path = `/subscriptions/${id}`
      expect(essence(await latest(shop, id))).toEqual(essence(quote.order))
      let next = quote.next_order

      for (const { after, product, discount: other, behavior, isOfDiscount } of changes) {
        await moveClock(ctx(), new Date(now().getTime() + days(after) + minutes(7)))
        const ofDiscount = { discount_id: other ? (await shop.discount(other)).id : null }
        const ofProduct = { product_id: products[product], ...(behavior && { proration_behavior: behavior }) }
        const asked = isOfDiscount ? ofDiscount : ofProduct
        const shown = await shop.post(`${path}/preview`, asked)
        const before = await ordersOf(shop, id)
        const changed = await shop.patch(path, { ...asked, quote_id: shown.body.id })
        expect([changed.status, changed.text]).toEqual([200, changed.text])
        const orders = await ordersOf(shop, id)
        expect(orders).toHaveLength(before.length + (shown.body.order ? 1 : 0))
        if (shown.body.order) expect(essence(orders.at(-1))).toEqual(essence(shown.body.order))
        next = shown.body.next_order
        server.clock.advance(1000)
      }
      await passTo(server, (await read(shop, id)).current_period_end)
      expect(essence(await latest(shop, id))).toEqual(essence(next))
    }),
    { numRuns: process.env.SOAK === '1' ? 2000 : 12, endOnFailure: true },
  )
}, 240_000)
