import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { after, days, minutes, systemClock } from '../../../foundation/clock.ts'
import { removeJobs } from '../../../foundation/job.repository.ts'
import { enqueue } from '../../../foundation/jobs.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { createTestMerchant } from '../testing/merchant.ts'
import { ordersOfSubscription as ordersOf } from '../testing/orders.ts'
import { wrongAt } from '../testing/refusal.ts'
import { createShop, fixedPrice, freePrice, type Shop } from '../testing/shop.ts'
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

const inDays = (count: number) => new Date(ctx().clock.now().getTime() + days(count)).toISOString()
const totalsOf = async (shop: Shop, id: string) =>
  (await ordersOf(shop, id)).map(({ total_amount }: TestAnswer['body']) => total_amount)
const nextOf = async (shop: Shop, id: string) =>
  (await shop.post(`/subscriptions/${id}/preview`, {})).body.next_order.total_amount
const planned = async (shop: Shop, body: object) => {
  const answer = await shop.post('/price-changes', body)
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  await ctx().jobs.runDue()
  return answer.body
}
const read = async (shop: Shop, id: string) => (await shop.get(`/price-changes/${id}`)).body
const noticesTo = async (email: string) =>
  (await server.mailsTo(email)).filter(({ subject }) => subject.startsWith('Your price at'))

/** Subscribers to a plan of 10.00 a month, which costs 15.00 for new ones since. */
async function setUp(count = 1) {
  const shop = await createShop(server)
  const product_id = await shop.product([fixedPrice(1000)], 'month', 'Team')
  const subscribers: { id: string; email: string }[] = []
  for (let at = 0; at < count; at += 1) {
    const { order } = await shop.buy(product_id)
    subscribers.push({ id: order.subscription_id, email: order.customer.email })
  }
  await shop.patch(`/products/${product_id}`, { prices: [fixedPrice(1500)] })
  server.clock.advance(1000)
  const [{ id, email }] = subscribers as [{ id: string; email: string }]
  return { shop, product_id, subscribers, id, email }
}

