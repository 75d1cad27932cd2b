import { afterAll, beforeAll, expect, test } from 'vitest'
import { days } from '../../../foundation/clock.ts'
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

const overviewOf = async (of: Shop) => (await of.get('/overview')).body

test('nothing sold is nothing', async () => {
  expect(await overviewOf(shop)).toEqual({ since: '2026-03-01T00:00:00.000Z', orders: 0, revenue: [] })
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

test('this month’s sales are counted and summed by currency, without other sellers’ and other months’', async () => {
  const dollars = await shop.product([fixedPrice(1900)])
  const euros = await shop.product([{ ...fixedPrice(5000), price_currency: 'eur' }])
  const nothing = await shop.product([freePrice])
  await shop.buy(dollars)
  server.clock.advance(days(31))

  await shop.buy(dollars)
  await shop.buy(dollars)
  await shop.buy(euros)
  await shop.buy(nothing)
  await other.buy(await other.product([fixedPrice(700)]))

  expect(await overviewOf(shop)).toEqual({
    since: '2026-04-01T00:00:00.000Z',
    orders: 4,
    revenue: [
      { currency: 'eur', amount: 5000 },
      { currency: 'usd', amount: 3800 },
    ],
  })
  expect(await overviewOf(other)).toMatchObject({ orders: 1, revenue: [{ currency: 'usd', amount: 700 }] })
})
