import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minutes } from '../../../foundation/clock.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { moveClock } from '../../dev/move-clock.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { openPortal } from '../testing/portal.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { createStripeServer, type StripeServer, stripeTestKeys } from '../testing/stripe-server.ts'
import { sendFromStripe } from '../testing/stripe-story.ts'
import { pass } from '../testing/time.ts'

/** Payment methods that are kept by Stripe. */

let stripe: StripeServer
let server: TestServer
let shop: Shop
beforeAll(async () => {
  stripe = createStripeServer()
  server = await createTestServer(
    {},
    { fetch: (...asked) => stripe.fetch(...asked), env: { ...stripeTestKeys, STRIPE_LINK: 'on' } },
  )
  shop = await createShop(server)
})
afterAll(async () => {
  expect(await violationsOfBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})
const ctx = () => server.tollgate.internals.ctx

async function visiting() {
  const { body } = await shop.post('/customers', { email: `visitor-${newUuid()}@example.com` })
  return openPortal(server, shop, body.id)
}

/** The intent of the latest setup of a customer. */
async function setupOf(customerId: string) {
  const { id } = await ctx()
    .db.selectFrom('payment')
    .select('id')
    .where('customerId', '=', customerId)
    .where('subject', '=', 'setup')
    .orderBy('createdAt', 'desc')
    .executeTakeFirstOrThrow()
  return stripe.intentOf(id)
}

describe('a method that a customer adds', () => {
  test('is kept by a setup intent for later charges, and takes no money', async () => {
    const customer = await visiting()

    const { status, body } = await customer.add(stripe.token())

    expect([status, body]).toMatchObject([201, { status: 'succeeded', default: true, card: { exp_year: 2049 } }])
    expect(await setupOf(customer.id)).toMatchObject({
      object: 'setup_intent',
      usage: 'off_session',
      status: 'succeeded',
    })
  })

  test('can be an account at Link', async () => {
    const customer = await visiting()

    const { body } = await customer.add(stripe.token('link'))

    expect(body).toMatchObject({ type: 'link', method_metadata: {} })
    expect(body.card).toBeUndefined()
  })

  test.each([
    ['of a kind that cannot be charged later', () => stripe.token('sepa')],
    ['that Stripe does not know', () => 'ctoken_unknown1'],
  ])('%s is invalid', async (_, token) => {
    const customer = await visiting()

    const { status, body } = await customer.add(token())

    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'confirmation_token_id']])
    expect(await customer.methods()).toEqual([])
  })

  test('that is declined is not saved, and its intent takes no other card', async () => {
    const customer = await visiting()

    const { status, body } = await customer.add(stripe.token('decline'))

    expect([status, body.error]).toEqual([400, 'PaymentMethodSetupFailed'])
    expect((await setupOf(customer.id)).status).toBe('canceled')
  })

  test.each(['the call', 'the event'])('by 3-D Secure is saved by %s', async (first) => {
    const customer = await visiting()
    const { body } = await customer.add(stripe.token('action'), { set_default: true })
    const intent = await setupOf(customer.id)
    expect(body).toEqual({
      status: 'requires_action',
      client_secret: intent.client_secret,
      setup_intent_id: intent.id,
    })

    stripe.answerAction(body.client_secret, 'succeed')
    if (first === 'the event') {
      const event = stripe.events.findLast(({ type }) => type === 'setup_intent.succeeded')
      await sendFromStripe(ctx(), stripe, event!)
      await ctx().jobs.runDue()
      expect(await customer.methods()).toHaveLength(1)
    }
    const { setup_intent_id } = body
    const confirmed = await customer.post('/payment-methods/confirm', { setup_intent_id, set_default: true })

    expect([confirmed.status, confirmed.body]).toMatchObject([201, { status: 'succeeded', default: true }])
    expect(await customer.methods()).toHaveLength(1)
  })

  test('whose answer is lost is saved once the processor is asked again', async () => {
    const customer = await visiting()
    const restore = stripe.fail(/POST .*setup_intents\/\w+\/confirm/, 'lose', 10)
    const { status } = await customer.add(stripe.token())
    restore()
    expect([status, await customer.methods()]).toEqual([503, []])

    await pass(server, minutes(2))

    expect(await customer.methods()).toMatchObject([{ default: true }])
  })
})

describe('a method that is removed', () => {
  const detachments = () => stripe.requests.filter((request) => request.endsWith('/detach')).length
  const methodOf = async (customerId: string) => stripe.methods.get((await setupOf(customerId)).payment_method)

  test('is detached at Stripe, also where Stripe is away at first', async () => {
    const customer = await visiting()
    const { body } = await customer.add(stripe.token())
    const kept = await methodOf(customer.id)
    expect(kept?.customer).toMatch(/^cus_/)
    const restore = stripe.fail(/detach/, 500, 100)
    expect((await customer.delete(`/payment-methods/${body.id}`)).status).toBe(204)
    await ctx().jobs.runDue()
    restore()
    expect(kept?.customer).toMatch(/^cus_/)

    await pass(server, minutes(90))

    expect(kept?.customer).toBeNull()
  })

  test('is gone already: nothing is tried again', async () => {
    const customer = await visiting()
    const { body } = await customer.add(stripe.token())
    Object.assign((await methodOf(customer.id)) ?? {}, { customer: null })
    const before = detachments()

    await customer.delete(`/payment-methods/${body.id}`)
    await ctx().jobs.runDue()
    await pass(server, minutes(90))

    expect(detachments()).toBe(before + 1)
  })

  test('with its customer is detached as well', async () => {
    const customer = await visiting()
    await customer.add(stripe.token())

    await shop.delete(`/customers/${customer.id}`)
    await ctx().jobs.runDue()

    expect((await methodOf(customer.id))?.customer).toBeNull()
  })

  test('with its customer while they authenticate it is detached as well', async () => {
    const customer = await visiting()
    const { body } = await customer.add(stripe.token('action'))
    stripe.answerAction(body.client_secret, 'succeed')

    await shop.delete(`/customers/${customer.id}`)
    await ctx().jobs.runDue()

    const intent = await setupOf(customer.id)
    expect([intent.status, (await methodOf(customer.id))?.customer]).toEqual(['succeeded', null])
  })
})

test('a new default card pays a renewal that is past due, as its customer’s', async () => {
  const checkout = await shop.checkout(await shop.product([fixedPrice(900)], 'month'))
  await shop.confirm(checkout, { confirmation_token_id: stripe.token('renewal') })
  const [order] = await shop.ordersOf(checkout)
  const period = (await shop.get(`/subscriptions/${order.subscription_id}`)).body.current_period_end
  await moveClock(ctx(), new Date(new Date(period).getTime() + minutes(120)))
  const status = async () => (await shop.get(`/subscriptions/${order.subscription_id}`)).body.status
  expect(await status()).toBe('past_due')
  const customer = await openPortal(server, shop, order.customer_id)

  const added = await customer.add(stripe.token(), { set_default: true })
  await ctx().jobs.runDue()

  expect([added.status, await status()]).toEqual([201, 'active'])
  expect(await customer.methods()).toHaveLength(2)
  expect((await setupOf(customer.id)).customer).toBe(stripe.intentOf((await shop.paymentsOf(checkout))[0].id).customer)
})
