import { afterAll, beforeAll, expect, test } from 'vitest'
import { after, minutes } from '../../../foundation/clock.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'

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
const bought = async (amount: number) => (await shop.buy(await shop.product([fixedPrice(amount)]))).order
const refund = (order: { id: string }, amount: number) =>
  shop.post('/refunds', { order_id: order.id, reason: 'customer_request', amount })
const told = ({ status, body }: TestAnswer) => `${status} ${body.error ?? body.status}`

/** The refunds of an order, the largest first. */
const refundsOf = ({ id }: { id: string }) =>
  ctx().db.selectFrom('refund').selectAll().where('orderId', '=', id).orderBy('amount', 'desc').execute()

/** The one payment of an order, with what the processor knows of it. */
async function paymentOf({ id }: { id: string }) {
  const payments = ctx().db.selectFrom('payment').selectAll().where('orderId', '=', id)
  const payment = await payments.executeTakeFirstOrThrow()
  const intents = ctx().db.selectFrom('sandboxIntent').selectAll().where('id', '=', payment.id)
  return { payment, intent: await intents.executeTakeFirstOrThrow() }
}

/** Moves what an order's payment paid: `left` of it stays, and the rest is from another payment, or pays another order. */
async function splitPayment(order: { id: string }, left: number, rest: { from?: string; pays?: string }) {
  await ctx().transaction(async (tx) => {
    const allocation = await tx
      .updateTable('paymentAllocation')
      .set({ amount: left })
      .where('orderId', '=', order.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const { from: paymentId = allocation.paymentId, pays: orderId = order.id } = rest
    const createdAt = after(allocation.createdAt, 1)
    await tx
      .insertInto('paymentAllocation')
      .values({ ...allocation, id: newUuid(), paymentId, orderId, amount: 400, createdAt })
      .execute()
  })
}

/** An order of 1000 that two payments have paid: 600, and 400. */
async function paidByTwo() {
  const order = await bought(1000)
  const { payment, intent } = await paymentOf(order)
  const second = newUuid()
  const reference = `second of ${payment.id}`
  await ctx().transaction(async (tx) => {
    await tx.updateTable('payment').set({ amount: 600 }).where('id', '=', payment.id).execute()
    await tx.updateTable('sandboxIntent').set({ amount: 600 }).where('id', '=', payment.id).execute()
    await tx
      .insertInto('payment')
      .values({
        ...payment,
        id: second,
        amount: 400,
        subject: 'order',
        checkoutId: null,
        processorReference: reference,
      })
      .execute()
    await tx
      .insertInto('sandboxIntent')
      .values({ ...intent, id: second, reference, amount: 400 })
      .execute()
  })
  await splitPayment(order, 600, { from: second })
  return { order, payments: [payment.id, second] }
}

test('a refund of an order with two payments takes from each at most what it paid', async () => {
  const { order, payments } = await paidByTwo()

  const answers = []
  for (const amount of [350, 300, 351, 300, 50]) answers.push(await refund(order, amount))

  expect(answers.map(told)).toEqual([
    '200 succeeded',
    '200 succeeded',
    '400 RefundAmountTooHigh',
    '200 succeeded',
    '200 succeeded',
  ])
  const given = await ctx().db.selectFrom('refund').select(['paymentId', 'amount']).execute()
  const fromEach = payments.map((id) =>
    given.filter(({ paymentId }) => paymentId === id).reduce((sum, { amount }) => sum + amount, 0),
  )
  expect(fromEach).toEqual([600, 400])
  expect((await shop.get(`/orders/${order.id}`)).body.status).toBe('refunded')
})

test('one refund of all that two payments paid gives each back', async () => {
  const { order, payments } = await paidByTwo()

  const answer = await refund(order, 1000)

  expect([told(answer), answer.body.amount]).toEqual(['200 succeeded', 600])
  const rows = await refundsOf(order)
  expect(rows.map(({ paymentId, amount, status }) => [paymentId, amount, status])).toEqual([
    [payments[0], 600, 'succeeded'],
    [payments[1], 400, 'succeeded'],
  ])
  const listed = await shop.get(`/refunds?order_id=${order.id}`)
  expect(listed.body.items.map(({ amount }: { amount: number }) => amount).sort()).toEqual([400, 600])
  expect((await shop.get(`/orders/${order.id}`)).body.status).toBe('refunded')
  expect(told(await refund(order, 1))).toBe('403 RefundedAlready')
})

test('the same request again gives nothing back twice', async () => {
  const { order } = await paidByTwo()
  const again = () =>
    shop.post('/refunds', { order_id: order.id, reason: 'other', amount: 900 }, { 'idempotency-key': order.id })

  const answers = [await again(), await again()]

  expect(answers[1]!.body).toEqual(answers[0]!.body)
  expect((await refundsOf(order)).map(({ amount }) => amount)).toEqual([600, 300])
})

test('where one of two payments refuses, the answer says so, and the other one’s refund stays', async () => {
  const { order, payments } = await paidByTwo()
  await ctx().db.updateTable('sandboxIntent').set({ status: 'failed' }).where('id', '=', payments[0]!).execute()

  const refused = await refund(order, 1000)
  await ctx().db.updateTable('sandboxIntent').set({ status: 'succeeded' }).where('id', '=', payments[0]!).execute()

  expect(told(refused)).toBe('400 RefundFailed')
  expect((await refundsOf(order)).map(({ amount, status }) => [amount, status])).toEqual([
    [600, 'failed'],
    [400, 'succeeded'],
  ])
  expect((await shop.get(`/orders/${order.id}`)).body).toMatchObject({
    status: 'partially_refunded',
    refunded_amount: 400,
  })
  expect(told(await refund(order, 600))).toBe('200 succeeded')
  expect((await shop.get(`/orders/${order.id}`)).body.status).toBe('refunded')
})

test('where the processor does not respond, the jobs finish each part', async () => {
  const { order } = await paidByTwo()
  const { byName } = ctx().payments
  const silent = { ...byName('sandbox')!, refund: () => Promise.reject(new Error('no response')) }
  const { ctx: real } = server.tollgate.internals
  Object.assign(real.payments, { byName: () => silent })
  const pending = await refund(order, 1000)
  Object.assign(real.payments, { byName })

  server.clock.advance(minutes(2))
  await real.jobs.runDue()

  expect(told(pending)).toBe('200 pending')
  expect((await refundsOf(order)).map(({ amount, status }) => [amount, status])).toEqual([
    [600, 'succeeded'],
    [400, 'succeeded'],
  ])
})

test('a payment of two orders gives back to each what it paid of it', async () => {
  const [first, second] = [await bought(1000), await bought(400)]
  const { payment } = await paymentOf(first)
  const { payment: former } = await paymentOf(second)
  await ctx().transaction(async (tx) => {
    await tx.deleteFrom('paymentAllocation').where('paymentId', '=', former.id).execute()
    await tx.deleteFrom('payment').where('id', '=', former.id).execute()
    await tx.updateTable('payment').set({ amount: 1400 }).where('id', '=', payment.id).execute()
    await tx.updateTable('sandboxIntent').set({ amount: 1400 }).where('id', '=', payment.id).execute()
  })
  await splitPayment(first, 1000, { pays: second.id })

  const answers = [await refund(second, 401), await refund(second, 400), await refund(first, 1000)]

  expect(answers.map(told)).toEqual(['400 RefundAmountTooHigh', '200 succeeded', '200 succeeded'])
  for (const { id } of [first, second]) expect((await shop.get(`/orders/${id}`)).body.status).toBe('refunded')
})
