import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours, minutes } from '../../../foundation/clock.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { ordersOfSubscription as ordersOf } from '../testing/orders.ts'
import { wrongAt } from '../testing/refusal.ts'
import { createShop, fixedPrice, freePrice, type Shop } from '../testing/shop.ts'
import { cardholder, giveCredit, setCard } from '../testing/subscribers.ts'
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
const now = () => ctx().clock.now()

const start = (shop: Shop, body: object, headers?: Record<string, string>) => shop.post('/subscriptions', body, headers)
const preview = (shop: Shop, body: object) => shop.post('/subscriptions/preview', body)
const read = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body
const refusal = ({ status, body }: { status: number; body: { error: string } }) => [status, body.error]
const listOf = async (shop: Shop, path: string) => (await shop.get(path)).body.items
const listed = (shop: Shop, customerId: string) => listOf(shop, `/subscriptions?customer_id=${customerId}`)

let customers = 0

/** A customer whom the seller knows, without a card. */
async function newCustomer(shop: Shop, given: object = {}): Promise<string> {
  customers += 1
  const email = `customer-${customers}@example.com`
  const { body } = await shop.post('/customers', { email, name: 'Ada', billing_address: { country: 'DE' }, ...given })
  return body.id
}

const eventsOf = async (shop: Shop) =>
  (
    await ctx()
      .db.selectFrom('event')
      .select('type')
      .where('merchantId', '=', shop.organizationId)
      .orderBy('id')
      .execute()
  ).map(({ type }) => type)

/** A shop with a plan of 10.00 a month, and a customer with a card. */
async function setUp(card = 'success') {
  const shop = await createShop(server)
  const customer_id = await cardholder(server, shop, { confirmation_token_id: `ctoken_sandbox_${card}` })
  const product_id = await shop.product([fixedPrice(1000)], 'month', 'Team')
  return { shop, customer_id, product_id }
}

