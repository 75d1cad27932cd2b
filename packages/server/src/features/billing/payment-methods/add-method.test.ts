import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours } from '../../../foundation/clock.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { ordersOfSubscription } from '../testing/orders.ts'
import { openPortal } from '../testing/portal.ts'
import { createShop } from '../testing/shop.ts'
import { subscribing } from '../testing/subscribers.ts'
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

/** A customer without purchases. */
async function visiting() {
  const shop = await createShop(server)
  const { body } = await shop.post('/customers', { email: `visitor-${newUuid()}@example.com` })
  return { shop, customer: await openPortal(server, shop, body.id) }
}

/** The card of another month, which the sandbox takes for another card. */
async function anotherCard(number: string, expiry = '11/40'): Promise<string> {
  const { body } = await server
    .visitor()
    .request('POST', '/v1/sandbox/confirmation-tokens', { body: { number, expiry, cvc: '123' } })
  return body.id
}
const good = '4242 4242 4242 4242'

describe('a card that is added', () => {
  test('is saved, is the first one’s default, and is answered in the shape of both SDKs', async () => {
    const { shop, customer } = await visiting()

    const { status, body } = await customer.add('success')

    const method = {
      type: 'card',
      default: true,
      customer_id: customer.id,
      card: { brand: 'visa', last4: '4242' },
      method_metadata: { brand: 'visa', last4: '4242' },
    }
    expect([status, body]).toMatchObject([201, { status: 'succeeded', ...method, payment_method: method }])
    expect(await customer.methods()).toEqual([body.payment_method])
    expect((await shop.get(`/customers/${customer.id}/payment-methods`)).body.items).toEqual([body.payment_method])
    expect((await customer.get()).body).toMatchObject({ id: customer.id, default_payment_method_id: body.id })
  })

  test('is charged for what is past due ten times a day at most, however often the default is swapped', async () => {
    const { shop, customer } = await subscribing(server, 'renewal_decline')
    const { body: other } = await customer.add(await anotherCard('4000 0000 0000 0341', '01/41'))
    const [first] = (await customer.methods()).filter(({ id }) => id !== other.id)
    await pass(server, days(32))
    const swaps = async (count: number) => {
      const portal = await openPortal(server, shop, customer.id)
      for (let turn = 0; turn < count; turn += 1) {
        const id = turn % 2 === 0 ? other.id : first.id
        expect((await portal.patch({ default_payment_method_id: id })).status).toBe(200)
        await ctx().jobs.runDue()
      }
    }
    const unscheduled = async () =>
      (
        await ctx()
          .db.selectFrom('payment')
          .select('id')
          .where('customerId', '=', customer.id)
          .where('isUnscheduled', '=', true)
          .execute()
      ).length

    await swaps(14)
    expect(await unscheduled()).toBe(10)
    server.clock.advance(days(1))
    await swaps(2)
    expect(await unscheduled()).toBe(12)
  })

  test('is the default if that is asked for, and pays what the customer subscribes to', async () => {
    const { shop, customer, id } = await subscribing(server)
    const { body: kept } = await customer.add(await anotherCard(good, '01/40'))
    const { body: chosen } = await customer.add(await anotherCard(good, '02/40'), { set_default: true })
    const methods = await customer.methods()
    await pass(server, days(32))

    expect([kept.default, chosen.default]).toEqual([false, true])
    expect(methods.filter((each) => each.default).map((each) => each.id)).toEqual([chosen.id])
    const [, renewal] = await ordersOfSubscription(shop, id)
    const payment = await ctx()
      .db.selectFrom('payment')
      .select(['paymentMethodId', 'status'])
      .where('orderId', '=', renewal.id)
      .executeTakeFirst()
    expect(payment).toEqual({ paymentMethodId: chosen.id, status: 'succeeded' })
  })

  test('that is declined is not saved, and says why', async () => {
    const { customer } = await visiting()

    const { status, body } = await customer.add('insufficient_funds')

    expect([status, body]).toEqual([
      400,
      { error: 'PaymentMethodSetupFailed', detail: 'The card has insufficient funds.' },
    ])
    expect(await customer.methods()).toEqual([])
  })

  test.each([
    ['declined', 'decline', 400],
    ['accepted', 'success', 201],
    ['not yet authenticated', 'requires_action', 201],
  ])('is refused after ten %s ones, so that no one tests stolen cards here', async (_, card, status) => {
    const { customer } = await visiting()
    for (let times = 0; times < 10; times += 1) expect((await customer.add(card)).status).toBe(status)

    const answer = await customer.add('success')

    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true])
    ctx().clock.advance(hours(1))
  })

  test.each([
    ['an unknown token', { confirmation_token_id: 'ctoken_unknown' }, 'confirmation_token_id'],
    ['no token', { confirmation_token_id: '' }, 'confirmation_token_id'],
    ['no flag', { set_default: 'perhaps' }, 'set_default'],
  ])('with %s is invalid', async (_, given, member) => {
    const { customer } = await visiting()

    const { status, body } = await customer.add('success', given)

    expect([status, body.detail[0].loc]).toEqual([422, ['body', member]])
  })

  test('twice by one idempotency key is saved once', async () => {
    const { customer } = await visiting()
    const sent = { confirmation_token_id: await anotherCard(good), set_default: false, return_url: '' }
    const send = () => customer.post('/payment-methods', sent, { 'idempotency-key': 'one' })

    const answers = [await send(), await send()]

    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[0]!.body).toEqual(answers[1]!.body)
    expect(await customer.methods()).toHaveLength(1)
  })
})

