import { webhooks as webhooks202604 } from '@polar-sh/sdk/2026-04'
import { webhooks as webhooks202610 } from '@polar-sh/sdk/2026-10'
import { webhooks as webhooks202701 } from '@polar-sh/sdk/2027-01'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { billingEventTypes, billingRow } from '../../packages/contract/src/events/events.ts'
import { createShop, fixedPrice, type Shop } from '../../packages/server/src/features/billing/testing/shop.ts'
import { openSink, type Received, type Sink } from '../../packages/server/src/features/billing/testing/sink.ts'
import { moveClock } from '../../packages/server/src/features/dev/move-clock.ts'
import { days, hours, minutes } from '../../packages/server/src/foundation/clock.ts'
import { createTestServer, type TestServer } from '../../packages/server/src/testing.ts'
import { validateEvent as validate032 } from './polar-0.32/client.ts'

/** What a shop tells in a life of its own, as both generations of the client verify and read it. */

let server: TestServer
let sink: Sink
let shop: Shop
let secret: string

/** Types that the older client lacks: sent only to endpoints that ask for them (billing contract, trap 12). */
const unknownTo032 = [
  'checkout.expired',
  'dispute.created',
  'dispute.updated',
  'subscription.past_due',
  'subscription.paused',
  'subscription.resumed',
]
/** Those that the newer client does not know either. */
const unknownTo1 = ['dispute.created', 'dispute.updated', 'subscription.paused', 'subscription.resumed']
/** What happens with benefits, and with subscriptions that go on after all, which the product does not do yet. */
const toCome = /^(benefit|benefit_grant)\.|^subscription\.uncanceled$/

beforeAll(async () => {
  server = await createTestServer()
  sink = await openSink()
  shop = await createShop(server)
  const asked = { url: `${sink.origin}/all`, events: billingEventTypes }
  secret = (await shop.post('/webhooks/endpoints', asked)).body.secret
  await life()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await sink[Symbol.asyncDispose]()
})

/** One event of each type. */
async function life(): Promise<void> {
  const { ctx } = server.tollgate.internals
  await shop.patch(`/organizations/${shop.organizationId}`, { name: 'The shop', website: 'https://shop.example/' })
  const course = await shop.product([fixedPrice(2000)])
  const plan = await shop.product([fixedPrice(900)], 'month')
  const free = await shop.product([{ amount_type: 'free' }])
  await shop.patch(`/products/${course}`, { description: 'Everything', metadata: { shelf: 3 } })
  const { body: customer } = await shop.post('/customers', {
    email: 'ada@example.com',
    external_id: 'ada',
    metadata: { tier: 'gold' },
    billing_address: { country: 'US', state: 'CA', line1: 'Street 1', city: 'Town', postal_code: '90001' },
    tax_id: null,
  })
  await shop.patch(`/customers/${customer.id}`, { name: 'Ada' })
  const { code } = await shop.discount({ duration: 'forever' })
  const { order } = await shop.buy(course, { discount_code: code })
  const { order: first } = await shop.buy(plan, { discount_code: code })
  await shop.buy(free)
  await shop.confirm(await shop.checkout(course), { confirmation_token_id: 'ctoken_sandbox_decline' })
  await shop.post('/refunds', { order_id: order.id, reason: 'customer_request', amount: 500 })
  await shop.post('/refunds', { order_id: order.id, reason: 'other', amount: order.net_amount - 500 })
  await shop.checkout(course)
  await shop.delete(`/customers/${customer.id}`)
  // Whose subscription ends with them.
  expect((await shop.delete(`/customers/${first.customer_id}`)).status).toBe(204)
  await ctx.jobs.runDue()
  server.clock.advance(minutes(5))
  await ctx.jobs.runDue()
  server.clock.advance(hours(25))
  await ctx.jobs.runDue()
  const { order: paused } = await shop.buy(plan)
  await shop.post(`/subscriptions/${paused.subscription_id}/pause`, { at: 'now' })
  await shop.post(`/subscriptions/${paused.subscription_id}/resume`, {})
  await shop.buy(plan, { confirmation_token_id: 'ctoken_sandbox_renewal_decline' })
  await moveClock(ctx, new Date(ctx.clock.now().getTime() + days(32)))
}

const told = (): Received[] => sink.at('/all')
const headersOf = ({ headers }: Received) => headers as Record<string, string>

test('every event that the product can cause is sent', () => {
  const types = new Set(told().map(({ body }) => body.type))
  const expected = billingEventTypes.filter(
    (type) => !toCome.test(type) && billingRow(type)?.sdk !== 'none' && type !== 'refund.updated',
  )

  expect(expected.filter((type) => !types.has(type))).toEqual([])
})

test('the older client verifies and reads every event of the types that it knows', () => {
  const faults: string[] = []
  for (const received of told().filter(({ body }) => !unknownTo032.includes(body.type))) {
    try {
      const read = validate032(received.raw, headersOf(received), secret)
      expect(read.type).toBe(received.body.type)
    } catch (error) {
      faults.push(`${received.body.type}: ${error}`)
    }
  }

  expect(faults).toEqual([])
})

test.each([
  ['2026-04', webhooks202604],
  ['2026-10', webhooks202610],
  ['2027-01', webhooks202701],
])('the newer client verifies and reads every event, version %s', async (_, { validateEvent }) => {
  const known = told().filter(({ body }) => !unknownTo1.includes(body.type))
  for (const received of known) {
    const read = await validateEvent(received.raw, headersOf(received), secret)
    expect(read.type).toBe(received.body.type)
  }
})

test('both refuse altered content, and another secret', async () => {
  const [received] = told()
  const altered = received!.raw.replace('"type"', '"type" ')

  expect(() => validate032(altered, headersOf(received!), secret)).toThrow()
  expect(() => validate032(received!.raw, headersOf(received!), `${secret}x`)).toThrow()
  await expect(webhooks202604.validateEvent(altered, headersOf(received!), secret)).rejects.toThrow()
})

test('objects send their events in the order of their creation and changes', () => {
  const before: [string, string][] = [
    ['order.created', 'order.updated'],
    ['order.updated', 'order.paid'],
    ['order.paid', 'order.refunded'],
    ['subscription.created', 'subscription.active'],
    ['subscription.active', 'subscription.canceled'],
    ['subscription.canceled', 'subscription.revoked'],
    ['checkout.created', 'checkout.updated'],
    ['customer.created', 'customer.updated'],
    ['refund.created', 'refund.updated'],
  ]
  const ids = new Set(told().map(({ body }) => body.data.id))
  for (const id of ids) {
    const types = told().flatMap(({ body }) => (body.data.id === id ? [body.type] : []))
    for (const [first, second] of before)
      if (types.includes(first) && types.includes(second))
        expect([id, first, second, types.indexOf(first) < types.indexOf(second)]).toEqual([id, first, second, true])
  }
})
