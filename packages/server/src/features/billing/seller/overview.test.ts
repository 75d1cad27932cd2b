import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { insertTestToken } from '../testing/merchant.ts'
import { createShop, fixedPrice, freePrice, type Shop } from '../testing/shop.ts'

let server: TestServer
let shop: Shop
let other: Shop

beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
  other = await createShop(server)
})
afterAll(() => server[Symbol.asyncDispose]())

const overviewOf = async (of: Shop, query = '') => (await of.get(`/overview${query}`)).body
const nothing = (points: number) => ({ total: 0, before: 0, values: Array(points).fill(0) })

test('nothing sold is nothing', async () => {
  const last = { start_date: '2026-03-01', end_date: '2026-03-03', timezone: 'Europe/Berlin' }

  expect(await overviewOf(shop, `?${new URLSearchParams(last)}`)).toEqual({
    ...last,
    interval: 'day',
    since: '2026-02-28T23:00:00.000Z',
    until: '2026-03-03T23:00:00.000Z',
    before: { start_date: '2026-02-26', end_date: '2026-02-28' },
    periods: ['2026-03-01', '2026-03-02', '2026-03-03'],
    orders: nothing(3),
    customers: nothing(3),
    subscriptions: nothing(3),
    revenue: [],
  })
})

test.each([
  ['timezone=Mars/Olympus', 'timezone'],
  ['timezone=%2B02:00', 'timezone'],
  ['start_date=2026-02-30', 'start_date'],
  ['start_date=0000-01-01&end_date=0000-01-02', 'start_date'],
  ['start_date=9998-12-31&end_date=9999-12-31', 'end_date'],
  ['start_date=2026-03-02&end_date=2026-03-01', 'end_date'],
  ['start_date=2020-01-01&end_date=2026-03-01', 'end_date'],
])('%s is refused', async (query, field) => {
  const { status, body } = await shop.get(`/overview?${query}`)

  expect([status, body.detail[0].loc]).toEqual([422, ['query', field]])
})

test('it takes the scope of metrics, and of members that they may see orders', async () => {
  const { ctx } = server.tollgate.internals
  const token = await ctx.transaction((tx) =>
    insertTestToken(tx, shop.organizationId, ['orders:read'], ctx.clock.now()),
  )
  const byToken = await server
    .visitor()
    .request('GET', '/v1/overview', { headers: { authorization: `Bearer ${token}` } })
  const stranger = await server.signedUp('Stranger')
  const byStranger = await stranger.request('GET', `/v1/overview?organization_id=${shop.organizationId}`)
  const byOwner = await shop.owner.request('GET', `/v1/overview?organization_id=${shop.organizationId}`)

  expect([byToken.status, byStranger.status, byOwner.status]).toEqual([403, 404, 200])
})

/** Moves the clock to a moment; the server's own start is before all of them. */
const at = (moment: string) => server.clock.advance(Date.parse(moment) - server.clock.now().getTime())

describe('orders, customers and subscriptions count on the local day, once', () => {
  let seller: Shop

  beforeAll(async () => {
    seller = await createShop(server)
    const dollars = await seller.product([fixedPrice(1900)])
    const euros = await seller.product([{ ...fixedPrice(5000), price_currency: 'eur' }])
    const gift = await seller.product([freePrice])
    const plan = await seller.product([fixedPrice(900)], 'month')
    // Berlin's clocks go from 02:00 to 03:00 on 29 March: that day begins at 23:00 and ends at 22:00, in UTC.
    at('2026-03-28T22:59:59.999Z')
    await seller.buy(dollars)
    at('2026-03-28T23:00:00.000Z')
    await seller.buy(plan)
    at('2026-03-29T21:59:59.999Z')
    await seller.buy(euros)
    const { order } = await seller.buy(dollars)
    await seller.post('/refunds', { order_id: order.id, amount: 400, reason: 'other' })
    await server.tollgate.internals.ctx.jobs.runDue()
    at('2026-03-29T22:00:00.000Z')
    await seller.buy(gift)
    const { order: second } = await seller.buy(plan)
    at('2026-03-30T09:00:00.000Z')
    // The customer's deletion ends the subscription.
    await seller.delete(`/customers/${second.customer_id}`)
    await other.buy(await other.product([fixedPrice(700)]))
  })

  test.each([
    {
      timezone: 'Europe/Berlin',
      orders: [1, 3, 2],
      customers: [1, 3, 1],
      subscriptions: [0, 1, 1],
      usd: [1900, 2400, 900],
      eur: [0, 5000, 0],
    },
    {
      timezone: 'UTC',
      orders: [2, 4, 0],
      customers: [2, 3, 0],
      subscriptions: [1, 2, 1],
      usd: [2800, 2400, 0],
      eur: [0, 5000, 0],
    },
  ])('in $timezone', async ({ timezone, orders, customers, subscriptions, usd, eur }) => {
    const found = await overviewOf(seller, `?start_date=2026-03-28&end_date=2026-03-30&timezone=${timezone}`)

    expect(found).toMatchObject({
      orders: { total: 6, before: 0, values: orders },
      customers: { total: 5, before: 0, values: customers },
      subscriptions: { total: 1, before: 0, values: subscriptions },
      revenue: [
        { currency: 'usd', total: 5200, before: 0, values: usd },
        { currency: 'eur', total: 5000, before: 0, values: eur },
      ],
    })
  })

  test('the day before counts up to the same time of day, while the range runs', async () => {
    const ask = (day: string) => overviewOf(seller, `?start_date=${day}&end_date=${day}`)
    at('2026-03-30T21:59:00.000Z')
    const early = await ask('2026-03-30')
    at('2026-03-30T22:01:00.000Z')
    const late = await ask('2026-03-30')

    expect([early.orders.before, late.orders.before]).toEqual([0, 4])
  })

  test('months are summed as their days are', async () => {
    const found = await overviewOf(seller, '?start_date=2025-04-01&end_date=2026-03-31&timezone=Europe/Berlin')

    expect(found).toMatchObject({ interval: 'month', orders: { total: 6, before: 0 }, subscriptions: { total: 1 } })
    expect(found.periods).toHaveLength(12)
    expect(found.orders.values.at(-1)).toBe(6)
  })

  test('its links list what it counts', async () => {
    const { since, until, orders, customers } = await overviewOf(
      seller,
      '?start_date=2026-03-29&end_date=2026-03-29&timezone=Europe/Berlin',
    )
    const last = new Date(Date.parse(until) - 1).toISOString()
    const listed = async (path: string) =>
      (await seller.get(`${path}?created_after=${since}&created_before=${last}`)).body.pagination.total_count

    expect([await listed('/orders'), await listed('/customers')]).toEqual([orders.total, customers.total])
  })
})