describe('a card whose owner has to authenticate it', () => {
  const answerAction = (secret: string, outcome: string) =>
    server.visitor().request('POST', `/v1/sandbox/actions/${secret}`, { body: { outcome } })

  test('is saved once they have, by the call or by the event', async () => {
    const { customer } = await visiting()
    const { status, body } = await customer.add('requires_action', { set_default: true })
    const { client_secret, setup_intent_id } = body
    expect([status, body]).toEqual([201, { status: 'requires_action', client_secret, setup_intent_id }])
    const confirm = () => customer.post('/payment-methods/confirm', { setup_intent_id, set_default: true })
    expect((await confirm()).body).toEqual(body)
    expect(await customer.methods()).toEqual([])

    await answerAction(client_secret, 'succeed')
    const [confirmed] = await Promise.all([confirm(), ctx().jobs.runDue()])

    expect([confirmed.status, confirmed.body]).toMatchObject([201, { status: 'succeeded', default: true }])
    expect(await customer.methods()).toHaveLength(1)
    expect((await confirm()).body).toEqual(confirmed.body)
  })

  test('is saved as it was asked for when their browser never returns', async () => {
    const { customer } = await visiting()
    await customer.add('success')
    const { body } = await customer.add('requires_action', { set_default: true })

    await answerAction(body.client_secret, 'succeed')
    await ctx().jobs.runDue()

    expect((await customer.methods()).filter((each) => each.default)).toMatchObject([{ card: { last4: '3155' } }])
  })

  test('becomes the default by its confirmation', async () => {
    const { customer } = await visiting()
    await customer.add('success')
    const { body } = await customer.add('requires_action')
    await answerAction(body.client_secret, 'succeed')
    await ctx().jobs.runDue()

    const { setup_intent_id } = body
    const confirmed = await customer.post('/payment-methods/confirm', { setup_intent_id, set_default: true })

    expect(confirmed.body).toMatchObject({ default: true, payment_method: { default: true } })
  })

  test('is not saved when they fail, or do not answer for a day', async () => {
    const { shop, customer } = await visiting()
    const { body: failing } = await customer.add('requires_action')
    await customer.add('requires_action')
    await answerAction(failing.client_secret, 'fail')
    const confirmed = await customer.post('/payment-methods/confirm', { setup_intent_id: failing.setup_intent_id })
    await pass(server, days(2))

    expect([confirmed.status, confirmed.body.error]).toEqual([400, 'PaymentMethodSetupFailed'])
    expect(await (await openPortal(server, shop, customer.id)).methods()).toEqual([])
  })

  test('is not confirmed by another customer', async () => {
    const { shop, customer } = await visiting()
    const { body: other } = await shop.post('/customers', { email: 'other@example.com' })
    const { body } = await customer.add('requires_action')
    const thief = await openPortal(server, shop, other.id)

    const answer = await thief.post('/payment-methods/confirm', { setup_intent_id: body.setup_intent_id })

    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'setup_intent_id']])
  })

  test('is not saved once the customer is removed', async () => {
    const { shop, customer } = await visiting()
    const { body } = await customer.add('requires_action')
    await answerAction(body.client_secret, 'succeed')
    await shop.delete(`/customers/${customer.id}`)
    await ctx().jobs.runDue()

    const methods = await ctx()
      .db.selectFrom('paymentMethod')
      .select(['deletedAt', 'isDefault'])
      .where('customerId', '=', customer.id)
      .execute()
    expect(methods).toEqual([{ deletedAt: expect.any(Date), isDefault: false }])
  })
})