describe('a change of price', () => {
  test('applies at the first renewal after it begins, to those who were told before, and to no others', async () => {
    const { shop, product_id, id, email } = await setUp()
    const change = { product_id, starts_at: inDays(40), notice_days: 10 }

    const { body: preview } = await shop.post('/price-changes/preview', change)
    const { id: changeId } = await planned(shop, change)
    const listed = await read(shop, changeId)
    await pass(server, days(32))
    const before = [await nextOf(shop, id), (await noticesTo(email)).length]
    await pass(server, days(20))
    const told = [await read(shop, changeId), (await noticesTo(email)).length]
    await pass(server, days(50))

    expect(preview.amounts).toEqual([
      { currency: 'usd', subscriptions_count: 1, amount_before: 1000, amount_after: 1500 },
    ])
    expect(listed).toMatchObject({ status: 'planned', subscriptions_count: 1, notices_count: 0, applied_count: 0 })
    expect(before).toEqual([1500, 0])
    expect(told).toEqual([expect.objectContaining({ status: 'planned', notices_count: 1 }), 1])
    expect(await totalsOf(shop, id)).toEqual([1000, 1000, 1500, 1500])
    expect(await read(shop, changeId)).toMatchObject({ status: 'done', applied_count: 1 })
    expect((await shop.get(`/subscriptions/${id}`)).body).toMatchObject({ amount: 1500, product_id })
    expect(await noticesTo(email)).toHaveLength(1)
  })

  test('waits a period more where it is told too late for the first renewal', async () => {
    const { shop, product_id, id, email } = await setUp()

    await planned(shop, { product_id, starts_at: inDays(1), notice_days: 35 })
    const told = (await noticesTo(email)).length
    await pass(server, days(70))

    expect(told).toBe(1)
    expect(await totalsOf(shop, id)).toEqual([1000, 1000, 1500])
  })

  test('without notice days tells at once, and counts units and keeps discounts', async () => {
    const { shop, product_id, id, email } = await setUp()
    await shop.patch(`/subscriptions/${id}`, { quantity: 3, proration_behavior: 'next_period' })
    const half = await shop.discount({ basis_points: 5000, duration: 'forever' })
    await shop.patch(`/subscriptions/${id}`, { discount_id: half.id })

    await planned(shop, { product_id, starts_at: inDays(1), notice_days: 0 })
    const shown = await nextOf(shop, id)
    await pass(server, days(32))

    expect(await noticesTo(email)).toHaveLength(1)
    expect(shown).toBe(2250)
    expect(await totalsOf(shop, id)).toEqual([1000, 2250])
  })

  test('leaves out those who cancel, change, plan otherwise, have the new price, or subscribe later', async () => {
    const { shop, product_id, subscribers } = await setUp(4)
    const [canceling, moved, scheduled, own] = subscribers.map(({ id }) => id) as [string, string, string, string]
    const other = await shop.product([fixedPrice(700)], 'month')
    await shop.put(`/subscriptions/${scheduled}/schedule`, { phases: [{ quantity: 2 }] })
    const { id: changeId } = await planned(shop, { product_id, starts_at: inDays(20), notice_days: 5 })
    await shop.patch(`/subscriptions/${canceling}`, { cancel_at_period_end: true })
    await shop.patch(`/subscriptions/${moved}`, { product_id: other, proration_behavior: 'next_period' })
    const later = (await shop.buy(product_id)).order.subscription_id
    await pass(server, days(32))

    expect(await totalsOf(shop, canceling)).toEqual([1000])
    expect(await totalsOf(shop, moved)).toEqual([1000, 700])
    expect(await totalsOf(shop, scheduled)).toEqual([1000, 2000])
    expect(await totalsOf(shop, own)).toEqual([1000, 1500])
    expect(await totalsOf(shop, later)).toEqual([1500, 1500])
    expect((await read(shop, changeId)).applied_count).toBe(1)
  })

  test.each([
    ['after its notice', 45],
    ['before its notice', 0],
  ])('gives way to a schedule that is set %s: each renewal costs what its preview shows', async (_, wait) => {
    const { shop, product_id, id, email } = await setUp()
    const { id: changeId } = await planned(shop, { product_id, starts_at: inDays(50), notice_days: 20 })
    await pass(server, days(wait))
    const told = (await noticesTo(email)).length

    await shop.put(`/subscriptions/${id}/schedule`, { phases: [{ quantity: 2 }] })
    const shown = await nextOf(shop, id)
    const left = await read(shop, changeId)
    await pass(server, days(95 - wait))

    expect([told, shown]).toEqual([wait > 0 ? 1 : 0, 2000])
    expect(left).toMatchObject({ status: 'done', subscriptions_count: 0 })
    expect([...new Set((await totalsOf(shop, id)).slice(-2))]).toEqual([2000])
    expect((await noticesTo(email)).length).toBe(told)
  })

  test('leaves a schedule alone that was set while its subscribers were listed', async () => {
    const { shop, product_id, id } = await setUp()
    const { id: changeId } = await planned(shop, { product_id, starts_at: inDays(1), notice_days: 0 })
    await shop.put(`/subscriptions/${id}/schedule`, { phases: [{ quantity: 2 }] })
    // The list was read before the schedule was there.
    await ctx().transaction((tx) =>
      tx.updateTable('priceChangeNotice').set({ status: 'noticed' }).where('priceChangeId', '=', changeId).execute(),
    )
    const shown = await nextOf(shop, id)
    await pass(server, days(32))

    expect([shown, ...(await totalsOf(shop, id))]).toEqual([2000, 1000, 2000])
  })

  test('is done once no subscription waits for it: those that end or change are out of it', async () => {
    const { shop, product_id, subscribers } = await setUp(6)
    const [revoked, ending, moved, repriced, deleted, own] = subscribers.map(({ id }) => id) as string[]
    const other = await shop.product([fixedPrice(2500)], 'month')
    const { id: changeId } = await planned(shop, { product_id, starts_at: inDays(1), notice_days: 0 })
    const told = await read(shop, changeId)
    const { body: gone } = await shop.get(`/subscriptions/${deleted}`)

    await shop.delete(`/subscriptions/${revoked}`)
    await shop.patch(`/subscriptions/${ending}`, { cancel_at_period_end: true })
    await shop.patch(`/subscriptions/${moved}`, { product_id: other, proration_behavior: 'prorate' })
    await shop.patch(`/subscriptions/${repriced}`, { product_id, proration_behavior: 'prorate' })
    await shop.delete(`/customers/${gone.customer_id}`)
    const left = await read(shop, changeId)
    await pass(server, days(32))

    expect(told).toMatchObject({ status: 'planned', subscriptions_count: 6, notices_count: 6 })
    expect(left).toMatchObject({ status: 'planned', subscriptions_count: 2, notices_count: 2 })
    expect(await read(shop, changeId)).toMatchObject({ status: 'done', subscriptions_count: 1, applied_count: 1 })
    expect(await totalsOf(shop, own!)).toEqual([1000, 1500])
  })

  test('that is done cannot be canceled, though no subscription has taken the new price', async () => {
    const { shop, product_id, id } = await setUp()
    const { id: changeId } = await planned(shop, { product_id, starts_at: inDays(1), notice_days: 0 })
    await shop.delete(`/subscriptions/${id}`)

    const late = await shop.post(`/price-changes/${changeId}/cancel`)

    expect([late.status, late.body.error]).toEqual([409, 'PriceChangeBegun'])
    expect(await read(shop, changeId)).toMatchObject({ status: 'done', subscriptions_count: 0, applied_count: 0 })
  })

  test('is told also where a process that tells of others has looked before it is listed', async () => {
    const { shop, product_id, email } = await setUp()
    const { database, transaction, clock } = ctx()
    const id = 'tell-price-changes'
    const leaseUntil = after(systemClock.now(), minutes(10))
    await transaction(async (tx) => {
      await enqueue(tx, clock.now(), { id, kind: id, payload: '' })
      await tx.updateTable('job').set({ leaseUntil }).where('id', '=', id).execute()
    })
    await planned(shop, { product_id, starts_at: inDays(1), notice_days: 0 })
    const told = (await noticesTo(email)).length

    const removed = await removeJobs(database, [{ id, leaseUntil, calls: 0 }])
    await transaction((tx) => tx.updateTable('job').set({ leaseUntil: null }).where('id', '=', id).execute())
    await ctx().jobs.runDue()

    expect([told, removed]).toEqual([0, []])
    expect(await noticesTo(email)).toHaveLength(1)
  })

  test('is canceled until it has begun, and then no subscriber has the new price', async () => {
    const { shop, product_id, id } = await setUp()
    const first = await planned(shop, { product_id, starts_at: inDays(1), notice_days: 0 })

    const canceled = await shop.post(`/price-changes/${first.id}/cancel`)
    const again = await shop.post(`/price-changes/${first.id}/cancel`)
    await pass(server, days(32))
    const unchanged = await totalsOf(shop, id)
    const second = await planned(shop, { product_id, starts_at: inDays(1), notice_days: 0 })
    await pass(server, days(32))
    const late = await shop.post(`/price-changes/${second.id}/cancel`)

    expect([canceled.status, canceled.body.status]).toEqual([200, 'canceled'])
    expect([again.status, again.body.error]).toEqual([409, 'PriceChangeBegun'])
    expect(unchanged).toEqual([1000, 1000])
    expect([late.status, late.body.error]).toEqual([409, 'PriceChangeBegun'])
    expect(await totalsOf(shop, id)).toEqual([1000, 1000, 1500])
  })

  test('that is canceled is told to those who have their notice, each once, also where the job runs twice', async () => {
    const { shop, product_id, subscribers, id } = await setUp(3)
    const [first, ended, other] = subscribers as { id: string; email: string }[]
    const { id: changeId } = await planned(shop, { product_id, starts_at: inDays(1), notice_days: 0 })
    await shop.delete(`/subscriptions/${ended!.id}`)
    const keptTo = async (email: string) =>
      (await server.mailsTo(email)).filter(({ subject }) => subject.endsWith('stays as it is')).length

    await shop.post(`/price-changes/${changeId}/cancel`)
    await ctx().jobs.runDue()
    const kept = await read(shop, changeId)
    const job = { id: 'again', kind: 'tell-price-kept', payload: changeId } as const
    await ctx().transaction((tx) => enqueue(tx, ctx().clock.now(), job))
    await ctx().jobs.runDue()
    await pass(server, days(32))

    expect([await keptTo(first!.email), await keptTo(ended!.email), await keptTo(other!.email)]).toEqual([1, 0, 1])
    expect(kept).toMatchObject({ status: 'canceled', subscriptions_count: 0, notices_count: 3, applied_count: 0 })
    expect(await totalsOf(shop, id)).toEqual([1000, 1000])
  })

  test('that is canceled before a notice tells no one', async () => {
    const { shop, product_id, email } = await setUp()
    const { id: changeId } = await planned(shop, { product_id, starts_at: inDays(60), notice_days: 5 })

    await shop.post(`/price-changes/${changeId}/cancel`)
    await pass(server, days(62))

    expect((await server.mailsTo(email)).filter(({ subject }) => /^Your price/.test(subject))).toEqual([])
    expect(await read(shop, changeId)).toMatchObject({ status: 'canceled', notices_count: 0 })
  })

  test('gives way to a later one, which every subscriber is told of once', async () => {
    const { shop, product_id, id, email } = await setUp()
    const first = await planned(shop, { product_id, starts_at: inDays(1), notice_days: 0 })
    await shop.patch(`/products/${product_id}`, { prices: [fixedPrice(1800)] })
    await planned(shop, { product_id, starts_at: inDays(1), notice_days: 0 })
    await pass(server, days(32))

    expect(await totalsOf(shop, id)).toEqual([1000, 1800])
    expect((await read(shop, first.id)).subscriptions_count).toBe(0)
    expect(await noticesTo(email)).toHaveLength(2)
  })

  test('of many subscribers is listed and told in slices, each once, also where a job runs twice', async () => {
    const { shop, product_id, id } = await setUp()
    const { db } = ctx()
    const row = await db.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const [item] = await db.selectFrom('subscriptionItem').selectAll().where('subscriptionId', '=', id).execute()
    const ids = Array.from({ length: 450 }, () => crypto.randomUUID())
    for (let at = 0; at < ids.length; at += 50) {
      const some = ids.slice(at, at + 50)
      const copies = some.map((each) => ({ ...row, id: each, checkoutId: null, nextActionAt: null }))
      await db.insertInto('subscription').values(copies).execute()
      await db
        .insertInto('subscriptionItem')
        .values(some.map((each) => ({ ...item!, id: crypto.randomUUID(), subscriptionId: each })))
        .execute()
    }
    const { id: changeId } = await planned(shop, { product_id, starts_at: inDays(1), notice_days: 0 })
    await ctx().transaction((tx) =>
      tx.updateTable('priceChange').set({ isListed: false }).where('id', '=', changeId).execute(),
    )
    await ctx().jobs.runDue()

    expect(await read(shop, changeId)).toMatchObject({ subscriptions_count: 451, notices_count: 451 })
    const told = await db
      .selectFrom('priceChangeNotice')
      .select('subscriptionId')
      .distinct()
      .where('priceChangeId', '=', changeId)
      .where('status', '=', 'noticed')
      .execute()
    expect(told).toHaveLength(451)
  })

  test('is told to all others where one notice cannot be sent, which is tried again', async () => {
    const { shop, product_id, subscribers } = await setUp(2)
    const [broken, sound] = subscribers as [{ id: string; email: string }, { id: string; email: string }]
    const { db } = ctx()
    const orders = db.updateTable('order').where('subscriptionId', '=', broken.id)
    const snapshots = db.selectFrom('order').select('snapshot').where('subscriptionId', '=', broken.id)
    const { snapshot } = await snapshots.executeTakeFirstOrThrow()
    await orders.set({ snapshot: { ...snapshot, seller: null as never } }).execute()
    const { id: changeId } = await planned(shop, { product_id, starts_at: inDays(20), notice_days: 0 })
    const failing = [(await noticesTo(sound.email)).length, (await read(shop, changeId)).notices_count]
    await orders.set({ snapshot }).execute()
    await pass(server, minutes(90))

    expect(failing).toEqual([1, 1])
    expect((await noticesTo(broken.email)).length).toBe(1)
    expect((await read(shop, changeId)).notices_count).toBe(2)
  })

  test('is listed, newest first, and by product', async () => {
    const { shop, product_id } = await setUp()
    const first = await planned(shop, { product_id, starts_at: inDays(3) })
    server.clock.advance(minutes(1))
    const second = await planned(shop, { product_id, starts_at: inDays(5) })

    const all = (await shop.get('/price-changes')).body.items
    const none = (await shop.get(`/price-changes?product_id=${crypto.randomUUID()}`)).body.items

    expect(all.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id])
    expect([none, first.notice_days]).toEqual([[], 30])
  })
})

