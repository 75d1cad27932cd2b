import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { moveClock } from '../../dev/move-clock.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { provenAccount } from '../testing/account.ts'
import { ordersOfSubscription as ordersOf } from '../testing/orders.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
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
const now = () => ctx().clock.now().getTime()
const inDays = (count: number) => new Date(now() + days(count)).toISOString()

const fourteenDays = { trial_interval: 'day', trial_interval_count: 14 }
const withoutCard = { ...fourteenDays, trial_card_required: false }

const plan = { name: 'Pro plan', recurring_interval: 'month', prices: [fixedPrice(1000)] }

/** A shop with a product for 10.00 a month that begins with a trial. */
async function shopWithTrial(trial: object = fourteenDays) {
  const shop = await createShop(server)
  const made = await shop.post('/products', { ...plan, ...trial })
  return { shop, product: made.body.id as string }
}

const subscription = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body

async function onTrial(given: { trial?: object; buyer?: object } = {}) {
  const { shop, product } = await shopWithTrial(given.trial)
  const { order } = await shop.buy(product, given.buyer)
  return { shop, product, order, id: order.subscription_id as string }
}

/** The types of a shop's events of subscriptions, in order. */
async function eventsOf(shop: Shop): Promise<string[]> {
  const rows = await ctx()
    .db.selectFrom('event')
    .select('type')
    .where('merchantId', '=', shop.organizationId)
    .where('type', 'like', 'subscription.%')
    .orderBy('id')
    .execute()
  return rows.map(({ type }) => type)
}

