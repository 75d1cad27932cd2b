import { expect, test } from 'vitest'
import { faultsInBooks } from '../../packages/server/src/features/billing/testing/books.ts'
import { createShop, fixedPrice } from '../../packages/server/src/features/billing/testing/shop.ts'
import { after, days, standingClock, systemClock } from '../../packages/server/src/foundation/clock.ts'
import { createTestServer } from '../../packages/server/src/testing.ts'
import type { FreshDatabase } from './databases.ts'
import type { KillPoints } from './kill-points.ts'
import { expectRenewedOnce, subscribeMany } from './many-renewals.ts'
import { spawnServer, startServer, statusOf, until } from './server-process.ts'
import { endLeases, lookInto } from './state.ts'

const preload = new URL('./kill-at-statement.mjs', import.meta.url)

/** Subscriptions by what becomes of them; those that change do so with a renewal. */
type Begun = {
  readonly renews: string
  readonly changes: string
  /** Doubles, and is three times as much from the period after. */
  readonly scheduled: string
  /** Gets the new price of its product. */
  readonly repriced: string
  readonly unpaid: string
  readonly larger: string
}

/** What kill -9 in the middle of renewals, changes and retries must not do, on one database. */
export function renewalKillStory(
  freshDatabase: () => Promise<FreshDatabase>,
  { first, stride, named, timeout }: KillPoints,
): void {
  test(
    `F-kill-renewal: killed again and again in two months of renewals, a server goes on, and bills each period once (${named})`,
    async () => {
      await using database = await freshDatabase()
      const begun = await subscribe(database.url)

      const target = after(systemClock.now(), days(60)).toISOString()
      const ends: string[] = []
      for (let statement = first; ends.at(-1) !== 'done'; statement += stride)
        ends.push(await live(database.url, statement, target))
      await comeToRest(database.url, target)

      expect(ends.length).toBeGreaterThan(1)
      await expectBilledOnce(database.url, begun)
    },
    timeout,
  )
}

/** Subscriptions that all renew at one moment; RENEWALS=1000 takes some minutes. */
const many = Number(process.env.RENEWALS ?? 40)

/** The same with many renewals between one kill and the next, of subscriptions that all fall due together. */
export function manyRenewalsKillStory(
  freshDatabase: () => Promise<FreshDatabase>,
  { first, stride, named, timeout }: KillPoints,
): void {
  test(
    `F-kill-renewal: killed again and again among ${many} renewals, a server bills each period once (${named})`,
    async () => {
      await using database = await freshDatabase()
      await subscribeMany(database.url, many)

      const target = after(systemClock.now(), days(32)).toISOString()
      const ends: string[] = []
      for (let statement = first; ends.at(-1) !== 'done'; statement += stride)
        ends.push(await live(database.url, statement, target))
      await comeToRest(database.url, target)

      expect(ends.length).toBeGreaterThan(1)
      await expectRenewedOnce(database.url, { subscriptions: many, renewals: 1 })
    },
    timeout + many * 1000,
  )
}

async function subscribe(databaseUrl: string): Promise<Begun> {
  await using server = await createTestServer({}, { databaseUrl, clock: standingClock(systemClock.now()) })
  const shop = await createShop(server)
  const [plan, larger] = [
    await shop.product([fixedPrice(1000)], 'month'),
    await shop.product([fixedPrice(3000)], 'month'),
  ]
  const dearer = await shop.product([fixedPrice(1000)], 'month')
  const buy = async (card: string, product = plan): Promise<string> =>
    (await shop.buy(product, { confirmation_token_id: `ctoken_sandbox_${card}` })).order.subscription_id
  const begun = {
    renews: await buy('success'),
    changes: await buy('success'),
    scheduled: await buy('success'),
    repriced: await buy('success', dearer),
    unpaid: await buy('renewal_decline'),
    larger,
  }
  const change = { product_id: larger, proration_behavior: 'next_period' }
  expect((await shop.patch(`/subscriptions/${begun.changes}`, change)).status).toBe(200)
  const phases = [{ quantity: 2, periods: 1 }, { quantity: 3 }]
  expect((await shop.put(`/subscriptions/${begun.scheduled}/schedule`, { phases })).status).toBe(200)
  await shop.patch(`/products/${dearer}`, { prices: [fixedPrice(1500)] })
  const starts_at = after(server.clock.now(), days(1)).toISOString()
  const priceChange = { product_id: dearer, starts_at, notice_days: 0 }
  expect((await shop.post('/price-changes', priceChange)).status).toBe(201)
  await server.tollgate.internals.ctx.jobs.runDue()
  return begun
}

