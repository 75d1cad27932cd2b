import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { after, days, hours, minutes, systemClock } from '../../../foundation/clock.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../../testing.ts'
import { faultsInBooks } from '../testing/books.ts'
import { wrongAt } from '../testing/refusal.ts'
import { createShop, fixedPrice, type OpenCheckout, type Shop } from '../testing/shop.ts'
import { createStripeServer, type StripeCard, type StripeServer, stripeTestKeys } from '../testing/stripe-server.ts'

let stripe: StripeServer
let server: TestServer
let shop: Shop
let course: string
let plan: string

beforeAll(async () => {
  stripe = createStripeServer()
  server = await createTestServer({}, { fetch: (...asked) => stripe.fetch(...asked), env: stripeTestKeys })
  shop = await createShop(server)
  course = await shop.product([fixedPrice(1900)], null, 'Course')
  plan = await shop.product([fixedPrice(900)], 'month', 'Plan')
})
afterAll(async () => {
  await ctx().jobs.runDue()
  expect(await faultsInBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})

const ctx = () => server.tollgate.internals.ctx
const runJobs = () => ctx().jobs.runDue()

const confirm = (checkout: OpenCheckout, card: StripeCard = 'success', given: object = {}) =>
  shop.confirm(checkout, { confirmation_token_id: stripe.token(card), ...given })

/** Posts Stripe's events to the server; returns the response statuses. */
async function deliver(events: readonly object[]): Promise<number[]> {
  const statuses: number[] = []
  for (const event of events) statuses.push((await send(stripe.signed(event))).status)
  await runJobs()
  return statuses
}

const send = ({ body, signature }: { body: string; signature?: string | undefined }): Promise<TestAnswer> =>
  server.visitor().request('POST', '/v1/stripe/events', {
    raw: body,
    headers: { 'content-type': 'application/json', ...(signature !== undefined && { 'stripe-signature': signature }) },
  })

const clientView = async ({ client_secret }: OpenCheckout) =>
  (await server.visitor().request('GET', `/v1/checkouts/client/${client_secret}`)).body

/** A started purchase, and its intent at Stripe. */
async function begun(card: StripeCard, product = course) {
  const checkout = await shop.checkout(product)
  const before = stripe.events.length
  const answer = await confirm(checkout, card)
  const [payment] = await shop.paymentsOf(checkout)
  const intent = stripe.intentOf(payment.id)
  return { checkout, answer, payment, intent, events: () => stripe.events.slice(before) }
}

describe('a purchase by Stripe', () => {
  test('is paid by an intent with our ids, and its checkout gives the browser the key', async () => {
    const checkout = await shop.checkout(course)
    expect(await clientView(checkout)).toMatchObject({
      payment_processor: 'stripe',
      processor: 'stripe',
      payment_processor_metadata: { publishable_key: stripeTestKeys.STRIPE_PUBLISHABLE_KEY },
    })

    const answer = await confirm(checkout)

    expect([answer.status, answer.body.detail]).toEqual([200, undefined])
    expect(await shop.statusOf(checkout)).toBe('succeeded')
    const [payment] = await shop.paymentsOf(checkout)
    const intent = stripe.intentOf(payment.id)
    expect(payment).toMatchObject({
      status: 'succeeded',
      paid_by: 'stripe',
      is_test: true,
      amount: 1900,
      method_metadata: { brand: 'visa', last4: '4242' },
    })
    expect(intent).toMatchObject({
      status: 'succeeded',
      amount: 1900,
      currency: 'usd',
      setup_future_usage: null,
      metadata: { payment_id: payment.id, organization_id: shop.organizationId, checkout_id: checkout.id },
    })
    expect((await shop.ordersOf(checkout))[0]).toMatchObject({ status: 'paid', total_amount: 1900 })
  })

  test('keeps the card of a subscription, and charges it later as its owner’s', async () => {
    const checkout = await shop.checkout(plan)
    expect((await confirm(checkout, 'renewal')).status).toBe(200)
    const [order] = await shop.ordersOf(checkout)
    const { body } = await shop.get(`/customers/${order.customer_id}/payment-methods`)
    expect(body.items).toMatchObject([{ type: 'card', card: { brand: 'visa', exp_year: 2049 } }])
    expect(stripe.intentOf((await shop.paymentsOf(checkout))[0].id)).toMatchObject({
      setup_future_usage: 'off_session',
    })

    const { db } = ctx()
    const method = await db
      .selectFrom('paymentMethod')
      .selectAll()
      .where('customerId', '=', order.customer_id)
      .executeTakeFirstOrThrow()
    const methodReference = method.processorReference
    expect(methodReference).toMatch(/^cus_\w+ pm_\w+$/)
    expect(await chargeLater(order.customer_id, methodReference)).toMatchObject({
      status: 'failed',
      reason: 'generic_decline',
      message: 'Your card was declined.',
    })
  })

  test.each([
    ['success', { status: 'succeeded', amount: 900, currency: 'usd' }],
    ['action', { status: 'failed', reason: 'authentication_required' }],
  ] as const)('charges a kept card without its owner: %s', async (card, expected) => {
    const checkout = await shop.checkout(plan)
    await confirm(checkout, card)
    const [payment] = await shop.paymentsOf(checkout)
    const intent = stripe.intentOf(payment.id)
    if (card === 'action') stripe.answerAction(intent.client_secret, 'succeed')
    await deliver(stripe.events)

    const { customer_id } = (await shop.ordersOf(checkout))[0]
    const attempt = await chargeLater(customer_id, `${intent.customer} ${intent.payment_method}`)
    expect(attempt).toMatchObject(expected)
  })

  test('of a product that is free today keeps the card without a charge', async () => {
    const { id } = await shop.discount({ basis_points: 10_000 })
    const checkout = await shop.checkout(plan, { discount_id: id })

    expect((await confirm(checkout)).status).toBe(200)

    const [payment] = await shop.paymentsOf(checkout)
    expect(payment).toMatchObject({ status: 'succeeded', amount: 0 })
    expect(stripe.intentOf(payment.id)).toMatchObject({ object: 'setup_intent', status: 'succeeded' })
    const [order] = await shop.ordersOf(checkout)
    expect((await shop.get(`/customers/${order.customer_id}/payment-methods`)).body.items).toHaveLength(1)
  })

  test('of a user who is known at Stripe is theirs again', async () => {
    const buyer = { customer_email: 'again@example.com' }
    const [first, second] = [await shop.checkout(course), await shop.checkout(course)]
    await confirm(first, 'success', buyer)
    await confirm(second, 'success', buyer)

    const customers = await Promise.all(
      [first, second].map(async (each) => stripe.intentOf((await shop.paymentsOf(each))[0].id).customer),
    )
    expect(customers[0]).toMatch(/^cus_/)
    expect(customers[1]).toBe(customers[0])
  })
})

/** An off-session charge of 9.00, as a renewal makes it. */
async function chargeLater(customerId: string, methodReference: string) {
  const { payments, transaction, clock } = ctx()
  const id = newUuid()
  await transaction(async (tx) => {
    const values = {
      id,
      organizationId: shop.organizationId,
      processor: 'stripe',
      purpose: 'charge',
      status: 'pending',
    } as const
    const paid = { amount: 900, currency: 'usd', method: 'card', customerId, isTest: true, createdAt: clock.now() }
    await tx
      .insertInto('payment')
      .values({ ...values, ...paid })
      .execute()
  })
  try {
    return await payments.byName('stripe')!.charge({
      paymentId: id,
      purpose: 'charge',
      amount: 900,
      currency: 'usd',
      source: { methodReference },
      keepMethod: false,
      offSession: true,
    })
  } finally {
    await transaction((tx) => tx.deleteFrom('payment').where('id', '=', id).execute())
  }
}

describe('a card that is declined', () => {
  test.each([
    ['decline', 'generic_decline', 'generic_decline'],
    ['funds', 'insufficient_funds', 'insufficient_funds'],
    ['stolen', 'stolen_card', 'card_declined'],
  ] as const)(
    '%s: its buyer reads why, as far as it concerns them, and pays by another one',
    async (card, told, shown) => {
      const { checkout, answer, payment, intent } = await begun(card)

      expect([answer.status, answer.body.error]).toEqual([400, 'PaymentError'])
      expect(payment).toMatchObject({
        status: 'failed',
        decline_reason: told,
        decline_message: expect.stringMatching(/^Your card/),
      })
      expect(await clientView(checkout)).toMatchObject({
        status: 'open',
        payment_processor_metadata: { decline_reason: shown },
      })
      // The first card's intent must not accept another card.
      expect(intent.status).toBe('canceled')
      expect((await confirm(checkout)).status).toBe(200)
      expect(await shop.statusOf(checkout)).toBe('succeeded')
    },
  )

  test.each([
    ['that is unknown', () => 'ctoken_nothing1'],
    ['of the sandbox', () => 'ctoken_sandbox_success'],
    ['of no card', () => stripe.token('sepa')],
    ['that is none', () => '../customers'],
  ])('a token %s is refused', async (_, token) => {
    const checkout = await shop.checkout(course)
    const answer = await shop.confirm(checkout, { confirmation_token_id: token() })

    expect(answer.status).toBe(422)
    expect(answer.body.detail.map(({ loc }: { loc: string[] }) => loc.at(-1))).toEqual(['confirmation_token_id'])
    expect(await shop.statusOf(checkout)).toBe('open')
  })

  test('a token pays once, of two checkouts at the same moment too', async () => {
    const checkouts = [await shop.checkout(course), await shop.checkout(course)]
    const confirmation_token_id = stripe.token()

    const answers = await Promise.all(checkouts.map((each) => shop.confirm(each, { confirmation_token_id })))
    const late = await shop.confirm(await shop.checkout(course), { confirmation_token_id })

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(late.status).toBe(422)
    expect((await Promise.all(checkouts.map(shop.statusOf))).sort()).toEqual(['open', 'succeeded'])
  })
})

describe('a payment that its buyer has to confirm', () => {
  test.each([
    ['succeed', 'succeeded', undefined],
    ['fail', 'open', 'authentication_failed'],
  ] as const)('%s: the checkout is %s', async (outcome, status, reason) => {
    const { checkout, answer, intent, events } = await begun('action')
    expect(answer.status).toBe(200)
    expect(await clientView(checkout)).toMatchObject({
      status: 'confirmed',
      payment_processor_metadata: { intent_status: 'requires_action', intent_client_secret: intent.client_secret },
    })

    stripe.answerAction(intent.client_secret, outcome)
    await deliver(events())

    const { status: shown, payment_processor_metadata: metadata } = await clientView(checkout)
    expect([shown, metadata.decline_reason]).toEqual([status, reason])
    expect(intent.status).toBe(outcome === 'fail' ? 'canceled' : 'succeeded')
  })

  test('ends where it is never confirmed, and cannot be paid any more', async () => {
    const { checkout, intent } = await begun('action')

    server.clock.advance(days(1) + hours(1))
    await runJobs()

    expect(intent.status).toBe('canceled')
    expect(['open', 'expired']).toContain(await shop.statusOf(checkout))
  })

  test('is seen to be paid without any event', async () => {
    const { checkout, intent } = await begun('action')
    stripe.answerAction(intent.client_secret, 'succeed')

    server.clock.advance(minutes(2))
    await runJobs()

    expect(await shop.statusOf(checkout)).toBe('succeeded')
  })
})

test.each([
  ['succeed', 'succeeded'],
  ['fail', 'open'],
] as const)('a payment that takes its time ends later: %s', async (outcome, status) => {
  const { checkout, answer, intent, events } = await begun('processing')
  expect([answer.status, await shop.statusOf(checkout)]).toEqual([200, 'confirmed'])

  stripe.finish(intent.id, outcome)
  await deliver(events())

  expect(await shop.statusOf(checkout)).toBe(status)
})

/** Until the payment of a checkout is settled, as time passes. */
async function waitFor(checkout: OpenCheckout): Promise<string> {
  for (let minute = 0; minute < 10 && (await shop.statusOf(checkout)) === 'confirmed'; minute += 1) {
    server.clock.advance(minutes(1))
    await runJobs()
  }
  return shop.statusOf(checkout)
}

describe('where Stripe’s answer does not come', () => {
  const creating = /^POST \/v1\/payment_intents$/
  const confirming = /^POST \/v1\/payment_intents\/\w+\/confirm$/

  test.each([
    ['the beginning is not heard', creating, 'refuse', 2, 'open'],
    ['the answer to the beginning is lost', creating, 'lose', 2, 'open'],
    ['the beginning fails', creating, 500, 1, 'open'],
    ['too much is asked for at the beginning', creating, 429, 1, 'open'],
    ['the confirmation is not heard', confirming, 'refuse', 2, 'open'],
    ['the confirmation fails', confirming, 500, 1, 'open'],
    ['too much is asked for', confirming, 429, 1, 'open'],
    ['the answer to the confirmation is lost', confirming, 'lose', 2, 'succeeded'],
  ] as const)('%s: the checkout comes to its end, and is paid once', async (_, request, how, times, status) => {
    const checkout = await shop.checkout(course)
    stripe.fail(request, how, times)

    const answer = await confirm(checkout)

    expect([answer.status, await shop.statusOf(checkout)]).toEqual([200, 'confirmed'])
    expect(await waitFor(checkout)).toBe(status)
    if (status === 'open') expect((await confirm(checkout)).status).toBe(200)
    expect(await shop.statusOf(checkout)).toBe('succeeded')
    expect(await chargesOf(checkout)).toEqual([1900])
  })

  test('the server repeats a request with a lost answer at once, and pays once', async () => {
    const checkout = await shop.checkout(course)
    stripe.fail(confirming, 'lose')

    expect((await confirm(checkout)).status).toBe(200)

    expect(await shop.statusOf(checkout)).toBe('succeeded')
    expect(await chargesOf(checkout)).toEqual([1900])
  })

  test('a process that died between the beginning and the confirmation has charged nothing', async () => {
    const checkout = await shop.checkout(course)
    stripe.fail(confirming, 'refuse', 2)
    await confirm(checkout)
    const [payment] = await shop.paymentsOf(checkout)

    expect(await waitFor(checkout)).toBe('open')

    expect(stripe.intentOf(payment.id)).toMatchObject({ status: 'canceled', amount_received: 0 })
  })

  test('no job waits for it, and a late one charges no abandoned payment (F-lock)', async () => {
    const checkout = await shop.checkout(course)
    const other = await shop.checkout(course)
    let letGo = () => {}
    const until = new Promise<void>((resolve) => {
      letGo = resolve
    })
    stripe.fail(creating, { until })

    const hanging = confirm(checkout)
    await expect.poll(() => shop.statusOf(checkout)).toBe('confirmed')
    const twice = await confirm(checkout)
    expect([twice.status, twice.body.error]).toEqual([403, 'NotOpenCheckout'])
    expect((await confirm(other)).status).toBe(200)
    expect(await waitFor(checkout)).toBe('open')
    letGo()

    expect((await hanging).status).toBe(400)
    expect(await chargesOf(checkout)).toEqual([])
    expect((await confirm(checkout)).status).toBe(200)
    expect(await chargesOf(checkout)).toEqual([1900])
  })

  test('about a token: the buyer sees that they can retry, and nothing is stored', async () => {
    const checkout = await shop.checkout(course)
    stripe.fail(/^GET \/v1\/confirmation_tokens/, 500)

    const answer = await confirm(checkout)

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10'])
    expect([await shop.statusOf(checkout), await shop.paymentsOf(checkout)]).toEqual(['open', []])
  })
})

describe('currencies that Stripe does not support', () => {
  /** A price with a percentage off; the checkout. */
  const reduced = async (price_amount: number, price_currency: string, basis_points: number) => {
    const product = await shop.product([{ ...fixedPrice(price_amount), price_currency }])
    const { id } = await shop.discount({ basis_points })
    return shop.checkout(product, { discount_id: id })
  }

  test.each([
    ['pln', 199, 200],
    ['huf', 17_499, 17_500],
    ['mxn', 999, 1000],
  ])('is not sold: less than the least of %s', async (price_currency, less, least) => {
    const make = (price: object) =>
      shop.post('/products', { name: 'Course', recurring_interval: null, prices: [{ ...price, price_currency }] })
    const custom = { amount_type: 'custom', minimum_amount: less, preset_amount: less }

    expect(wrongAt(await make(fixedPrice(less)))).toBe('422 prices.0.price_amount')
    expect(wrongAt(await make(custom))).toBe('422 prices.0.minimum_amount prices.0.preset_amount')
    expect((await make(fixedPrice(least))).status).toBe(201)
    const product = await shop.product([{ ...fixedPrice(least), price_currency }])
    const changed = await shop.patch(`/products/${product}`, { prices: [{ ...fixedPrice(less), price_currency }] })
    expect(wrongAt(changed)).toBe('422 prices.0.price_amount')
  })

  test('is not charged: a total that a discount makes too small is refused before any payment is written', async () => {
    const checkout = await reduced(100, 'usd', 9000)
    const before = stripe.requests.filter((each) => each.startsWith('POST')).length

    const answer = await confirm(checkout)

    expect([answer.status, answer.body.error]).toEqual([400, 'TotalTooSmall'])
    expect(await shop.paymentsOf(checkout)).toEqual([])
    expect(stripe.requests.filter((each) => each.startsWith('POST'))).toHaveLength(before)
    expect(await shop.statusOf(checkout)).toBe('open')
    // A zero total needs no payment.
    const { id } = await shop.discount({ basis_points: 10_000 })
    await shop.patch(`/checkouts/${checkout.id}`, { discount_id: id })
    expect((await confirm(checkout)).status).toBe(200)
  })

  test('is not charged: a total that is more than the most', async () => {
    const checkout = await shop.checkout(course)
    const total = { amount: 100_000_000, netAmount: 100_000_000, totalAmount: 100_000_000 }
    await ctx().db.updateTable('checkout').set(total).where('id', '=', checkout.id).execute()

    expect((await confirm(checkout)).body.error).toBe('TotalTooLarge')
    expect(await shop.paymentsOf(checkout)).toEqual([])
  })

  test('is declined in words where only Stripe knows the least, and no alarm is raised about its keys', async () => {
    const checkout = await reduced(5000, 'try', 5000)
    const logged = server.logs.length

    const { status, body } = await confirm(checkout)

    expect([status, body.error, body.detail]).toEqual([
      400,
      'PaymentError',
      'The total is too small for a card payment.',
    ])
    expect(await shop.paymentsOf(checkout)).toMatchObject([{ status: 'failed', decline_reason: 'amount_too_small' }])
    expect(await clientView(checkout)).toMatchObject({
      status: 'open',
      payment_processor_metadata: { decline_reason: 'amount_too_small' },
    })
    const levels = server.logs.slice(logged).map((line) => JSON.parse(line).level)
    expect(levels).not.toContain('error')
    expect(levels).not.toContain(50)
  })
})

describe('amounts are Stripe’s at Stripe, and ours here', () => {
  const priced = (price_currency: string, price_amount: number) =>
    shop.product([{ ...fixedPrice(price_amount), price_currency }], null, 'Course')
  const shownAt = async (checkout: OpenCheckout) =>
    (await server.visitor().request('GET', `/checkout/${checkout.client_secret}`)).text

  test.each([
    ['usd', 1900, 1900, '$19.00'],
    ['huf', 500_000, 500_000, 'Ft\u00a05,000.00'],
    ['cop', 500_000, 500_000, '$5,000.00'],
    ['jpy', 5000, 5000, '¥5,000'],
    ['mga', 5000, 5000, 'Ar\u00a05,000'],
    ['isk', 5000, 500_000, 'kr\u00a05,000'],
    ['ugx', 5000, 500_000, 'UGX\u00a05,000'],
  ])('%s: payments, refunds and disputes', async (currency, ours, theirs, text) => {
    const product = await priced(currency, ours)
    expect(await shownAt(await shop.checkout(product))).toContain(text)

    const { checkout, intent, answer, events } = await begun('success', product)
    expect(answer.status).toBe(200)
    expect([intent.amount, intent.currency]).toEqual([theirs, currency])
    const [order] = await shop.ordersOf(checkout)
    expect(order).toMatchObject({ status: 'paid', total_amount: ours })

    const back = await shop.post('/refunds', { order_id: order.id, amount: 1000, reason: 'other' })
    expect(back.body).toMatchObject({ status: 'succeeded', amount: 1000 })
    expect([...stripe.refunds.values()].at(-1)?.amount).toBe((1000 * theirs) / ours)

    stripe.refundThere(intent.id, (200 * theirs) / ours)
    stripe.dispute(intent.id, 'needs_response')
    await deliver(events())
    expect((await shop.get(`/orders/${order.id}`)).body.refunded_amount).toBe(1200)
    const [dispute] = (await shop.get(`/disputes?order_id=${order.id}`)).body.items
    expect(dispute.amount).toBe(ours)
  })

  test('an amount that is no whole number of ours is not accepted', async () => {
    const { checkout, intent, events } = await begun('processing', await priced('isk', 5000))
    stripe.finish(intent.id, 'succeed')
    stripe.tamper(intent.id, { amount_received: 500_040 })
    await deliver(events())

    expect(await shop.paymentsOf(checkout)).toMatchObject([{ status: 'failed', decline_reason: 'payment_mismatch' }])
  })

  test.each(['kwd', 'iqd', 'irr'])('nothing is sold in %s, which Stripe does not take', async (currency) => {
    const price = { ...fixedPrice(5000), price_currency: currency }
    const made = await shop.post('/products', { name: 'Course', recurring_interval: null, prices: [price] })
    expect(wrongAt(made)).toBe('422 prices.0.price_currency')
  })

  test('a product priced under another processor is not sold, and a checkout of it not paid', async () => {
    const product = await priced('usd', 5000)
    const checkout = await shop.checkout(product)
    await ctx().db.updateTable('productPrice').set({ priceCurrency: 'kwd' }).where('productId', '=', product).execute()
    expect(wrongAt(await shop.post('/checkouts', { products: [product] }))).toBe('422 products')

    await ctx().db.updateTable('checkout').set({ currency: 'kwd' }).where('id', '=', checkout.id).execute()
    const before = stripe.intents.size
    expect((await confirm(checkout)).body).toMatchObject({ error: 'PaymentError' })
    expect(stripe.intents.size).toBe(before)
    expect(await shop.statusOf(checkout)).toBe('open')
  })
})

describe('who is not known at Stripe any more', () => {
  const buyAs = async (customer_email: string, card: StripeCard = 'success') => {
    const checkout = await shop.checkout(course)
    const answer = await confirm(checkout, card, { customer_email })
    return { checkout, answer, payment: (await shop.paymentsOf(checkout))[0] }
  }
  const isTestThere = async (payment: { id: string; order_id: string | null }, isTest: boolean) => {
    await ctx().db.updateTable('payment').set({ isTest }).where('id', '=', payment.id).execute()
    await ctx()
      .db.updateTable('order')
      .set({ isTest })
      .where('id', '=', payment.order_id ?? '')
      .execute()
  }
  /** Another account, or the keys of the other mode: Stripe knows none of the server's objects. */
  const otherAccount = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = stripe
    stripe = createStripeServer()
    try {
      return await work()
    } finally {
      stripe = before
    }
  }

  test('a customer who was removed there is made anew, and buys again', async () => {
    const first = await buyAs('removed@example.com')
    stripe.removeCustomer(stripe.intentOf(first.payment.id).customer)

    const [second, third] = [await buyAs('removed@example.com'), await buyAs('removed@example.com')]

    expect([second.answer.status, third.answer.status]).toEqual([200, 200])
    const who = [first, second, third].map(({ payment }) => stripe.intentOf(payment.id).customer)
    expect([who[0] === who[1], who[1] === who[2]]).toEqual([false, true])
  })

  test('customers of the keys of before buy by those of now, and by those of before again', async () => {
    await buyAs('switched@example.com')
    expect((await otherAccount(() => buyAs('switched@example.com'))).answer.status).toBe(200)
    expect((await buyAs('switched@example.com')).answer.status).toBe(200)
  })

  test('a payment of test money that waits for its buyer comes to its end soon', async () => {
    const { checkout } = await buyAs('waits@example.com', 'action')

    expect(await otherAccount(() => waitFor(checkout))).toBe('open')
  })

  test('one of real money may still be confirmed there, and ends after a day', async () => {
    const { checkout, payment } = await buyAs('real@example.com', 'action')
    await isTestThere(payment, false)

    await otherAccount(async () => {
      expect(await waitFor(checkout)).toBe('confirmed')
      server.clock.advance(days(1))
      await runJobs()
      server.clock.advance(hours(1))
      await runJobs()
      expect(await shop.statusOf(checkout)).not.toBe('confirmed')
    })
    expect((await shop.paymentsOf(checkout))[0]).toMatchObject({ status: 'failed', decline_reason: 'canceled' })
  })

  test('a refund that had succeeded stays', async () => {
    const { checkout } = await buyAs('back@example.com')
    const [order] = await shop.ordersOf(checkout)
    const { body } = await shop.post('/refunds', { order_id: order.id, amount: 1900, reason: 'other' })

    await otherAccount(async () => {
      server.clock.advance(days(31))
      await runJobs()
    })

    expect((await shop.get(`/refunds/${body.id}`)).body.status).toBe('succeeded')
    const left = ctx().db.selectFrom('job').select('id').where('id', '=', `reconcile-refund ${body.id}`)
    expect(await left.execute()).toEqual([])
  })

  test('a paid order states whether it was test money, whatever keys are set now', async () => {
    const { checkout, payment } = await buyAs('mode@example.com')
    expect(payment.is_test).toBe(true)
    await isTestThere(payment, false)
    expect((await shop.paymentsOf(checkout))[0].is_test).toBe(false)
    const [order] = await shop.ordersOf(checkout)
    const { db } = ctx()
    const invoice = { orderId: order.id, kind: 'invoice' as const }
    await db
      .deleteFrom('document')
      .where((is) => is.and(invoice))
      .execute()
    await db.updateTable('order').set({ invoiceIssuedAt: null }).where('id', '=', order.id).execute()
    await shop.post(`/orders/${order.id}/invoice`)
    const documents = await db
      .selectFrom('document')
      .select('content')
      .where((is) => is.and(invoice))
      .execute()
    expect(documents.map(({ content }) => JSON.parse(content).isTest)).toEqual([false])
  })
})

