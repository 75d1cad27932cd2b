import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours, minutes } from '../../../foundation/clock.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { ordersOfSubscription } from '../testing/orders.ts'
import { openPortal, type TestCustomer } from '../testing/portal.ts'
import { createShop, fixedPrice, freePrice, type Shop } from '../testing/shop.ts'
import { subscribing } from '../testing/subscribers.ts'
import { pass, passTo } from '../testing/time.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(async () => {
  expect(await violationsOfBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})
const ctx = () => server.tollgate.internals.ctx

/** The same, with a renewal that the card has not paid. */
async function owing() {
  const { shop, customer, id } = await subscribing(server, 'renewal_decline')
  await passTo(server, (await subscription(shop, id)).current_period_end)
  expect((await subscription(shop, id)).status).toBe('past_due')
  return { shop, customer: await openPortal(server, shop, customer.id), id }
}

const subscription = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body
const nextActionOf = async (id: string) =>
  (await ctx().db.selectFrom('subscription').select('nextActionAt').where('id', '=', id).executeTakeFirstOrThrow())
    .nextActionAt
const paymentsOf = async (shop: Shop, orderId: string) =>
  (await shop.get(`/payments?order_id=${orderId}&limit=100&sorting=created_at`)).body.items

/** Removes by the customer's token, or by the seller's. */
type Remover = (method: string) => Promise<{ status: number; body: { error?: string } }>
const removers = (shop: Shop, customer: TestCustomer): Remover[] => [
  (method) => customer.delete(`/payment-methods/${method}`),
  (method) => shop.delete(`/customers/${customer.id}/payment-methods/${method}`),
]

describe.each([
  ['the customer', 0],
  ['the seller', 1],
] as const)('removing a method as %s', (_, by) => {
  test('keeps the last one while a subscription needs it (SUB-20)', async () => {
    const { shop, customer, id } = await subscribing(server)
    const remove = removers(shop, customer)[by]!
    const [method] = await customer.methods()

    const refused = await remove(method.id)
    await shop.patch(`/subscriptions/${id}`, { cancel_at_period_end: true })
    const removed = await remove(method.id)

    expect([refused.status, refused.body.error]).toEqual([400, 'PaymentMethodInUseByActiveSubscription'])
    expect([removed.status, await customer.methods()]).toEqual([204, []])
    expect((await remove(method.id)).status).toBe(404)
    expect((await customer.get()).body.default_payment_method_id).toBeNull()
    expect((await shop.get(`/customers/${customer.id}/payment-methods`)).body.items).toEqual([])
  })

  test('puts another one in the place of the default, which pays from then on', async () => {
    const { shop, customer, id } = await subscribing(server, 'renewal_decline')
    const [first] = await customer.methods()
    const { body: second } = await customer.add('success')

    expect((await removers(shop, customer)[by]!(first.id)).status).toBe(204)

    expect(await customer.methods()).toMatchObject([{ id: second.id, default: true }])
    await pass(server, days(32))
    expect((await ordersOfSubscription(shop, id)).map((order) => order.paid)).toEqual([true, true])
  })

  test('is refused while a payment by it is under way', async () => {
    const { shop, customer, id } = await subscribing(server)
    const [method] = await customer.methods()
    await customer.add('renewal_decline')
    const paymentId = newUuid()
    await ctx()
      .db.insertInto('payment')
      .values({
        id: paymentId,
        organizationId: shop.organizationId,
        processor: 'sandbox',
        purpose: 'charge',
        subject: 'order',
        status: 'pending',
        amount: 1000,
        currency: 'usd',
        method: 'card',
        orderId: (await ordersOfSubscription(shop, id))[0].id,
        customerId: customer.id,
        paymentMethodId: method.id,
        isTest: true,
        createdAt: ctx().clock.now(),
      })
      .execute()

    const refused = await removers(shop, customer)[by]!(method.id)
    await ctx().db.deleteFrom('payment').where('id', '=', paymentId).execute()

    expect([refused.status, refused.body.error]).toEqual([409, 'PaymentMethodBusy'])
    expect((await removers(shop, customer)[by]!(method.id)).status).toBe(204)
  })

  test('finds no method of others, and no id that is none', async () => {
    const { shop, customer } = await subscribing(server)
    const { customer: other } = await subscribing(server)
    const [method] = await other.methods()

    const statuses = [
      await removers(shop, customer)[by]!(method.id),
      await removers(shop, customer)[by]!(newUuid()),
      await removers(shop, customer)[by]!('none'),
    ].map(({ status }) => status)

    expect(statuses).toEqual([404, 404, 422])
    expect(await other.methods()).toHaveLength(1)
  })
})