describe('a trial', () => {
  test('begins with a paid order of 0, and its end is charged as the first period (SUB-16, SUB-25)', async () => {
    const { shop, id, order } = await onTrial()
    const begun = await subscription(shop, id)

    expect(order).toMatchObject({ billing_reason: 'subscription_create', status: 'paid', total_amount: 0 })
    expect(begun).toMatchObject({ status: 'trialing', amount: 1000, trial_end: begun.current_period_end })
    expect(new Date(begun.trial_end).getTime() - new Date(begun.trial_start).getTime()).toBe(days(14))
    expect(await eventsOf(shop)).toEqual(['subscription.created', 'subscription.updated'])
    await pass(server, days(15))

    const [, first] = await ordersOf(shop, id)
    expect(first).toMatchObject({
      billing_reason: 'subscription_cycle',
      status: 'paid',
      total_amount: 1000,
      created_at: begun.trial_end,
    })
    expect(await subscription(shop, id)).toMatchObject({ status: 'active', current_period_start: begun.trial_end })
    expect(await eventsOf(shop)).toEqual([
      'subscription.created',
      'subscription.updated',
      'subscription.updated',
      'subscription.active',
    ])
  })

  test('without a card asks for the first payment by mail, and ends if it stays unpaid', async () => {
    const { shop, id, order } = await onTrial({ trial: withoutCard, buyer: { confirmation_token_id: null } })
    expect((await shop.get('/payments')).body.items).toEqual([])

    await pass(server, days(14) + hours(1))
    const due = await subscription(shop, id)
    const mails = await server.mailsTo(order.customer.email)
    await pass(server, days(30))

    expect(due.status).toBe('past_due')
    expect(await eventsOf(shop)).not.toContain('subscription.active')
    expect(mails.map(({ subject }) => subject).toReversed()).toEqual([
      expect.stringMatching(/receipt/),
      expect.stringMatching(/free trial .* ends on/),
      expect.stringMatching(/free trial .* has ended/),
    ])
    expect(mails[0]!.text).toContain('/pay/')
    expect((await subscription(shop, id)).status).toBe('canceled')
  })

  test('that is canceled ends without a charge, and its subscriber gets no reminder', async () => {
    const { shop, id, order } = await onTrial()

    const canceled = await shop.patch(`/subscriptions/${id}`, { cancel_at_period_end: true })
    await pass(server, days(40))

    expect(canceled.body).toMatchObject({ status: 'trialing', ends_at: canceled.body.trial_end })
    expect(await ordersOf(shop, id)).toHaveLength(1)
    expect(await subscription(shop, id)).toMatchObject({ status: 'canceled', ends_at: canceled.body.trial_end })
    expect(await server.mailsTo(order.customer.email)).toHaveLength(1)
  })

  test('is moved by its seller, with the reminder and the anchor, and ends at once with a charge', async () => {
    const { shop, id, order } = await onTrial()
    const path = `/subscriptions/${id}`
    const later = inDays(20)

    const past = await shop.patch(path, { trial_end: inDays(-1) })
    const moved = await shop.patch(path, { trial_end: later })
    await pass(server, days(16))
    const untouched = await server.mailsTo(order.customer.email)
    await pass(server, days(2))
    const reminded = await server.mailsTo(order.customer.email)
    const ended = await shop.patch(path, { trial_end: 'now' })
    await pass(server, hours(1))

    expect([past.status, past.body.detail[0].loc]).toEqual([422, ['body', 'trial_end']])
    expect(moved.body).toMatchObject({ trial_end: later, current_period_end: later, status: 'trialing' })
    expect([untouched.length, reminded.length]).toEqual([1, 2])
    expect(ended.body).toMatchObject({ status: 'active', trial_end: ended.body.current_period_start })
    expect((await ordersOf(shop, id)).map((one) => [one.billing_reason, one.status, one.total_amount])).toEqual([
      ['subscription_create', 'paid', 0],
      ['subscription_cycle', 'paid', 1000],
    ])
    const again = await shop.patch(path, { trial_end: inDays(3) })
    expect([again.status, again.body.detail[0].loc]).toEqual([422, ['body', 'trial_end']])
  })

  test('ends together with a new discount, which its first period has, or does neither', async () => {
    const { shop, id } = await onTrial()
    const half = await shop.discount({ name: 'Half', type: 'percentage', basis_points: 5000, duration: 'once' })
    const refused = await shop.patch(`/subscriptions/${id}`, { trial_end: inDays(-1), discount_id: half.id })
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'trial_end']])
    expect(await subscription(shop, id)).toMatchObject({ status: 'trialing', discount_id: null })

    const ended = await shop.patch(`/subscriptions/${id}`, { trial_end: 'now', discount_id: half.id })
    await ctx().jobs.runDue()
    expect(ended.body).toMatchObject({ status: 'active', discount_id: half.id })
    const first = (await ordersOf(shop, id)).find(({ billing_reason }) => billing_reason === 'subscription_cycle')
    expect(first).toMatchObject({ discount_amount: 500, total_amount: 500, status: 'paid' })

    const several = await shop.patch(`/subscriptions/${id}`, { cancel_at_period_end: true, discount_id: null })
    expect([several.status, several.body.detail[0].loc]).toEqual([422, ['body', 'cancel_at_period_end']])
    const none = await shop.patch(`/subscriptions/${id}`, {})
    expect(none.status).toBe(422)
  })

  test('moves its end together with a discount', async () => {
    const { shop, id } = await onTrial()
    const half = await shop.discount({ name: 'Half', type: 'percentage', basis_points: 5000, duration: 'once' })
    const end = inDays(3)
    const { body } = await shop.patch(`/subscriptions/${id}`, { trial_end: end, discount_id: half.id })
    expect(body).toMatchObject({ status: 'trialing', trial_end: end, discount_id: half.id })
    await pass(server, days(4))
    expect((await ordersOf(shop, id)).at(-1)).toMatchObject({ discount_amount: 500 })
  })

  test('bills nothing for a change of product, and its discount counts from the first paid period (SUB-25)', async () => {
    const { shop, product } = await shopWithTrial()
    const { code } = await shop.discount({ basis_points: 5000, duration: 'once' })
    const { order } = await shop.buy(product, { discount_code: code })
    const bigger = await shop.product([fixedPrice(3000)], 'month')

    const changed = await shop.patch(`/subscriptions/${order.subscription_id}`, { product_id: bigger })
    await pass(server, days(50))

    expect(changed.body).toMatchObject({ status: 'trialing', product_id: bigger, pending_update: null })
    expect((await ordersOf(shop, order.subscription_id)).map((one) => one.total_amount)).toEqual([0, 1500, 3000])
  })

  test('of one month from 31 January ends on 28 February, which is the anchor (SUB-2)', async () => {
    const january = Date.parse('2027-01-31T12:00:00Z')
    await using other = await createTestServer()
    const { ctx: there } = other.tollgate.internals
    await moveClock(there, new Date(january))
    const shop = await createShop(other)
    const made = await shop.post('/products', { ...plan, trial_interval: 'month', trial_interval_count: 1 })
    const { order } = await shop.buy(made.body.id)
    const { body } = await shop.get(`/subscriptions/${order.subscription_id}`)

    await moveClock(there, new Date('2027-03-01T00:00:00Z'))

    expect(body.trial_end).toMatch(/^2027-02-28T12:0/)
    expect((await shop.get(`/subscriptions/${order.subscription_id}`)).body.current_period_end).toMatch(/^2027-03-28/)
  })
})