describe('the server ignores Stripe’s event of another intent under our payment’s name', () => {
  test.each(['another intent', 'real money'])('%s', async (what) => {
    const { checkout, intent } = await begun('success')
    const { intent: other, events } = await begun('success')
    const told = events().length
    stripe.refundThere(other.id, 1900)
    stripe.dispute(other.id, 'needs_response')
    if (what === 'real money') stripe.tamper(other.id, { livemode: true })
    else stripe.tamper(other.id, { metadata: intent.metadata })
    await deliver(events().slice(told))

    const [order] = await shop.ordersOf(checkout)
    expect(order.status).toBe('paid')
    expect((await shop.get(`/disputes?order_id=${order.id}`)).body.items).toEqual([])
    expect(stripe.events.length).toBeGreaterThan(told)
    const line = server.logs.filter((each) => each.includes('has another intent') && each.includes(other.id))
    expect(line).toHaveLength(2)
  })
})

describe('a Stripe that is away for days', () => {
  const awayFor = async (how: 401 | 500) => {
    const isBack = stripe.fail(/^(GET|POST) /, how, Number.POSITIVE_INFINITY)
    return async () => {
      for (let hour = 0; hour < 72; hour += 1) {
        server.clock.advance(hours(1))
        await runJobs()
      }
      isBack()
      server.clock.advance(hours(1))
      await runJobs()
    }
  }

  test.each([401, 500] as const)('(%i) loses nothing that was paid meanwhile, and none of its events', async (how) => {
    const { checkout, intent, events } = await begun('action')
    const { intent: refunded, checkout: bought, events: later } = await begun('success')
    stripe.answerAction(intent.client_secret, 'succeed')
    stripe.refundThere(refunded.id, 1900)
    const comeBack = await awayFor(how)
    await deliver([...events(), ...later()])

    await comeBack()

    expect(await shop.statusOf(checkout)).toBe('succeeded')
    expect((await shop.ordersOf(bought))[0].status).toBe('refunded')
  })

  test('refunds later what its seller requested while our keys were wrong, and does not show them', async () => {
    const { checkout } = await begun('success')
    const [order] = await shop.ordersOf(checkout)
    const isMended = stripe.fail(/refunds/, 401, Number.POSITIVE_INFINITY)
    const { status, body } = await shop.post('/refunds', { order_id: order.id, amount: 1900, reason: 'other' })
    expect([status, body.status]).toEqual([200, 'pending'])
    expect(JSON.stringify(body)).not.toContain('API Key')
    isMended()

    server.clock.advance(minutes(2))
    await runJobs()

    expect((await shop.get(`/refunds/${body.id}`)).body.status).toBe('succeeded')
  })

  test('refunds later what its seller requested meanwhile', async () => {
    const { checkout } = await begun('success')
    const [order] = await shop.ordersOf(checkout)
    const comeBack = await awayFor(500)
    const { body } = await shop.post('/refunds', { order_id: order.id, amount: 1900, reason: 'other' })
    expect(body.status).toBe('pending')

    await comeBack()

    expect((await shop.get(`/refunds/${body.id}`)).body.status).toBe('succeeded')
  })
})

