import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, minutes } from '../../../foundation/clock.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../../testing.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { createTestMerchant } from '../testing/merchant.ts'
import { ordersOfSubscription as ordersOf } from '../testing/orders.ts'
import { wrongAt } from '../testing/refusal.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'
import { cardholder, setCard } from '../testing/subscribers.ts'
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

const at = (id: string) => `/subscriptions/${id}/schedule`
const plan = (shop: Shop, id: string, phases: unknown) => shop.put(at(id), { phases })
const read = async (shop: Shop, id: string) => (await shop.get(`/subscriptions/${id}`)).body
const scheduleOf = async (shop: Shop, id: string) => (await shop.get(at(id))).body
const nextOrderOf = async (shop: Shop, id: string) => (await shop.post(`/subscriptions/${id}/preview`, {})).body
const totalsOf = async (shop: Shop, id: string) =>
  (await ordersOf(shop, id)).map(({ total_amount }: TestAnswer['body']) => total_amount)
const redemptionsOf = async (shop: Shop, id: string) => (await shop.get(`/discounts/${id}`)).body.redemptions_count
const refusal = ({ status, body }: TestAnswer) => [status, body.error]

/** A subscription to a plan of 10.00 a month, beside a yearly one of 100.00, and a discount of a half. */
async function setUp(given: object = {}) {
  const shop = await createShop(server)
  const customer_id = await cardholder(server, shop)
  const team = await shop.product([fixedPrice(1000)], 'month', 'Team')
  const yearly = await shop.product([fixedPrice(10_000)], 'year', 'Yearly')
  const half = (await shop.discount({ basis_points: 5000, duration: 'forever' })).id
  const begun = await shop.post('/subscriptions', { product_id: team, customer_id, ...given })
  expect(begun.status).toBe(201)
  server.clock.advance(1000)
  return { shop, customer_id, team, yearly, half, id: begun.body.id as string }
}

