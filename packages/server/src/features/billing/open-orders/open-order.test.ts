import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours } from '../../../foundation/clock.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { beforeNextTransaction, createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { invoiceNumber } from '../order/invoice-number.ts'
import { takeNumber } from '../order/invoice-series.repository.ts'
import { updateOrder } from '../order/order.repository.ts'
import type { Attempt, Processor } from '../payments/processor.ts'
import { settlePayment } from '../settlement/settle-payment.service.ts'
import { ordersOfSubscription } from '../testing/orders.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { setCard, unpaidRenewal } from '../testing/subscribers.ts'
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

/** A subscription whose saved card has not paid its renewal. */
async function unpaid(card = 'renewal_decline') {
  const { shop, id, renewal } = await unpaidRenewal(server, card)
  return { shop, id, renewal, ...callsOf(shop, renewal.id) }
}

const callsOf = (shop: Shop, id: string) => ({
  voidIt: (reason = 'A gift for a loyal customer') => shop.post(`/orders/${id}/void`, { reason }),
  markPaid: (reference = 'Transfer 2041') => shop.post(`/orders/${id}/mark-paid`, { reference }),
  read: async () => (await shop.get(`/orders/${id}`)).body,
  paymentsOf: async () => (await shop.get(`/payments?order_id=${id}&sorting=created_at`)).body.items,
  /** Begins a payment by the order's link with a card that waits for its customer; returns the payment's id. */
  beginByLink: async () => {
    const { body } = await shop.post(`/orders/${id}/pay-link`, {})
    const token = body.url.slice(body.url.lastIndexOf('/') + 1)
    await server.visitor().request('POST', `/v1/pay-links/${token}/confirm`, {
      body: { confirmation_token_id: 'ctoken_sandbox_requires_action' },
    })
    const { items } = (await shop.get(`/payments?order_id=${id}&status=pending`)).body
    return items[0].id as string
  },
})

const subscription = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body

/** The types of a seller's events since a time, in the order of their creation. */
async function eventsSince({ organizationId }: Shop, since: Date): Promise<string[]> {
  const rows = await ctx()
    .db.selectFrom('event')
    .select('type')
    .where('merchantId', '=', organizationId)
    .where('createdAt', '>=', since)
    .orderBy('id')
    .execute()
  return rows.map(({ type }) => type)
}

const creditOf = async ({ organizationId }: Shop) => {
  const rows = await ctx()
    .db.selectFrom('customerBalanceEntry')
    .select(['amount', 'reason'])
    .where('organizationId', '=', organizationId)
    .execute()
  return rows.map(({ amount, reason }) => [amount, reason])
}

const attentionOf = ({ organizationId }: Shop) =>
  ctx()
    .db.selectFrom('attention')
    .select(['kind', 'amount', 'paymentId'])
    .where('organizationId', '=', organizationId)
    .execute()

/** The processor took the money before it hears that the payment is given up. */
async function whileTaken(amount: number, work: () => Promise<unknown>): Promise<void> {
  const { sandbox } = ctx().payments
  const { cancel } = sandbox
  Object.assign(sandbox, { cancel: async () => succeeded(amount) })
  await work()
  await ctx().jobs.runDue()
  Object.assign(sandbox, { cancel })
}

const succeeded = (amount: number): Attempt & { status: 'succeeded' } => ({
  status: 'succeeded',
  // The attention list counts a payment of the processor once.
  reference: `late_money_${newUuid()}`,
  amount,
  currency: 'usd',
  method: { type: 'link' },
  methodReference: undefined,
})

/** Ways to do something to an order that is no longer due. */
async function refusals({ voidIt, markPaid }: ReturnType<typeof callsOf>) {
  return [await voidIt(), await markPaid()].map(({ status, body }) => [status, body.error])
}
const notDue = [
  [409, 'OrderNotDue'],
  [409, 'OrderNotDue'],
]

/** The subject of the mail about a subscription that was paid after all. */
const continues = expect.stringMatching(/^Your subscription at .+ continues$/)

