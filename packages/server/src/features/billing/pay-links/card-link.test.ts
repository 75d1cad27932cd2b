import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { payLinkTo } from '../settlement/pay-link.ts'
import { ordersOfSubscription } from '../testing/orders.ts'
import { createShop, fixedPrice } from '../testing/shop.ts'
import { subscribing, unpaidRenewal } from '../testing/subscribers.ts'
import { pass } from '../testing/time.ts'

/** Links by which a subscriber saves another card without signing in: mails about cards and trials lead there. */

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(async () => {
  expect(await violationsOfBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})
const ctx = () => server.tollgate.internals.ctx

const read = (token: string) => server.visitor().request('GET', `/v1/pay-links/${token}`)
const save = (token: string, card?: string) =>
  server.visitor().request('POST', `/v1/pay-links/${token}/confirm`, {
    body: card === undefined ? {} : { confirmation_token_id: card },
  })
/** A card that differs from the documented one. */
const newCard = () => ctx().payments.sandbox.createConfirmationToken('success', { month: 4, year: 2039 })
const linkTo = (id: string) => payLinkTo(ctx(), { kind: 'card', id }).token
const tokenIn = (text: string) => /\/pay\/([^\s"]+)/.exec(text)?.[1] ?? ''

/** The mail with a subject, to the buyer of a subscription. */
async function mailTo(email: string, subject: RegExp) {
  return (await server.mailsTo(email)).find((mail) => subject.test(mail.subject))
}

describe('a link for another card', () => {
  test('shows that nothing is due, saves the card as the default, and is used up then', async () => {
    const { shop, customer, id } = await subscribing(server)
    const token = linkTo(id)
    const { status, body } = await read(token)
    expect([status, body]).toMatchObject([200, { purpose: 'card', status: 'open', due_amount: 0, items: [] }])

    const saved = await save(token, await newCard())
    expect([saved.status, saved.body.status]).toEqual([200, 'paid'])
    const [newest] = (await customer.methods()).filter((method) => method.default)
    const { paymentMethodId } = await ctx()
      .db.selectFrom('subscription')
      .select('paymentMethodId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(paymentMethodId).toBe(newest.id)
    expect((await save(token, 'ctoken_sandbox_success')).body.error).toBe('OrderNotDue')
    expect((await shop.get(`/customers/${customer.id}/payment-methods`)).body.items).toHaveLength(2)
  })

  test('pays at once what is past due', async () => {
    const { shop, id, renewal } = await unpaidRenewal(server)
    const saved = await save(linkTo(id), await newCard())
    await ctx().jobs.runDue()
    expect(saved.body.status).toBe('paid')
    const orders = await ordersOfSubscription(shop, id)
    expect(orders.find((order) => order.id === renewal.id).status).toBe('paid')
  })

  test('says why a card was declined, and takes another one', async () => {
    const { id } = await subscribing(server)
    const token = linkTo(id)
    expect((await save(token, 'ctoken_sandbox_insufficient_funds')).body.error).toBe('PaymentError')
    const { body } = await read(token)
    expect(body).toMatchObject({
      status: 'open',
      payment_processor_metadata: { decline_reason: 'insufficient_funds' },
    })
    expect((await save(token, 'ctoken_sandbox_success')).body.status).toBe('paid')
  })

  test('wants a card, and ends with the subscription and with its time', async () => {
    const { shop, id } = await subscribing(server)
    const token = linkTo(id)
    expect((await save(token)).body.detail[0].loc).toEqual(['body', 'confirmation_token_id'])
    await shop.delete(`/subscriptions/${id}`)
    expect((await read(token)).body.status).toBe('void')
    expect((await save(token, 'ctoken_sandbox_success')).body.error).toBe('OrderNotDue')
    server.clock.advance(days(31))
    expect((await read(token)).status).toBe(404)
  })

  test('is in the mail before the end of a trial', async () => {
    const shop = await createShop(server)
    const email = 'trial-card@example.com'
    const { body: customer } = await shop.post('/customers', { email, name: 'Ada', billing_address: { country: 'DE' } })
    const product_id = await shop.product([fixedPrice(900)], 'month', 'Team')
    const trial = { trial_interval: 'day', trial_interval_count: 14, trial_card_required: false }
    const { body: begun } = await shop.post('/subscriptions', { product_id, customer_id: customer.id, ...trial })
    await pass(server, days(12))

    const mail = await mailTo(email, /free trial .* ends on/)
    expect((await save(tokenIn(mail?.text ?? ''), 'ctoken_sandbox_success')).body.status).toBe('paid')
    await pass(server, days(3))
    expect((await shop.get(`/subscriptions/${begun.id}`)).body.status).toBe('active')
  })
})