describe('a checkout with a trial', () => {
  test('takes nothing now, and asks for a card only where the seller wants one', async () => {
    const { shop, product } = await shopWithTrial()
    const checkout = (await shop.post('/checkouts', { products: [product] })).body
    const noCard = (await shop.post('/checkouts', { products: [product], trial_card_required: false })).body
    const never = (await shop.post('/checkouts', { products: [product], allow_trial: false })).body
    const own = (
      await shop.post('/checkouts', { products: [product], trial_interval: 'week', trial_interval_count: 2 })
    ).body
    const dated = (await shop.post('/checkouts', { products: [product], trial_until: inDays(40) })).body

    const flags = ({ is_payment_required, is_payment_setup_required, active_trial_interval }: typeof checkout) => [
      is_payment_required,
      is_payment_setup_required,
      active_trial_interval,
    ]
    expect(flags(checkout)).toEqual([false, true, 'day'])
    expect([flags(noCard), noCard.is_payment_form_required]).toEqual([[false, false, 'day'], false])
    expect([flags(never), never.trial_end]).toEqual([[true, true, null], null])
    expect([flags(own), own.active_trial_interval_count]).toEqual([[false, true, 'week'], 2])
    expect([flags(dated), dated.trial_end]).toEqual([[false, true, null], dated.trial_until])
    const off = await shop.patch(`/checkouts/${checkout.id}`, { allow_trial: false })
    expect(flags(off.body)).toEqual([true, true, null])
  })

  test('refuses a trial that is no trial', async () => {
    const { shop, product } = await shopWithTrial()
    const locOf = async (body: object) =>
      (await shop.post('/products', { ...plan, ...body })).body.detail.map(({ loc }: { loc: string[] }) => loc.at(-1))

    expect(await locOf({ trial_interval: 'day' })).toEqual(['trial_interval_count'])
    expect(await locOf({ trial_interval_count: 3 })).toEqual(['trial_interval'])
    expect(await locOf({ trial_until: inDays(-1) })).toEqual(['trial_until'])
    expect(await locOf({ ...fourteenDays, trial_until: inDays(9) })).toEqual(['trial_until'])
    expect(await locOf({ ...fourteenDays, trial_interval_count: 0 })).toEqual(['trial_interval_count'])
    expect(await locOf({ ...fourteenDays, recurring_interval: null })).toEqual(['trial_interval'])
    const removed = await shop.patch(`/products/${product}`, { trial_interval: null })
    expect(removed.body).toMatchObject({ trial_interval: null, trial_interval_count: null })
  })

  test('of a link begins with the trial of the link', async () => {
    const { shop, product } = await shopWithTrial({})
    const link = await shop.post('/checkout-links', { products: [product], ...fourteenDays })

    const opened = await server.visitor().request('GET', new URL(link.body.url).pathname)

    expect(link.body).toMatchObject({ ...fourteenDays, trial_until: null })
    expect(opened.status).toBe(303)
    const [begun] = (await shop.get('/checkouts')).body.items
    expect(begun).toMatchObject({ ...fourteenDays, active_trial_interval: 'day' })
  })
})