describe('voiding an order', () => {
  test('collects nothing more, and brings its subscription back', async () => {
    const { shop, id, read, voidIt, ...calls } = await unpaid()
    expect((await subscription(shop, id)).status).toBe('past_due')
    await pass(server, hours(1))
    const at = ctx().clock.now()

    const { status, body } = await voidIt('  Our mistake ')

    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'pending',
      paid: false,
      due_amount: 0,
      total_amount: 1200,
      voided_at: at.toISOString(),
      void_reason: 'Our mistake',
      next_payment_attempt_at: null,
    })
    expect(await read()).toEqual({ ...body, subscription: expect.objectContaining({ status: 'active' }) })
    expect(await eventsSince(shop, at)).toEqual([
      'order.updated',
      'subscription.updated',
      'subscription.active',
      'customer.state_changed',
    ])
    expect(await refusals({ ...calls, read, voidIt })).toEqual(notDue)
    expect((await shop.post(`/orders/${body.id}/pay-link`, {})).status).toBe(409)
    // Nothing was paid, so no mail says so.
    expect((await server.mailsTo(body.customer.email)).map(({ subject }) => subject)).not.toContainEqual(continues)

    // No retry follows, and the next period is billed as ever.
    await setCard(server, shop, 'success')
    await pass(server, days(31))
    expect(await calls.paymentsOf()).toHaveLength(1)
    const orders = await ordersOfSubscription(shop, id)
    expect(orders.map((order) => [order.status, order.voided_at !== null])).toEqual([
      ['paid', false],
      ['pending', true],
      ['paid', false],
    ])
  })

  test('gives the balance that it used back', async () => {
    const { shop, renewal, voidIt } = await unpaid()
    const { organizationId } = shop
    const used = { appliedBalanceAmount: -200 }
    await ctx().transaction(async (tx) => {
      await updateOrder(tx, renewal.id, used)
      const entry = { id: renewal.id, organizationId, customerId: renewal.customer_id, currency: 'usd', amount: -200 }
      await tx
        .insertInto('customerBalanceEntry')
        .values({ ...entry, reason: 'subscription_cycle', orderId: renewal.id, createdAt: ctx().clock.now() })
        .execute()
    })

    await voidIt()

    expect(await creditOf(shop)).toEqual([
      [-200, 'subscription_cycle'],
      [200, 'order_voided'],
    ])
  })

  test('takes the invoice of an order that has one back by a credit note', async () => {
    const { shop, renewal, voidIt, read } = await unpaid()
    await ctx().transaction(async (tx) => {
      const number = invoiceNumber(await takeNumber(tx, shop.organizationId, 'invoice'))
      await updateOrder(tx, renewal.id, { invoiceNumber: number })
    })

    const { body } = await voidIt()

    const { items } = (await shop.get(`/orders/${renewal.id}/documents`)).body
    expect(items).toMatchObject([
      { kind: 'credit_note', number: expect.stringMatching(/-CN-000001$/), refund_id: null },
    ])
    expect((await read()).invoice_number).toBe(body.invoice_number)
    const { text } = await shop.get('/orders/export')
    expect(text).toContain(`"${body.voided_at}","${items[0].number}"`)
    expect(await violationsOfBooks(ctx().db)).toEqual([])
  })

  test('ends a payment that is under way; money that comes all the same becomes credit, and is told', async () => {
    const { shop, voidIt, beginByLink, paymentsOf } = await unpaid()
    const late = await beginByLink()

    await whileTaken(1200, voidIt)
    await settlePayment(ctx(), late, succeeded(1200))

    expect((await paymentsOf()).at(-1).status).toBe('succeeded')
    expect(await creditOf(shop)).toEqual([[1200, 'paid_after_void']])
    expect(await attentionOf(shop)).toEqual([{ kind: 'paid_after_void', amount: 1200, paymentId: late }])

    const second = await unpaid()
    const given = await second.beginByLink()
    await second.voidIt()
    await ctx().jobs.runDue()
    const [, ended] = await second.paymentsOf()
    expect([ended.id, ended.status]).toEqual([given, 'failed'])
    expect((await subscription(second.shop, second.id)).status).toBe('active')
  })

  test('keeps a subscription active whose renewal is being charged', async () => {
    const shop = await createShop(server)
    const { order } = await shop.buy(await shop.product([fixedPrice(1200)], 'month'))
    const { sandbox } = ctx().payments
    const { charge, look } = sandbox
    const away: Processor['charge'] = () => Promise.reject(new Error('connection reset'))
    Object.assign(sandbox, { charge: away, look: away })
    await pass(server, days(32))
    const [, renewal] = await ordersOfSubscription(shop, order.subscription_id)
    expect((await shop.get(`/payments?order_id=${renewal.id}`)).body.items[0].status).toBe('pending')

    expect((await callsOf(shop, renewal.id).voidIt()).status).toBe(200)
    Object.assign(sandbox, { charge, look })
    await pass(server, hours(3))

    expect((await shop.get(`/payments?order_id=${renewal.id}`)).body.items[0].status).toBe('failed')
    expect((await subscription(shop, order.subscription_id)).status).toBe('active')
  })

  test('needs a reason, and an order that waits for its payment', async () => {
    const { shop, renewal, voidIt, markPaid } = await unpaid()
    const paid = (await ordersOfSubscription(shop, renewal.subscription_id))[0]

    expect((await voidIt('  ')).body.detail).toMatchObject([{ loc: ['body', 'reason'] }])
    expect((await markPaid('')).body.detail).toMatchObject([{ loc: ['body', 'reference'] }])
    expect((await shop.post(`/orders/${renewal.id}/void`, {})).status).toBe(422)
    expect(await refusals(callsOf(shop, paid.id))).toEqual(notDue)
    await shop.post('/refunds', { order_id: paid.id, amount: 1200, reason: 'other' })
    expect(await refusals(callsOf(shop, paid.id))).toEqual(notDue)
  })
})