describe('a subscription without a checkout', () => {
  test('of a free product begins at once with an order of 0, by the body of SDK 1.0', async () => {
    const shop = await createShop(server)
    const external = await newCustomer(shop, { external_id: 'user_1' })
    const product_id = await shop.product([freePrice], 'month', 'Free')

    const begun = await start(shop, { product_id, external_customer_id: 'user_1', metadata: { source: 'import' } })

    expect(begun.status).toBe(201)
    expect(begun.body).toMatchObject({
      status: 'active',
      amount: 0,
      customer_id: external,
      checkout_id: null,
      started_at: now().toISOString(),
      metadata: { source: 'import' },
      product: { id: product_id },
    })
    const [order, ...more] = await ordersOf(shop, begun.body.id)
    expect(more).toEqual([])
    expect(order).toMatchObject({ billing_reason: 'subscription_create', status: 'paid', total_amount: 0 })
  })

  test('is paid by the saved card, and renews', async () => {
    const { shop, customer_id, product_id } = await setUp()
    const before = (await eventsOf(shop)).length

    const begun = await start(shop, { product_id, customer_id })
    const events = (await eventsOf(shop)).slice(before)
    await pass(server, days(32))

    expect([begun.status, begun.body.status, begun.body.amount]).toEqual([201, 'active', 1000])
    expect(begun.body.current_period_end).toBe((await ordersOf(shop, begun.body.id))[1].created_at)
    expect(events).toEqual([
      'subscription.created',
      'subscription.active',
      'subscription.updated',
      'order.created',
      'order.updated',
      'order.paid',
      'customer.state_changed',
    ])
    expect(await ordersOf(shop, begun.body.id)).toMatchObject([
      { billing_reason: 'subscription_create', status: 'paid', total_amount: 1000, checkout_id: null },
      { billing_reason: 'subscription_cycle', status: 'paid', total_amount: 1000 },
    ])
    const [payment] = await listOf(shop, `/payments?customer_id=${customer_id}&limit=1&sorting=-created_at`)
    expect(payment).toMatchObject({ status: 'succeeded', amount: 1000 })
  })

  test('keeps the answers to custom fields, checked as at a checkout', async () => {
    const { shop, customer_id } = await setUp()
    const field = async (type: string, slug: string) =>
      (await shop.post('/custom-fields', { type, slug, name: slug, properties: {} })).body.id
    const attached_custom_fields = [
      { custom_field_id: await field('text', 'team'), required: true },
      { custom_field_id: await field('number', 'seats-wanted'), required: false },
    ]
    const plan = { name: 'Asking', recurring_interval: 'month', prices: [fixedPrice(1000)], attached_custom_fields }
    const product_id = (await shop.post('/products', plan)).body.id
    const asked = { product_id, customer_id }

    const wrong = await start(shop, { ...asked, custom_field_data: { 'seats-wanted': 'many' } })
    expect([wrong.status, wrong.body.detail.map(({ loc }: { loc: string[] }) => loc)]).toEqual([
      422,
      [
        ['body', 'custom_field_data', 'team'],
        ['body', 'custom_field_data', 'seats-wanted'],
      ],
    ])
    const data = { team: 'blue', 'seats-wanted': 4 }
    const begun = await start(shop, { ...asked, custom_field_data: { ...data, unknown: 'x' } })
    expect(begun.body).toMatchObject({ status: 'active', custom_field_data: data })
    expect((await ordersOf(shop, begun.body.id))[0]).toMatchObject({ custom_field_data: data })
  })

  test('on trial charges its card at the end of the trial (SUB-16, SUB-25)', async () => {
    const { shop, customer_id, product_id } = await setUp()

    const begun = await start(shop, { product_id, customer_id, trial_interval: 'day', trial_interval_count: 10 })
    await pass(server, days(11))

    expect(begun.body).toMatchObject({ status: 'trialing', amount: 1000 })
    expect(new Date(begun.body.trial_end).getTime() - new Date(begun.body.trial_start).getTime()).toBe(days(10))
    expect(await ordersOf(shop, begun.body.id)).toMatchObject([{ total_amount: 0 }, { total_amount: 1000, paid: true }])
  })

  test('has the trial of its product, with or without a card as that says', async () => {
    const shop = await createShop(server)
    const trial = { trial_interval: 'day', trial_interval_count: 10 }
    const plan = { name: 'Pro plan', recurring_interval: 'month', prices: [fixedPrice(1000)], ...trial }
    const withCard = (await shop.post('/products', plan)).body.id
    const without = (await shop.post('/products', { ...plan, trial_card_required: false })).body.id
    const [one, two, three] = [await newCustomer(shop), await newCustomer(shop), await newCustomer(shop)]

    const refused = await start(shop, { product_id: withCard, customer_id: one })
    const lenient = await start(shop, { product_id: withCard, customer_id: two, trial_card_required: false })
    const free = await start(shop, { product_id: without, customer_id: three })
    const paid = await start(shop, { product_id: without, customer_id: await newCustomer(shop), allow_trial: false })

    expect(refusal(refused)).toEqual([402, 'PaymentFailed'])
    expect([lenient.body.status, free.body.status]).toEqual(['trialing', 'trialing'])
    expect(refusal(paid)).toEqual([402, 'PaymentFailed'])
  })

  test('gives each customer one trial with a seller, whatever way it begins', async () => {
    const { shop, customer_id, product_id } = await setUp()
    const trial = { trial_interval: 'day', trial_interval_count: 10 }
    const first = await start(shop, { product_id, customer_id, ...trial })
    await shop.delete(`/subscriptions/${first.body.id}`)

    const shown = await preview(shop, { product_id, customer_id, ...trial })
    const second = await start(shop, { product_id, customer_id, ...trial })
    const paid = await start(shop, { product_id, customer_id })

    expect([refusal(shown), refusal(second)]).toEqual(Array(2).fill([403, 'TrialAlreadyRedeemed']))
    expect([paid.status, paid.body.status]).toEqual([201, 'active'])
  })

  test('redeems its discount, which lasts as long as its terms say (SUB-11, DIS-6)', async () => {
    const { shop, customer_id, product_id } = await setUp()
    const terms = { basis_points: 5000, duration: 'repeating', duration_in_months: 2 }
    const { id: discount_id } = await shop.discount(terms)

    const begun = await start(shop, { product_id, customer_id, discount_id })
    await pass(server, days(63))

    expect(begun.body).toMatchObject({ amount: 500, discount_id })
    expect((await ordersOf(shop, begun.body.id)).map(({ net_amount }) => net_amount)).toEqual([500, 500, 1000])
    expect((await shop.get(`/discounts/${discount_id}`)).body.redemptions_count).toBe(1)
  })

  test('takes what the customer chooses to pay, and the price of a named currency', async () => {
    const { shop, customer_id } = await setUp()
    const custom = await shop.product(
      [{ amount_type: 'custom', minimum_amount: 500, maximum_amount: 5000 }],
      'month',
      'Support',
    )
    const several = await shop.product([fixedPrice(1000), { ...fixedPrice(900), price_currency: 'eur' }], 'month')

    const chosen = await start(shop, { product_id: custom, customer_id, amount: 2000 })
    await shop.delete(`/subscriptions/${chosen.body.id}`)
    const euros = await start(shop, { product_id: several, customer_id, currency: 'eur' })

    expect(chosen.body).toMatchObject({ status: 'active', amount: 2000 })
    expect(euros.body).toMatchObject({ status: 'active', amount: 900, currency: 'eur' })
  })

  test('spends the credit of its customer first (SUB-30)', async () => {
    const { shop, customer_id, product_id } = await setUp()
    await giveCredit(server, shop, customer_id, 300)

    const begun = await start(shop, { product_id, customer_id })

    const [order] = await ordersOf(shop, begun.body.id)
    expect(order).toMatchObject({ total_amount: 1000, applied_balance_amount: -300, due_amount: 700 })
  })

  test('is begun once for each Idempotency-Key', async () => {
    const { shop, customer_id, product_id } = await setUp()
    const headers = { 'idempotency-key': `start ${customer_id}` }

    const first = await start(shop, { product_id, customer_id }, headers)
    const again = await start(shop, { product_id, customer_id }, headers)

    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body.id).toBe(first.body.id)
    expect(await listOf(shop, `/subscriptions?customer_id=${customer_id}&active=true`)).toHaveLength(1)
  })

  test('is one for each customer, also where two calls begin it at once', async () => {
    const { shop, customer_id, product_id } = await setUp()

    const answers = await Promise.all([1, 2].map(() => start(shop, { product_id, customer_id })))
    const third = await start(shop, { product_id, customer_id })

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(refusal(third)).toEqual([403, 'AlreadyActiveSubscriptionError'])
    expect(await listOf(shop, `/subscriptions?customer_id=${customer_id}&active=true`)).toHaveLength(1)
  })
})