test('an event that comes again calls for its work where that had failed for good', async () => {
  const { intent, checkout, events } = await begun('success')
  stripe.refundThere(intent.id, 1900)
  const event = events().find(({ type }) => type === 'refund.created')!
  const isMended = stripe.fail(/^GET \/v1\/refunds/, 500, Number.POSITIVE_INFINITY)
  await deliver([event])
  const { db, clock } = ctx()
  const ofEvent = db.updateTable('job').where('id', '=', `stripe-event ${event.id}`)
  await ofEvent.set({ deadAt: clock.now() }).execute()
  isMended()
  await runJobs()
  expect((await shop.ordersOf(checkout))[0].status).toBe('paid')

  await deliver([event])

  expect((await shop.ordersOf(checkout))[0].status).toBe('refunded')
})

/** The amount Stripe has taken for a checkout. */
async function chargesOf(checkout: OpenCheckout): Promise<number[]> {
  const intents = [...stripe.intents.values()].filter(({ metadata }) => metadata.checkout_id === checkout.id)
  return intents.flatMap(({ amount_received: received }) => (received > 0 ? [received] : []))
}

describe('the server does not accept an amount that it did not request (F-amount)', () => {
  test.each([
    ['another amount', { amount_received: 1 }],
    ['another currency', { currency: 'jpy' }],
    ['another payment', { metadata: { payment_id: newUuid() } }],
    ['another customer', { customer: 'cus_other' }],
    ['real money by a key of test mode', { livemode: true }],
  ])('%s: the payment buys nothing, and the log records it', async (_, changes) => {
    const { checkout, intent, events } = await begun('processing')
    const told = events()
    stripe.finish(intent.id, 'succeed')
    stripe.tamper(intent.id, changes)
    await deliver([...told, ...events()])

    expect(await shop.statusOf(checkout)).toBe('failed')
    expect(await shop.ordersOf(checkout)).toEqual([])
    expect(await shop.paymentsOf(checkout)).toMatchObject([{ status: 'failed', decline_reason: 'payment_mismatch' }])
    expect(server.logs.filter((line) => line.includes('Payment mismatch') && line.includes(intent.id))).toHaveLength(1)
  })
})