describe('a schedule', () => {
  test('charges three months at half price, then a year, each as the next order showed it', async () => {
    const { shop, id, half, yearly } = await setUp()

    const { status, body } = await plan(shop, id, [
      { discount_id: half, periods: 3 },
      { product_id: yearly, discount_id: null },
    ])
    const shown: number[] = []
    for (let month = 0; month < 4; month += 1) {
      shown.push((await nextOrderOf(shop, id)).next_order.total_amount)
      await pass(server, days(31))
    }

    expect(status).toBe(200)
    expect(body.phases.map((phase: TestAnswer['body']) => [phase.state, phase.periods, phase.amount])).toEqual([
      ['planned', 3, 1000],
      ['planned', null, 10_000],
    ])
    expect(shown).toEqual([500, 500, 500, 10_000])
    expect(await totalsOf(shop, id)).toEqual([1000, 500, 500, 500, 10_000])
    const after = await read(shop, id)
    expect(after).toMatchObject({ product_id: yearly, recurring_interval: 'year', discount_id: null, amount: 10_000 })
    expect(after.scheduled_phases).toBe(0)
    expect(await scheduleOf(shop, id)).toEqual({ created_at: null, phases: [] })
  })

  test('says when its phases begin, and begins them then', async () => {
    const { shop, id, yearly } = await setUp()
    const first = (await read(shop, id)).current_period_end

    const { body } = await plan(shop, id, [
      { quantity: 2, periods: 2 },
      { quantity: 3, periods: 1 },
      { product_id: yearly },
    ])
    const begins = body.phases.map(({ begins_at }: { begins_at: string }) => begins_at)
    await pass(server, days(160))

    expect(begins[0]).toBe(first)
    const orders = await ordersOf(shop, id)
    expect(await totalsOf(shop, id)).toEqual([1000, 2000, 2000, 3000, 30_000])
    expect([orders[1], orders[3], orders[4]].map(({ created_at }) => created_at)).toEqual(begins)
  })

  test('shows which of its phases is over, runs and is planned', async () => {
    const { shop, id } = await setUp()
    await plan(shop, id, [{ quantity: 2, periods: 1 }, { quantity: 3, periods: 5 }, { quantity: 4 }])
    await pass(server, days(65))

    const { phases } = await scheduleOf(shop, id)

    expect(phases.map(({ state, quantity }: TestAnswer['body']) => [state, quantity])).toEqual([
      ['over', 2],
      ['running', 3],
      ['planned', 4],
    ])
    expect((await read(shop, id)).scheduled_phases).toBe(1)
  })

  test('lasts until a moment: the next phase begins with the first period after it', async () => {
    const { shop, id } = await setUp()
    const end = new Date((await read(shop, id)).current_period_end)
    const until = new Date(end.getTime() + days(40)).toISOString()

    await plan(shop, id, [{ quantity: 2, until }, { quantity: 5 }])
    await pass(server, days(130))

    expect(await totalsOf(shop, id)).toEqual([1000, 2000, 2000, 5000, 5000])
  })

  test('begins after a trial, also where that ends at once', async () => {
    const { shop, id } = await setUp({ trial_interval: 'day', trial_interval_count: 14 })
    await plan(shop, id, [{ quantity: 2, periods: 1 }, { quantity: 3 }])

    await shop.patch(`/subscriptions/${id}`, { trial_end: 'now' })
    await pass(server, days(32))

    expect(await totalsOf(shop, id)).toEqual([0, 2000, 3000])
  })

  test('catches up one period after the other where the server stood still', async () => {
    const { shop, id } = await setUp()
    await plan(shop, id, [{ quantity: 2, periods: 2 }, { quantity: 3, periods: 1 }, { quantity: 4 }])

    server.clock.advance(days(150))
    await pass(server, minutes(5))

    expect((await totalsOf(shop, id)).slice(0, 6)).toEqual([1000, 2000, 2000, 3000, 4000])
  })

  test('waits while a payment is past due, and goes on after it', async () => {
    const { shop, id } = await setUp()
    await plan(shop, id, [{ quantity: 2, periods: 1 }, { quantity: 3 }])
    await setCard(server, shop, 'renewal_decline')
    await pass(server, days(32))
    const due = await read(shop, id)
    await setCard(server, shop, 'success')
    await pass(server, days(40))

    expect([due.status, due.quantity]).toEqual(['past_due', 2])
    expect((await totalsOf(shop, id)).slice(0, 3)).toEqual([1000, 2000, 3000])
  })

  test('ends with a cancellation, at the end of the period and now', async () => {
    const { shop, id } = await setUp()
    const other = await setUp()
    for (const each of [{ shop, id }, other]) await plan(each.shop, each.id, [{ quantity: 2 }])

    const canceled = await shop.patch(`/subscriptions/${id}`, { cancel_at_period_end: true })
    await shop.patch(`/subscriptions/${id}`, { cancel_at_period_end: false })
    const ended = await other.shop.delete(`/subscriptions/${other.id}`)
    await pass(server, days(32))

    expect([canceled.body.scheduled_phases, ended.body.scheduled_phases]).toEqual([0, 0])
    expect(await totalsOf(shop, id)).toEqual([1000, 1000])
    expect(await totalsOf(other.shop, other.id)).toEqual([1000])
  })

  test('is removed until its phases have begun; what has begun stays', async () => {
    const { shop, id } = await setUp()
    await plan(shop, id, [{ quantity: 2, periods: 1 }, { quantity: 3 }])
    await pass(server, days(32))

    const removed = await shop.delete(at(id))
    const again = await shop.delete(at(id))
    await pass(server, days(32))

    expect([removed.status, again.status]).toEqual([204, 204])
    expect(await totalsOf(shop, id)).toEqual([1000, 2000, 2000])
    expect((await shop.patch(`/subscriptions/${id}`, { quantity: 5 })).status).toBe(200)
  })

  test('replaces what a former one has planned', async () => {
    const { shop, id } = await setUp()
    await plan(shop, id, [{ quantity: 2, periods: 1 }, { quantity: 3 }])
    await pass(server, days(32))

    await plan(shop, id, [{ quantity: 7 }])
    await pass(server, days(32))

    expect(await totalsOf(shop, id)).toEqual([1000, 2000, 7000])
  })

  test('keeps the prices of the day on which it was set, though the product changes or is archived', async () => {
    const { shop, id, yearly } = await setUp()
    await plan(shop, id, [{ product_id: yearly }])
    await shop.patch(`/products/${yearly}`, { prices: [fixedPrice(90_000)] })
    await shop.patch(`/products/${yearly}`, { is_archived: true })
    await pass(server, days(32))

    expect(await totalsOf(shop, id)).toEqual([1000, 10_000])
  })

  test('begins a discount with its phase, and drops one that does not apply to its product', async () => {
    const { shop, id, team, yearly } = await setUp()
    const bound = await shop.discount({ basis_points: 1000, duration: 'forever', products: [team] })
    const once = await shop.discount({ basis_points: 2000, duration: 'once' })

    await plan(shop, id, [
      { discount_id: bound.id, periods: 2 },
      { discount_id: once.id, periods: 2 },
      { discount_id: bound.id, periods: 1 },
      { product_id: yearly },
    ])
    await pass(server, days(190))

    expect(await totalsOf(shop, id)).toEqual([1000, 900, 900, 800, 1000, 900, 10_000])
  })

  test.each([
    ['keeps', 4000],
    ['begins', undefined],
  ])('repeats no discount that is used up: one redemption is one term, which the subscription %s', async (_, had) => {
    const { shop, customer_id, team, id: former } = await setUp()
    await shop.delete(`/subscriptions/${former}`)
    const once = (await shop.discount({ basis_points: 5000, duration: 'once', max_redemptions: 1 })).id
    const given = { product_id: team, customer_id, ...(had && { discount_id: once }) }
    const begun = await shop.post('/subscriptions', given)
    const { id } = begun.body
    server.clock.advance(1000)

    const { status } = await plan(shop, id, [
      { discount_id: once, periods: 1 },
      { discount_id: once, periods: 1 },
      { discount_id: null, periods: 1 },
      { discount_id: once, periods: 2 },
      { discount_id: null },
    ])
    const shown: number[] = []
    for (let month = 0; month < 5; month += 1) {
      shown.push((await nextOrderOf(shop, id)).next_order.total_amount)
      await pass(server, days(31))
    }

    expect([begun.status, status]).toEqual([201, 200])
    const totals = await totalsOf(shop, id)
    expect(totals.slice(0, 6)).toEqual([...(had ? [500, 1000] : [1000, 500]), 1000, 1000, 1000, 1000])
    expect(shown).toEqual(totals.slice(1, 6))
    expect(await redemptionsOf(shop, once)).toBe(1)
  })

  test('goes on with the months of a discount, also after phases without it', async () => {
    const { shop, id, half } = await setUp()
    const months = (await shop.discount({ basis_points: 2000, duration: 'repeating', duration_in_months: 4 })).id

    await plan(shop, id, [
      { discount_id: months, periods: 2 },
      { discount_id: half, periods: 1 },
      { discount_id: months, periods: 3 },
      { discount_id: null },
    ])
    await pass(server, days(190))

    expect((await totalsOf(shop, id)).slice(0, 7)).toEqual([1000, 800, 800, 500, 800, 1000, 1000])
    expect(await redemptionsOf(shop, months)).toBe(1)
  })

  test('redeems its discounts when it is set, and gives them back when it is removed or replaced', async () => {
    const { shop, id, half } = await setUp()
    const single = (await shop.discount({ max_redemptions: 1, duration: 'forever' })).id

    await plan(shop, id, [{ discount_id: single, periods: 1 }, { discount_id: half }])
    const planned = [await redemptionsOf(shop, single), await redemptionsOf(shop, half)]
    const replaced = await plan(shop, id, [{ discount_id: single }])
    const afterwards = [await redemptionsOf(shop, single), await redemptionsOf(shop, half)]
    await shop.delete(at(id))

    expect(planned).toEqual([1, 1])
    expect(replaced.status).toBe(200)
    expect(afterwards).toEqual([1, 0])
    expect(await redemptionsOf(shop, single)).toBe(0)
  })

  test('refuses changes by hand, and a pause, until it is removed', async () => {
    const { shop, id, yearly, half } = await setUp()
    await plan(shop, id, [{ quantity: 2 }])

    const refused = [
      await shop.patch(`/subscriptions/${id}`, { product_id: yearly }),
      await shop.patch(`/subscriptions/${id}`, { quantity: 4 }),
      await shop.patch(`/subscriptions/${id}`, { discount_id: half }),
      await shop.post(`/subscriptions/${id}/preview`, { quantity: 4 }),
      await shop.post(`/subscriptions/${id}/preview`, { discount_id: half }),
      await shop.post(`/subscriptions/${id}/preview`, { pause: { at: 'period_end' } }),
      await shop.post(`/subscriptions/${id}/pause`, { at: 'now' }),
    ]

    for (const answer of refused) expect(refusal(answer)).toEqual([409, 'SubscriptionScheduled'])
    expect(await read(shop, id)).toMatchObject({ quantity: 1, discount_id: null, scheduled_phases: 1 })
  })

  test('set by two processes at once is one of the two, and its first phase begins once', async () => {
    const { shop, id } = await setUp()

    const answers = await Promise.all([plan(shop, id, [{ quantity: 2 }]), plan(shop, id, [{ quantity: 2 }])])
    await pass(server, days(32))

    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect(await totalsOf(shop, id)).toEqual([1000, 2000])
  })

  test('is told as a change of the subscription, in its events', async () => {
    const { shop, id } = await setUp()
    await plan(shop, id, [{ quantity: 2, periods: 1 }, { quantity: 3 }])

    const { body } = await shop.get(`/timeline?subscription_id=${id}&limit=1`)

    expect(body.items[0]).toMatchObject({ type: 'subscription.updated', data: { scheduled_phases: 2 } })
  })
})