describe('a first payment', () => {
  test('that is declined begins nothing, and gives the discount back (SUB-9, DIS-6)', async () => {
    const { shop, customer_id, product_id } = await setUp('renewal_decline')
    const { id: discount_id } = await shop.discount({ max_redemptions: 1 })
    const before = (await eventsOf(shop)).length

    const declined = await start(shop, { product_id, customer_id, discount_id })

    expect(refusal(declined)).toEqual([402, 'PaymentFailed'])
    expect(await listOf(shop, `/orders?product_id=${product_id}`)).toEqual([])
    expect(await eventsOf(shop)).toHaveLength(before)
    expect((await listed(shop, customer_id)).map(({ status }: { status: string }) => status).toSorted()).toEqual([
      'canceled',
      'incomplete_expired',
    ])
    expect((await shop.get(`/discounts/${discount_id}`)).body.redemptions_count).toBe(0)
    await setCard(server, shop, 'success')
    expect((await start(shop, { product_id, customer_id, discount_id })).status).toBe(201)
  })

  test('that its customer authenticates by the link begins the subscription', async () => {
    const { shop, customer_id, product_id } = await setUp()
    await setCard(server, shop, 'requires_action')

    const waits = await start(shop, { product_id, customer_id })
    const token = waits.body.payment_url.split('/pay/')[1]
    const [incomplete] = await listOf(shop, '/subscriptions?status=incomplete')
    const shown = await server.visitor().request('GET', `/v1/pay-links/${token}`)
    const body = { confirmation_token_id: 'ctoken_sandbox_success' }
    const paid = await server.visitor().request('POST', `/v1/pay-links/${token}/confirm`, { body })

    expect(refusal(waits)).toEqual([402, 'PaymentFailed'])
    expect([shown.body.status, shown.body.due_amount]).toEqual(['open', 1000])
    expect(incomplete).toMatchObject({ status: 'incomplete', started_at: null })
    expect(paid.body.status).toBe('paid')
    expect(await read(shop, incomplete.id)).toMatchObject({ status: 'active', product_id })
    expect(await ordersOf(shop, incomplete.id)).toMatchObject([{ billing_reason: 'subscription_create', paid: true }])
  })

  test('that is not made within a day is given up, and so is one that the seller ends', async () => {
    const { shop, customer_id, product_id } = await setUp()
    await setCard(server, shop, 'requires_action')
    const { id: discount_id } = await shop.discount({ max_redemptions: 1 })
    const late = await start(shop, { product_id, customer_id, discount_id })
    const [{ id }] = await listOf(shop, '/subscriptions?status=incomplete')

    await pass(server, days(1) + hours(1))
    const token = late.body.payment_url.split('/pay/')[1]
    const shown = await server.visitor().request('GET', `/v1/pay-links/${token}`)
    await start(shop, { product_id, customer_id, discount_id })
    const [second] = await listOf(shop, '/subscriptions?status=incomplete')
    const ended = await shop.delete(`/subscriptions/${second.id}`)

    expect((await read(shop, id)).status).toBe('incomplete_expired')
    expect(shown.body.status).toBe('void')
    expect([ended.status, ended.body.status]).toEqual([200, 'incomplete_expired'])
    expect((await shop.get(`/discounts/${discount_id}`)).body.redemptions_count).toBe(0)
    expect(refusal(await shop.delete(`/subscriptions/${id}`))).toEqual([403, 'AlreadyCanceledSubscription'])
    expect(refusal(await shop.patch(`/subscriptions/${id}`, { product_id }))).toEqual([
      403,
      'AlreadyCanceledSubscription',
    ])
  })

  test('gives way to the next attempt to begin a subscription of the customer', async () => {
    const { shop, customer_id, product_id } = await setUp()
    await setCard(server, shop, 'requires_action')
    await start(shop, { product_id, customer_id })
    await setCard(server, shop, 'success')

    const begun = await start(shop, { product_id, customer_id })

    expect(begun.body.status).toBe('active')
    expect(await listOf(shop, '/subscriptions?status=incomplete')).toEqual([])
  })

  test('takes the discount over from the attempt that gives way', async () => {
    const { shop, customer_id, product_id } = await setUp()
    const { id: discount_id } = await shop.discount({ max_redemptions: 1 })
    await setCard(server, shop, 'requires_action')
    await start(shop, { product_id, customer_id, discount_id })
    await setCard(server, shop, 'success')

    const begun = await start(shop, { product_id, customer_id, discount_id })

    expect(begun.body).toMatchObject({ status: 'active', discount_id })
    expect((await shop.get(`/discounts/${discount_id}`)).body.redemptions_count).toBe(1)
  })

  test('that a process leaves in the middle is finished by a job', async () => {
    const { shop, customer_id, product_id } = await setUp()
    const { sandbox } = ctx().payments
    const before = sandbox.charge
    sandbox.charge = () => Promise.reject(new Error('connection reset'))
    const answer = await start(shop, { product_id, customer_id }).finally(() => {
      sandbox.charge = before
    })

    await pass(server, hours(2))

    expect([answer.status, answer.body.status]).toEqual([201, 'incomplete'])
    expect(await read(shop, answer.body.id)).toMatchObject({ status: 'active' })
    expect(await ordersOf(shop, answer.body.id)).toHaveLength(1)
  })
})

