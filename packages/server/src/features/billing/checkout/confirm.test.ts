import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours, minutes } from '../../../foundation/clock.ts'
import { bodyOfEvent } from '../../../foundation/db/event-body.ts'
import { sha256 } from '../../../foundation/token.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../../testing.ts'
import { faultsInBooks } from '../testing/books.ts'
import { createShop, fixedPrice, freePrice, newBuyer, type OpenCheckout, type Shop } from '../testing/shop.ts'

let server: TestServer
let shop: Shop
let course: string
let plan: string

beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
  course = await shop.product([fixedPrice(1900)], null, 'Course')
  plan = await shop.product([fixedPrice(900)], 'month', 'Plan')
})
afterAll(async () => {
  const { ctx } = server.tollgate.internals
  await ctx.jobs.runDue()
  expect(await faultsInBooks(ctx.db)).toEqual([])
  await server[Symbol.asyncDispose]()
})

const ctx = () => server.tollgate.internals.ctx
const locs = ({ body }: TestAnswer) => body.detail.map(({ loc }: { loc: unknown[] }) => loc.slice(1).join('.'))
const clientGet = ({ client_secret }: OpenCheckout) =>
  server.visitor().request('GET', `/v1/checkouts/client/${client_secret}`)

/** The events of some objects, in order. */
async function eventsOf(...ids: string[]): Promise<string[]> {
  const rows = await ctx()
    .db.selectFrom('event')
    .select(['type', bodyOfEvent().as('payload')])
    .where('merchantId', '=', shop.organizationId)
    .orderBy('id')
    .execute()
  return rows
    .map(({ type, payload }) => ({ type, subject: JSON.parse(payload!) }))
    .filter(({ subject }) => ids.includes(subject.id))
    .map(({ type, subject }) => (type === 'checkout.updated' ? `${type}(${subject.status})` : type))
}

describe('a purchase', () => {
  test('is confirmed, paid, and has an order with its amounts, item and invoice number', async () => {
    const checkout = await shop.checkout(course, { metadata: { source: 'ads' } })
    const buyer = newBuyer()
    const answer = await shop.confirm(checkout, buyer)

    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ id: checkout.id, status: 'confirmed', payment_processor: 'stripe' })
    expect(answer.body.customer_session_token).toMatch(/^tollgate_cst_[A-Za-z0-9]{43}$/)
    expect((await clientGet(checkout)).body.status).toBe('succeeded')
    const [order, ...further] = await shop.ordersOf(checkout)
    expect(further).toEqual([])
    expect(order).toMatchObject({
      status: 'paid',
      paid: true,
      billing_reason: 'purchase',
      subtotal_amount: 1900,
      discount_amount: 0,
      net_amount: 1900,
      amount: 1900,
      tax_amount: 0,
      total_amount: 1900,
      currency: 'usd',
      checkout_id: checkout.id,
      subscription_id: null,
      subscription: null,
      billing_name: buyer.customer_name,
      billing_address: { country: 'DE', line1: null },
      metadata: { source: 'ads' },
      customer: { email: buyer.customer_email, name: buyer.customer_name },
      product: { id: course, name: 'Course' },
      items: [{ label: 'Course', amount: 1900, tax_amount: 0, proration: false }],
    })
    expect(order.user_id).toBe(order.customer_id)
    expect(order.invoice_number).toMatch(new RegExp(`^${shop.slug.toUpperCase()}-\\d{6}$`))
    expect(await shop.paymentsOf(checkout)).toMatchObject([
      {
        processor: 'stripe',
        paid_by: 'sandbox',
        is_test: true,
        status: 'succeeded',
        amount: 1900,
        currency: 'usd',
        method: 'card',
        method_metadata: { brand: 'visa', last4: '4242' },
        decline_reason: null,
        order_id: order.id,
        customer_id: order.customer_id,
        customer_email: buyer.customer_email,
      },
    ])
  })

  test('by a token of the card form takes that card once', async () => {
    const card = { number: '4242 4242 4242 4242', expiry: '12/30', cvc: '123' }
    const { body } = await server.visitor().request('POST', '/v1/sandbox/confirmation-tokens', { body: card })
    const [first, second] = [await shop.checkout(course), await shop.checkout(course)]

    expect((await shop.confirm(first, { confirmation_token_id: body.id })).status).toBe(200)
    const again = await shop.confirm(second, { confirmation_token_id: body.id })

    expect(again.status).toBe(422)
    expect(locs(again)).toEqual(['confirmation_token_id'])
    expect(await shop.statusOf(second)).toBe('open')
  })

  test('sends its events in the order of the contract (3.10)', async () => {
    const { checkout, order } = await shop.buy(course)

    expect(await eventsOf(checkout.id, order.id, order.customer_id)).toEqual([
      'checkout.created',
      'customer.created',
      'checkout.updated(confirmed)',
      'order.created',
      'order.updated',
      'order.paid',
      'checkout.updated(succeeded)',
      'customer.state_changed',
    ])
  })

  test('of a subscription makes it active for its first period, with its order and events', async () => {
    const { checkout, order } = await shop.buy(plan)

    const { body: subscription } = await shop.get(`/subscriptions/${order.subscription_id}`)
    expect(subscription).toMatchObject({
      status: 'active',
      amount: 900,
      currency: 'usd',
      recurring_interval: 'month',
      current_period_start: server.clock.now().toISOString(),
      started_at: server.clock.now().toISOString(),
      cancel_at_period_end: false,
      canceled_at: null,
      ended_at: null,
      checkout_id: checkout.id,
      customer_id: order.customer_id,
      product: { id: plan },
      prices: [{ amount_type: 'fixed', price_amount: 900 }],
      discount: null,
      meters: [],
    })
    expect(new Date(subscription.current_period_end).getUTCMonth()).toBe((server.clock.now().getUTCMonth() + 1) % 12)
    expect(order).toMatchObject({ billing_reason: 'subscription_create', subscription: { id: subscription.id } })
    expect(await eventsOf(checkout.id, order.id, subscription.id, order.customer_id)).toEqual([
      'checkout.created',
      'customer.created',
      'checkout.updated(confirmed)',
      'subscription.created',
      'subscription.active',
      'subscription.updated',
      'order.created',
      'order.updated',
      'order.paid',
      'checkout.updated(succeeded)',
      'customer.state_changed',
    ])
    const { body: methods } = await shop.get(`/customers/${order.customer_id}/payment-methods`)
    expect(methods.items).toMatchObject([{ type: 'card', card: { brand: 'visa', last4: '4242' } }])
  })

  test('that is not repeated keeps no card', async () => {
    const { order } = await shop.buy(course)

    const { body } = await shop.get(`/customers/${order.customer_id}/payment-methods`)
    expect(body.items).toEqual([])
  })

  test('by the same card again keeps it once', async () => {
    const buyer = newBuyer()
    const other = await shop.product([fixedPrice(500)], 'year')
    await allowSeveral(true)
    await shop.buy(plan, buyer)
    const { order } = await shop.buy(other, buyer)
    await allowSeveral(false)

    const { body } = await shop.get(`/customers/${order.customer_id}/payment-methods`)
    expect(body.items).toHaveLength(1)
  })
})

