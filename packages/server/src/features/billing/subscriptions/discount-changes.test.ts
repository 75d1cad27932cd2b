import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { ordersOfSubscription as ordersOf } from '../testing/orders.ts'
import { wrongAt } from '../testing/refusal.ts'
import { createShop, fixedPrice, freePrice, type Shop } from '../testing/shop.ts'
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

/** A subscription for 10.00 a month, perhaps bought with a discount. */
async function subscribed({ shop, discount }: { shop?: Shop; discount?: object } = {}) {
  const seller = shop ?? (await createShop(server))
  const bought = discount && (await seller.discount(discount))
  const product = await seller.product([fixedPrice(1000)], 'month', 'Team')
  const { order } = await seller.buy(product, bought && { discount_code: bought.code })
  // Orders of one moment have no order among them.
  server.clock.advance(1000)
  return { shop: seller, product, id: order.subscription_id as string, discountId: bought?.id ?? null }
}

const read = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body
const change = (shop: Shop, id: string, body: object) => shop.patch(`/subscriptions/${id}`, body)
const preview = (shop: Shop, id: string, body: object) => shop.post(`/subscriptions/${id}/preview`, body)
const redemptionsOf = async (shop: Shop, id: string) => (await shop.get(`/discounts/${id}`)).body.redemptions_count
const netOf = async (shop: Shop, id: string) => (await ordersOf(shop, id)).map(({ net_amount }) => net_amount)

const half = { basis_points: 5000 }

describe('a discount that a seller sets', () => {
  test('counts from the next period on, as often as it lasts, and is redeemed once (SUB-11, SUB-12)', async () => {
    const { shop, id } = await subscribed()
    const { id: discount_id } = await shop.discount({ ...half, duration: 'repeating', duration_in_months: 2 })

    const set = await change(shop, id, { discount_id })
    await pass(server, days(125))

    expect(set.status).toBe(200)
    expect(set.body).toMatchObject({ discount_id, amount: 500, discount: { id: discount_id } })
    expect(await netOf(shop, id)).toEqual([1000, 500, 500, 1000, 1000])
    expect(await read(shop, id)).toMatchObject({ discount_id: null, amount: 1000 })
    expect(await redemptionsOf(shop, discount_id)).toBe(1)
  })

  test('replaces the former one from the next period on', async () => {
    const { shop, id } = await subscribed({ discount: { ...half, duration: 'forever' } })
    const { id: discount_id } = await shop.discount({ type: 'fixed', amount: 300, currency: 'usd', duration: 'once' })

    await change(shop, id, { discount_id })
    await pass(server, days(63))

    expect(await netOf(shop, id)).toEqual([500, 700, 1000])
  })

  test('is taken away by null, and stays redeemed', async () => {
    const { shop, id, discountId } = await subscribed({ discount: { ...half, duration: 'forever' } })

    const removed = await change(shop, id, { discount_id: null })
    const again = await change(shop, id, { discount_id: null })
    await pass(server, days(32))

    expect(removed.body).toMatchObject({ discount_id: null, discount: null, amount: 1000 })
    expect(again.status).toBe(200)
    expect(await netOf(shop, id)).toEqual([500, 1000])
    expect(await redemptionsOf(shop, discountId!)).toBe(1)
  })

  test('during a trial counts from the first charge (SUB-25)', async () => {
    const shop = await createShop(server)
    const trial = { trial_interval: 'day', trial_interval_count: 14 }
    const plan = { name: 'Pro plan', recurring_interval: 'month', prices: [fixedPrice(1000)], ...trial }
    const { order } = await shop.buy((await shop.post('/products', plan)).body.id)
    const { id: discount_id } = await shop.discount({ ...half, duration: 'once' })
    const id = order.subscription_id as string

    await change(shop, id, { discount_id })
    await pass(server, days(50))

    expect(await netOf(shop, id)).toEqual([0, 500, 1000])
  })

  test('goes with a change of plan that waits, and its preview shows both', async () => {
    const { shop, id } = await subscribed()
    const solo = await shop.product([fixedPrice(400)], 'month', 'Solo')
    await change(shop, id, { product_id: solo })
    const { id: discount_id } = await shop.discount({ ...half, duration: 'once' })

    await change(shop, id, { discount_id })
    const { body: next } = await preview(shop, id, {})
    await pass(server, days(63))

    expect(next.next_order).toMatchObject({ subtotal_amount: 400, discount_amount: 200, due_amount: 200 })
    expect(await netOf(shop, id)).toEqual([1000, 200, 400])
  })

  test('stays where it is deleted later (DIS-8)', async () => {
    const { shop, id, discountId } = await subscribed({ discount: { ...half, duration: 'forever' } })

    await shop.delete(`/discounts/${discountId}`)
    await pass(server, days(32))

    expect(await netOf(shop, id)).toEqual([500, 500])
    expect(await read(shop, id)).toMatchObject({ discount_id: discountId, discount: { id: discountId } })
  })

  test('sends subscription.updated and the customer’s state', async () => {
    const { shop, id } = await subscribed()
    await ctx().jobs.runDue()
    const eventsOf = () =>
      ctx().db.selectFrom('event').select('type').where('merchantId', '=', shop.organizationId).orderBy('id').execute()
    const before = (await eventsOf()).length
    const { id: discount_id } = await shop.discount(half)

    await change(shop, id, { discount_id })

    const types = (await eventsOf()).slice(before).map(({ type }) => type)
    expect(types).toEqual(['subscription.updated', 'customer.state_changed'])
  })
})