describe('a change of price is refused', () => {
  test('that begins in the past or too late, or with too many notice days', async () => {
    const { shop, product_id } = await setUp()

    for (const [body, loc] of [
      [{ starts_at: inDays(-1) }, 'starts_at'],
      [{ starts_at: inDays(800) }, 'starts_at'],
      [{ starts_at: inDays(1), notice_days: 91 }, 'notice_days'],
      [{ starts_at: inDays(1), notice_days: -1 }, 'notice_days'],
      [{ starts_at: inDays(1), from_price_ids: [] }, 'from_price_ids'],
      [{ starts_at: inDays(1), from_price_ids: [crypto.randomUUID()] }, 'from_price_ids.0'],
      [{ starts_at: inDays(1), to_price_id: crypto.randomUUID() }, 'to_price_id'],
    ] as const) {
      expect(wrongAt(await shop.post('/price-changes', { product_id, ...body }))).toBe(`422 ${loc}`)
      expect(wrongAt(await shop.post('/price-changes/preview', { product_id, ...body }))).toBe(`422 ${loc}`)
    }
  })

  test('of a product that is archived, sold once, free or another seller’s', async () => {
    const { shop } = await setUp()
    const archived = await shop.product([fixedPrice(500)], 'month')
    await shop.patch(`/products/${archived}`, { is_archived: true })
    const once = await shop.product([fixedPrice(500)])
    const free = await shop.product([freePrice], 'month')
    const foreign = await (await createShop(server)).product([fixedPrice(500)], 'month')

    for (const product_id of [archived, once, free, foreign])
      expect(wrongAt(await shop.post('/price-changes', { product_id, starts_at: inDays(1) }))).toBe('422 product_id')
  })

  test('to another seller, and without the right to write', async () => {
    const { shop, product_id } = await setUp()
    const { id } = await planned(shop, { product_id, starts_at: inDays(1) })
    const other = await createTestMerchant(server)
    const reader = await createTestMerchant(server, ['subscriptions:read'])

    expect((await other.get(`/price-changes/${id}`)).status).toBe(404)
    expect((await other.post(`/price-changes/${id}/cancel`)).status).toBe(404)
    expect((await other.get('/price-changes')).body.items).toEqual([])
    expect((await reader.post('/price-changes', { product_id, starts_at: inDays(1) })).status).toBe(403)
    expect((await read(shop, id)).status).toBe('planned')
  })
})