describe('the quote of a subscription', () => {
  test('is the order that its beginning posts, and the one that follows', async () => {
    const { shop, customer_id, product_id } = await setUp()
    const { id: discount_id } = await shop.discount({ basis_points: 2500 })
    const asked = { product_id, customer_id, discount_id }

    const { body: quote } = await preview(shop, asked)
    server.clock.advance(minutes(5))
    const begun = await start(shop, { ...asked, quote_id: quote.id })

    expect(begun.status).toBe(201)
    const [order] = await ordersOf(shop, begun.body.id)
    expect(quote.order).toMatchObject({ subtotal_amount: 1000, discount_amount: 250, due_amount: 750 })
    expect(quote.next_order).toMatchObject({ total_amount: 1000 })
    for (const member of [
      'subtotal_amount',
      'discount_amount',
      'net_amount',
      'tax_amount',
      'total_amount',
      'due_amount',
    ])
      expect([member, order[member]]).toEqual([member, quote.order[member]])
  })

  test('is refused with the new one where a price has changed (QuoteChanged)', async () => {
    const { shop, customer_id, product_id } = await setUp()
    const { body: quote } = await preview(shop, { product_id, customer_id })
    await shop.patch(`/products/${product_id}`, { prices: [fixedPrice(1500)] })

    const refused = await start(shop, { product_id, customer_id, quote_id: quote.id })
    const accepted = await start(shop, { product_id, customer_id, quote_id: refused.body.quote.id })

    expect(refusal(refused)).toEqual([409, 'QuoteChanged'])
    expect(refused.body.quote.order.due_amount).toBe(1500)
    expect((await ordersOf(shop, accepted.body.id))[0].total_amount).toBe(1500)
  })

  test('holds for a while, and for its customer alone', async () => {
    const { shop, customer_id, product_id } = await setUp()
    const other = await cardholder(server, shop)
    const { body: quote } = await preview(shop, { product_id, customer_id })

    const foreign = await start(shop, { product_id, customer_id: other, quote_id: quote.id })
    server.clock.advance(minutes(16))
    const late = await start(shop, { product_id, customer_id, quote_id: quote.id })

    expect([foreign.status, late.status]).toEqual([409, 409])
  })

  test('of a trial is an order of 0, and then the first charge', async () => {
    const { shop, customer_id, product_id } = await setUp()
    const asked = { product_id, customer_id, trial_interval: 'week', trial_interval_count: 1 }

    const { body } = await preview(shop, asked)

    expect(body).toMatchObject({ order: { total_amount: 0, due_amount: 0 }, next_order: { due_amount: 1000 } })
  })
})

