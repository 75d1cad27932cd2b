import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { createShop, fixedPrice, freePrice, type Shop } from '../testing/shop.ts'
import { giveCredit } from '../testing/subscribers.ts'
import { pass } from '../testing/time.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ billing: { reminders: { renewal: { month: [3] } } } })
})
afterAll(async () => {
  expect(await violationsOfBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})
const ctx = () => server.tollgate.internals.ctx
const subscription = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body
const daysToEnd = async (shop: Shop, id: string) =>
  (new Date((await subscription(shop, id)).current_period_end).getTime() - ctx().clock.now().getTime()) / days(1)
/** Moves the clock to some days before the end of the running period. */
const passUntil = async (shop: Shop, id: string, ahead: number) =>
  pass(server, days((await daysToEnd(shop, id)) - ahead))

let buyers = 0
async function subscribed(
  given: { interval?: 'month' | 'year'; price?: number; language?: string; trial?: object } = {},
) {
  const shop = await createShop(server)
  const { interval = 'year', price = 12_000, language = 'en', trial } = given
  const product = await shop.product([price === 0 ? freePrice : fixedPrice(price)], interval, 'Team')
  if (trial) await shop.patch(`/products/${product}`, trial)
  const email = `reader${++buyers}@example.com`
  const checkout = await shop.checkout(product)
  await shop.confirm(checkout, { customer_email: email }, { 'accept-language': language })
  const [order] = await shop.ordersOf(checkout)
  return { shop, email, id: order!.subscription_id as string }
}

const remindersTo = async (email: string) =>
  (await server.mailsTo(email))
    .filter(({ subject }) => /renews on|verlängert sich am/.test(subject))
    .map(({ text }) => text.replace(/\u00a0/g, ' '))

describe('the reminder of a renewal', () => {
  test('comes 30 and 7 days before a year’s end, once each, with the day and the amount', async () => {
    const { shop, email, id } = await subscribed()

    await passUntil(shop, id, 31)
    expect(await remindersTo(email)).toEqual([])
    await passUntil(shop, id, 29)
    expect(await remindersTo(email)).toHaveLength(1)
    await passUntil(shop, id, 8)
    expect(await remindersTo(email)).toHaveLength(1)
    const { current_period_end: end } = await subscription(shop, id)
    await passUntil(shop, id, 1)

    const [first, second, ...more] = await remindersTo(email)
    expect(more).toEqual([])
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(end))
    for (const text of [first, second]) {
      expect(text).toContain(`Your subscription to Team renews on ${day}.`)
      expect(text).toContain('then charges $120.00 to your saved card.')
    }
    await passUntil(shop, id, -1)
    expect((await subscription(shop, id)).current_period_start).toBe(end)
    expect(await remindersTo(email)).toHaveLength(2)
  })

  test('of a trial comes to a subscriber whose seller began it', async () => {
    const shop = await createShop(server)
    const email = `reader${++buyers}@example.com`
    const { body: customer } = await shop.post('/customers', { email, name: 'Ada', billing_address: { country: 'DE' } })
    const product_id = await shop.product([fixedPrice(900)], 'month', 'Team')
    const trial = { trial_interval: 'day', trial_interval_count: 14, trial_card_required: false }
    const { body } = await shop.post('/subscriptions', { product_id, customer_id: customer.id, ...trial })
    expect(body.status).toBe('trialing')
    await pass(server, days(12))
    const subjects = (await server.mailsTo(email)).map(({ subject }) => subject)
    expect(subjects).toEqual([expect.stringContaining('Your free trial at')])
  })

  test('comes to a subscriber whose seller began the subscription, and whose card paid for it', async () => {
    const { shop, email, id: former } = await subscribed({ interval: 'month' })
    const { customer_id } = await subscription(shop, former)
    await shop.delete(`/subscriptions/${former}`)
    const product_id = await shop.product([fixedPrice(24_000)], 'year', 'Business')
    const { body: begun } = await shop.post('/subscriptions', { product_id, customer_id })

    await passUntil(shop, begun.id, 29)

    expect(await remindersTo(email)).toMatchObject([expect.stringContaining('Your subscription to Business renews on')])
  })

  test('follows the configured days of the interval, in the subscriber’s language', async () => {
    const { shop, email, id } = await subscribed({ interval: 'month', language: 'de' })

    await passUntil(shop, id, 2)

    const [text, ...more] = await remindersTo(email)
    expect(more).toEqual([])
    expect(text).toMatch(/bucht dann 120,00 \$ von Ihrer gespeicherten Karte ab\./)
  })

  test('says so where a link to pay follows, or credit pays', async () => {
    const noCard = await subscribed()
    const credit = await subscribed()
    const { db } = ctx()
    const of = (shop: Shop) => ['organizationId', '=', shop.organizationId] as const
    await db
      .updateTable('paymentMethod')
      .set({ deletedAt: ctx().clock.now() })
      .where(...of(noCard.shop))
      .execute()
    const { customerId } = await db
      .selectFrom('subscription')
      .select('customerId')
      .where('id', '=', credit.id)
      .executeTakeFirstOrThrow()
    await giveCredit(server, credit.shop, customerId, 20_000)

    await passUntil(noCard.shop, noCard.id, 29)

    expect((await remindersTo(noCard.email))[0]).toContain('then sends you a link to pay $120.00.')
    expect((await remindersTo(credit.email))[0]).toContain('Nothing is charged for the next period.')
  })

  test('names the price of a plan that the subscriber changes to at the end', async () => {
    const { shop, email, id } = await subscribed()
    const smaller = await shop.product([fixedPrice(5000)], 'year', 'Solo')
    await shop.patch(`/subscriptions/${id}`, { product_id: smaller, proration_behavior: 'next_period' })

    await passUntil(shop, id, 29)

    expect((await remindersTo(email))[0]).toContain('then charges $50.00 to your saved card.')
  })

  test('is not sent to one who cancels or pauses, is on trial, or pays nothing; one who stays after all gets the next', async () => {
    const canceling = await subscribed()
    const staying = await subscribed()
    const pausing = await subscribed()
    const paused = await subscribed()
    const free = await subscribed({ price: 0 })
    const trial = await subscribed({ trial: { trial_interval: 'year', trial_interval_count: 1 } })
    for (const { shop, id } of [canceling, staying])
      await shop.patch(`/subscriptions/${id}`, { cancel_at_period_end: true })
    await pausing.shop.post(`/subscriptions/${pausing.id}/pause`, { at: 'period_end' })
    await paused.shop.post(`/subscriptions/${paused.id}/pause`, { at: 'now' })

    await passUntil(staying.shop, staying.id, 20)
    expect(await remindersTo(staying.email)).toEqual([])
    await staying.shop.patch(`/subscriptions/${staying.id}`, { cancel_at_period_end: false })
    await passUntil(staying.shop, staying.id, 1)

    for (const { email } of [canceling, pausing, paused, free, trial]) expect(await remindersTo(email)).toEqual([])
    expect(await remindersTo(staying.email)).toHaveLength(1)
    await pass(server, days(3))
    expect((await subscription(canceling.shop, canceling.id)).status).toBe('canceled')
    expect((await subscription(staying.shop, staying.id)).status).toBe('active')
  })

  test('moves with the period that a change begins', async () => {
    const { shop, email, id } = await subscribed()
    const bigger = await shop.product([fixedPrice(24_000)], 'year', 'Plus')
    await passUntil(shop, id, 40)

    await shop.patch(`/subscriptions/${id}`, { product_id: bigger, proration_behavior: 'reset' })
    await pass(server, days(39))
    expect(await remindersTo(email)).toEqual([])
    await passUntil(shop, id, 29)

    expect(await remindersTo(email)).toHaveLength(1)
  })

  test('is sent once where two were missed, and not after the end; two processes send no second one', async () => {
    const late = await subscribed()
    ctx().clock.advance(days((await daysToEnd(late.shop, late.id)) - 5))
    await Promise.all([ctx().jobs.runDue(), ctx().jobs.runDue()])
    expect(await remindersTo(late.email)).toHaveLength(1)
    await passUntil(late.shop, late.id, 1)
    expect(await remindersTo(late.email)).toHaveLength(1)

    const gone = await subscribed()
    ctx().clock.advance(days(await daysToEnd(gone.shop, gone.id)) + hours(1))
    await ctx().jobs.runDue()

    expect(await remindersTo(gone.email)).toEqual([])
    expect(await daysToEnd(gone.shop, gone.id)).toBeGreaterThan(300)
  })
})