/** Runs a server until it is killed at a statement, or its clock has come to a time; it goes on where the one before was. */
async function live(databaseUrl: string, statement: number, now: string): Promise<'killed' | 'done'> {
  await endLeases(databaseUrl)
  await using server = await spawnServer({
    databaseUrl,
    preload,
    env: { FAULT_FROM: '"next_action_at" <= ', FAULT_STATEMENT: String(statement) },
  })
  const hasEnded = () => server.child.exitCode !== null || server.child.signalCode !== null
  await until('a server that is ready, or killed', 30_000, async () => {
    return hasEnded() || (await statusOf(`${server.baseURL}/api/health/ready`)) === 200
  })
  const isDone = await moveClock(server.baseURL, { now })
  if (!isDone) expect(await server.exited).toMatchObject({ signal: 'SIGKILL' })
  return isDone ? 'done' : 'killed'
}

/** Whether the server has answered; one that died has not. */
async function moveClock(baseURL: string, to: { now: string } | { advance: string }): Promise<boolean> {
  try {
    const headers = { 'content-type': 'application/json', origin: baseURL }
    const answer = await fetch(`${baseURL}/dev/clock`, { method: 'POST', headers, body: JSON.stringify(to) })
    await answer.arrayBuffer()
    return true
  } catch {
    return false
  }
}

/** Finishes what the killed servers have left, as a running one does. */
async function comeToRest(databaseUrl: string, now: string): Promise<void> {
  await endLeases(databaseUrl)
  await using server = await startServer({ databaseUrl })
  await moveClock(server.baseURL, { now })
  expect(await moveClock(server.baseURL, { advance: 'PT3H' })).toBe(true)
}

async function expectBilledOnce(databaseUrl: string, begun: Begun): Promise<void> {
  const { renews, changes, scheduled, repriced, unpaid, larger } = begun
  await lookInto(databaseUrl, async ({ db }) => {
    expect(await faultsInBooks(db)).toEqual([])
    const ordersOf = async (id: string) => {
      const orders = db.selectFrom('order').selectAll().where('subscriptionId', '=', id).orderBy('periodStart')
      return orders.execute()
    }
    const subscriptionOf = (id: string) =>
      db.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    for (const [id, priceOf] of [
      [renews, () => 1000],
      [changes, () => 3000],
      [scheduled, (renewal: number) => (renewal === 0 ? 2000 : 3000)],
      [repriced, () => 1500],
    ] as const) {
      const orders = await ordersOf(id)
      const { currentPeriodEnd, currentPeriodStart, status } = await subscriptionOf(id)
      expect(status).toBe('active')
      expect(orders.map(({ totalAmount, status: paid }) => [totalAmount, paid])).toEqual([
        [1000, 'paid'],
        ...orders.slice(1).map((_, renewal) => [priceOf(renewal), 'paid']),
      ])
      expect(orders.length).toBeGreaterThan(1)
      expect(orders.at(-1)).toMatchObject({ periodStart: currentPeriodStart, periodEnd: currentPeriodEnd })
      for (const [at, order] of orders.entries()) {
        if (at > 0) expect(order.periodStart).toEqual(orders[at - 1]!.periodEnd)
        if (at > 0) expect(order.createdAt).toEqual(order.periodStart)
        const payments = await db.selectFrom('payment').select('status').where('orderId', '=', order.id).execute()
        expect(payments).toEqual([{ status: 'succeeded' }])
      }
    }
    expect((await subscriptionOf(changes)).productId).toBe(larger)
    const notices = await db.selectFrom('priceChangeNotice').select(['subscriptionId', 'status']).execute()
    expect(notices).toEqual([{ subscriptionId: repriced, status: 'applied' }])
    const [, renewal, ...more] = await ordersOf(unpaid)
    expect([(await subscriptionOf(unpaid)).status, renewal?.status, more]).toEqual(['canceled', 'void', []])
    const tries = await db.selectFrom('payment').select('status').where('orderId', '=', renewal!.id).execute()
    expect(tries).toEqual(Array(5).fill({ status: 'failed' }))
  })
}