describe('the last method', () => {
  test('of a free subscription can be removed', async () => {
    const { customer } = await subscribing(server, 'success', freePrice)
    await customer.add('success')
    const [method] = await customer.methods()

    expect((await customer.delete(`/payment-methods/${method.id}`)).status).toBe(204)
  })

  test('of a subscription past due stays', async () => {
    const { customer } = await owing()
    const [method] = await customer.methods()

    expect((await customer.delete(`/payment-methods/${method.id}`)).status).toBe(400)
  })

  test('stays when both are removed at once', async () => {
    const { customer } = await subscribing(server)
    await customer.add('renewal_decline')
    const methods = await customer.methods()

    const answers = await Promise.all(methods.map(({ id }) => customer.delete(`/payment-methods/${id}`)))

    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400])
    expect(await customer.methods()).toMatchObject([{ default: true }])
  })

  test('is removed or charged, never both, when a renewal begins at the same time', async () => {
    const { shop, customer, id } = await subscribing(server)
    const { body: second } = await customer.add('renewal_decline')
    const first = (await customer.methods()).find(({ id: each }) => each !== second.id)
    const { current_period_end } = await subscription(shop, id)
    ctx().clock.advance(new Date(current_period_end).getTime() - ctx().clock.now().getTime())
    const returned = await openPortal(server, shop, customer.id)

    const [removed] = await Promise.all([returned.delete(`/payment-methods/${first.id}`), ctx().jobs.runDue()])
    await ctx().jobs.runDue()

    const [, renewal] = await ordersOfSubscription(shop, id)
    const { db } = ctx()
    const payment = await db
      .selectFrom('payment')
      .select(['paymentMethodId', 'declineReason'])
      .where('orderId', '=', renewal.id)
      .executeTakeFirstOrThrow()
    // By the removed card it was paid before, or its removal was refused; else the other card was charged.
    expect(payment.declineReason).not.toBe('no_payment_method')
    if (removed.status === 409) expect(payment.paymentMethodId).toBe(first.id)
    expect([first.id, second.id]).toContain(payment.paymentMethodId)
  })
})

