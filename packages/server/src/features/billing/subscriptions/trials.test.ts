import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours } from '../../../foundation/clock.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../../testing.ts'
import { moveClock } from '../../dev/move-clock.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { ordersOfSubscription as ordersOf } from '../testing/orders.ts'
import { createShop, fixedPrice, newBuyer, type Shop } from '../testing/shop.ts'

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
const pass = async (time: number) => moveClock(ctx(), new Date(now() + time))
const inDays = (count: number) => new Date(now() + days(count)).toISOString()

const fourteenDays = { trial_interval: 'day', trial_interval_count: 14 }
const withoutCard = { ...fourteenDays, trial_card_required: false }

/** A shop with a product for 10.00 a month that begins with a trial. */
async function shopWithTrial(trial: object = fourteenDays, price = 1000) {
  const shop = await createShop(server)
  const made = await shop.post('/products/', {
    name: 'Pro plan',
    recurring_interval: 'month',
    prices: [fixedPrice(price)],
    ...trial,
  })
  return { shop, product: made.body.id as string }
}

const card = (name = 'success') => ({ confirmation_token_id: `ctoken_sandbox_${name}` })
const subscription = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body

async function onTrial(given: { trial?: object; buyer?: object; checkout?: object } = {}) {
  const { shop, product } = await shopWithTrial(given.trial)
  const buyer = given.buyer ?? (given.trial === withoutCard ? {} : card())
  const { order } = await shop.buy(product, buyer, given.checkout)
  return { shop, product, order, id: order.subscription_id as string, customerId: order.customer_id as string }
}

/** The types of a subscription's events, in order. */
async function eventsOf(shop: Shop): Promise<string[]> {
  const rows = await ctx()
    .db.selectFrom('event')
    .select(['type'])
    .where('organizationId', '=', shop.organizationId)
    .where('type', 'like', 'subscription.%')
    .orderBy('seq')
    .execute()
  return rows.map(({ type }) => type)
}

describe('a trial', () => {
  test('begins with a paid order of 0, and its end is charged as the first period (SUB-16, SUB-25)', async () => {
    const { shop, id, order } = await onTrial()
    const begun = await subscription(shop, id)

    expect(order).toMatchObject({ billing_reason: 'subscription_create', status: 'paid', total_amount: 0 })
    expect(begun).toMatchObject({ status: 'trialing', amount: 1000, trial_end: inDays(14), current_period_end: inDays(14) })
    expect(await eventsOf(shop)).toEqual(['subscription.created', 'subscription.updated'])
    await pass(days(15))

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
})
