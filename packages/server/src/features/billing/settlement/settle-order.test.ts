import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { after, hours } from '../../../foundation/clock.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import type { Attempt } from '../payments/processor.ts'
import { recordRefund } from '../refund/record-refund.service.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { settleOnceFree, settlePayment } from './settle-payment.service.ts'

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

/** An order that waits for its payment, as a renewal posts it. */
async function openOrder() {
  const { order } = await shop.buy(await shop.product([fixedPrice(1200)]), {
    customer_billing_address: { country: 'DE', line1: 'Am Ring 1', city: 'Hamburg', postal_code: '20095' },
  })
  const { db } = ctx()
  await db.deleteFrom('paymentAllocation').where('orderId', '=', order.id).execute()
  await db.deleteFrom('document').where('orderId', '=', order.id).execute()
  await db.deleteFrom('payment').where('orderId', '=', order.id).execute()
  await db.deleteFrom('sandboxIntent').execute()
  await db.updateTable('invoiceSeries').set({ lastNumber: 0 }).where('kind', '=', 'invoice').execute()
  await db
    .updateTable('order')
    .set({ status: 'pending', paidAt: null, invoiceNumber: null, receiptNumber: null, invoiceIssuedAt: null })
    .execute()
  return order
}

/** A pending payment for a subject. */
async function payment(given: { orderId?: string; customerId: string; subject: 'order' | 'setup' | 'balance' }) {
  const id = newUuid()
  await ctx()
    .db.insertInto('payment')
    .values({
      ...given,
      id,
      organizationId: shop.organizationId,
      processor: 'sandbox',
      purpose: given.subject === 'setup' ? 'setup' : 'charge',
      status: 'pending',
      amount: given.subject === 'setup' ? 0 : 1200,
      currency: 'usd',
      method: 'card',
      isTest: true,
      createdAt: ctx().clock.now(),
    })
    .execute()
  return id
}

const card = { type: 'card', brand: 'visa', lastFour: '4242', expMonth: 12, expYear: 2030 } as const
const paid = (given: object = {}): Attempt => ({
  status: 'succeeded',
  reference: `reference ${newUuid()}`,
  amount: 1200,
  currency: 'usd',
  method: card,
  methodReference: undefined,
  ...given,
})
const failed: Attempt = {
  status: 'failed',
  reference: undefined,
  reason: 'card_declined',
  message: 'No',
  advice: { kind: 'retry_after', wait: hours(6) },
  method: undefined,
}
const entriesOf = (customerId: string) =>
  ctx()
    .db.selectFrom('customerBalanceEntry')
    .select(['amount', 'currency', 'reason'])
    .where('customerId', '=', customerId)
    .execute()

const paidEvents = async () =>
  (await ctx().db.selectFrom('event').select('id').where('type', '=', 'order.paid').execute()).length

/** Holds a payment as the transaction that settles it does, while something else happens. SQLite has no others then. */
async function whileSettled(id: string, work: () => Promise<void>): Promise<void> {
  if (ctx().database.dialect === 'sqlite') return work()
  await ctx()
    .db.transaction()
    .execute(async (tx) => {
      await tx.selectFrom('payment').select('id').where('id', '=', id).forUpdate().execute()
      await work()
    })
}

describe('the payment of a posted order', () => {
  test('that another transaction holds is settled by a report once it is free', async () => {
    const order = await openOrder()
    const id = await payment({ orderId: order.id, customerId: order.customer_id, subject: 'order' })
    let settled = false
    let report: Promise<unknown> = Promise.resolve()

    await whileSettled(id, async () => {
      report = settleOnceFree(ctx(), id, paid()).then(() => {
        settled = true
      })
      // On SQLite the report is the only one that runs.
      if (ctx().database.dialect === 'sqlite') await report
      else for (let turn = 0; turn < 20; turn += 1) await ctx().database.ping()
      expect(settled).toBe(ctx().database.dialect === 'sqlite')
    })
    await report

    expect((await shop.get(`/orders/${order.id}`)).body.status).toBe('paid')
    await expect(settleOnceFree(ctx(), newUuid(), paid())).rejects.toThrow('unknown payment')
  })

  test('makes it paid, once: with a receipt, an invoice that takes its number now, and events', async () => {
    const order = await openOrder()
    const id = await payment({ orderId: order.id, customerId: order.customer_id, subject: 'order' })
    const before = await paidEvents()

    const outcomes = await Promise.all([settlePayment(ctx(), id, paid()), settlePayment(ctx(), id, paid())])

    expect(outcomes).toEqual([{ status: 'succeeded' }, { status: 'succeeded' }])
    const { body } = await shop.get(`/orders/${order.id}`)
    expect(body).toMatchObject({ status: 'paid', paid: true, is_invoice_generated: true })
    expect(body.invoice_number).toMatch(/-000001$/)
    expect(await paidEvents()).toBe(before + 1)
    const documents = await shop.get(`/orders/${order.id}/documents`)
    expect(documents.body.items.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['invoice', 'receipt'])
  })

  test('that fails leaves it open, and keeps when to try again', async () => {
    const order = await openOrder()
    const id = await payment({ orderId: order.id, customerId: order.customer_id, subject: 'order' })

    expect(await settlePayment(ctx(), id, failed)).toEqual({ status: 'failed', message: 'No' })
    expect((await shop.get(`/orders/${order.id}`)).body).toMatchObject({ status: 'pending', invoice_number: null })
    const { db, clock } = ctx()
    const row = await db.selectFrom('payment').select(['advice', 'retryAt']).where('id', '=', id).executeTakeFirst()
    expect(row).toEqual({ advice: 'retry_after', retryAt: after(clock.now(), hours(6)) })
    // The books count only what is paid; make it so.
    await settlePayment(
      ctx(),
      await payment({ orderId: order.id, customerId: order.customer_id, subject: 'order' }),
      paid(),
    )
  })

  test('that comes when another has paid becomes credit', async () => {
    const order = await openOrder()
    const asked = { orderId: order.id, customerId: order.customer_id, subject: 'order' } as const

    await settlePayment(ctx(), await payment(asked), paid())
    await settlePayment(ctx(), await payment(asked), paid())

    expect(await entriesOf(order.customer_id)).toEqual([{ amount: 1200, currency: 'usd', reason: 'paid_twice' }])
  })
})

