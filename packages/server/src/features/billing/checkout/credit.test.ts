import { afterAll, beforeAll, expect, test } from 'vitest'
import { minutes } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { giveCredit } from '../testing/subscribers.ts'

let server: TestServer
let shop: Shop
beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
})
afterAll(async () => {
  expect(await violationsOfBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})
const ctx = () => server.tollgate.internals.ctx

/** A customer whom the seller knows, with credit or debt in US dollars. */
async function customerWith(amount: number) {
  const email = `credit-${crypto.randomUUID()}@example.com`
  const { body } = await shop.post('/customers', { email })
  await giveCredit(server, shop, body.id, amount)
  return { id: body.id as string, email }
}
const buys = async (customerId: string, price = 1000, given: object = {}, interval: 'month' | null = null) => {
  const checkout = await shop.checkout(await shop.product([fixedPrice(price)], interval), { customer_id: customerId })
  const answer = await shop.confirm(checkout, { customer_email: undefined, ...given })
  return { answer, checkout, order: (await shop.ordersOf(checkout))[0], payments: await shop.paymentsOf(checkout) }
}
const balanceOf = async (customerId: string) => {
  const rows = await ctx()
    .db.selectFrom('customerBalanceEntry')
    .select('amount')
    .where('customerId', '=', customerId)
    .execute()
  return rows.reduce((sum, { amount }) => sum + amount, 0)
}

test('credit pays a part of a checkout, and the card the rest (SUB-30)', async () => {
  const { id } = await customerWith(300)

  const { order, payments } = await buys(id)

  expect(order).toMatchObject({ total_amount: 1000, applied_balance_amount: -300, due_amount: 700 })
  expect(payments.map(({ amount }) => amount)).toEqual([700])
  expect(await balanceOf(id)).toBe(0)
})

test('credit pays all of a checkout without a card; a refund gives it back', async () => {
  const { id } = await customerWith(1500)

  const { order, payments } = await buys(id)
  const spent = await balanceOf(id)
  const refund = await shop.post('/refunds', { order_id: order.id, reason: 'customer_request', amount: 1000 })

  expect(payments).toEqual([])
  expect(order).toMatchObject({ status: 'paid', applied_balance_amount: -1000, due_amount: 0 })
  expect(spent).toBe(500)
  expect(refund.body).toMatchObject({ status: 'succeeded', amount: 1000 })
  expect(await balanceOf(id)).toBe(1500)
  expect((await shop.get(`/orders/${order.id}`)).body.status).toBe('refunded')
})

test('a declined card leaves the credit as it was', async () => {
  const { id } = await customerWith(300)

  const { answer, order } = await buys(id, 1000, { confirmation_token_id: 'ctoken_sandbox_decline' })

  expect([answer.status, order]).toEqual([400, undefined])
  expect(await balanceOf(id)).toBe(300)
})

test('two checkouts at once spend the credit once', async () => {
  const { id } = await customerWith(300)

  const bought = await Promise.all([buys(id), buys(id), buys(id)])

  const applied = bought.map(({ order }) => order.applied_balance_amount)
  expect(applied.reduce((sum, amount) => sum + amount, 0)).toBe(-300)
  expect(await balanceOf(id)).toBe(0)
})

test('a payment that waits reserves the credit, and gives it back when it is canceled', async () => {
  const { id } = await customerWith(300)

  const waiting = await buys(id, 1000, { confirmation_token_id: 'ctoken_sandbox_requires_action' })
  const meanwhile = await buys(id)
  const [payment] = await shop.paymentsOf(waiting.checkout)
  await ctx().payments.sandbox.cancel(payment.id)
  await ctx().db.updateTable('job').set({ runAt: ctx().clock.now() }).where('payload', '=', payment.id).execute()
  await ctx().jobs.runDue()
  const later = await buys(id)

  expect(meanwhile.order.applied_balance_amount).toBe(0)
  expect(later.order.applied_balance_amount).toBe(-300)
})

test('a buyer who only types the address spends none of the customer’s credit', async () => {
  const { id, email } = await customerWith(300)
  const checkout = await shop.checkout(await shop.product([fixedPrice(1000)]))
  await shop.confirm(checkout, { customer_email: email })

  const [order] = await shop.ordersOf(checkout)
  expect([order.customer_id === id ? order.applied_balance_amount : 0, await balanceOf(id)]).toEqual([0, 300])
})

test('a debt is not collected by a checkout, which charges what it shows', async () => {
  const { id } = await customerWith(-400)

  const { order } = await buys(id)

  expect(order).toMatchObject({ total_amount: 1000, applied_balance_amount: 0, due_amount: 1000 })
})

test('credit for a first period of a subscription keeps the card for the next ones', async () => {
  const { id } = await customerWith(5000)

  const { order, payments } = await buys(id, 1000, {}, 'month')

  expect(order).toMatchObject({ paid: true, applied_balance_amount: -1000 })
  expect(payments.map(({ amount, status }) => [amount, status])).toEqual([[0, 'succeeded']])
  const { body } = await shop.get(`/subscriptions/${order.subscription_id}`)
  expect(body.status).toBe('active')
})

test('of checkouts at the same moment, one spends the credit', async () => {
  const { id } = await customerWith(1000)
  const product = await shop.product([fixedPrice(1000)])
  const checkouts = await Promise.all([1, 2, 3, 4].map(() => shop.checkout(product, { customer_id: id })))

  const answers = await Promise.all(checkouts.map((each) => shop.confirm(each, { customer_email: undefined })))

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const orders = (await Promise.all(checkouts.map(shop.ordersOf))).flat()
  const applied = orders.map((order) => order.applied_balance_amount)
  expect(applied.toSorted((a, b) => a - b)).toEqual([-1000, 0, 0, 0])
  expect(await balanceOf(id)).toBe(0)
})

test('the credit of a customer who is removed during the payment follows the purchase', async () => {
  const { id } = await customerWith(300)
  const checkout = await shop.checkout(await shop.product([fixedPrice(1000)]), { customer_id: id })
  const given = { customer_email: undefined, confirmation_token_id: 'ctoken_sandbox_requires_action' }
  const { body } = await shop.confirm(checkout, given)
  const secret = body.payment_processor_metadata.intent_client_secret
  await server.visitor().request('POST', `/v1/sandbox/actions/${secret}`, { body: { outcome: 'succeed' } })
  const { db } = ctx()
  await db.updateTable('customer').set({ deletedAt: ctx().clock.now() }).where('id', '=', id).execute()

  server.clock.advance(minutes(2))
  await ctx().jobs.runDue()

  const [order] = await shop.ordersOf(checkout)
  expect(order).toMatchObject({ total_amount: 1000, applied_balance_amount: -300 })
  expect(order.customer_id).not.toBe(id)
  // The buyer owes nothing.
  expect([await balanceOf(id), await balanceOf(order.customer_id)]).toEqual([0, 0])
})