const allowSeveral = async (allow_multiple_subscriptions: boolean) => {
  const subscription_settings = {
    allow_multiple_subscriptions,
    allow_customer_updates: true,
    proration_behavior: 'prorate',
  }
  const { status, text } = await shop.patch(`/organizations/${shop.organizationId}`, { subscription_settings })
  if (status !== 200) throw new Error(text)
}

describe('a confirmation reports every missing field at once (CHK-10)', () => {
  test('of a paid product: address, name, country, token', async () => {
    const checkout = await shop.checkout(course)
    const answer = await server.visitor().request('POST', `/v1/checkouts/client/${checkout.client_secret}/confirm`, {
      body: {},
    })

    expect(answer.status).toBe(422)
    expect(locs(answer).sort()).toEqual([
      'confirmation_token_id',
      'customer_billing_address',
      'customer_email',
      'customer_name',
    ])
    expect(await shop.statusOf(checkout)).toBe('open')
  })

  test('of a business: its name and whole address besides', async () => {
    const answer = await shop.confirm(await shop.checkout(course), { is_business_customer: true })

    expect(answer.status).toBe(422)
    expect(locs(answer)).toEqual(expect.arrayContaining(['customer_billing_name', 'customer_billing_address.line1']))
  })

  test('an unknown token is refused, together with the rest, and nothing has changed', async () => {
    const checkout = await shop.checkout(course)
    const buyer = newBuyer()
    await ctx().jobs.runDue()
    const before = await ctx().db.selectFrom('event').select('id').execute()

    const answer = await shop.confirm(checkout, { ...buyer, confirmation_token_id: 'x', customer_name: '' })

    expect(answer.status).toBe(422)
    expect(locs(answer).sort()).toEqual(['confirmation_token_id', 'customer_name'])
    expect(await ctx().db.selectFrom('event').select('id').execute()).toHaveLength(before.length)
    expect(await shop.paymentsOf(checkout)).toEqual([])
    expect((await shop.get(`/customers?email=${buyer.customer_email}`)).body.items).toEqual([])
  })

  test.each([
    [{ customer_email: 'nobody' }, 'customer_email'],
    [{ amount: '12' }, 'amount'],
    [{ amount: -1 }, 'amount'],
    [{ amount: 1.5 }, 'amount'],
    [{ customer_billing_address: { country: 'XX' } }, 'customer_billing_address.country'],
    [{ confirmation_token_id: 7 }, 'confirmation_token_id'],
    [{ product_id: 'x' }, 'product_id'],
  ])('%o is refused', async (given, loc) => {
    const answer = await shop.confirm(await shop.checkout(course), given)

    expect(answer.status).toBe(422)
    expect(locs(answer)).toContain(loc)
  })

  test('the price of a fixed product is the server’s, whatever the buyer sends', async () => {
    const { order } = await shop.buy(course, { amount: 1 })

    expect(order.total_amount).toBe(1900)
  })

  test('a product that was archived meanwhile is not bought', async () => {
    const gone = await shop.product([fixedPrice(700)])
    const checkout = await shop.checkout(gone)
    await shop.patch(`/products/${gone}`, { is_archived: true })

    expect((await shop.confirm(checkout)).status).toBe(422)
  })
})

