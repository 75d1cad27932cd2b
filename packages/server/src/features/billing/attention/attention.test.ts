import { afterAll, beforeAll, expect, test } from 'vitest'
import { hours } from '../../../foundation/clock.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { beforeNextTransaction, createTestServer, type Person, type TestServer } from '../../../testing.ts'
import type { Attempt } from '../payments/processor.ts'
import { settleRefund } from '../refund/settle-refund.service.ts'
import { settlePayment } from '../settlement/settle-payment.service.ts'
import { faultsInBooks } from '../testing/books.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { createStripeServer, type StripeServer, stripeTestKeys } from '../testing/stripe-server.ts'

let stripe: StripeServer
let server: TestServer
let shop: Shop
let course: string
let root: Person

beforeAll(async () => {
  stripe = createStripeServer()
  server = await createTestServer({}, { fetch: (...asked) => stripe.fetch(...asked), env: stripeTestKeys })
  shop = await createShop(server)
  course = await shop.product([fixedPrice(1900)], null, 'Course')
  root = await server.administrator('Root')
  await ctx().transaction((tx) =>
    tx.updateTable('user').set({ emailVerified: true }).where('id', '=', root.id).execute(),
  )
})
afterAll(async () => {
  await ctx().jobs.runDue()
  expect(await faultsInBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})

const ctx = () => server.tollgate.internals.ctx

/** Posts Stripe's events to the server, all at once, and does the work that follows. */
async function deliver(events: readonly object[]): Promise<void> {
  await Promise.all(
    events.map(async (event) => {
      const { body, signature } = stripe.signed(event)
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
      expect((await server.visitor().request('POST', '/v1/stripe/events', { raw: body, headers })).status).toBe(200)
    }),
  )
  await ctx().jobs.runDue()
}

/** A payment that waits for its buyer, and its intent at Stripe. */
async function waiting() {
  const checkout = await shop.checkout(course)
  await shop.confirm(checkout, { confirmation_token_id: stripe.token('processing') })
  const [payment] = await shop.paymentsOf(checkout)
  return { checkout, payment, intent: stripe.intentOf(payment.id), before: stripe.events.length }
}

/** What the attention list and the administrator's mails say of an object of the processor, and the log. */
async function told(reference: string) {
  const { body } = await root.get('/admin/list-attention?limit=200')
  const mails = await server.mailsTo(root.email)
  return {
    entries: body.items.filter((each: { processorReference: string }) => each.processorReference === reference),
    mails: mails.filter(({ text }) => text.includes(reference)),
    lines: server.logs.filter((line) => line.includes(reference) && /"level":(40|50)|"(warn|error)"/.test(line)),
  }
}

const succeeded = (reference: string, given: object = {}): Attempt & { status: 'succeeded' } => ({
  status: 'succeeded',
  reference,
  amount: 1900,
  currency: 'usd',
  method: { type: 'link' },
  methodReference: undefined,
  ...given,
})
const failed = (reference: string): Attempt => ({
  status: 'failed',
  reference,
  reason: 'expired_card',
  message: 'Your card has expired.',
  method: undefined,
  advice: { kind: 'retry' },
})

test('money for a failed payment is on the list once, is mailed once, and buys nothing', async () => {
  const { checkout, payment, intent, before } = await waiting()
  stripe.finish(intent.id, 'fail')
  await deliver(stripe.events.slice(before))
  expect((await shop.paymentsOf(checkout))[0].status).toBe('failed')

  stripe.finish(intent.id, 'succeed')
  const events = stripe.events.slice(before)
  await deliver([...events, ...events])
  await Promise.all(Array.from({ length: 10 }, () => settlePayment(ctx(), payment.id, succeeded(intent.id))))

  const { entries, mails, lines } = await told(intent.id)
  expect(entries).toEqual([
    {
      id: expect.any(String),
      kind: 'paid_after_failure',
      organization: { id: shop.organizationId, name: expect.any(String), slug: shop.slug },
      processor: 'stripe',
      processorReference: intent.id,
      paymentId: payment.id,
      refundId: null,
      amount: 1900,
      currency: 'usd',
      expectedAmount: 1900,
      expectedCurrency: 'usd',
      detail: null,
      isTest: true,
      createdAt: server.clock.now().toISOString(),
      resolved: null,
    },
  ])
  expect(mails).toHaveLength(1)
  expect(mails[0]!.subject).toContain('Money to check')
  expect(mails[0]!.text).toContain('Stripe took money for a payment')
  expect(mails[0]!.text).toContain('Moved: $19.00 USD')
  expect(mails[0]!.text).toContain('Refund it at Stripe.')
  expect(mails[0]!.links).toContain(`${server.baseURL}/admin/attention`)
  expect(lines.filter((line) => line.includes('already failed'))).toHaveLength(1)
  expect(await shop.ordersOf(checkout)).toEqual([])
})

test('a success that finds its payment failed meanwhile is on the list too', async () => {
  const { payment, intent } = await waiting()
  await beforeNextTransaction(server, () => settlePayment(ctx(), payment.id, failed(intent.id)))

  const settled = await settlePayment(ctx(), payment.id, succeeded(intent.id))

  expect(settled.status).toBe('failed')
  expect((await told(intent.id)).entries).toMatchObject([{ kind: 'paid_after_failure' }])
  stripe.finish(intent.id, 'fail')
})

test('a payment of another amount is on the list once, with what was requested', async () => {
  const { checkout, payment, intent } = await waiting()
  const other = succeeded(intent.id, { amount: 1, currency: 'EUR', contradiction: 'customer' })

  await Promise.all(Array.from({ length: 10 }, () => settlePayment(ctx(), payment.id, other)))
  await settlePayment(ctx(), payment.id, other)

  const { entries, mails } = await told(intent.id)
  expect(entries).toMatchObject([
    {
      kind: 'amount_differs',
      paymentId: payment.id,
      amount: 1,
      currency: 'eur',
      expectedAmount: 1900,
      expectedCurrency: 'usd',
      detail: 'customer',
    },
  ])
  expect(mails).toHaveLength(1)
  expect(mails[0]!.text).toContain('Expected: $19.00 USD')
  expect(await shop.statusOf(checkout)).toBe('failed')
  // Other money for the same payment is another entry.
  await settlePayment(ctx(), payment.id, succeeded('pi_second'))
  expect((await told('pi_second')).entries).toMatchObject([{ kind: 'paid_after_failure', amount: 1900 }])
  stripe.finish(intent.id, 'fail')
})

test('money of an unknown payment is on the list once, also under other events', async () => {
  const payment = newUuid()
  const event = (id: string) => ({
    id,
    type: 'payment_intent.succeeded',
    data: {
      object: {
        id: 'pi_unknown',
        amount_received: 1200,
        currency: 'usd',
        metadata: { payment_id: payment, organization_id: shop.organizationId },
      },
    },
  })

  await deliver([event('evt_one'), event('evt_one'), event('evt_two')])
  await deliver([event('evt_one'), event('evt_three')])

  const { entries, mails, lines } = await told('pi_unknown')
  expect(entries).toMatchObject([
    { kind: 'unknown_payment', paymentId: payment, amount: 1200, currency: 'usd', expectedAmount: null },
  ])
  expect(mails).toHaveLength(1)
  expect(mails[0]!.text).not.toContain('Expected')
  expect(lines).toHaveLength(1)
  // Stripe counts króna in hundredths, Tollgate in whole ones.
  const krona = event('evt_krona')
  Object.assign(krona.data.object, { id: 'pi_krona', amount_received: 500_000, currency: 'isk' })
  await deliver([krona])
  expect((await told('pi_krona')).entries).toMatchObject([{ amount: 5000, currency: 'isk' }])
})

test('a refund of another amount is on the list once, and stays pending', async () => {
  const { checkout, intent, before } = await waiting()
  stripe.finish(intent.id, 'succeed')
  await deliver(stripe.events.slice(before))
  const [order] = await shop.ordersOf(checkout)
  stripe.fail(/^POST \/v1\/refunds/, 500)
  const { body: refund } = await shop.post('/refunds', { order_id: order.id, amount: 500, reason: 'other' })
  expect(refund.status).toBe('pending')
  const other = { status: 'succeeded', reference: 're_other', amount: 499, currency: 'usd' } as const

  await Promise.all(Array.from({ length: 10 }, () => settleRefund(ctx(), refund.id, other)))

  const { entries, mails, lines } = await told('re_other')
  expect(entries).toMatchObject([
    { kind: 'refund_amount_differs', refundId: refund.id, amount: 499, expectedAmount: 500, expectedCurrency: 'usd' },
  ])
  expect(mails).toHaveLength(1)
  expect(lines).toHaveLength(1)
  const refundNow = async () => (await shop.get(`/refunds/${refund.id}`)).body.status
  expect(await refundNow()).toBe('pending')
  // A right answer still settles it.
  server.clock.advance(hours(1))
  await ctx().jobs.runDue()
  expect(await refundNow()).toBe('succeeded')
})

test('an unverified administrator gets no mail, and a saved card is no money', async () => {
  const unverified = await server.administrator('Unverified')
  const { payment, intent } = await waiting()
  await settlePayment(ctx(), payment.id, failed(intent.id))
  await ctx().transaction((tx) => tx.updateTable('payment').set({ amount: 0 }).where('id', '=', payment.id).execute())

  await settlePayment(ctx(), payment.id, succeeded('seti_saved', { amount: 0 }))
  await settlePayment(ctx(), payment.id, succeeded(intent.id))

  expect((await told('seti_saved')).entries).toEqual([])
  expect((await told(intent.id)).entries).toHaveLength(1)
  expect(await server.mailsTo(unverified.email)).not.toContainEqual(
    expect.objectContaining({ text: expect.stringContaining(intent.id) }),
  )
  stripe.finish(intent.id, 'fail')
})
