import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours, minutes } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { lockBoth } from '../subscriptions/locked.ts'
import { createTestMerchant } from '../testing/merchant.ts'
import { ordersOfSubscription } from '../testing/orders.ts'
import { wrongAt } from '../testing/refusal.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { setCard, unpaidRenewal } from '../testing/subscribers.ts'
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

/** A renewal that the saved card did not pay, and its link. */
async function unpaid(card = 'renewal_decline') {
  const { shop, id, renewal } = await unpaidRenewal(server, card)
  const { body } = await shop.post(`/orders/${renewal.id}/pay-link`, {})
  return { shop, id, renewal, token: tokenIn(body.url), link: body }
}
/** A change whose payment the customer has to authenticate, and its link. */
async function waitingChange() {
  const shop = await createShop(server)
  const team = await shop.product([fixedPrice(1000)], 'month')
  const business = await shop.product([fixedPrice(3000)], 'month')
  const { order } = await shop.buy(team)
  await setCard(server, shop, 'requires_action')
  const id = order.subscription_id as string
  const refused = await shop.patch(`/subscriptions/${id}`, { product_id: business, proration_behavior: 'invoice' })
  await setCard(server, shop, 'success')
  return { shop, team, business, id, refused, token: tokenIn(refused.body.payment_url) }
}

const tokenIn = (url: string) => url.slice(url.lastIndexOf('/') + 1)
const open = (token: string) => server.visitor().request('GET', `/v1/pay-links/${token}`)
const pay = (token: string, body: object = { confirmation_token_id: 'ctoken_sandbox_success' }) =>
  server.visitor().request('POST', `/v1/pay-links/${token}/confirm`, { body })
const subscription = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body