describe('checkouts that cannot be confirmed (CHK-9)', () => {
  test('an unknown secret is not found', async () => {
    const answer = await shop.confirm({ id: '', client_secret: `tollgate_co_${'a'.repeat(43)}` })

    expect(answer.status).toBe(404)
  })

  test('one that succeeded is not open', async () => {
    const { checkout } = await shop.buy(course)

    const answer = await shop.confirm(checkout)

    expect(answer.status).toBe(403)
    expect(answer.body.error).toBe('NotOpenCheckout')
  })

  test('one past its time has expired, also before the job has marked it', async () => {
    const checkout = await shop.checkout(course)
    server.clock.advance(days(1))

    const answer = await shop.confirm(checkout)

    expect(answer.status).toBe(410)
    expect(answer.body.error).toBe('ExpiredCheckoutError')
    expect(await shop.ordersOf(checkout)).toEqual([])
  })

  test('one of an organization that may no longer sell is refused; it can still read its sales', async () => {
    const closed = await createShop(server)
    const { order } = await closed.buy(await closed.product([fixedPrice(500)]))
    const checkout = await closed.checkout(await closed.product([fixedPrice(500)]))
    await ctx().transaction((tx) =>
      tx
        .updateTable('merchant')
        .set({ approvedAt: null })
        .where('organizationId', '=', closed.organizationId)
        .execute(),
    )

    const answer = await closed.confirm(checkout)

    expect(answer.status).toBe(403)
    expect(answer.body.error).toBe('OrganizationNotApproved')
    expect((await closed.get('/orders')).body.items).toEqual([order])
    expect((await closed.patch(`/checkouts/${checkout.id}`, {})).status).toBe(403)
  })
})

describe('a decline (CHK-13)', () => {
  test.each([
    ['ctoken_sandbox_decline', 'card_declined', 'The card was declined.'],
    ['ctoken_sandbox_insufficient_funds', 'insufficient_funds', 'The card has insufficient funds.'],
    ['ctoken_sandbox_expired', 'expired_card', 'The card has expired.'],
  ])('%s is reported and recorded, and the buyer can try again', async (token, reason, message) => {
    const { id, code } = await shop.discount({ max_redemptions: 1 })
    const checkout = await shop.checkout(course)
    const buyer = { ...newBuyer(), discount_code: code }

    const declined = await shop.confirm(checkout, { ...buyer, confirmation_token_id: token })

    expect(declined.status).toBe(400)
    expect(declined.body).toEqual({ error: 'PaymentError', detail: message })
    expect(await shop.statusOf(checkout)).toBe('open')
    expect((await clientGet(checkout)).body.payment_processor_metadata).toEqual({ decline_reason: reason })
    expect((await shop.get(`/discounts/${id}`)).body.redemptions_count).toBe(0)
    expect(await shop.ordersOf(checkout)).toEqual([])
    expect(await shop.paymentsOf(checkout)).toMatchObject([
      { status: 'failed', decline_reason: reason, decline_message: message, order_id: null },
    ])

    expect((await shop.confirm(checkout, buyer)).status).toBe(200)
    expect((await shop.get(`/discounts/${id}`)).body.redemptions_count).toBe(1)
    expect((await shop.paymentsOf(checkout)).map(({ status }) => status).sort()).toEqual(['failed', 'succeeded'])
    expect(await shop.ordersOf(checkout)).toMatchObject([{ total_amount: 1710, discount_amount: 190 }])
  })

  test('lets the buyer mend their address', async () => {
    const checkout = await shop.checkout(course)
    await shop.confirm(checkout, {
      confirmation_token_id: 'ctoken_sandbox_decline',
      customer_email: 'tpyo@example.com',
    })

    await shop.confirm(checkout, { customer_email: 'typo@example.com' })

    expect(await shop.ordersOf(checkout)).toMatchObject([{ customer: { email: 'typo@example.com' } }])
  })

  test('with an Idempotency-Key is reported once', async () => {
    const checkout = await shop.checkout(course)
    const headers = { 'idempotency-key': 'declined once' }
    const given = { ...newBuyer(), confirmation_token_id: 'ctoken_sandbox_decline' }
    await shop.confirm(checkout, given, headers)

    const again = await shop.confirm(checkout, given, headers)

    expect(again.status).toBe(400)
    expect(await shop.paymentsOf(checkout)).toHaveLength(1)
  })
})

