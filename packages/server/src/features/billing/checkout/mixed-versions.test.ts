import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { faultsInBooks } from '../testing/books.ts'
import { createShop, fixedPrice, type OpenCheckout, type Shop } from '../testing/shop.ts'

let server: TestServer
let shop: Shop

beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
})
afterAll(async () => {
  expect(await faultsInBooks(server.tollgate.internals.ctx.db)).toEqual([])
  await server[Symbol.asyncDispose]()
})

/** During an update, a process of the version before may write a checkout: it knows no price beside the amount. */
async function asWrittenBefore({ id }: OpenCheckout): Promise<void> {
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) => tx.updateTable('checkout').set({ priceAmount: 0 }).where('id', '=', id).execute())
}

test.each([
  ['a purchase', () => shop.product([fixedPrice(4900)]), {}, 4900],
  ['a subscription', () => shop.product([fixedPrice(4900)], 'month'), {}, 4900],
  ['a price that the buyer chooses', () => shop.product([{ amount_type: 'custom' }], 'month'), { amount: 1200 }, 1200],
])('%s from a process of the version before costs what the buyer has seen', async (_, product, given, amount) => {
  const checkout = await shop.checkout(await product(), given)
  await asWrittenBefore(checkout)

  expect((await shop.confirm(checkout)).status).toBe(200)

  const [order] = await shop.ordersOf(checkout)
  expect([order.subtotal_amount, order.total_amount]).toEqual([amount, amount])
  const [payment] = await shop.paymentsOf(checkout)
  expect(payment.amount).toBe(amount)
  const { db } = server.tollgate.internals.ctx
  const items = await db
    .selectFrom('subscriptionItem')
    .select('unitAmount')
    .where('subscriptionId', '=', order.subscription_id ?? '')
    .execute()
  expect(items.map(({ unitAmount }) => unitAmount)).toEqual(order.subscription_id === null ? [] : [amount])
})

test('a discount and another amount of such a checkout count from its amount', async () => {
  const { code } = await shop.discount({ basis_points: 5000 })
  const checkout = await shop.checkout(await shop.product([fixedPrice(2000)]))
  await asWrittenBefore(checkout)

  const path = `/v1/checkouts/client/${checkout.client_secret}`
  const { body } = await server.visitor().request('PATCH', path, { body: { discount_code: code } })
  await asWrittenBefore(checkout)
  expect((await shop.confirm(checkout)).status).toBe(200)

  expect([body.amount, body.discount_amount, body.total_amount]).toEqual([2000, 1000, 1000])
  const [order] = await shop.ordersOf(checkout)
  expect([order.subtotal_amount, order.discount_amount, order.total_amount]).toEqual([2000, 1000, 1000])
})

test('the books find a payment beside an order of nothing', async () => {
  const { order } = await shop.buy(await shop.product([fixedPrice(4900)]))
  const { ctx } = server.tollgate.internals
  const free = { subtotalAmount: 0, netAmount: 0, totalAmount: 0 }
  const found: string[] = []
  const undo = new Error('undo')

  const work = ctx.transaction(async (tx) => {
    await tx.updateTable('order').set(free).where('id', '=', order.id).execute()
    for (const { invariant } of await violationsOfBooks(tx)) found.push(invariant)
    throw undo
  })

  await expect(work).rejects.toBe(undo)
  expect(found).toContain('The payments of a paid order add up to its total')
})