describe('refunds', () => {
  const bought = async (card: StripeCard = 'success') => {
    const { checkout, payment, intent } = await begun(card)
    const [order] = await shop.ordersOf(checkout)
    return { order, intent, payment }
  }
  const refund = (order: { id: string }, amount: number, given: object = {}) =>
    shop.post('/refunds', { order_id: order.id, amount, reason: 'customer_request', ...given })
  const refundOf = async (id: string) => (await shop.get(`/refunds/${id}`)).body
  const moneyBack = (intent: { readonly id?: string }) =>
    [...stripe.refunds.values()].filter((each) => each.payment_intent === intent.id).map(({ amount }) => amount)

  test('request the refund at Stripe, with our id', async () => {
    const { order, intent } = await bought()

    const answer = await refund(order, 500)

    expect([answer.status, answer.body.status]).toEqual([200, 'succeeded'])
    const [made] = [...stripe.refunds.values()].filter((each) => each.payment_intent === intent.id)
    expect(made).toMatchObject({
      amount: 500,
      reason: 'requested_by_customer',
      metadata: { refund_id: answer.body.id },
    })
    expect((await shop.get(`/orders/${order.id}`)).body).toMatchObject({
      refunded_amount: 500,
      status: 'partially_refunded',
    })
  })

  test('that take their time are settled by an event, and one that comes back is taken back', async () => {
    const { order } = await bought('renewal')
    const before = stripe.events.length
    const { body } = await refund(order, 1900)
    expect(body.status).toBe('pending')
    const [there] = [...stripe.refunds.values()].filter(({ metadata }) => metadata.refund_id === body.id)

    stripe.moveRefund(there!.id, 'succeeded')
    await deliver(stripe.events.slice(before))
    expect([(await refundOf(body.id)).status, (await shop.get(`/orders/${order.id}`)).body.status]).toEqual([
      'succeeded',
      'refunded',
    ])

    stripe.moveRefund(there!.id, 'failed', 'expired_or_canceled_card')
    await deliver(stripe.events.slice(before))
    expect([(await refundOf(body.id)).status, (await shop.get(`/orders/${order.id}`)).body.status]).toEqual([
      'failed',
      'paid',
    ])
  })

  test('that a user has made at Stripe are counted', async () => {
    const { order, intent } = await bought()
    const before = stripe.events.length

    stripe.refundThere(intent.id, 700)
    await deliver([...stripe.events.slice(before), ...stripe.events.slice(before)])

    const { items } = (await shop.get(`/refunds?order_id=${order.id}`)).body
    expect(items).toMatchObject([{ status: 'succeeded', amount: 700, reason: 'customer_request' }])
    expect((await shop.get(`/orders/${order.id}`)).body).toMatchObject({
      status: 'partially_refunded',
      refunded_amount: 700,
    })
  })

  test('that Stripe refuses have failed', async () => {
    const { order, intent } = await bought()
    stripe.tamper(intent.id, { amount_received: 0 })

    const answer = await refund(order, 100)

    expect([answer.status, answer.body.error]).toEqual([400, 'RefundFailed'])
  })

  test.each([
    ['not heard', 'refuse', 2],
    ['lost', 'lose', 2],
    ['too much', 429, 1],
  ] as const)('whose answer is missing (%s) never go back twice', async (_, how, times) => {
    const { order, intent } = await bought()
    stripe.fail(/^POST \/v1\/refunds$/, how, times)
    const first = await refund(order, 1900)

    for (let round = 0; round < 5; round += 1) {
      server.clock.advance(minutes(5))
      await runJobs()
    }

    const { status } = await refundOf(first.body.id)
    expect(moneyBack(intent)).toEqual(status === 'succeeded' ? [1900] : [])
    if (status === 'failed') expect((await refund(order, 1900)).body.status).toBe('succeeded')
    expect(moneyBack(intent)).toEqual([1900])
  })
})