describe('declines, one after the other', () => {
  const decline = { confirmation_token_id: 'ctoken_sandbox_insufficient_funds' }

  test('are too many after ten within an hour; later the checkout can be paid', async () => {
    const checkout = await shop.checkout(course)
    const first = (await shop.confirm(checkout, decline)).status
    server.clock.advance(minutes(10))
    const others = []
    for (let count = 1; count < 10; count += 1) others.push((await shop.confirm(checkout, decline)).status)
    expect([first, ...others]).toEqual(Array(10).fill(400))

    const refused = await shop.confirm(checkout)

    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe(String(50 * 60))
    expect(await shop.paymentsOf(checkout)).toHaveLength(10)
    server.clock.advance(minutes(50))
    expect((await shop.confirm(checkout)).status).toBe(200)
  })

  test('are too many after ten at the same moment, too', async () => {
    const checkout = await shop.checkout(course)

    const answers = await Promise.all(Array.from({ length: 30 }, () => shop.confirm(checkout, decline)))

    const known = new Set(answers.map(({ status }) => status))
    expect([...known].filter((status) => ![400, 403, 429].includes(status))).toEqual([])
    for (let count = 0; count < 10; count += 1) await shop.confirm(checkout, decline)
    expect(await shop.paymentsOf(checkout)).toHaveLength(10)
  })
})

describe('prices that the buyer has seen', () => {
  const total = (expected_total_amount: number, given: object = {}) => ({ expected_total_amount, ...given })

  test('is the price that they pay, or they pay nothing', async () => {
    const checkout = await shop.checkout(
      await shop.product([{ amount_type: 'custom', minimum_amount: 100, preset_amount: 500 }]),
    )
    await shop.patch(`/checkouts/${checkout.id}`, { amount: 99_999 })

    const refused = await shop.confirm(checkout, total(500))

    expect(refused.status).toBe(422)
    expect(refused.body.detail).toEqual([
      {
        loc: ['body', 'expected_total_amount'],
        msg: 'The total amount of the checkout has changed.',
        type: 'value_error',
      },
    ])
    expect(await shop.paymentsOf(checkout)).toEqual([])
    expect((await shop.confirm(checkout, total(500, { amount: 500 }))).status).toBe(200)
    expect((await shop.ordersOf(checkout))[0].total_amount).toBe(500)
  })

  test('is the price that they name, whatever another tab has chosen since', async () => {
    const other = await shop.product([fixedPrice(5000)])
    const { body: checkout } = await shop.post('/checkouts', { products: [course, other] })
    await server
      .visitor()
      .request('PATCH', `/v1/checkouts/client/${checkout.client_secret}`, { body: { product_id: other } })

    expect((await shop.confirm(checkout, total(1900))).status).toBe(422)
    const shown = { product_price_id: checkout.product_price_id }
    expect((await shop.confirm(checkout, total(1900, shown))).status).toBe(200)

    expect((await shop.ordersOf(checkout))[0]).toMatchObject({ product_id: course, total_amount: 1900 })
  })

  test.each([-1, 1.5, '1900', Number.MAX_SAFE_INTEGER])('cannot be %j', async (expected) => {
    const answer = await shop.confirm(await shop.checkout(course), { expected_total_amount: expected })

    expect([answer.status, locs(answer)]).toEqual([422, ['expected_total_amount']])
  })
})

