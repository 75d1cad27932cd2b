import { afterAll, beforeAll, expect, test } from 'vitest'
import { after, days, hours, systemClock } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { faultsInBooks } from '../testing/books.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { createStripeServer, type StripeServer, stripeTestKeys } from '../testing/stripe-server.ts'
import { findEventsReadUntil, setEventsReadUntil } from './processor.repository.ts'
import { lookBackJobId } from './stripe-look-back.service.ts'

/** Stripe never sends an event by itself here. */
let stripe: StripeServer
let server: TestServer
let shop: Shop
let course: string

beforeAll(async () => {
  stripe = createStripeServer()
  server = await createTestServer({}, { fetch: stripe.fetch, env: stripeTestKeys })
  shop = await createShop(server)
  course = await shop.product([fixedPrice(1900)])
})
afterAll(async () => {
  expect(await faultsInBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})

const ctx = () => server.tollgate.internals.ctx
const anHourLater = async () => {
  server.clock.advance(hours(1))
  await ctx().jobs.runDue()
}
const looksSince = (count: number) => stripe.requests.slice(count).filter((each) => each === 'GET /v1/events').length
const job = () => ctx().db.selectFrom('job').selectAll().where('id', '=', lookBackJobId).executeTakeFirstOrThrow()

async function bought() {
  const { checkout, order } = await shop.buy(course, { confirmation_token_id: stripe.token('success') })
  const [payment] = await shop.paymentsOf(checkout)
  return { order, intent: stripe.intentOf(payment.id) }
}
const standing = async ({ id }: { id: string }) => ({
  order: (await shop.get(`/orders/${id}`)).body.status,
  disputes: (await shop.get(`/disputes?order_id=${id}`)).body.items.map(({ status }: { status: string }) => status),
})

test('a server that was away for days reads all of them, day by day, and at most the thirty that Stripe keeps', async () => {
  for (const [away, fewest, most] of [
    [days(3) + hours(1), 4, 4],
    // Catching up the elapsed time may take one more.
    [days(90), 30, 31],
  ] as const) {
    await ctx().transaction((tx) => setEventsReadUntil(tx, after(systemClock.now(), -away), server.clock.now()))
    const asked = stripe.requests.length
    await anHourLater()
    expect(looksSince(asked)).toBeGreaterThanOrEqual(fewest)
    expect(looksSince(asked)).toBeLessThanOrEqual(most)
    const until = await findEventsReadUntil(ctx().db)
    expect(systemClock.now().getTime() - until!.getTime()).toBeLessThan(hours(1))
  }
})

test('a refund and a dispute whose events never come are found within an hour, once', async () => {
  const [refunded, disputed] = [await bought(), await bought()]
  stripe.refundThere(refunded.intent.id, 1900)
  stripe.dispute(disputed.intent.id, 'needs_response')

  await anHourLater()

  expect(await standing(refunded.order)).toEqual({ order: 'refunded', disputes: [] })
  expect(await standing(disputed.order)).toEqual({ order: 'paid', disputes: ['needs_response'] })
  const lines = () => server.logs.filter((line) => line.includes('events were missed')).length
  expect(lines()).toBe(1)
  const asked = stripe.requests.length
  await anHourLater()
  expect(stripe.requests.slice(asked)).toEqual(['GET /v1/events'])
  expect(lines()).toBe(1)
})

test('a list of many pages is read to its end', async () => {
  const { order, intent } = await bought()
  const dispute = stripe.dispute(intent.id, 'needs_response')
  for (let count = 0; count < 230; count += 1) stripe.dispute(intent.id, 'under_review', dispute)
  const asked = stripe.requests.length

  await anHourLater()

  expect(looksSince(asked)).toBe(3)
  const told = stripe.events.filter(({ data }) => data.object.id === dispute).map(({ id }) => id)
  const noted = await ctx().db.selectFrom('processorEvent').select('id').where('id', 'in', told).execute()
  expect(noted).toHaveLength(231)
  expect(await standing(order)).toEqual({ order: 'paid', disputes: ['under_review'] })
})

test('the server asks a Stripe that is away for a day every hour, and loses nothing', async () => {
  const { order, intent } = await bought()
  stripe.refundThere(intent.id, 1900)
  const isBack = stripe.fail(/events/, 401, Number.POSITIVE_INFINITY)
  for (let hour = 0; hour < 24; hour += 1) await anHourLater()
  expect(await job()).toMatchObject({ deadAt: null })
  expect(await standing(order)).toMatchObject({ order: 'paid' })

  isBack()
  await anHourLater()

  expect(await standing(order)).toMatchObject({ order: 'refunded' })
})
