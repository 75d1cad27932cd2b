import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { days } from '../../../foundation/clock.ts'
import { openDatabase } from '../../../foundation/db/database.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { createShop, fixedPrice, newBuyer, type Shop } from '../testing/shop.ts'
import { pass } from '../testing/time.ts'
import { revenueStatement } from './subscription.repository.ts'

let server: TestServer
let shop: Shop
/** Products by name. */
let sold: { [name in 'monthly' | 'yearly' | 'euros' | 'failing' | 'tried']: string }

const buy = async (product: string, card = 'success') => {
  const { order } = await shop.buy(product, { ...newBuyer(), confirmation_token_id: `ctoken_sandbox_${card}` })
  return order?.subscription_id as string
}
const subscribe = (trial: object, product: string) =>
  shop.post('/products', {
    name: product,
    recurring_interval: 'month',
    prices: [fixedPrice(7000)],
    ...trial,
  })

/** Monthly: one runs, one ends with its period, one is over, one is paused. Yearly: two; failing: one past due. */
beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
  sold = {
    monthly: await shop.product([fixedPrice(1000)], 'month', 'Monthly'),
    yearly: await shop.product([fixedPrice(10_003)], 'year', 'Yearly'),
    euros: await shop.product([{ ...fixedPrice(500), price_currency: 'eur' }], 'month', 'Euros'),
    failing: await shop.product([fixedPrice(300)], 'month', 'Failing'),
    tried: (await subscribe({ trial_interval: 'month', trial_interval_count: 6 }, 'Tried')).body.id,
  }
  await buy(sold.failing, 'renewal_decline')
  await pass(server, days(32))
  await buy(sold.monthly)
  const ending = await buy(sold.monthly)
  const over = await buy(sold.monthly)
  const paused = await buy(sold.monthly)
  await buy(sold.yearly)
  await buy(sold.yearly)
  await buy(sold.euros)
  await buy(sold.tried)
  await shop.patch(`/subscriptions/${ending}`, { cancel_at_period_end: true })
  await shop.patch(`/subscriptions/${over}`, { revoke: true })
  await shop.post(`/subscriptions/${paused}/pause`, { at: 'now' })
})
afterAll(() => server[Symbol.asyncDispose]())

const revenue = async (query = '') => {
  const { status, text, body } = await shop.get(`/subscriptions/recurring-revenue${query}`)
  if (status !== 200) throw new Error(text)
  return body.items.map((one: { currency: string; monthly_recurring_revenue: number; subscriptions_count: number }) => [
    one.currency,
    one.monthly_recurring_revenue,
    one.subscriptions_count,
  ])
}

test('is what is charged in a month in each currency: a year counts a twelfth, rounded once', async () => {
  // 2 × 1000 monthly, 2 × 10,003 yearly, 300 past due; what is over, paused or on trial charges nothing.
  expect(await revenue()).toEqual([
    ['usd', 2000 + Math.round((2 * 10_003) / 12) + 300, 5],
    ['eur', 500, 1],
  ])
})

test.each([
  [() => '?status=past_due', [['usd', 300, 1]]],
  [() => '?status=past_due&status=canceled', [['usd', 300, 1]]],
  [() => '?status=trialing', []],
  [() => `?product_id=${sold.yearly}`, [['usd', 1667, 2]]],
  [() => '?cancel_at_period_end=true', [['usd', 1000, 1]]],
  [
    () => `?active=true&product_id=${sold.monthly}&product_id=${sold.euros}`,
    [
      ['usd', 2000, 2],
      ['eur', 500, 1],
    ],
  ],
  [() => '?created_before=2000-01-01T00:00:00Z', []],
])('follows the filters of the list: %s', async (query, expected) => {
  expect(await revenue(query())).toEqual(expected)
})

test('due are those that go on by themselves, with a period that begins in so many days', async () => {
  const due = async (count: number) => {
    const { body } = await shop.get(`/subscriptions?renews_within_days=${count}&limit=100`)
    return body.items.map(({ product }: { product: { name: string } }) => product.name).toSorted()
  }

  expect(await due(20)).toEqual([])
  expect(await due(31)).toEqual(['Euros', 'Monthly'])
  expect(await due(366)).toEqual(['Euros', 'Monthly', 'Tried', 'Yearly', 'Yearly'])
  expect(await revenue('?renews_within_days=31')).toEqual([
    ['eur', 500, 1],
    ['usd', 1000, 1],
  ])
  expect((await shop.get('/subscriptions?renews_within_days=-1')).status).toBe(422)
})

test('past due ones are sorted by how long they wait', async () => {
  const { body } = await shop.get('/subscriptions?status=past_due&sorting=past_due_at')
  expect(body.items.map(({ product }: { product: { name: string } }) => product.name)).toEqual(['Failing'])
})

test('of another seller is not seen', async () => {
  const other = await createShop(server)
  const { body } = await other.get('/subscriptions/recurring-revenue')
  expect(body).toEqual({ items: [] })
})

test('one index has all of it: no row is read', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-revenue-'))
  const url = `sqlite:${path.join(folder, 'plan.db')}`
  try {
    await using _ = await createTestServer({}, { databaseUrl: url })
    const { lists, close } = openDatabase(url)
    const plainly = new DatabaseSync(path.join(folder, 'plan.db'))
    const planOf = (query: object) => {
      const { sql, parameters } = revenueStatement(lists, 'org', query, new Date(0)).compile()
      return plainly
        .prepare(`explain query plan ${sql}`)
        .all(...(parameters as string[]))
        .map(({ detail }) => detail)
        .filter((detail) => /subscription/.test(String(detail)))
    }

    const index = expect.stringMatching(
      /^SEARCH subscription USING COVERING INDEX subscription_revenue \(organization_id=\? AND status=\?\)/,
    )
    expect(planOf({})).toEqual([index])
    expect(planOf({ status: ['past_due'] })).toEqual([index])
    expect(planOf({ active: true, cancelAtPeriodEnd: true })).toEqual([index])
    plainly.close()
    await close()
  } finally {
    await rm(folder, { recursive: true })
  }
})