describe('a change of plan after the discount has changed', () => {
  test.each([
    ['removed', async () => null],
    ['replaced', async (shop: Shop) => (await shop.discount({ ...half, duration: 'forever' })).id],
  ])(
    'prorates with the one that the period was billed with, so that there and back costs 0: %s (SUB-22)',
    async (_, other) => {
      const { shop, id, product } = await subscribed({ discount: { basis_points: 1000, duration: 'forever' } })
      const business = await shop.product([fixedPrice(3000)], 'month', 'Business')
      await change(shop, id, { discount_id: await other(shop) })
      server.clock.advance(days(10))

      await change(shop, id, { product_id: business, proration_behavior: 'invoice' })
      await change(shop, id, { product_id: product, proration_behavior: 'invoice' })

      const [, there, back] = await ordersOf(shop, id)
      expect(there.net_amount + back.net_amount).toBe(0)
      expect(there.discount_amount).toBe(0)
    },
  )

  test('that begins a period has the new one at once (SUB-23)', async () => {
    const { shop, id } = await subscribed()
    const yearly = await shop.product([fixedPrice(10_000)], 'year', 'Yearly')
    const { id: discount_id } = await shop.discount({ ...half, duration: 'repeating', duration_in_months: 12 })
    await change(shop, id, { discount_id })

    const asked = { product_id: yearly, proration_behavior: 'reset' }
    const { body: quote } = await preview(shop, id, asked)
    await change(shop, id, { ...asked, quote_id: quote.id })
    await pass(server, days(367))

    expect(quote.order).toMatchObject({ net_amount: 5000 })
    expect(quote.next_order).toMatchObject({ net_amount: 10_000 })
    expect(await netOf(shop, id)).toEqual([1000, 5000, 10_000])
  })
})

describe('the quote of a discount', () => {
  test('is the next order, and a change that names it holds to it', async () => {
    const { shop, id } = await subscribed()
    const { id: discount_id } = await shop.discount({ ...half, duration: 'once' })

    const { body: quote } = await preview(shop, id, { discount_id })
    const answer = await change(shop, id, { discount_id, quote_id: quote.id })
    await pass(server, days(32))

    expect(quote).toMatchObject({ order: null, next_order: { discount_amount: 500, due_amount: 500 } })
    expect(quote.applies_at).toBe(answer.body.current_period_end)
    expect((await ordersOf(shop, id))[1]).toMatchObject({ total_amount: quote.next_order.total_amount })
  })

  test('is refused with the new one where the discount has changed (QuoteChanged)', async () => {
    const { shop, id } = await subscribed()
    const { id: discount_id } = await shop.discount(half)
    const { body: quote } = await preview(shop, id, { discount_id })
    await shop.patch(`/discounts/${discount_id}`, { basis_points: 2000 })

    const refused = await change(shop, id, { discount_id, quote_id: quote.id })
    const between = [(await read(shop, id)).discount_id, await redemptionsOf(shop, discount_id)]
    const accepted = await change(shop, id, { discount_id, quote_id: refused.body.quote.id })

    expect([refused.status, refused.body.error]).toEqual([409, 'QuoteChanged'])
    expect(refused.body.quote.next_order.discount_amount).toBe(200)
    expect(between).toEqual([null, 0])
    expect([accepted.status, accepted.body.amount]).toEqual([200, 800])
  })
})

