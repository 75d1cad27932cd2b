import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { days } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { balanceOf } from '../order/balance.repository.ts'
import { ordersOfSubscription as ordersOf } from '../testing/orders.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { setCard } from '../testing/subscribers.ts'
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
const now = () => ctx().clock.now()
const inDays = (count: number) => new Date(now().getTime() + days(count)).toISOString()

/** A subscription of 1000 a month, beside a larger plan. */
async function subscribed(given: { email?: string; language?: string; card?: string } = {}) {
  const shop = await createShop(server)
  const team = await shop.product([fixedPrice(1000)], 'month', 'Team')
  const business = await shop.product([fixedPrice(3000)], 'month', 'Business')
  const checkout = await shop.checkout(team)
  const buyer = {
    confirmation_token_id: `ctoken_sandbox_${given.card ?? 'success'}`,
    ...(given.email && { customer_email: given.email }),
  }
  await shop.confirm(checkout, buyer, { 'accept-language': given.language ?? 'en' })
  const [order] = await shop.ordersOf(checkout)
  server.clock.advance(1000)
  return { shop, id: order!.subscription_id as string, customerId: order!.customer_id as string, business }
}

const read = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body
const pause = (shop: Shop, id: string, body: object) => shop.post(`/subscriptions/${id}/pause`, body)
const resume = (shop: Shop, id: string) => shop.post(`/subscriptions/${id}/resume`, {})
const refusal = ({ status, body }: { status: number; body: { error: string } }) => [status, body.error]
const creditOf = (customerId: string) => balanceOf(ctx().db, customerId, 'usd')
const eventsOf = async (id: string) => {
  const rows = await ctx().db.selectFrom('event').select('type').where('subjectId', '=', id).orderBy('id').execute()
  return rows.map(({ type }) => type)
}