describe('a new default method', () => {
  test('is chosen by the customer or by the seller, among the customer’s own', async () => {
    const { shop, customer } = await subscribing(server)
    const { customer: other } = await subscribing(server)
    const { body: second } = await customer.add('renewal_decline')
    const [first] = (await customer.methods()).filter((each) => each.id !== second.id)
    const [foreign] = await other.methods()

    const chosen = await customer.patch({ default_payment_method_id: second.id })
    const back = await shop.post(`/customers/${customer.id}/payment-methods/${first.id}/default`)

    expect([chosen.status, chosen.body.default_payment_method_id]).toEqual([200, second.id])
    expect([back.status, back.body]).toMatchObject([200, { id: first.id, default: true }])
    expect((await shop.get(`/customers/${customer.id}`)).body.default_payment_method_id).toBe(first.id)
    expect((await shop.post(`/customers/${customer.id}/payment-methods/${foreign.id}/default`)).status).toBe(404)
    const refused = await customer.patch({ default_payment_method_id: foreign.id })
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'default_payment_method_id']])
    expect((await customer.patch({ default_payment_method_id: null })).body.default_payment_method_id).toBe(first.id)
  })

  test('pays all subscriptions, also where it was the default before', async () => {
    const shop = await createShop(server)
    const product = await shop.product([fixedPrice(1000)], 'month')
    const { body: visitor } = await shop.post('/customers', {
      email: 'two-cards@example.com',
      billing_address: { country: 'DE' },
    })
    const customer = await openPortal(server, shop, visitor.id)
    const { body: first } = await customer.add('success')
    const { body: second } = await customer.add(await other('success'))
    const { body: begun } = await shop.post('/subscriptions', {
      product_id: product,
      customer_id: customer.id,
      payment_method_id: second.id,
    })
    expect(begun).toMatchObject({ status: 'active' })
    const paidBy = async () =>
      (
        await ctx()
          .db.selectFrom('subscription')
          .select('paymentMethodId')
          .where('id', '=', begun.id)
          .executeTakeFirstOrThrow()
      ).paymentMethodId
    const before = await paidBy()

    await customer.patch({ default_payment_method_id: first.id })

    expect([first.default, before, await paidBy()]).toEqual([true, second.id, first.id])
  })

  test('pays what is past due at once, and the subscription recovers (SUB-28)', async () => {
    const { shop, customer, id } = await owing()

    await customer.add('success', { set_default: true })
    await ctx().jobs.runDue()

    expect((await subscription(shop, id)).status).toBe('active')
    const [, renewal] = await ordersOfSubscription(shop, id)
    expect(renewal).toMatchObject({ status: 'paid', paid: true })
    expect((await paymentsOf(shop, renewal.id)).map((each: { status: string }) => each.status)).toEqual([
      'failed',
      'succeeded',
    ])
  })

  test.each(['renewal_decline', 'requires_action'])(
    'that is declined, here as %s, moves no retry of the schedule (SUB-28)',
    async (card) => {
      const { shop, customer, id } = await owing()
      const before = await nextActionOf(id)
      const { body } = await customer.add(card === 'renewal_decline' ? await other(card) : card, { set_default: true })
      if (body.client_secret) {
        await server.visitor().request('POST', `/v1/sandbox/actions/${body.client_secret}`, {
          body: { outcome: 'succeed' },
        })
      }
      await ctx().jobs.runDue()

      const [, renewal] = await ordersOfSubscription(shop, id)
      const payments = await paymentsOf(shop, renewal.id)
      expect(payments.map((each: { status: string }) => each.status)).toEqual(['failed', 'failed'])
      expect([(await subscription(shop, id)).status, await nextActionOf(id)]).toEqual(['past_due', before])
    },
  )

  test('is charged once, however many of them are chosen in a moment, and not while a retry runs', async () => {
    const { shop, customer, id } = await owing()
    const { body: second } = await customer.add('success')
    const { body: third } = await customer.add(await other('success'))

    await Promise.all([second, third].map((each) => customer.patch({ default_payment_method_id: each.id })))
    await Promise.all([ctx().jobs.runDue(), ctx().jobs.runDue()])

    const [, renewal] = await ordersOfSubscription(shop, id)
    const paid = (await paymentsOf(shop, renewal.id)).filter((each: { status: string }) => each.status === 'succeeded')
    expect([renewal.paid, paid.length]).toEqual([true, 1])
  })

  test('takes nothing for a seller who is stopped', async () => {
    const { shop, customer, id } = await owing()
    const root = await server.administrator()
    const decide = (allowed: boolean) =>
      root.post('/admin/set-selling', { organizationId: shop.organizationId, maySell: allowed })
    expect((await decide(false)).status).toBe(200)

    expect((await customer.add('success', { set_default: true })).status).toBe(201)
    await ctx().jobs.runDue()

    expect((await subscription(shop, id)).status).toBe('past_due')
    await decide(true)
    await pass(server, days(3) + minutes(1))
    expect((await subscription(shop, id)).status).toBe('active')
  })

  test('comes with a purchase too', async () => {
    const { shop, customer, id } = await owing()
    const { body: plan } = await shop.post('/products', {
      name: 'Another',
      recurring_interval: 'month',
      prices: [fixedPrice(500)],
    })
    await shop.patch(`/organizations/${shop.organizationId}`, {
      subscription_settings: { allow_multiple_subscriptions: true },
    })
    const checkout = await shop.checkout(plan.id, { customer_id: customer.id })

    const bought = await shop.confirm(checkout, { customer_email: undefined })
    await ctx().jobs.runDue()

    expect([bought.status, (await subscription(shop, id)).status]).toEqual([200, 'active'])
  })
})