describe('one trial for each buyer', () => {
  const refusal = { status: 403, body: { error: 'TrialAlreadyRedeemed' } }

  test('by address without its tag, and without the trial they pay at once', async () => {
    const { shop, product } = await shopWithTrial()
    await shop.buy(product, { customer_email: 'ada@trials.example' })
    const checkout = await shop.checkout(product)
    const buyer = { customer_email: 'Ada+again@trials.example' }

    expect(await shop.confirm(checkout, buyer)).toMatchObject(refusal)
    expect(await shop.statusOf(checkout)).toBe('open')
    const paid = await shop.confirm(checkout, { ...buyer, allow_trial: false })
    expect(paid.status).toBe(200)
    expect((await shop.ordersOf(checkout))[0]).toMatchObject({ total_amount: 1000, status: 'paid' })
  })

  test('by account, whatever the address, and their checkout says so before they pay', async () => {
    const { shop, product } = await shopWithTrial()
    const person = await provenAccount(server)
    const confirm = async (given: object) => {
      const checkout = await shop.checkout(product)
      const path = `/v1/checkouts/client/${checkout.client_secret}`
      const shown = await person.request('GET', path)
      const body = { customer_name: 'P', customer_billing_address: { country: 'DE' }, ...given }
      const answer = await person.request('POST', `${path}/confirm`, {
        body: { ...body, confirmation_token_id: 'ctoken_sandbox_success' },
      })
      return { shown: shown.body, answer }
    }

    const first = await confirm({ customer_email: 'one@trials.example' })
    await shop.patch(`/subscriptions/${(await shop.get('/subscriptions')).body.items[0].id}`, { revoke: true })
    const second = await confirm({ customer_email: 'two@trials.example' })

    expect([first.answer.status, first.shown.trial_redeemed]).toEqual([200, false])
    expect(second.shown).toMatchObject({ trial_redeemed: true, trial_end: null, is_payment_required: true })
    expect(second.answer).toMatchObject(refusal)
  })

  test('by card', async () => {
    const { shop, product } = await shopWithTrial()
    const token = () => ctx().payments.sandbox.createConfirmationToken('success', { month: 5, year: 2031 })
    await shop.buy(product, { confirmation_token_id: await token() })

    expect(await shop.confirm(await shop.checkout(product), { confirmation_token_id: await token() })).toMatchObject(
      refusal,
    )
  })

  test('by the saved card of another customer, for whom their seller begins it', async () => {
    const { shop, product } = await shopWithTrial()
    const expiry = { month: 6, year: 2032 }
    const token = () => ctx().payments.sandbox.createConfirmationToken('success', expiry)
    await shop.buy(product, { confirmation_token_id: await token() })
    const other = await shop.product([fixedPrice(100)], 'month', 'Other')
    const { order } = await shop.buy(other, { confirmation_token_id: await token() })
    await shop.delete(`/subscriptions/${order.subscription_id}`)
    const asked = { product_id: product, customer_id: order.customer_id }

    expect((await shop.post('/subscriptions/preview', asked)).body.error).toBe('TrialAlreadyRedeemed')
    expect((await shop.post('/subscriptions', asked)).body.error).toBe('TrialAlreadyRedeemed')
    expect((await shop.post('/subscriptions', { ...asked, allow_trial: false })).body.status).toBe('active')
  })

  test('is known by a card that was saved before cards were identified, once it pays again', async () => {
    const { shop } = await shopWithTrial()
    const { db, payments } = ctx()
    const expiry = { month: 7, year: 2033 }
    const token = () => payments.sandbox.createConfirmationToken('success', expiry)
    const buyer = { customer_email: 'old@trials.example' }
    const other = await shop.product([fixedPrice(100)], 'month', 'Other')
    const { order } = await shop.buy(other, { ...buyer, confirmation_token_id: await token() })
    const saved = () => db.selectFrom('paymentMethod').selectAll().where('customerId', '=', order.customer_id)
    const identified = (await saved().executeTakeFirstOrThrow()).fingerprintHash
    await db
      .updateTable('paymentMethod')
      .set({ fingerprintHash: null })
      .where('customerId', '=', order.customer_id)
      .execute()
    await shop.delete(`/subscriptions/${order.subscription_id}`)

    const { order: again } = await shop.buy(other, { ...buyer, confirmation_token_id: await token() })

    expect(again.customer_id).toBe(order.customer_id)
    expect(identified).toMatch(/./)
    expect(await saved().execute()).toMatchObject([{ fingerprintHash: identified }])
    // A token of the documented cards identifies none, and takes nothing away.
    await shop.delete(`/subscriptions/${again.subscription_id}`)
    await shop.buy(other, { ...buyer, confirmation_token_id: 'ctoken_sandbox_success' })
    expect((await saved().execute()).map(({ fingerprintHash }) => fingerprintHash)).toContain(identified)
  })

  test('of two confirmations at once, one begins a trial', async () => {
    const { shop, product } = await shopWithTrial(withoutCard)
    const buyers = ['eve+1@trials.example', 'eve+2@trials.example', 'eve@trials.example']
    const checkouts = await Promise.all(buyers.map(() => shop.checkout(product)))

    const answers = await Promise.all(
      checkouts.map((checkout, at) => shop.confirm(checkout, { customer_email: buyers[at] })),
    )

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403])
  })

  test('and a card that is declined leaves the trial for another card', async () => {
    const { shop, product } = await shopWithTrial()
    const checkout = await shop.checkout(product)
    const buyer = { customer_email: 'max@trials.example' }

    const declined = await shop.confirm(checkout, { ...buyer, confirmation_token_id: 'ctoken_sandbox_decline' })
    const taken = await shop.confirm(checkout, buyer)

    expect([declined.status, taken.status]).toEqual([400, 200])
  })
})