test('disputes are recorded, and follow the bank’s decisions', async () => {
  const { checkout, payment, intent } = await begun('success')
  const [order] = await shop.ordersOf(checkout)
  const before = stripe.events.length
  const disputeOf = async () => (await shop.get(`/disputes?order_id=${order.id}`)).body.items

  const id = stripe.dispute(intent.id, 'needs_response')
  await deliver(stripe.events.slice(before))
  expect(await disputeOf()).toMatchObject([
    { status: 'needs_response', amount: 1900, reason: 'fraudulent', case_id: id, payment_id: payment.id },
  ])

  stripe.dispute(intent.id, 'under_review', id)
  stripe.dispute(intent.id, 'lost', id)
  await deliver(stripe.events.slice(before).toReversed())
  expect(await disputeOf()).toMatchObject([{ status: 'lost', closed: true }])
})

test('an inquiry, and then its dispute, is mailed to the administrators who answer, and to sellers with whom that is', async () => {
  const root = await server.administrator('Root')
  const { owner } = shop
  const proven = { emailVerified: true }
  await ctx().transaction((tx) => tx.updateTable('user').set(proven).where('id', 'in', [root.id, owner.id]).execute())
  const { checkout, intent } = await begun('success')
  const [order] = await shop.ordersOf(checkout)
  const told = async (person: { email: string }) =>
    (await server.mailsTo(person.email)).filter(({ text }) => text.includes(order.invoice_number))
  const go = async (status: string, id?: string) => {
    const before = stripe.events.length
    const dispute = stripe.dispute(intent.id, status, id)
    await deliver(stripe.events.slice(before))
    return dispute
  }

  const id = await go('warning_needs_response')
  const [asked, inquiry] = [await told(root), await told(owner)]
  expect([asked.length, inquiry.length]).toEqual([1, 1])
  expect(asked[0]!.links).toContain(`${server.baseURL}/admin/disputes`)
  expect(asked[0]!.text).toContain('Only you can answer')
  expect(inquiry[0]!.subject).toContain('A bank asks about a payment')
  for (const mail of [asked[0]!, inquiry[0]!]) expect(mail.text).toContain('Respond by: ')
  expect((await root.get('/admin/list-disputes')).body.disputes.at(-1)).toMatchObject({ caseId: id, toAnswer: true })

  // Answered: no deadline is left. The bank takes the money nonetheless.
  await go('warning_under_review', id)
  expect((await root.get('/admin/list-disputes')).body.disputes.at(-1)).toMatchObject({ caseId: id, toAnswer: false })
  await go('needs_response', id)
  await go('needs_response', id)
  const [again, disputed] = [await told(root), await told(owner)]
  expect([again.length, disputed.length]).toEqual([2, 2])
  expect(disputed.filter(({ text }) => text.includes('The administrators of'))).toHaveLength(1)
  await go('won', id)
})