describe('credit of a payment that the processor gives back', () => {
  const back = (paymentId: string, given: object = {}) => ({
    reference: `refund ${paymentId}`,
    paymentId,
    amount: 1200,
    currency: 'usd',
    reason: 'other' as const,
    attempt: { status: 'succeeded', reference: `refund ${paymentId}`, amount: 1200, currency: 'usd' } as const,
    ...given,
  })
  const lost = { status: 'failed', reference: undefined, reason: 'lost', message: 'Lost.' } as const

  test('of an order that was paid twice is taken back, once; the order stays paid', async () => {
    const order = await openOrder()
    const asked = { orderId: order.id, customerId: order.customer_id, subject: 'order' } as const
    await settlePayment(ctx(), await payment(asked), paid())
    const twice = await payment(asked)
    await settlePayment(ctx(), twice, paid())
    const { sandbox } = ctx().payments

    await Promise.all([1, 2, 3].map(() => recordRefund(ctx(), sandbox, back(twice))))

    expect((await entriesOf(order.customer_id)).map(({ amount }) => amount).toSorted()).toEqual([-1200, 1200])
    expect((await shop.get(`/orders/${order.id}`)).body).toMatchObject({ status: 'paid', refunded_amount: 0 })
  })

  test('is credit again where the money comes back', async () => {
    const { body } = await shop.post('/customers', { email: 'returned@example.com' })
    const id = await payment({ customerId: body.id, subject: 'balance' })
    await settlePayment(ctx(), id, paid())
    const { sandbox } = ctx().payments

    await recordRefund(ctx(), sandbox, back(id, { attempt: { status: 'pending', reference: 'x' } }))
    expect((await entriesOf(body.id)).map(({ amount }) => amount)).toEqual([1200])
    await recordRefund(ctx(), sandbox, back(id))
    await recordRefund(ctx(), sandbox, back(id, { attempt: lost }))
    await recordRefund(ctx(), sandbox, back(id))

    expect((await entriesOf(body.id)).map(({ amount }) => amount).toSorted()).toEqual([-1200, 1200, 1200])
  })

  test('that had failed before it was heard of changes nothing', async () => {
    const { body } = await shop.post('/customers', { email: 'unmoved@example.com' })
    const id = await payment({ customerId: body.id, subject: 'balance' })
    await settlePayment(ctx(), id, paid())

    await recordRefund(ctx(), ctx().payments.sandbox, back(id, { attempt: lost }))

    expect((await entriesOf(body.id)).map(({ amount }) => amount)).toEqual([1200])
  })
})

test('a payment into the balance becomes credit', async () => {
  const { body } = await shop.post('/customers', { email: 'credit@example.com' })

  await settlePayment(ctx(), await payment({ customerId: body.id, subject: 'balance' }), paid())

  expect(await entriesOf(body.id)).toEqual([{ amount: 1200, currency: 'usd', reason: 'payment' }])
})

test('a method that is set up is kept, and becomes the default', async () => {
  const { body } = await shop.post('/customers', { email: 'setup@example.com' })
  const id = await payment({ customerId: body.id, subject: 'setup' })

  await settlePayment(ctx(), id, paid({ amount: 0, methodReference: 'method of setup' }))

  const [method] = (await shop.get(`/customers/${body.id}/payment-methods`)).body.items
  expect(method).toMatchObject({ default: true, method_metadata: { last4: '4242' } })
})

test.each(['setup', 'order'] as const)(
  'a card of a customer who was removed meanwhile is not kept: %s',
  async (subject) => {
    const order = await openOrder()
    const customerId = order.customer_id
    const id = await payment({ customerId, subject, ...(subject === 'order' && { orderId: order.id }) })
    await shop.delete(`/customers/${customerId}`)

    const amount = subject === 'setup' ? 0 : 1200
    const settled = await settlePayment(ctx(), id, paid({ amount, methodReference: `method of ${id}` }))

    expect(settled).toEqual({ status: 'succeeded' })
    const kept = ctx().db.selectFrom('paymentMethod').select('id').where('customerId', '=', customerId)
    expect(await kept.where('deletedAt', 'is', null).execute()).toEqual([])
    // The books count only what is paid; make it so.
    if (subject === 'setup')
      await settlePayment(ctx(), await payment({ orderId: order.id, customerId, subject: 'order' }), paid())
  },
)