describe('3-D Secure (CHK-14)', () => {
  const waiting = async (productId = course) => {
    const checkout = await shop.checkout(productId)
    const answer = await shop.confirm(checkout, { confirmation_token_id: 'ctoken_sandbox_requires_action' })
    return { checkout, answer, secret: answer.body.payment_processor_metadata?.intent_client_secret as string }
  }
  const act = async (secret: string, outcome: string) => {
    const answer = await server.visitor().request('POST', `/v1/sandbox/actions/${secret}`, { body: { outcome } })
    await ctx().jobs.runDue()
    return answer
  }

  test('the buyer sees what to do, also after a reload; the payment succeeds when they have done it', async () => {
    const { checkout, answer, secret } = await waiting()
    expect(answer.status).toBe(200)
    expect(answer.body.payment_processor_metadata).toEqual({
      intent_status: 'requires_action',
      intent_client_secret: expect.stringMatching(/^\w+$/),
    })
    expect((await clientGet(checkout)).body).toMatchObject({
      status: 'confirmed',
      payment_processor_metadata: { intent_status: 'requires_action', intent_client_secret: secret },
    })
    expect(await shop.ordersOf(checkout)).toEqual([])
    expect((await shop.confirm(checkout)).status).toBe(403)

    expect((await act(secret, 'succeed')).body).toEqual({ status: 'succeeded' })

    expect((await clientGet(checkout)).body).toMatchObject({ status: 'succeeded', payment_processor_metadata: {} })
    expect(await shop.ordersOf(checkout)).toHaveLength(1)
    expect(await shop.paymentsOf(checkout)).toMatchObject([{ status: 'succeeded' }])
  })

  test('the secret is sealed in storage, and absent from events', async () => {
    const { checkout, secret } = await waiting()
    const row = await ctx().db.selectFrom('checkout').selectAll().where('id', '=', checkout.id).execute()
    const events = await ctx().db.selectFrom('event').select(bodyOfEvent().as('payload')).execute()

    expect(JSON.stringify([row, events]).includes(secret)).toBe(false)
    await act(secret, 'fail')
  })

  test('where it fails the checkout is open again', async () => {
    const { checkout, secret } = await waiting()

    await act(secret, 'fail')

    expect((await clientGet(checkout)).body).toMatchObject({
      status: 'open',
      payment_processor_metadata: { decline_reason: 'authentication_failed' },
    })
    expect(await shop.paymentsOf(checkout)).toMatchObject([
      { status: 'failed', decline_reason: 'authentication_failed' },
    ])
    expect((await shop.confirm(checkout)).status).toBe(200)
    expect(await shop.ordersOf(checkout)).toHaveLength(1)
  })

  test('left alone for a day it has failed, and completes no more', async () => {
    const { checkout, secret } = await waiting()
    server.clock.advance(hours(25))
    await ctx().jobs.runDue()

    expect(['open', 'expired']).toContain(await shop.statusOf(checkout))
    expect((await act(secret, 'succeed')).body).toEqual({ status: 'failed' })
    expect(await shop.ordersOf(checkout)).toEqual([])
    expect(await shop.paymentsOf(checkout)).toMatchObject([{ status: 'failed', decline_reason: 'canceled' }])
  })

  test('with a SECRET that can read its secret no more lists go on, and it comes to its end by its age', async () => {
    const { checkout } = await waiting()
    const [payment] = await shop.paymentsOf(checkout)
    await ctx().transaction(async (tx) => {
      const processorMetadata = { intent_status: 'requires_action', intent_client_secret: 'gone.AAAA' }
      await tx.updateTable('checkout').set({ processorMetadata }).where('id', '=', checkout.id).execute()
      await tx
        .updateTable('sandboxIntent')
        .set({ sealedClientSecret: 'gone.AAAA' })
        .where('id', '=', payment.id)
        .execute()
    })

    const shown = [await shop.get(`/checkouts/${checkout.id}`), await clientGet(checkout)]
    const list = await shop.get('/checkouts')
    await ctx().jobs.runDue()
    server.clock.advance(hours(25))
    await ctx().jobs.runDue()

    expect(list.status).toBe(200)
    for (const { body } of shown) expect(body.payment_processor_metadata).toEqual({ intent_status: 'requires_action' })
    expect(['open', 'expired']).toContain(await shop.statusOf(checkout))
    expect(await shop.paymentsOf(checkout)).toMatchObject([{ status: 'failed', decline_reason: 'canceled' }])
  })

  test('a subscription that waits is given up by buying another one', async () => {
    const buyer = newBuyer()
    const left = await shop.checkout(plan)
    const answer = await shop.confirm(left, { ...buyer, confirmation_token_id: 'ctoken_sandbox_requires_action' })

    const { order } = await shop.buy(plan, buyer)

    expect(order.subscription_id).not.toBeNull()
    expect(await shop.statusOf(left)).toBe('open')
    const secret = answer.body.payment_processor_metadata.intent_client_secret
    expect((await act(secret, 'succeed')).body).toEqual({ status: 'failed' })
    expect(await shop.ordersOf(left)).toEqual([])
  })

  test('F-amount: the server never accepts a payment of another amount than it requested', async () => {
    const { id, code } = await shop.discount({ basis_points: 100 })
    const checkout = await shop.checkout(course)
    const { body } = await shop.confirm(checkout, {
      discount_code: code,
      confirmation_token_id: 'ctoken_sandbox_requires_action',
    })
    const [payment] = await shop.paymentsOf(checkout)
    const tamper = (change: { amount?: number; currency?: string; status?: string }) =>
      ctx().transaction((tx) => tx.updateTable('sandboxIntent').set(change).where('id', '=', payment.id).execute())
    await tamper({ amount: 1 })

    await act(body.payment_processor_metadata.intent_client_secret, 'succeed')

    expect(await shop.statusOf(checkout)).toBe('failed')
    expect(await shop.ordersOf(checkout)).toEqual([])
    expect(await shop.paymentsOf(checkout)).toMatchObject([
      { status: 'failed', decline_reason: 'payment_mismatch', amount: 1881 },
    ])
    expect((await shop.get(`/discounts/${id}`)).body.redemptions_count).toBe(0)
    expect(server.logs.join('\n')).toContain('Payment mismatch')
    expect((await shop.confirm(checkout)).status).toBe(403)
    await tamper({ amount: 1881, status: 'failed' }) // refunded at the processor
  })

  test('F-amount: nor one in another currency', async () => {
    const { checkout, secret } = await waiting()
    const [payment] = await shop.paymentsOf(checkout)
    const tamper = (change: { currency?: string; status?: string }) =>
      ctx().transaction((tx) => tx.updateTable('sandboxIntent').set(change).where('id', '=', payment.id).execute())
    await tamper({ currency: 'jpy' })

    await act(secret, 'succeed')

    expect(await shop.statusOf(checkout)).toBe('failed')
    expect(await shop.ordersOf(checkout)).toEqual([])
    await tamper({ status: 'failed' })
  })
})