test.each([
  ['needs_response', 'RefundFailed'],
  ['under_review', 'RefundFailed'],
  ['lost', 'RefundFailed'],
  ['won', undefined],
  ['warning_needs_response', undefined],
])('of a payment whose dispute is %s, giving back is answered %s', async (status, error) => {
  const { checkout, intent, events } = await begun('success')
  const [order] = await shop.ordersOf(checkout)
  stripe.dispute(intent.id, status)
  await deliver(events())

  const { body } = await shop.post('/refunds', { order_id: order.id, amount: 1900, reason: 'other' })

  expect(body.error).toBe(error)
  const { items } = (await shop.get(`/refunds?order_id=${order.id}`)).body
  expect(items).toMatchObject([{ status: error ? 'failed' : 'succeeded' }])
  if (error) expect(items[0].failure_reason).toContain('disputed')
})

describe('a database that was restored from a backup', () => {
  test('counts a refund of ours that it has lost, once', async () => {
    const { checkout, events } = await begun('success')
    const [order] = await shop.ordersOf(checkout)
    await deliver(events())
    const { body: lost } = await shop.post('/refunds', { order_id: order.id, amount: 500, reason: 'duplicate' })
    const before = stripe.events.findIndex(({ data }) => data.object.metadata?.refund_id === lost.id)
    await loseRefund(lost.id, order.id)

    await deliver([...stripe.events.slice(before), ...stripe.events.slice(before)])

    const { items } = (await shop.get(`/refunds?order_id=${order.id}`)).body
    expect(items).toMatchObject([{ status: 'succeeded', amount: 500, reason: 'duplicate' }])
    expect(items[0].id).not.toBe(lost.id)
    expect((await shop.get(`/orders/${order.id}`)).body).toMatchObject({ refunded_amount: 500 })
    // Later events name the lost id too.
    const [there] = [...stripe.refunds.values()].filter(({ metadata }) => metadata.refund_id === lost.id)
    const later = stripe.events.length
    stripe.moveRefund(there!.id, 'failed', 'expired_or_canceled_card')
    await deliver(stripe.events.slice(later))
    expect((await shop.get(`/orders/${order.id}`)).body).toMatchObject({ status: 'paid', refunded_amount: 0 })
  })

  test('reports once which received money it has lost', async () => {
    const paid = (organization_id: string, id: string) => ({
      id: `evt_${id}`,
      type: 'payment_intent.succeeded',
      data: {
        object: {
          id: `pi_${id}`,
          amount_received: 1900,
          currency: 'usd',
          metadata: { payment_id: newUuid(), organization_id },
        },
      },
    })
    const lost = paid(shop.organizationId, 'lost')
    const logged = server.logs.length

    await deliver([lost, lost, paid('nobody', 'others'), { ...lost, id: 'evt_c', type: 'payment_intent.canceled' }])

    const lines = server.logs.slice(logged).filter((line) => line.includes('not in this database'))
    expect(lines).toHaveLength(1)
    for (const part of ['pi_lost', lost.data.object.metadata.payment_id, shop.organizationId])
      expect(lines[0]).toContain(part)
  })
})