describe('marking an order as paid', () => {
  test('pays it by a payment with the reference, and brings its subscription back', async () => {
    const { shop, id, read, markPaid, voidIt, paymentsOf, ...calls } = await unpaid()
    await pass(server, hours(1))
    const at = ctx().clock.now()

    const { status, body } = await markPaid(' Transfer of 3 March ')

    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'paid', paid: true, receipt_number: expect.any(String), voided_at: null })
    expect((await paymentsOf()).at(-1)).toMatchObject({
      processor: 'stripe',
      paid_by: 'manual',
      status: 'succeeded',
      amount: 1200,
      method: 'manual',
      processor_reference: 'Transfer of 3 March',
    })
    expect(await eventsSince(shop, at)).toEqual([
      'order.updated',
      'order.paid',
      'subscription.updated',
      'subscription.active',
      'customer.state_changed',
    ])
    const mails = await server.mailsTo(body.customer.email)
    expect(mails.map(({ subject }) => subject)).toContainEqual(continues)
    expect(mails.filter(({ text }) => text.includes(body.invoice_number ?? body.receipt_number))).toHaveLength(1)
    expect(await refusals({ ...calls, read, voidIt, markPaid, paymentsOf })).toEqual(notDue)
    expect((await subscription(shop, id)).status).toBe('active')
  })

  test('is refunded without a processor', async () => {
    const { shop, renewal, markPaid, read } = await unpaid()
    await markPaid()

    const { body } = await shop.post('/refunds', { order_id: renewal.id, amount: 500, reason: 'other' })
    await pass(server, days(40))

    expect((await shop.get(`/refunds/${body.id}`)).body).toMatchObject({ status: 'succeeded', amount: 500 })
    expect(await read()).toMatchObject({ status: 'partially_refunded', refunded_amount: 500 })
  })

  test('ends a payment by card that is under way; money that comes all the same becomes credit', async () => {
    const { shop, markPaid, beginByLink } = await unpaid()
    await beginByLink()

    await whileTaken(1200, markPaid)

    expect(await creditOf(shop)).toEqual([[1200, 'paid_twice']])
    expect(await attentionOf(shop)).toEqual([])
  })
})

test('of a decision and a payment at the same moment, one decides', async () => {
  const card = await unpaid()
  const paying = await card.beginByLink()
  await beforeNextTransaction(server, () => settlePayment(ctx(), paying, succeeded(1200)))
  expect((await card.voidIt()).status).toBe(409)
  expect(await card.read()).toMatchObject({ status: 'paid', voided_at: null })

  const { shop, voidIt, markPaid, read, paymentsOf, beginByLink } = await unpaid()
  const late = await beginByLink()
  const [settled, ...answers] = await Promise.all([
    settlePayment(ctx(), late, succeeded(1200)),
    ...Array.from({ length: 4 }, () => [voidIt(), markPaid()]).flat(),
  ])

  expect(settled.status).toBe('succeeded')
  const done = answers.filter(({ status }) => status === 200)
  const order = await read()
  const credit = await creditOf(shop)
  const paidBy = (await paymentsOf()).filter(({ status }: { status: string }) => status === 'succeeded')
  // The link's payment has paid it, or exactly one call decided and its money is credit.
  expect(done.length + (credit.length === 0 ? 1 : 0)).toBe(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(answers.length - done.length)
  expect(paidBy.length).toBe(order.paid && done.length === 1 ? 2 : 1)
  expect(await attentionOf(shop)).toHaveLength(order.paid ? 0 : 1)
})

test('the same request with the same key decides once', async () => {
  const { shop, renewal, paymentsOf } = await unpaid()
  const ask = () =>
    shop.post(`/orders/${renewal.id}/mark-paid`, { reference: 'Cash' }, { 'idempotency-key': 'paid-at-the-desk' })

  const answers = [await ask(), await ask()]

  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await paymentsOf()).toHaveLength(2)
})