describe('nothing to pay (CHK-18)', () => {
  const withoutToken = { confirmation_token_id: undefined }

  test('a free product needs no token, and has an order over nothing', async () => {
    const gift = await shop.product([freePrice])
    const { checkout, order } = await shop.buy(gift, {
      ...withoutToken,
      customer_name: undefined,
      customer_billing_address: undefined,
    })

    expect(order).toMatchObject({ total_amount: 0, subtotal_amount: 0, paid: true, items: [{ amount: 0 }] })
    expect(await shop.paymentsOf(checkout)).toEqual([])
    expect(await shop.statusOf(checkout)).toBe('succeeded')
  })

  test('a discount of everything leaves nothing to pay', async () => {
    const { code } = await shop.discount({ basis_points: 10_000 })
    const { checkout, order } = await shop.buy(course, { ...withoutToken, discount_code: code })

    expect(order).toMatchObject({ subtotal_amount: 1900, discount_amount: 1900, net_amount: 0, total_amount: 0 })
    expect(await shop.paymentsOf(checkout)).toEqual([])
  })

  test('a free subscription needs no token; a token that is given all the same is not looked at', async () => {
    const gift = await shop.product([freePrice], 'month')
    const { order } = await shop.buy(gift, { confirmation_token_id: 'whatever' })

    expect(order).toMatchObject({
      billing_reason: 'subscription_create',
      subscription: { status: 'active', amount: 0 },
    })
  })

  test('a product with usage prices only is free now, and keeps the card', async () => {
    const { body: meter } = await shop.post('/meters', {
      name: 'Requests',
      filter: { conjunction: 'and', clauses: [] },
      aggregation: { func: 'count' },
    })
    const usage = await shop.product([{ amount_type: 'metered_unit', meter_id: meter.id, unit_amount: '0.5' }], 'month')
    const missing = await shop.confirm(await shop.checkout(usage), withoutToken)
    expect(locs(missing)).toEqual(['confirmation_token_id'])
    const declined = await shop.confirm(await shop.checkout(usage), { confirmation_token_id: 'ctoken_sandbox_decline' })
    expect(declined.status).toBe(400)

    const { checkout, order } = await shop.buy(usage)

    expect(order).toMatchObject({ total_amount: 0, subscription: { status: 'active', amount: 0 } })
    expect(await shop.paymentsOf(checkout)).toMatchObject([{ amount: 0, status: 'succeeded' }])
    const { body: methods } = await shop.get(`/customers/${order.customer_id}/payment-methods`)
    expect(methods.items).toHaveLength(1)
  })
})

describe('the customer of a purchase (CHK-15)', () => {
  test('is found by the address, however it is written, and stays as the seller knows them', async () => {
    const { body: known } = await shop.post('/customers', { email: 'Known@Example.com', metadata: { a: 1 } })
    const checkout = await shop.checkout(course, { customer_metadata: { b: 2 } })
    await shop.confirm(checkout, { customer_email: 'kNOWN@example.com', customer_name: 'Known Buyer' })

    const { body: customer } = await shop.get(`/customers/${known.id}`)
    expect(customer).toMatchObject({ name: null, billing_address: null, metadata: { a: 1 }, modified_at: null })
    expect(await shop.ordersOf(checkout)).toMatchObject([{ customer_id: known.id, billing_name: 'Known Buyer' }])
  })

  test('learns the buyer’s input, if the seller has named them', async () => {
    const { body: named } = await shop.post('/customers', { email: 'learns@example.com', metadata: { a: 1 } })
    const checkout = await shop.checkout(course, { customer_id: named.id, customer_metadata: { b: 2 } })
    await shop.confirm(checkout, { customer_email: undefined, customer_name: 'Known Buyer' })

    const { body: customer } = await shop.get(`/customers/${named.id}`)
    expect(customer).toMatchObject({
      name: 'Known Buyer',
      billing_address: { country: 'DE' },
      metadata: { a: 1, b: 2 },
    })
  })

  test('a buyer whom the seller names is that customer, and may see their purchases', async () => {
    const { body: named } = await shop.post('/customers', { email: 'named@example.com', external_id: 'u-1' })
    const checkout = await shop.checkout(course, { customer_id: named.id })
    const { body } = await shop.confirm(checkout, { customer_email: undefined })

    expect(await shop.ordersOf(checkout)).toMatchObject([{ customer_id: named.id }])
    expect(await sessionsBy(body.customer_session_token)).toEqual([named.id])
  })

  test('an address that a visitor can type opens no portal', async () => {
    await shop.post('/customers', { email: 'victim@example.com' })
    server.clock.advance(1000)
    const gift = await shop.product([freePrice])
    const { body } = await shop.confirm(await shop.checkout(gift), { customer_email: 'victim@example.com' })

    expect(body.customer_session_token).toMatch(/^tollgate_cst_[A-Za-z0-9]{43}$/)
    expect(await sessionsBy(body.customer_session_token)).toEqual([])
  })

  const sessionsBy = async (token: string) =>
    (
      await ctx().db.selectFrom('customerSession').select('customerId').where('tokenHash', '=', sha256(token)).execute()
    ).map(({ customerId }) => customerId)
})