describe('a body that cannot be is refused at its member', () => {
  test('products, customers, currencies, amounts, methods, trials and discounts', async () => {
    const { shop, customer_id, product_id } = await setUp()
    const stranger = await setUp()
    const once = await shop.product([fixedPrice(900)])
    const archived = await shop.product([fixedPrice(900)], 'month')
    await shop.patch(`/products/${archived}`, { is_archived: true })
    const custom = await shop.product([{ amount_type: 'custom', minimum_amount: 500 }], 'month')
    const unknown = newUuid()
    const given = { product_id, customer_id }
    const cases: [object, string][] = [
      [{ ...given, product_id: unknown }, 'product_id'],
      [{ ...given, product_id: stranger.product_id }, 'product_id'],
      [{ ...given, product_id: once }, 'product_id'],
      [{ ...given, product_id: archived }, 'product_id'],
      [{ customer_id }, 'product_id'],
      [{ product_id }, 'customer_id'],
      [{ ...given, customer_id: unknown }, 'customer_id'],
      [{ ...given, customer_id: stranger.customer_id }, 'customer_id'],
      [{ product_id, external_customer_id: 'unknown' }, 'external_customer_id'],
      [{ ...given, external_customer_id: 'unknown' }, 'external_customer_id'],
      [{ ...given, currency: 'eur' }, 'currency'],
      [{ ...given, product_id: custom }, 'amount'],
      [{ ...given, product_id: custom, amount: 499 }, 'amount'],
      [{ ...given, amount: -1 }, 'amount'],
      [{ ...given, payment_method_id: unknown }, 'payment_method_id'],
      [{ ...given, discount_id: unknown }, 'discount_id'],
      [{ ...given, trial_interval: 'day' }, 'trial_interval_count'],
      [{ ...given, trial_interval: 'day', trial_interval_count: -1 }, 'trial_interval_count'],
      [{ ...given, trial_until: '2001-01-01T00:00:00Z' }, 'trial_until'],
    ]

    for (const [body, member] of cases)
      for (const call of [start, preview])
        expect([body, wrongAt(await call(shop, body))]).toEqual([body, `422 ${member}`])
    expect((await listed(shop, customer_id)).length).toBe(1)
  })

  test('a paid one without a card answers 402, and its preview says what it costs', async () => {
    const shop = await createShop(server)
    const product_id = await shop.product([fixedPrice(1000)], 'month')
    const customer_id = await newCustomer(shop)

    const refused = await start(shop, { product_id, customer_id })
    const shown = await preview(shop, { product_id, customer_id })

    expect(refusal(refused)).toEqual([402, 'PaymentFailed'])
    expect(shown.body.order.due_amount).toBe(1000)
    expect(await listed(shop, customer_id)).toEqual([])
  })

  test('a seller who may not sell begins nothing', async () => {
    const { shop, customer_id, product_id } = await setUp()
    await ctx()
      .db.updateTable('merchant')
      .set({ approvedAt: null })
      .where('organizationId', '=', shop.organizationId)
      .execute()

    expect(refusal(await start(shop, { product_id, customer_id }))).toEqual([403, 'OrganizationNotApproved'])
  })
})