/** Deletes a refund and its effects from the database, as restoring an older backup does. */
const loseRefund = (id: string, orderId: string) =>
  ctx().transaction(async (tx) => {
    await tx.deleteFrom('document').where('refundId', '=', id).execute()
    await tx.deleteFrom('event').where('subjectId', '=', id).execute()
    await tx.deleteFrom('job').where('payload', '=', id).execute()
    await tx.deleteFrom('refund').where('id', '=', id).execute()
    await tx.updateTable('order').set({ status: 'paid', refundedAmount: 0 }).where('id', '=', orderId).execute()
    await tx
      .updateTable('invoiceSeries')
      .set((set) => ({ lastNumber: set('lastNumber', '-', 1) }))
      .where('organizationId', '=', shop.organizationId)
      .where('kind', '=', 'credit_note')
      .execute()
  })

describe('an event', () => {
  /** A purchase that waits for its event, and that event. */
  const waiting = async () => {
    const { checkout, intent, events } = await begun('action')
    stripe.answerAction(intent.client_secret, 'succeed')
    const event = events().find(({ type }) => type === 'payment_intent.succeeded')!
    return { checkout, intent, event }
  }
  const lasting = (signature: string) => Number(/t=(\d+)/.exec(signature)?.[1])

  test('of Stripe’s changes its object, once', async () => {
    const { checkout, event } = await waiting()
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(stripe.signed(event))))
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(5).fill([200, { received: true }]))
    const jobs = await ctx().db.selectFrom('job').select('id').where('kind', '=', 'processor-event').execute()
    // It may be done already, but five deliveries never count as more than one.
    expect(jobs.filter(({ id }) => id.endsWith(event.id)).length).toBeLessThan(2)

    await runJobs()
    await deliver([event, event])

    expect(await shop.statusOf(checkout)).toBe('succeeded')
    expect(await shop.ordersOf(checkout)).toHaveLength(1)
  })

  test('is refused where Stripe has not signed it, and changes nothing (F-webhook-sig)', async () => {
    const { checkout, event } = await waiting()
    const now = systemClock.now()
    const good = stripe.signed(event)
    const at = (seconds: number) => stripe.signed(event, { at: after(now, seconds * 1000) }).signature
    const time = lasting(good.signature)
    const v1 = good.signature.split('v1=')[1]!
    const forged: [string, { body: string; signature?: string | undefined }][] = [
      ['no header', { body: good.body }],
      ['an empty header', { body: good.body, signature: '' }],
      ['another secret', stripe.signed(event, { secret: 'whsec_other' })],
      ['an empty secret', stripe.signed(event, { secret: '' })],
      ['an old time', { body: good.body, signature: at(-310) }],
      ['a time to come', { body: good.body, signature: at(310) }],
      ['no time', { body: good.body, signature: `v1=${v1}` }],
      ['two times', { body: good.body, signature: `t=${time},t=${time},v1=${v1}` }],
      ['a time that is none', { body: good.body, signature: `t=now,v1=${v1}` }],
      ['another scheme', { body: good.body, signature: `t=${time},v0=${v1}` }],
      ['half a signature', { body: good.body, signature: `t=${time},v1=${v1.slice(0, 32)}` }],
      ['many wrong ones', { body: good.body, signature: `t=${time},${`v1=${'0'.repeat(64)},`.repeat(100)}` }],
      ['an altered body', { body: good.body.replace('1900', '1901'), signature: good.signature }],
      ['a body written anew', { body: JSON.stringify(JSON.parse(good.body), null, 2), signature: good.signature }],
      ['a body with a byte more', { body: `${good.body} `, signature: good.signature }],
    ]
    for (const [what, request] of forged) {
      const { status, body } = await send(request)
      expect([what, status, body.error]).toEqual([what, 400, 'WebhookSignatureInvalid'])
    }
    await runJobs()
    expect(await shop.statusOf(checkout)).toBe('confirmed')

    // During a secret rotation there are two signatures, and one is by this server's secret.
    expect((await send({ body: good.body, signature: `t=${time},v1=${'0'.repeat(64)},v1=${v1},v0=x` })).status).toBe(
      200,
    )
    await runJobs()
    expect(await shop.statusOf(checkout)).toBe('succeeded')
  })

  test('signed by Stripe’s own library is taken', async () => {
    const { default: Stripe } = await import('stripe')
    const { checkout, event } = await waiting()
    const payload = JSON.stringify(event)
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: stripeTestKeys.STRIPE_WEBHOOK_SECRET,
    })

    expect((await send({ body: payload, signature })).status).toBe(200)
    await runJobs()

    expect(await shop.statusOf(checkout)).toBe('succeeded')
  })

  test('changes nothing by its own content', async () => {
    const { checkout, intent, events } = await begun('action')
    const [event] = events()
    const lie = {
      ...event,
      id: 'evt_lie',
      type: 'payment_intent.succeeded',
      data: { object: { ...intent, status: 'succeeded', amount_received: 1900 } },
    }

    await deliver([lie])

    expect(await shop.statusOf(checkout)).toBe('confirmed')
  })

  test('about nothing of ours is taken, and left', async () => {
    const metadata = { payment_id: newUuid(), refund_id: newUuid() }
    const others: unknown[] = [
      { id: 'evt_x1', type: 'payment_intent.succeeded', data: { object: { id: 'pi_x', metadata } } },
      {
        id: 'evt_x2',
        type: 'payment_intent.succeeded',
        data: { object: { id: 'pi_x', metadata: { payment_id: '__proto__' } } },
      },
      { id: 'evt_x3', type: 'refund.updated', data: { object: { metadata } } },
      { id: 'evt_x4', type: 'charge.dispute.created', data: { object: { id: 'du_x' } } },
      { id: 'evt_x5', type: 'customer.deleted', data: { object: { id: 'cus_x' } } },
      { id: 'evt_x6', type: 'no.such.type', data: null },
      { id: 7, type: 'payment_intent.succeeded' },
      { type: 'payment_intent.succeeded' },
      null,
      [],
      'text',
    ]
    for (const event of others) expect((await send(stripe.signed(event as object))).status).toBe(200)
    const garbage = stripe.signed({})
    expect((await send(garbage)).status).toBe(200)
    await runJobs()

    const dead = await ctx().db.selectFrom('job').selectAll().where('kind', '=', 'processor-event').execute()
    expect(dead).toEqual([])
  })

  test('that comes three days late, or when its customer is gone, brings nothing back (F-late)', async () => {
    const late = await waiting()
    const gone = await waiting()
    const [payment] = await shop.paymentsOf(gone.checkout)
    expect((await shop.delete(`/customers/${payment.customer_id}`)).status).toBe(204)
    server.clock.advance(days(3))
    await runJobs()
    const before = await ctx().db.selectFrom('event').select('id').execute()

    expect(await deliver([late.event, gone.event])).toEqual([200, 200])

    expect(await ctx().db.selectFrom('event').select('id').execute()).toHaveLength(before.length)
    expect(await shop.ordersOf(late.checkout)).toHaveLength(1)
  })

  test('of more than a megabyte is refused before it is looked at', async () => {
    const answer = await send({ body: 'x'.repeat(1024 * 1024 + 1), signature: 't=1,v1=00' })

    expect(answer.status).toBe(413)
  })
})