describe('one subscription for each customer (CHK-16)', () => {
  test('a second one is refused, by address and by id', async () => {
    const buyer = newBuyer()
    const { order } = await shop.buy(plan, buyer)
    const byEmail = await shop.confirm(await shop.checkout(plan), buyer)

    expect(byEmail.status).toBe(403)
    expect(byEmail.body.error).toBe('AlreadyActiveSubscriptionError')
    const { status } = await shop.post('/checkouts', { products: [plan], customer_id: order.customer_id })
    expect([201, 403]).toContain(status)
    expect((await shop.get(`/subscriptions?customer_id=${order.customer_id}`)).body.pagination.total_count).toBe(1)
  })

  test('a one-time product can be bought besides', async () => {
    const buyer = newBuyer()
    await shop.buy(plan, buyer)

    expect((await shop.confirm(await shop.checkout(course), buyer)).status).toBe(200)
  })

  test('where the seller allows several, there are several', async () => {
    const buyer = newBuyer()
    await allowSeveral(true)
    await shop.buy(plan, buyer)
    const { order } = await shop.buy(plan, buyer)
    await allowSeveral(false)

    expect((await shop.get(`/subscriptions?customer_id=${order.customer_id}`)).body.pagination.total_count).toBe(2)
  })

  test('F-double: of ten checkouts of one buyer at the same moment one makes a subscription', async () => {
    const buyer = newBuyer()
    const checkouts = await Promise.all(Array.from({ length: 10 }, () => shop.checkout(plan)))

    const answers = await Promise.all(checkouts.map((checkout) => shop.confirm(checkout, buyer)))

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(403)])
    const orders = (await Promise.all(checkouts.map(shop.ordersOf))).flat()
    expect(orders).toHaveLength(1)
    const { body } = await shop.get(`/subscriptions?customer_id=${orders[0].customer_id}`)
    expect(body.pagination.total_count).toBe(1)
  })
})

describe('from free to paid (CHK-17)', () => {
  test('the subscription is switched, and a new period begins', async () => {
    const gift = await shop.product([freePrice], 'month', 'Free plan')
    const buyer = newBuyer()
    const { order: first } = await shop.buy(gift, buyer)
    server.clock.advance(days(10))
    const checkout = await shop.checkout(plan, { subscription_id: first.subscription_id })

    expect((await shop.confirm(checkout, buyer)).status).toBe(200)

    const [order] = await shop.ordersOf(checkout)
    expect(order).toMatchObject({
      billing_reason: 'subscription_update',
      total_amount: 900,
      subscription_id: first.subscription_id,
    })
    const { body: subscription } = await shop.get(`/subscriptions/${first.subscription_id}`)
    expect(subscription).toMatchObject({
      product_id: plan,
      amount: 900,
      status: 'active',
      current_period_start: server.clock.now().toISOString(),
      prices: [{ price_amount: 900 }],
    })
    expect(new Date(subscription.started_at) < new Date(subscription.current_period_start)).toBe(true)
    const told = await eventsOf(first.subscription_id)
    expect(told).toEqual([
      'subscription.created',
      'subscription.active',
      'subscription.updated',
      'subscription.updated',
    ])
    // The books tie each subscription to its present checkout.
    expect(subscription.checkout_id).toBe(checkout.id)
    const { db } = server.tollgate.internals.ctx
    const versions = db.selectFrom('subscription').select('version').where('id', '=', subscription.id)
    expect(await versions.execute()).toEqual([{ version: 2 }])
  })
})

