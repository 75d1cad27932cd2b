import { afterAll, beforeAll, expect, test } from 'vitest'
import { days, hours } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { moveClock } from '../../dev/move-clock.ts'
import { violationsOfBooks } from '../books/books.service.ts'
import { createShop, fixedPrice, type Shop } from '../testing/shop.ts'

let server: TestServer
let shop: Shop
let monthly: string
let yearly: string
let onTrial: string
beforeAll(async () => {
  server = await createTestServer()
  shop = await createShop(server)
  monthly = await shop.product([fixedPrice(1000)], 'month')
  yearly = await shop.product([fixedPrice(10_000)], 'year')
  const month = { trial_interval: 'month', trial_interval_count: 1 }
  const plan = { name: 'With a trial', recurring_interval: 'month', prices: [fixedPrice(1000)] }
  onTrial = (await shop.post('/products', { ...plan, ...month })).body.id
})
afterAll(async () => {
  expect(await violationsOfBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})
const ctx = () => server.tollgate.internals.ctx
const moveTo = (text: string) => moveClock(ctx(), new Date(text))
/** Moves the clock at once, as a server sees it that was stopped meanwhile. */
const jumpTo = (text: string) => ctx().clock.advance(new Date(text).getTime() - ctx().clock.now().getTime())
const startsOf = (orders: readonly { begins: string }[]) => orders.map(({ begins }) => begins)

/** A subscription's orders with their own time and the start of their period, in the order of the periods. */
async function ordersOf(id: string) {
  const rows = await ctx()
    .db.selectFrom('order')
    .select(['createdAt', 'periodStart', 'periodEnd', 'totalAmount', 'status'])
    .where('subscriptionId', '=', id)
    .orderBy('periodStart')
    .execute()
  return rows.map(({ createdAt, periodStart, periodEnd, totalAmount, status }) => ({
    at: createdAt.toISOString(),
    begins: periodStart!.toISOString(),
    ends: periodEnd!.toISOString(),
    totalAmount,
    status,
  }))
}

async function subscribe(product: string): Promise<string> {
  return (await shop.buy(product)).order.subscription_id
}

/** The rows are in the order of the clock, which never goes back. */
const table: readonly [string, { product: () => string; from: string; until: string; starts: readonly string[] }][] = [
  [
    'from 31 January through a leap year, back to the 31st each time',
    {
      product: () => monthly,
      from: '2028-01-31T23:30:00.000Z',
      until: '2028-08-31T23:30:00.000Z',
      starts: ['01-31', '02-29', '03-31', '04-30', '05-31', '06-30', '07-31', '08-31'].map(
        (day) => `2028-${day}T23:30:00.000Z`,
      ),
    },
  ],
  [
    'over the end of summer time and of the year, at the same time in UTC',
    {
      product: () => monthly,
      from: '2028-09-29T01:30:00.000Z',
      until: '2029-03-29T01:30:00.000Z',
      // Clocks in Berlin change on 29 October and 25 March at 01:00 UTC.
      starts: ['2028-09-29', '2028-10-29', '2028-11-29', '2028-12-29', '2029-01-29', '2029-02-28', '2029-03-29'].map(
        (day) => `${day}T01:30:00.000Z`,
      ),
    },
  ],
  [
    'of a trial of a month that begins on 31 October: its last day is the anchor',
    {
      product: () => onTrial,
      from: '2029-10-31T12:00:00.000Z',
      until: '2030-03-01T00:00:00.000Z',
      starts: ['2029-10-31', '2029-11-30', '2029-12-30', '2030-01-30', '2030-02-28'].map(
        (day) => `${day}T12:00:00.000Z`,
      ),
    },
  ],
  [
    'of a year, from 29 February and back to it in the next leap year',
    {
      product: () => yearly,
      from: '2032-02-29T23:59:59.999Z',
      until: '2036-02-29T23:59:59.999Z',
      starts: ['2032-02-29', '2033-02-28', '2034-02-28', '2035-02-28', '2036-02-29'].map(
        (day) => `${day}T23:59:59.999Z`,
      ),
    },
  ],
]

test.each(table)('periods %s: each is billed once, at its own time', async (_, { product, from, until, starts }) => {
  jumpTo(from)
  const id = await subscribe(product())

  await moveTo(until)

  const orders = await ordersOf(id)
  expect(startsOf(orders)).toEqual(starts)
  expect(orders.map(({ at }) => at)).toEqual(starts)
  expect(orders.slice(0, -1).map(({ ends }) => ends)).toEqual(starts.slice(1))
  expect(orders.every(({ status }) => status === 'paid')).toBe(true)
  await shop.delete(`/subscriptions/${id}`)
})

test('a pause that ends on 31 January begins periods from the 31st, and bills nothing of the time between', async () => {
  jumpTo('2036-12-10T08:00:00.000Z')
  const id = await subscribe(monthly)
  await shop.post(`/subscriptions/${id}/pause`, { at: 'period_end', resumes_at: '2037-01-31T06:00:00.000Z' })

  await moveTo('2037-03-31T06:00:00.000Z')

  const orders = await ordersOf(id)
  expect(startsOf(orders)).toEqual([
    '2036-12-10T08:00:00.000Z',
    '2037-01-31T06:00:00.000Z',
    '2037-02-28T06:00:00.000Z',
    '2037-03-31T06:00:00.000Z',
  ])
  await shop.delete(`/subscriptions/${id}`)
})

test('fourteen months are fourteen renewals, each at its own time', async () => {
  jumpTo('2037-05-31T10:00:00.000Z')
  const id = await subscribe(monthly)

  await moveTo('2038-07-31T10:00:00.000Z')

  const orders = await ordersOf(id)
  expect(orders).toHaveLength(15)
  expect(
    orders.every(({ at, begins, totalAmount, status }) => at === begins && totalAmount === 1000 && status === 'paid'),
  ).toBe(true)
  expect(startsOf(orders).at(-1)).toBe('2038-07-31T10:00:00.000Z')
  await shop.delete(`/subscriptions/${id}`)
})

test('a server that stood still for three years bills each missed period once, with its own time (SUB-3, SUB-29)', async () => {
  jumpTo('2040-01-31T10:00:00.000Z')
  const id = await subscribe(monthly)

  jumpTo('2043-01-31T10:00:00.000Z')
  await Promise.all([ctx().jobs.runDue(), ctx().jobs.runDue()])

  const orders = await ordersOf(id)
  expect(orders).toHaveLength(37)
  expect(orders.every(({ at, begins }) => at === begins)).toBe(true)
  expect(new Set(startsOf(orders)).size).toBe(37)
  for (const [at, { begins }] of orders.entries()) if (at > 0) expect(begins).toBe(orders[at - 1]!.ends)
  await shop.delete(`/subscriptions/${id}`)
})

test('a clock that was moved back bills no period again, and misses none', async () => {
  jumpTo('2044-03-15T10:00:00.000Z')
  const id = await subscribe(monthly)
  await moveTo('2044-04-15T11:00:00.000Z')

  // A machine’s clock that ran ahead is set right.
  ctx().clock.advance(-days(20))
  await ctx().jobs.runDue()
  const back = (await ordersOf(id)).length
  await moveTo('2044-04-15T11:00:00.000Z')
  const again = (await ordersOf(id)).length
  await moveTo('2044-06-15T10:00:00.000Z')
  await moveClock(ctx(), new Date(ctx().clock.now().getTime() + hours(1)))

  expect([back, again]).toEqual([2, 2])
  expect(startsOf(await ordersOf(id))).toEqual(
    ['03', '04', '05', '06'].map((month) => `2044-${month}-15T10:00:00.000Z`),
  )
  await shop.delete(`/subscriptions/${id}`)
})