describe('a discount that a subscription cannot have is refused at discount_id', () => {
  test('unknown, foreign, expired, not begun, used up, of another product or currency, deleted, or the same', async () => {
    const { shop, id, discountId } = await subscribed({ discount: half })
    const foreign = await (await createShop(server)).discount(half)
    const other = await shop.product([fixedPrice(900)], 'month')
    const inDays = (count: number) => new Date(ctx().clock.now().getTime() + days(count)).toISOString()
    const ended = await shop.discount({ ...half, ends_at: inDays(1) })
    const early = await shop.discount({ ...half, starts_at: inDays(20) })
    const used = await shop.discount({ ...half, max_redemptions: 1 })
    await shop.buy(other, { discount_code: used.code })
    const narrow = await shop.discount({ ...half, products: [other] })
    const euros = await shop.discount({ type: 'fixed', amount: 100, currency: 'eur' })
    const deleted = await shop.discount(half)
    await shop.delete(`/discounts/${deleted.id}`)
    server.clock.advance(days(2))

    const unknown = '00000000-0000-4000-8000-000000000000'
    const refused = [foreign, ended, early, used, narrow, euros, deleted].map((discount) => discount.id)
    for (const discount_id of [unknown, 'x', discountId, ...refused])
      for (const call of [change, preview])
        expect([discount_id, wrongAt(await call(shop, id, { discount_id }))]).toEqual([discount_id, '422 discount_id'])
    expect((await read(shop, id)).discount_id).toBe(discountId)
  })

  test('redeemed by its customer as often as each may (DIS-9)', async () => {
    const { shop, id } = await subscribed()
    const { id: discount_id } = await shop.discount({ ...half, max_redemptions_per_customer: 1 })
    await change(shop, id, { discount_id })
    await change(shop, id, { discount_id: null })

    const again = await change(shop, id, { discount_id })

    expect(wrongAt(again)).toBe('422 discount_id')
    expect(await redemptionsOf(shop, discount_id)).toBe(1)
  })

  test('free of charge', async () => {
    const shop = await createShop(server)
    const { order } = await shop.buy(await shop.product([freePrice], 'month'))
    const { id: discount_id } = await shop.discount(half)

    expect(wrongAt(await change(shop, order.subscription_id, { discount_id }))).toBe('422 discount_id')
  })

  test('or together with another change', async () => {
    const { shop, id, product } = await subscribed()
    const { id: discount_id } = await shop.discount(half)

    expect((await change(shop, id, { discount_id, product_id: product })).status).toBe(422)
  })
})

test('the last redemption goes to one of two subscriptions that ask at once (DIS-4)', async () => {
  const one = await subscribed()
  const two = await subscribed({ shop: one.shop })
  const { id: discount_id } = await one.shop.discount({ ...half, max_redemptions: 1 })

  const answers = await Promise.all([one, two].map(({ shop, id }) => change(shop, id, { discount_id })))

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
  expect(await redemptionsOf(one.shop, discount_id)).toBe(1)
})

test('a subscription that ends, has ended or is not paid keeps its discount (SUB-27, SUB-31)', async () => {
  const { shop, id } = await subscribed()
  const { id: discount_id } = await shop.discount(half)
  await change(shop, id, { cancel_at_period_end: true })

  const canceling = await change(shop, id, { discount_id })
  await change(shop, id, { revoke: true })
  const ended = await change(shop, id, { discount_id })

  expect([canceling.body.error, ended.body.error]).toEqual(Array(2).fill('AlreadyCanceledSubscription'))
  expect(await redemptionsOf(shop, discount_id)).toBe(0)
})