describe('a pause', () => {
  test('bills nothing until it is resumed, which begins a new period that is charged (SUB-26)', async () => {
    const { shop, id } = await subscribed()
    await pass(server, days(10))
    const paused = await pause(shop, id, { at: 'now' })

    expect(paused.status).toBe(200)
    expect(paused.body).toMatchObject({ status: 'unpaid', ended_at: null, resumes_at: null })
    expect(paused.body.paused_at).toBe(now().toISOString())
    await pass(server, days(90))
    expect(await ordersOf(shop, id)).toHaveLength(1)

    const resumed = await resume(shop, id)
    expect(resumed.body).toMatchObject({ status: 'active', paused_at: null, current_period_start: now().toISOString() })
    await pass(server, days(1))
    expect((await ordersOf(shop, id)).map(({ billing_reason, status }) => [billing_reason, status])).toEqual([
      ['subscription_create', 'paid'],
      ['subscription_cycle', 'paid'],
    ])
    await pass(server, days(31))
    expect(await ordersOf(shop, id)).toHaveLength(3)
  })

  test('ends by the clock at its moment, with the day of that moment as the new anchor', async () => {
    const { shop, id } = await subscribed()
    const resumesAt = inDays(47)
    await pause(shop, id, { at: 'now', resumes_at: resumesAt })

    await pass(server, days(60))

    const after = await read(shop, id)
    expect(after).toMatchObject({
      status: 'active',
      current_period_start: resumesAt,
      paused_at: null,
      resumes_at: null,
    })
    expect(await ordersOf(shop, id)).toHaveLength(2)
    expect(await eventsOf(id)).toEqual([
      'subscription.created',
      'subscription.active',
      'subscription.updated',
      'subscription.updated',
      'subscription.paused',
      'subscription.updated',
      'subscription.resumed',
      'subscription.active',
    ])
  })

  test('at the end of the period is shown before, begins there, and can be taken back', async () => {
    const { shop, id } = await subscribed()
    const { current_period_end } = await read(shop, id)
    const asked = await pause(shop, id, { at: 'period_end' })
    expect(asked.body).toMatchObject({ status: 'active', pause_at_period_end: true, paused_at: null })
    expect((await resume(shop, id)).body).toMatchObject({ status: 'active', pause_at_period_end: false })
    await pause(shop, id, { at: 'period_end' })

    await pass(server, days(40))

    const after = await read(shop, id)
    expect(after).toMatchObject({ status: 'unpaid', paused_at: current_period_end, pause_at_period_end: false })
    expect(await ordersOf(shop, id)).toHaveLength(1)
  })

  test.each([
    ['none', 0],
    ['full', 1000],
  ])('with the credit %s gives %i to the balance, which the resumption uses (SUB-32)', async (credit, amount) => {
    const { shop, id, customerId } = await subscribed()
    await pass(server, days(10))

    await pause(shop, id, { at: 'now', credit })

    expect(await creditOf(customerId)).toBe(amount)
    await pass(server, days(5))
    await resume(shop, id)
    expect(await creditOf(customerId)).toBe(0)
    expect((await ordersOf(shop, id)).at(-1)).toMatchObject({ total_amount: 1000, due_amount: 1000 - amount })
  })

  test('with a prorated credit gives back what its preview says, by the second', async () => {
    const { shop, id, customerId } = await subscribed()
    await pass(server, days(10))
    const { current_period_start, current_period_end } = await read(shop, id)
    const [from, to] = [Date.parse(current_period_start), Date.parse(current_period_end)]
    const rest = Math.round((1000 * Math.floor((to - now().getTime()) / 1000)) / ((to - from) / 1000))
    const asked = { at: 'now', credit: 'prorated', resumes_at: inDays(20) }

    const preview = await shop.post(`/subscriptions/${id}/preview`, { pause: asked })
    await pause(shop, id, asked)

    expect(await creditOf(customerId)).toBe(rest)
    expect(preview.body).toMatchObject({
      applies_at: now().toISOString(),
      order: { total_amount: -rest },
      next_order: { total_amount: 1000, due_amount: 1000 - rest },
    })
    await pass(server, days(21))
    expect((await ordersOf(shop, id)).at(-1)).toMatchObject({ due_amount: preview.body.next_order.due_amount })
  })

  test('gives back exactly what its quote shows, for as long as the quote holds', async () => {
    const { shop, id, customerId } = await subscribed()
    await pass(server, days(10))
    const asked = { at: 'now', credit: 'prorated' }
    const { body: quote } = await shop.post(`/subscriptions/${id}/preview`, { pause: asked })
    server.clock.advance(600_000)

    const other = await shop.post(`/subscriptions/${id}/pause`, { ...asked, credit: 'full', quote_id: quote.id })
    expect([other.status, other.body.error, other.body.quote.order.total_amount]).toEqual([409, 'QuoteChanged', -1000])
    await pause(shop, id, { ...asked, quote_id: quote.id })

    expect(await creditOf(customerId)).toBe(-quote.order.total_amount)
  })

  test('after a larger plan was paid gives back no more than the period has brought in', async () => {
    const { shop, id, customerId, business } = await subscribed()
    await pass(server, days(15))
    await shop.patch(`/subscriptions/${id}`, { product_id: business, proration_behavior: 'invoice' })
    const paid = (await ordersOf(shop, id)).reduce((sum, order) => sum + order.total_amount, 0)

    await pause(shop, id, { at: 'now', credit: 'full' })

    expect(await creditOf(customerId)).toBe(paid)
  })

  test('and its resumption in one moment post each order once', async () => {
    const { shop, id } = await subscribed()
    for (const _ of [1, 2]) {
      expect((await pause(shop, id, { at: 'now', credit: 'full' })).status).toBe(200)
      expect((await resume(shop, id)).status).toBe(200)
    }
    // The first purchase, and a credit and a period for each pause.
    expect(await ordersOf(shop, id)).toHaveLength(5)
  })

  test('is refused where the subscription is canceled, changes, is paused or ended (SUB-31)', async () => {
    const { shop, id, business } = await subscribed()
    await shop.patch(`/subscriptions/${id}`, { product_id: business, proration_behavior: 'next_period' })
    expect(refusal(await pause(shop, id, { at: 'now' }))).toEqual([409, 'SubscriptionChangePending'])
    await shop.patch(`/subscriptions/${id}`, { pending_update: null })
    await shop.patch(`/subscriptions/${id}`, { cancel_at_period_end: true })
    expect(refusal(await pause(shop, id, { at: 'period_end' }))).toEqual([409, 'SubscriptionChangePending'])
    await shop.patch(`/subscriptions/${id}`, { cancel_at_period_end: false })
    expect(refusal(await resume(shop, id))).toEqual([409, 'SubscriptionNotPaused'])
    await pause(shop, id, { at: 'now' })
    expect(refusal(await pause(shop, id, { at: 'now' }))).toEqual([409, 'SubscriptionNotActive'])
    const change = { product_id: business, proration_behavior: 'invoice' }
    expect(refusal(await shop.patch(`/subscriptions/${id}`, change))).toEqual([409, 'SubscriptionNotActive'])
    expect((await shop.patch(`/subscriptions/${id}`, { cancel_at_period_end: true })).body.status).toBe('canceled')
    expect(refusal(await pause(shop, id, { at: 'now' }))).toEqual([403, 'AlreadyCanceledSubscription'])
    expect(refusal(await resume(shop, id))).toEqual([410, 'SubscriptionEnded'])
  })

  test.each([
    [{ at: 'later' }, 'at'],
    [{ at: 'now', resumes_at: '2020-01-01T00:00:00Z' }, 'resumes_at'],
    [{ at: 'now', resumes_at: 'soon' }, 'resumes_at'],
    [{ at: 'now', credit: 'twice' }, 'credit'],
    [{ at: 'period_end', credit: 'full' }, 'credit'],
  ])('of %j is invalid at %s', async (body, member) => {
    const { shop, id } = await subscribed()

    const { status, body: answer } = await pause(shop, id, body)

    expect([status, answer.detail[0].loc]).toEqual([422, ['body', member]])
    expect((await read(shop, id)).paused_at).toBeNull()
  })

  test('asked for many times at once happens once, and so does its end', async () => {
    const { shop, id } = await subscribed()

    const pauses = await Promise.all([1, 2, 3, 4].map(() => pause(shop, id, { at: 'now' })))
    const resumptions = await Promise.all([1, 2, 3, 4].map(() => resume(shop, id)))

    expect(pauses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(resumptions.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(await ordersOf(shop, id)).toHaveLength(2)
  })

  test('for the end of the period stays where its charge fails meanwhile: the retries go on, and then it begins', async () => {
    const { shop, id } = await subscribed({ card: 'renewal_decline' })
    const { sandbox } = ctx().payments
    const { charge } = sandbox
    let isPaused = false
    const late = vi.spyOn(sandbox, 'charge').mockImplementation(async (asked) => {
      // Other subscriptions of this file are charged at the same time.
      const { organizationId } = await ctx()
        .db.selectFrom('payment')
        .select('organizationId')
        .where('id', '=', asked.paymentId)
        .executeTakeFirstOrThrow()
      if (organizationId === shop.organizationId && !isPaused) {
        isPaused = true
        expect((await pause(shop, id, { at: 'period_end' })).status).toBe(200)
      }
      return charge(asked)
    })
    await pass(server, days(32))
    late.mockRestore()
    expect(await read(shop, id)).toMatchObject({ status: 'past_due', pause_at_period_end: true, paused_at: null })

    await setCard(server, shop, 'success')
    // The next retry comes within five days, whatever the length of the month.
    await pass(server, days(6))
    const paid = await read(shop, id)
    expect(paid).toMatchObject({ status: 'active', pause_at_period_end: true })
    await pass(server, days(40))
    expect(await read(shop, id)).toMatchObject({ status: 'unpaid', paused_at: paid.current_period_end })
    expect(await ordersOf(shop, id)).toHaveLength(2)
  })

  test('whose end is declined falls past due', async () => {
    const { shop, id } = await subscribed({ card: 'renewal_decline' })
    await pause(shop, id, { at: 'now', resumes_at: inDays(3) })

    await pass(server, days(4))

    expect((await read(shop, id)).status).toBe('past_due')
    expect(await eventsOf(id)).toContain('subscription.past_due')
  })

  test('is mailed in the subscriber’s language with its last day, and so is its end', async () => {
    const { shop, id } = await subscribed({ email: 'pia@example.com', language: 'de' })
    await pause(shop, id, { at: 'now', resumes_at: inDays(30) })
    await pass(server, days(31))

    const mails = await server.mailsTo('pia@example.com')
    const [paused] = mails.filter(({ subject }) => subject.endsWith('pausiert'))
    expect(paused!.text).toMatch(/Es läuft am \d+\. \S+ \d{4} mit einem neuen Zeitraum weiter/)
    expect(mails.filter(({ subject }) => subject.endsWith('läuft weiter'))).toHaveLength(1)
  })
})

test('a list finds a paused subscription by both its statuses, and by several at once', async () => {
  const { shop, id } = await subscribed()
  const other = await shop.buy(await shop.product([fixedPrice(900)], 'month'))
  await pause(shop, id, { at: 'now' })
  const found = async (query: string) =>
    (await shop.get(`/subscriptions?${query}`)).body.items.map((item: { id: string }) => item.id).toSorted()

  expect(await found('status=unpaid')).toEqual([id])
  expect(await found('status=paused')).toEqual([id])
  expect(await found('status=active&status=paused')).toEqual([id, other.order.subscription_id].toSorted())
  expect(await found('status=active&status=past_due')).toEqual([other.order.subscription_id])
  expect((await shop.get('/subscriptions?status=asleep')).status).toBe(422)
})

test('a cancellation during a pause bills what waits, as its preview shows (SUB-24)', async () => {
  const { shop, id, business } = await subscribed()
  await pass(server, days(10))
  await shop.patch(`/subscriptions/${id}`, { product_id: business, proration_behavior: 'prorate' })
  await pause(shop, id, { at: 'now' })
  const cancel = { cancel_at_period_end: true }
  const preview = await shop.post(`/subscriptions/${id}/preview`, cancel)

  const answer = await shop.patch(`/subscriptions/${id}`, cancel)
  await pass(server, days(1))

  expect(answer.body.status).toBe('canceled')
  const last = (await ordersOf(shop, id)).at(-1)
  expect(last).toMatchObject({ billing_reason: 'subscription_cycle', status: 'paid' })
  expect(last.total_amount).toBeGreaterThan(0)
  expect(last.total_amount).toBe(preview.body.order.total_amount)
})

describe('a cancellation at once', () => {
  test.each([
    ['none', 0],
    ['full', 1000],
  ])('with the credit %s gives %i to the balance (SUB-32)', async (credit, amount) => {
    const { shop, id, customerId } = await subscribed()
    await pass(server, days(10))
    const preview = await shop.post(`/subscriptions/${id}/preview`, { revoke: true, credit })

    const answer = await shop.patch(`/subscriptions/${id}`, { revoke: true, credit })

    expect(answer.body.status).toBe('canceled')
    expect(await creditOf(customerId)).toBe(amount)
    expect(preview.body.order?.total_amount ?? 0).toBe(-amount || 0)
    expect(preview.body.next_order).toBeNull()
  })

  test('credits exactly what its quote shows, which holds for a while and for this subscription', async () => {
    const { shop, id, customerId } = await subscribed()
    await pass(server, days(10))
    const asked = { revoke: true, credit: 'prorated' }
    const { body: old } = await shop.post(`/subscriptions/${id}/preview`, asked)
    server.clock.advance(3_600_000)
    const late = await shop.patch(`/subscriptions/${id}`, { ...asked, quote_id: old.id })
    expect([late.status, late.body.error]).toEqual([409, 'QuoteChanged'])

    const { quote } = late.body
    server.clock.advance(600_000)
    expect((await shop.patch(`/subscriptions/${id}`, { ...asked, quote_id: quote.id })).body.status).toBe('canceled')

    expect(await creditOf(customerId)).toBe(-quote.order.total_amount)
    expect(quote.order.total_amount).toBeGreaterThan(old.order.total_amount)
  })

  test('gives no credit where the period is not paid, nor at the end of the period', async () => {
    const { shop, id, customerId } = await subscribed({ card: 'renewal_decline' })
    const late = await shop.patch(`/subscriptions/${id}`, { cancel_at_period_end: true, credit: 'full' })
    expect([late.status, late.body.detail[0].loc]).toEqual([422, ['body', 'credit']])
    await pass(server, days(32))

    await shop.patch(`/subscriptions/${id}`, { revoke: true, credit: 'full' })

    expect(await creditOf(customerId)).toBe(0)
  })
})
