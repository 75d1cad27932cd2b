import { afterAll, beforeAll, expect, test } from 'vitest'
import { days } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { ordersOfSubscription } from '../testing/orders.ts'
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

/** A subscriber, and the calls about their balance. */
async function subscriber() {
  const shop = await createShop(server)
  const { order } = await shop.buy(await shop.product([fixedPrice(1200)], 'month'))
  const { customer_id: customerId, subscription_id: id } = order
  return { shop, id: id as string, customerId: customerId as string, ...callsOf(shop, customerId) }
}

const callsOf = (shop: Shop, customerId: string) => ({
  change: (amount: unknown, reason: unknown = 'For the outage', currency = 'usd', headers = {}) =>
    shop.post(`/customers/${customerId}/balance`, { amount, currency, reason }, headers),
  ledger: async (query = '') => (await shop.get(`/customers/${customerId}/balance?sorting=created_at${query}`)).body,
})

test('credit by hand pays a part of the next order, and the ledger says so', async () => {
  const { shop, id, customerId, change, ledger } = await subscriber()

  const { status, body } = await change(500, ' For the outage of March ')
  await pass(server, days(32))

  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(String),
    created_at: expect.any(String),
    customer_id: customerId,
    amount: 500,
    currency: 'usd',
    type: 'manual',
    reason: 'For the outage of March',
    order_id: null,
    refund_id: null,
    payment_id: null,
    actor_id: null,
  })
  const [, renewal] = await ordersOfSubscription(shop, id)
  expect(renewal).toMatchObject({ status: 'paid', total_amount: 1200, applied_balance_amount: -500, due_amount: 700 })
  const { balances, items, pagination } = await ledger()
  expect(balances).toEqual([{ currency: 'usd', amount: 0 }])
  expect(items).toEqual([
    body,
    expect.objectContaining({ amount: -500, type: 'subscription_cycle', reason: null, order_id: renewal.id }),
  ])
  expect(pagination).toMatchObject({ total_count: 2 })
})

test('a debt by hand is collected with the next renewal, and names the member who made it', async () => {
  const { shop, id, customerId, change } = await subscriber()
  await change(200)

  const { body } = await shop.owner.request('POST', `/v1/customers/${customerId}/balance`, {
    body: { amount: -500, currency: 'USD', reason: 'Damaged hardware' },
  })
  await pass(server, days(32))

  expect(body).toMatchObject({ amount: -500, currency: 'usd', actor_id: shop.owner.id })
  const [, renewal] = await ordersOfSubscription(shop, id)
  expect(renewal).toMatchObject({ status: 'paid', applied_balance_amount: 300, due_amount: 1500 })
})

test('the ledger is paged, and filtered by currency, with the totals of all', async () => {
  const { change, ledger } = await subscriber()
  for (const amount of [100, 200, 300]) {
    await change(amount)
    server.clock.advance(1000)
  }
  await change(-50, 'A fee', 'eur')

  const first = await ledger('&limit=2')
  const second = await ledger(`&limit=2&cursor=${encodeURIComponent(first.pagination.next_cursor)}`)
  const euros = await ledger('&currency=EUR')

  const balances = [
    { currency: 'eur', amount: -50 },
    { currency: 'usd', amount: 600 },
  ]
  expect([first, second, euros].map((page) => page.balances)).toEqual([balances, balances, balances])
  const amounts = [first, second, euros].map(({ items }) => items.map(({ amount }: { amount: number }) => amount))
  expect(amounts).toEqual([[100, 200], [300, -50], [-50]])
  // As for every call about one object, the token says for whom.
  expect((await ledger('&organization_id=another')).balances).toEqual(balances)
})

test('changes at the same moment all count, and one with a key counts once', async () => {
  const { change, ledger } = await subscriber()

  await Promise.all(Array.from({ length: 8 }, () => change(100)))
  const key = { 'idempotency-key': 'one-credit' }
  const [once, again] = [await change(1000, 'Once', 'usd', key), await change(1000, 'Once', 'usd', key)]

  expect(again.body).toEqual(once.body)
  expect((await ledger()).balances).toEqual([{ currency: 'usd', amount: 1800 }])
})

test('wrong values are refused with their place, and so is what no order could collect', async () => {
  const { shop, customerId, change, ledger } = await subscriber()
  const limit = 999_999_999_999

  for (const amount of [0, 1.5, '5', null, limit + 1, -limit - 1])
    expect(wrongAt(await change(amount))).toBe('422 amount')
  expect(wrongAt(await change(1, ' '))).toBe('422 reason')
  expect(wrongAt(await change(1, 'Why', 'xyz'))).toBe('422 currency')
  await change(-limit)
  expect(wrongAt(await change(-1))).toBe('422 amount')
  expect((await change(limit)).status).toBe(201)
  expect((await ledger()).balances).toEqual([{ currency: 'usd', amount: 0 }])

  await shop.delete(`/customers/${customerId}`)
  expect((await change(100)).status).toBe(404)
  expect((await shop.get(`/customers/${customerId}/balance`)).status).toBe(404)
})
