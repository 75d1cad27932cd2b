import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { days } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import type { Attempt } from '../payments/processor.ts'
import { ordersOfSubscription } from '../testing/orders.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { pass } from '../testing/time.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ billing: { dunning: { retryAfterDays: [3, 4] } } })
})
afterAll(async () => {
  expect(await violationsOfBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})
const ctx = () => server.tollgate.internals.ctx

const subscription = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body
const decide = (shop: Shop, settings: object) =>
  shop.patch(`/organizations/${shop.organizationId}`, { subscription_settings: settings })

let payers = 0
/** A monthly subscription whose card is declined by each renewal. */
async function declined(settings: object = {}) {
  const shop = await createShop(server)
  await decide(shop, settings)
  const product = await shop.product([fixedPrice(1000)], 'month')
  const email = `payer${++payers}@example.com`
  const card = { confirmation_token_id: 'ctoken_sandbox_renewal_decline' }
  const { order } = await shop.buy(product, { ...card, customer_email: email })
  return { shop, email, id: order.subscription_id as string }
}

const recoveriesTold = async (email: string) =>
  (await server.mailsTo(email)).filter(({ subject }) => subject.endsWith('continues'))

/** The whole days between the first failure of a subscription's renewal and each attempt. */
async function daysOfAttempts(shop: Shop, id: string): Promise<number[]> {
  const { items } = (await shop.get('/payments?limit=100&status=failed&sorting=created_at')).body
  const renewal = (await ordersOfSubscription(shop, id)).at(-1)
  const times = items
    .filter(({ order_id }: { order_id: string }) => order_id === renewal.id)
    .map(({ created_at }: { created_at: string }) => new Date(created_at).getTime())
  return times.map((time: number) => Math.round((time - times[0]) / days(1)))
}

describe('the schedule of retries', () => {
  test('is the installation’s where the seller has none, and its last failure ends the subscription', async () => {
    const { shop, id } = await declined()

    await pass(server, days(45))

    expect(await daysOfAttempts(shop, id)).toEqual([0, 3, 7])
    expect((await subscription(shop, id)).status).toBe('canceled')
  })

  test('is the seller’s own, and stays with a dunning that has begun', async () => {
    const { shop, id } = await declined({ dunning_retry_after_days: [1, 1, 2] })
    const other = await shop.buy(await shop.product([fixedPrice(500)], 'month'), {
      confirmation_token_id: 'ctoken_sandbox_renewal_decline',
      customer_email: 'other@example.com',
    })
    await pass(server, days(32))
    expect((await subscription(shop, id)).status).toBe('past_due')

    await decide(shop, { dunning_retry_after_days: null })
    await pass(server, days(20))

    expect(await daysOfAttempts(shop, id)).toEqual([0, 1, 2, 4])
    expect(await daysOfAttempts(shop, other.order.subscription_id)).toEqual([0, 1, 2, 4])
    const { subscription_settings } = (await shop.get(`/organizations/${shop.organizationId}`)).body
    expect(subscription_settings.dunning_retry_after_days).toBeNull()
  })

  test('of a dunning from before schedules were kept is the former one', async () => {
    const { shop, id } = await declined()
    await pass(server, days(32))
    await ctx().db.updateTable('subscription').set({ dunningSchedule: null }).where('id', '=', id).execute()

    await pass(server, days(25))

    expect(await daysOfAttempts(shop, id)).toEqual([0, 3, 7, 14, 21])
  })

  test.each([
    { wait: 3, expected: [0, 3, 4] },
    { wait: 9, expected: [0, 4] },
  ])(
    'lets a retry wait $wait days where the processor asks for it, and ends as planned',
    async ({ wait, expected }) => {
      const { shop, id } = await declined({ dunning_retry_after_days: [1, 1, 2] })
      const { sandbox } = ctx().payments
      const { charge } = sandbox
      const once = vi.spyOn(sandbox, 'charge').mockImplementationOnce(async (asked): Promise<Attempt> => {
        const attempt = await charge(asked)
        return attempt.status === 'failed' ? { ...attempt, advice: { kind: 'retry_after', wait: days(wait) } } : attempt
      })

      await pass(server, days(45))
      once.mockRestore()

      expect(await daysOfAttempts(shop, id)).toEqual(expected)
      expect((await subscription(shop, id)).status).toBe('canceled')
    },
  )

  test.each([[[]], [[0]], [[61]], [[1.5]], [Array(11).fill(1)], ['2,5']])('cannot be %j', async (chosen) => {
    const shop = await createShop(server)

    const { status, body } = await decide(shop, { dunning_retry_after_days: chosen })

    expect(status).toBe(422)
    expect(body.detail[0].loc.slice(0, 3)).toEqual(['body', 'subscription_settings', 'dunning_retry_after_days'])
  })
})

describe('the recovery', () => {
  test('is told once to the subscriber, when the link has paid all', async () => {
    const { shop, id, email } = await declined()
    await pass(server, days(32))
    const renewal = (await ordersOfSubscription(shop, id)).at(-1)
    const { url } = (await shop.post(`/orders/${renewal.id}/pay-link`, {})).body
    expect(await recoveriesTold(email)).toEqual([])

    const body = { confirmation_token_id: 'ctoken_sandbox_success' }
    await server.visitor().request('POST', `/v1/pay-links/${url.split('/pay/')[1]}/confirm`, { body })
    await pass(server, days(10))

    expect((await subscription(shop, id)).status).toBe('active')
    expect(await recoveriesTold(email)).toHaveLength(1)
  })
})

describe('a cancellation while a renewal is unpaid (SUB-15, SUB-19)', () => {
  const cancel = (shop: Shop, id: string) => shop.patch(`/subscriptions/${id}`, { cancel_at_period_end: true })

  test('ends the subscription at once without grace', async () => {
    const { shop, id } = await declined()
    await pass(server, days(32))

    expect((await cancel(shop, id)).body).toMatchObject({ status: 'canceled', ends_at: expect.any(String) })
  })

  test('ends it with the grace that the dunning began with; nothing more is collected, and nothing brings it back', async () => {
    const { shop, id, email } = await declined({ benefit_revocation_grace_period: 14 })
    await pass(server, days(32))
    await decide(shop, { benefit_revocation_grace_period: 0 })
    const due = await subscription(shop, id)
    const graceEnd = new Date(new Date(due.past_due_at).getTime() + days(14)).toISOString()

    const preview = await shop.post(`/subscriptions/${id}/preview`, { cancel_at_period_end: true })
    const canceled = await cancel(shop, id)

    expect(preview.body).toMatchObject({ applies_at: graceEnd, order: null, next_order: null })
    expect(canceled.body).toMatchObject({ status: 'past_due', cancel_at_period_end: true, ends_at: graceEnd })
    const renewal = (await ordersOfSubscription(shop, id)).at(-1)
    expect(renewal).toMatchObject({ status: 'pending', due_amount: 0, next_payment_attempt_at: null })
    expect((await cancel(shop, id)).status).toBe(403)
    const kept = await shop.patch(`/subscriptions/${id}`, { cancel_at_period_end: false })
    expect([kept.status, kept.body.error]).toEqual([410, 'SubscriptionEnded'])
    await pass(server, days(20))
    expect(await subscription(shop, id)).toMatchObject({ status: 'canceled', ended_at: graceEnd })
    expect(await daysOfAttempts(shop, id)).toEqual([0])
    expect((await server.mailsTo(email)).filter(({ subject }) => subject.endsWith('ended'))).toEqual([])
  })

  test('ends it at once when the grace is over', async () => {
    const { shop, id } = await declined({ benefit_revocation_grace_period: 2, dunning_retry_after_days: [30] })
    await pass(server, days(40))

    expect((await cancel(shop, id)).body.status).toBe('canceled')
  })
})