describe('a schedule is refused', () => {
  test.each<[string, unknown[], string]>([
    ['without phases', [], 'phases'],
    ['with more than 20', Array.from({ length: 21 }, () => ({ periods: 1 })), 'phases'],
    ['where a phase has no end', [{ quantity: 2 }, {}], 'phases.0.periods'],
    ['where a phase has two', [{ periods: 1, until: '2090-01-01T00:00:00Z' }, {}], 'phases.0.periods'],
    ['where the last has one', [{ periods: 1 }, { periods: 2 }], 'phases.1.periods'],
    ['where a phase ends in the past', [{ until: '2020-01-01T00:00:00Z' }, {}], 'phases.0.until'],
    ['where no period is left of a phase', [{ periods: 0 }, {}], 'phases.0.periods'],
    ['with too many periods', [{ periods: 121 }, {}], 'phases.0.periods'],
    ['with a quantity of nothing', [{ quantity: 0 }], 'phases.0.quantity'],
    ['with too large a quantity', [{ quantity: 10_001 }], 'phases.0.quantity'],
    ['for an unknown product', [{ product_id: '00000000-0000-4000-8000-000000000000' }], 'phases.0.product_id'],
    ['for an unknown discount', [{ discount_id: '00000000-0000-4000-8000-000000000000' }], 'phases.0.discount_id'],
  ])('%s', async (_, phases, loc) => {
    const { shop, id } = await setUp()

    expect(wrongAt(await plan(shop, id, phases))).toBe(`422 ${loc}`)
    expect((await scheduleOf(shop, id)).phases).toEqual([])
  })

  test('for a moment after the years that it can plan, or before the first phase begins', async () => {
    const { shop, id } = await setUp()
    const later = (time: number) => new Date(ctx().clock.now().getTime() + time).toISOString()

    expect(wrongAt(await plan(shop, id, [{ until: later(days(5)) }, {}]))).toBe('422 phases.0.until')
    expect(wrongAt(await plan(shop, id, [{ until: later(days(12_000)) }, {}]))).toBe('422 phases.0.until')
    const twice = [{ until: later(days(90)) }, { until: later(days(80)) }, {}]
    expect(wrongAt(await plan(shop, id, twice))).toBe('422 phases.1.until')
  })

  test('for a product that is archived, sold once, foreign, in another currency or at a chosen amount', async () => {
    const { shop, id } = await setUp()
    const archived = await shop.product([fixedPrice(500)], 'month')
    await shop.patch(`/products/${archived}`, { is_archived: true })
    const once = await shop.product([fixedPrice(500)])
    const euro = await shop.product([{ ...fixedPrice(500), price_currency: 'eur' }], 'month')
    const chosen = await shop.product([{ amount_type: 'custom' }], 'month')
    const foreign = await (await createShop(server)).product([fixedPrice(500)], 'month')

    for (const product_id of [archived, once, euro, chosen, foreign])
      expect(wrongAt(await plan(shop, id, [{ periods: 1 }, { product_id }]))).toBe('422 phases.1.product_id')
  })

  test('for a discount that does not apply, is used up, or is of another seller', async () => {
    const { shop, id, yearly } = await setUp()
    const bound = await shop.discount({ products: [yearly] })
    const foreign = await (await createShop(server)).discount({})
    const over = await shop.discount({ ends_at: new Date(ctx().clock.now().getTime() + 1000).toISOString() })
    server.clock.advance(minutes(1))

    for (const { id: discount_id } of [bound, foreign, over])
      expect(wrongAt(await plan(shop, id, [{ discount_id }]))).toBe('422 phases.0.discount_id')
  })

  test('while another change waits, and for a subscription that does not go on', async () => {
    const { shop, id } = await setUp({ quantity: 3 })
    await shop.patch(`/subscriptions/${id}`, { quantity: 2 })
    const waiting = await plan(shop, id, [{ quantity: 4 }])
    await shop.patch(`/subscriptions/${id}`, { cancel_at_period_end: true })
    const ending = await plan(shop, id, [{ quantity: 4 }])
    await shop.delete(`/subscriptions/${id}`)
    const ended = await plan(shop, id, [{ quantity: 4 }])

    expect(refusal(waiting)).toEqual([409, 'SubscriptionChangePending'])
    expect(refusal(ending)).toEqual([403, 'AlreadyCanceledSubscription'])
    expect(refusal(ended)).toEqual([403, 'AlreadyCanceledSubscription'])
  })

  test('to another seller, and without the right to write', async () => {
    const { shop, id } = await setUp()
    await plan(shop, id, [{ quantity: 2 }])
    const other = await createTestMerchant(server)
    const reader = await createTestMerchant(server, ['subscriptions:read'])

    expect((await other.get(at(id))).status).toBe(404)
    expect((await other.put(at(id), { phases: [{}] })).status).toBe(404)
    expect((await other.delete(at(id))).status).toBe(404)
    expect((await reader.put(at(id), { phases: [{}] })).status).toBe(403)
    expect((await read(shop, id)).scheduled_phases).toBe(1)
  })
})