describe('a free subscription that several checkouts name', () => {
  /** A buyer with a free subscription and two checkouts that switch it. */
  async function twoTabs(of: Shop, productId: string) {
    const buyer = newBuyer()
    const { order } = await of.buy(await of.product([freePrice], 'month', 'Free plan'), buyer)
    const { subscription_id } = order
    const [first, second] = [
      await of.checkout(productId, { subscription_id }),
      await of.checkout(productId, { subscription_id }),
    ]
    const orders = async () => (await of.get(`/orders?customer_id=${order.customer_id}&limit=100`)).body.items
    return { buyer, first, second, orders }
  }

  test('is switched, and paid for, once', async () => {
    const { buyer, first, second, orders } = await twoTabs(shop, plan)

    expect((await shop.confirm(first, buyer)).status).toBe(200)

    expect(await shop.confirm(second, buyer)).toMatchObject({
      status: 403,
      body: { error: 'AlreadyActiveSubscriptionError' },
    })
    expect(await orders()).toHaveLength(2)
  })

  test('is switched once at the same moment, too', async () => {
    const { buyer, first, second, orders } = await twoTabs(shop, plan)

    const answers = await Promise.all([shop.confirm(first, buyer), shop.confirm(second, buyer)])

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    expect(await orders()).toHaveLength(2)
  })

  test.each([false, true])(
    'is given up in the tab that waits, where the seller allows several: %s',
    async (allow_multiple_subscriptions) => {
      const several = await createShop(server)
      const settings = { subscription_settings: { allow_multiple_subscriptions } }
      expect((await several.patch(`/organizations/${several.organizationId}`, settings)).status).toBe(200)
      const { buyer, first, second, orders } = await twoTabs(several, await several.product([fixedPrice(900)], 'month'))
      await several.confirm(first, { ...buyer, confirmation_token_id: 'ctoken_sandbox_requires_action' })

      expect((await several.confirm(second, buyer)).status).toBe(200)

      expect([await several.statusOf(first), await several.statusOf(second)]).toEqual(['open', 'succeeded'])
      expect((await several.confirm(first, buyer)).status).toBe(403)
      expect(await orders()).toHaveLength(2)
    },
  )

  test('is a new one where it has ended meanwhile', async () => {
    const { buyer, first, orders } = await twoTabs(shop, plan)
    const [{ subscription_id }] = await orders()
    await ctx().transaction((tx) =>
      tx.updateTable('subscription').set({ status: 'canceled' }).where('id', '=', subscription_id).execute(),
    )

    expect((await shop.confirm(first, buyer)).status).toBe(200)

    const [order] = await shop.ordersOf(first)
    expect(order.billing_reason).toBe('subscription_create')
    expect(order.subscription_id).not.toBe(subscription_id)
  })
})

describe('discounts at the moment of confirmation (CHK-11)', () => {
  test('one that was used up meanwhile is refused, and nothing is bought at another price', async () => {
    const { code, id } = await shop.discount({ max_redemptions: 1 })
    const [first, second] = [await shop.checkout(course), await shop.checkout(course)]
    for (const { client_secret } of [first, second])
      await server
        .visitor()
        .request('PATCH', `/v1/checkouts/client/${client_secret}`, { body: { discount_code: code } })
    await shop.confirm(first)

    const answer = await shop.confirm(second)

    expect(answer.status).toBe(422)
    expect(locs(answer)).toEqual(['discount_code'])
    expect(answer.body.detail[0].msg).toMatch(/no longer redeemable/)
    expect(await shop.statusOf(second)).toBe('open')
    expect((await shop.get(`/discounts/${id}`)).body.redemptions_count).toBe(1)
  })

  test('one that the buyer has used up already can be given up, also where the seller has chosen it', async () => {
    const { id } = await shop.discount({ code: null, max_redemptions_per_customer: 1 })
    const buyer = newBuyer()
    const chosen = { discount_id: id, allow_discount_codes: false }
    const [first, second] = [await shop.checkout(course, chosen), await shop.checkout(course, chosen)]
    expect((await shop.confirm(first, buyer)).status).toBe(200)
    const refused = await shop.confirm(second, buyer)
    expect([refused.status, locs(refused)]).toEqual([422, ['discount_code']])

    expect((await shop.confirm(second, { ...buyer, discount_code: null })).status).toBe(200)

    expect((await shop.ordersOf(second))[0]).toMatchObject({ discount_amount: 0, total_amount: 1900 })
  })

  test('on a subscription it is kept, and the discounted price is the subscription’s amount (SUB-4)', async () => {
    const { code, id } = await shop.discount({ duration: 'forever', basis_points: 2500 })
    const { order } = await shop.buy(plan, { discount_code: code })

    const { body } = await shop.get(`/subscriptions/${order.subscription_id}`)
    expect(body).toMatchObject({ amount: 675, discount_id: id, discount: { id } })
    expect(order).toMatchObject({ subtotal_amount: 900, discount_amount: 225, total_amount: 675, discount: { id } })
  })
})