test('sellers see which processors there are', async () => {
  const { body } = await shop.get('/processors')

  expect(body.items).toEqual([
    { name: 'sandbox', is_on: false, is_test: true, takes_new_checkouts: false, events_url: null, last_event_at: null },
    {
      name: 'stripe',
      is_on: true,
      is_test: true,
      takes_new_checkouts: true,
      events_url: 'http://localhost:3000/v1/stripe/events',
      last_event_at: expect.any(String),
    },
  ])
})

test('beside Stripe the sandbox takes payments only where it is named', async () => {
  const card = { number: '4242 4242 4242 4242', expiry: '12/49', cvc: '123' }
  const path = '/v1/sandbox/confirmation-tokens'

  expect((await server.visitor().request('POST', path, { body: card })).status).toBe(404)
})

test('without Stripe its events are not known', async () => {
  await using plain = await createTestServer()

  const answer = await plain.visitor().request('POST', '/v1/stripe/events', { raw: '{}' })

  expect(answer.status).toBe(404)
})

test('Stripe’s library is not loaded by a start, not even by one with Stripe', async () => {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ resolve: (name, context, next) => (loaded.push(name), next(name, context)) })
    const { createTollgate } = await import(${JSON.stringify(new URL('../../../app/server.ts', import.meta.url).href)})
    const tollgate = await createTollgate({}, { env: ${JSON.stringify({ ...stripeTestKeys, DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' })} })
    await tollgate.close()
    console.log(JSON.stringify(loaded.filter((name) => ['stripe', 'kysely'].includes(name)).toSorted().slice(-1)))
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])

  expect(JSON.parse(stdout)).toEqual(['kysely'])
})