/** A test card with another month, which the sandbox takes for another card. */
async function other(card: 'success' | 'renewal_decline'): Promise<string> {
  const number = card === 'success' ? '4242424242424242' : '4000000000000341'
  const { body } = await server
    .visitor()
    .request('POST', '/v1/sandbox/confirmation-tokens', { body: { number, expiry: '03/41', cvc: '123' } })
  return body.id
}

describe('a portal session', () => {
  test('shows and changes its own customer alone', async () => {
    const { customer } = await subscribing(server)

    const { status, body } = await customer.patch({
      name: 'Ada',
      billing_name: 'Ada GmbH',
      billing_address: { country: 'DE', city: 'Berlin' },
      tax_id: '136695976',
    })

    expect([status, body]).toMatchObject([
      200,
      {
        id: customer.id,
        name: 'Ada',
        billing_name: 'Ada GmbH',
        billing_address: { country: 'DE', city: 'Berlin' },
        tax_id: ['DE136695976', 'eu_vat'],
        oauth_accounts: {},
      },
    ])
    expect((await customer.patch({ tax_id: null })).body.tax_id).toBeNull()
    const { email } = body
    expect((await customer.patch({ email })).status).toBe(200)
  })

  test.each([
    ['another address', { email: 'other@example.com' }, ['email']],
    ['a number that is none', { tax_id: 'none' }, ['tax_id']],
    ['a country that is none', { billing_address: { country: 'XX' } }, ['billing_address', 'country']],
    ['a method that is none', { default_payment_method_id: 'none' }, ['default_payment_method_id']],
  ])('refuses %s', async (_, given, loc) => {
    const { customer } = await subscribing(server)

    const { status, body } = await customer.patch(given)

    expect([status, body.detail[0].loc]).toEqual([422, ['body', ...loc]])
  })

  test('is needed: no other token is taken, and it ends after an hour, and with its customer', async () => {
    const { shop, customer } = await subscribing(server)
    const by = async (token: string | undefined) =>
      (
        await server.visitor().request('GET', '/v1/customer-portal/customers/me/payment-methods', {
          headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        })
      ).status
    const { body: removed } = await shop.post('/customers', { email: 'removed@example.com' })
    const leaving = await openPortal(server, shop, removed.id)
    await shop.delete(`/customers/${removed.id}`)

    expect(await by(customer.token)).toBe(200)
    expect(await by(undefined)).toBe(401)
    expect(await by(shop.token)).toBe(401)
    expect(await by(`tollgate_cst_${'A'.repeat(43)}`)).toBe(401)
    expect(await by(leaving.token)).toBe(401)
    expect((await shop.owner.request('GET', '/v1/customer-portal/customers/me')).status).toBe(401)
    const { visitor } = server
    const asSeller = { headers: { authorization: `Bearer ${customer.token}` } }
    expect((await visitor().request('GET', '/v1/customers', asSeller)).status).toBe(401)
    expect((await visitor().request('GET', `/v1/customers/${customer.id}`, asSeller)).status).toBe(401)
    ctx().clock.advance(hours(1))
    expect(await by(customer.token)).toBe(401)
  })
})