describe('a pay link', () => {
  test('shows what is due, takes a new card, and brings the subscription back', async () => {
    const { shop, id, renewal, token } = await unpaid()

    const shown = await open(token)
    // Another card than the saved one.
    const paid = await pay(token, { confirmation_token_id: 'ctoken_sandbox_refund_pending' })

    expect(shown.body).toMatchObject({
      status: 'open',
      description: 'Team',
      due_amount: 1200,
      total_amount: 1200,
      currency: 'usd',
      is_test: true,
      saved_method: { brand: 'visa', last4: '4242' },
    })
    expect(paid.body).toMatchObject({ status: 'paid' })
    expect((await shop.get(`/orders/${renewal.id}`)).body).toMatchObject({
      status: 'paid',
      paid: true,
      due_amount: 1200,
    })
    expect((await subscription(shop, id)).status).toBe('active')
    await pass(server, days(31))
    expect((await ordersOfSubscription(shop, id)).at(-1)).toMatchObject({
      billing_reason: 'subscription_cycle',
      paid: true,
    })
  })

  test('lets the customer authenticate the saved card', async () => {
    const { shop, id, token } = await unpaid('requires_action')

    const asked = await pay(token, {})
    const secret = asked.body.payment_processor_metadata.intent_client_secret
    await ctx().payments.sandbox.completeAction(secret, 'succeed')
    await ctx().jobs.runDue()

    expect(asked.body.status).toBe('pending')
    expect((await open(token)).body.status).toBe('paid')
    expect((await subscription(shop, id)).status).toBe('active')
  })

  test('that waits for an authentication can be paid by another card instead', async () => {
    const { renewal, shop, token } = await unpaid('requires_action')
    await pay(token, {})

    expect((await pay(token)).body.status).toBe('paid')
    const { items } = (await shop.get(`/payments?order_id=${renewal.id}&status=succeeded`)).body
    expect(items).toHaveLength(1)
  })

  test('declines with a reason, a wrong token at its place, and too many attempts', async () => {
    const { token } = await unpaid()

    const declined = await pay(token, { confirmation_token_id: 'ctoken_sandbox_decline' })
    const unknown = await pay(token, { confirmation_token_id: 'ctoken_unknown' })
    for (let again = 0; again < 8; again += 1) await pay(token, { confirmation_token_id: 'ctoken_sandbox_decline' })
    const stopped = await pay(token)

    expect([declined.status, declined.body.detail]).toEqual([400, 'The card was declined.'])
    expect(wrongAt(unknown)).toBe('422 confirmation_token_id')
    expect(stopped.status).toBe(429)
  })

  test('paid by two requests at once takes the money once', async () => {
    const { shop, renewal, token } = await unpaid()

    const answers = await Promise.all([pay(token), pay(token), pay(token)])

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect((await shop.get(`/payments?order_id=${renewal.id}&status=succeeded`)).body.items).toHaveLength(1)
  })

  test('takes nothing for a seller who is stopped, nor do renewals, until they may sell again', async () => {
    const { shop, id, renewal, token } = await unpaid()
    const allow = (approvedAt: Date | null) =>
      ctx().db.updateTable('merchant').set({ approvedAt }).where('organizationId', '=', shop.organizationId).execute()
    await allow(null)

    const refused = await pay(token)
    await pass(server, days(40))
    const meanwhile = await ordersOfSubscription(shop, id)
    await allow(ctx().clock.now())
    const { body: link } = await shop.post(`/orders/${renewal.id}/pay-link`, {})
    const paid = await pay(tokenIn(link.url))

    expect([refused.status, refused.body.error]).toEqual([403, 'OrganizationNotApproved'])
    expect(meanwhile).toHaveLength(2)
    expect(paid.body.status).toBe('paid')
    expect((await shop.get(`/payments?order_id=${renewal.id}&status=succeeded`)).body.items).toHaveLength(1)
  })

  test('is refused where nothing is due, for another seller’s order, and after its end', async () => {
    const { shop, renewal, token } = await unpaid()
    const other = await createTestMerchant(server)

    expect((await other.post(`/orders/${renewal.id}/pay-link`, {})).status).toBe(404)
    expect((await open(token.slice(0, -4))).status).toBe(404)
    await pay(token)
    expect((await pay(token)).status).toBe(409)
    expect((await shop.post(`/orders/${renewal.id}/pay-link`, {})).status).toBe(409)
    server.clock.advance(days(31))
    expect((await open(token)).status).toBe(404)
  })

  test('of a change that needs an authentication applies it when it is paid (SUB-21)', async () => {
    const { shop, team, business, id, refused, token } = await waitingChange()

    const before = await subscription(shop, id)
    const shown = await open(token)
    const paid = await pay(token, {})

    expect([refused.status, refused.body.error]).toEqual([402, 'PaymentFailed'])
    expect(before.product_id).toBe(team)
    expect(shown.body).toMatchObject({ status: 'open', due_amount: 2000 })
    expect(paid.body.status).toBe('paid')
    expect((await subscription(shop, id)).product_id).toBe(business)
  })

  test('takes nothing for a change that is discarded in the same moment', async () => {
    const { shop, team, id, token } = await waitingChange()
    const { organizationId } = shop

    const paying = await ctx().transaction(async (tx) => {
      await lockBoth(tx, organizationId, id)
      const begun = pay(token, {})
      // PostgreSQL lets it come as far as the lock; SQLite runs one transaction at a time.
      if (server.tollgate.internals.ctx.database.dialect === 'postgres') await expect.poll(waitingForLock).toBe(1)
      await tx.updateTable('subscriptionChange').set({ status: 'discarded' }).where('subscriptionId', '=', id).execute()
      return [begun] as const
    })

    expect((await paying[0]).status).toBe(409)
    expect((await shop.get('/payments?status=succeeded&limit=100')).body.items).toHaveLength(1)
    expect((await subscription(shop, id)).product_id).toBe(team)
  })
})

async function waitingForLock(): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(ctx().db)
  return rows.length
}

test('a card that the customer tries in vain changes nothing of the retries with the saved one', async () => {
  const { shop, id, renewal, token } = await unpaid()
  await setCard(server, shop, 'success')

  const { status } = await pay(token, { confirmation_token_id: 'ctoken_sandbox_expired' })
  await pass(server, days(8))

  expect(status).toBe(400)
  expect((await shop.get(`/orders/${renewal.id}`)).body.paid).toBe(true)
  expect((await subscription(shop, id)).status).toBe('active')
})

test('a payment that waits for the customer ends with the subscription', async () => {
  const { shop, id, renewal, token } = await unpaid()
  const waiting = await pay(token, { confirmation_token_id: 'ctoken_sandbox_requires_action' })
  const secret = waiting.body.payment_processor_metadata.intent_client_secret
  expect((await shop.delete(`/subscriptions/${id}`)).status).toBe(200)

  await pass(server, minutes(30))
  await server.visitor().request('POST', `/v1/sandbox/actions/${secret}`, { body: { outcome: 'succeed' } })
  await pass(server, hours(2))

  const { items } = (await shop.get(`/payments?order_id=${renewal.id}&limit=100`)).body
  expect(items.map((one: { status: string }) => one.status)).not.toContain('succeeded')
  expect((await subscription(shop, id)).status).toBe('canceled')
})
