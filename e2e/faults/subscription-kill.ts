import { expect, test } from 'vitest'
import { faultsInBooks } from '../../packages/server/src/features/billing/testing/books.ts'
import { createShop, fixedPrice, newBuyer, type Shop } from '../../packages/server/src/features/billing/testing/shop.ts'
import { cardholder } from '../../packages/server/src/features/billing/testing/subscribers.ts'
import { hours, minutes, standingClock, systemClock } from '../../packages/server/src/foundation/clock.ts'
import type { Db } from '../../packages/server/src/foundation/db/database.ts'
import { createTestServer, type TestServer } from '../../packages/server/src/testing.ts'
import type { FreshDatabase } from './databases.ts'
import type { KillPoints } from './kill-points.ts'
import { startServer } from './server-process.ts'
import { endLeases } from './state.ts'

const preload = new URL('./kill-at-statement.mjs', import.meta.url)
/** More than either request needs. */
const mostStatements = 130

/** A request that begins or changes a subscription, of a customer of its own. */
type Asked = {
  readonly customerId: string
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: object
}

/** What a customer has: subscriptions with their amounts, orders that cost something, and payments that took money. */
type State = { readonly subscriptions: readonly string[]; readonly paidOrders: number; readonly payments: number }

type Story = {
  readonly name: string
  /** Counting begins with the first statement that has this text. */
  readonly from: string
  readonly prepare: (server: TestServer, shop: Shop) => Promise<() => Promise<Asked>>
  readonly before: State
  readonly done: State
  /** What the request answers when it has been carried out before. */
  readonly again: number
}

const created: Story = {
  name: 'F-kill-create: killed at any statement of a new subscription, a server charges it once or not at all',
  from: 'insert into "subscription"',
  prepare: async (server, shop) => {
    const product_id = await shop.product([fixedPrice(1000)], 'month')
    return async () => {
      const customerId = await cardholder(server, shop)
      return { customerId, method: 'POST', path: '/subscriptions', body: { product_id, customer_id: customerId } }
    }
  },
  before: { subscriptions: ['canceled 100'], paidOrders: 1, payments: 1 },
  done: { subscriptions: ['active 1000', 'canceled 100'], paidOrders: 2, payments: 2 },
  again: 403,
}

const changed: Story = {
  name: 'F-kill-change: killed at any statement of a change that is paid at once, a server leaves the old plan or the new',
  from: 'insert into "subscription_change"',
  prepare: async (_, shop) => {
    const team = await shop.product([fixedPrice(1000)], 'month')
    const product_id = await shop.product([fixedPrice(3000)], 'month')
    return async () => {
      const { order } = await shop.buy(team, newBuyer())
      const body = { product_id, proration_behavior: 'invoice' }
      return { customerId: order.customer_id, method: 'PATCH', path: `/subscriptions/${order.subscription_id}`, body }
    }
  },
  before: { subscriptions: ['active 1000'], paidOrders: 1, payments: 1 },
  done: { subscriptions: ['active 3000'], paidOrders: 2, payments: 2 },
  again: 200,
}

/** What kill -9 in the middle of a paid beginning or change of a subscription must not do, on one database. */
export function subscriptionKillStory(
  freshDatabase: () => Promise<FreshDatabase>,
  { first, stride, named, timeout }: KillPoints,
): void {
  test.each([created, changed])(
    `$name (${named})`,
    async ({ from, prepare, before, done, again }) => {
      await using database = await freshDatabase()
      const { token, asked } = await withServer(database.url, async (server) => {
        const shop = await createShop(server)
        const ask = await prepare(server, shop)
        const all: Asked[] = []
        for (let at = first; at < mostStatements + stride; at += stride) all.push(await ask())
        return { token: shop.token, asked: all }
      })

      const answers: number[] = []
      for (const [at, one] of asked.entries()) {
        const env = { FAULT_FROM: from, FAULT_STATEMENT: String(first + at * stride) }
        await using server = await startServer({ databaseUrl: database.url, preload, env })
        answers.push(await send(server.baseURL, token, one))
        if (answers.at(-1) === 0) expect(await server.exited).toMatchObject({ signal: 'SIGKILL' })
        if (answers.at(-1) !== 0) break
      }

      const killed = asked.slice(0, answers.length - 1)
      expect(answers).toEqual([...killed.map(() => 0), before.subscriptions[0] === 'canceled 100' ? 201 : 200])
      expect(killed.length).toBeGreaterThan(2)
      await endLeases(database.url)
      await withServer(database.url, async (server) => {
        const { db, jobs } = server.tollgate.internals.ctx
        const rest = async () => {
          for (const step of [minutes(2), minutes(10), hours(2)]) {
            server.clock.advance(step)
            await jobs.runDue()
          }
          expect(await faultsInBooks(db)).toEqual([])
        }
        const ask = (one: Asked) => askHere(server, token, one)

        // The seller sees no answer and asks at once, while the payment of the killed request may be under way.
        for (const one of killed.filter((_, at) => at % 2 === 0)) expect([200, 201, 403, 409]).toContain(await ask(one))
        await rest()
        for (const { customerId } of killed) expect([before, done]).toContainEqual(await stateOf(db, customerId))

        for (const one of killed) {
          const isDone = (await stateOf(db, one.customerId)).paidOrders === done.paidOrders
          expect(await ask(one)).toBe(isDone ? again : answers.at(-1))
        }
        await rest()
        for (const { customerId } of asked.slice(0, answers.length)) expect(await stateOf(db, customerId)).toEqual(done)
      })
    },
    timeout,
  )
}

/** The status of a request, 0 where the server was gone before its answer. */
async function send(baseURL: string, token: string, { method, path, body }: Asked): Promise<number> {
  try {
    const response = await fetch(`${baseURL}/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(40_000),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

async function askHere(server: TestServer, token: string, { method, path, body }: Asked): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await server.visitor().request(method, `/v1${path}`, { headers, body })).status
}

async function stateOf(db: Db, customerId: string): Promise<State> {
  const subscriptions = await db
    .selectFrom('subscription')
    .select(['status', 'amount'])
    .where('customerId', '=', customerId)
    .where('status', '<>', 'incomplete_expired')
    .execute()
  const orders = await db
    .selectFrom('order')
    .select('id')
    .where('customerId', '=', customerId)
    .where('status', '=', 'paid')
    .where('totalAmount', '>', 0)
    .execute()
  const payments = await db
    .selectFrom('payment')
    .select('id')
    .where('customerId', '=', customerId)
    .where('status', '=', 'succeeded')
    .execute()
  return {
    subscriptions: subscriptions.map(({ status, amount }) => `${status} ${amount}`).sort(),
    paidOrders: orders.length,
    payments: payments.length,
  }
}

/** A server of the test's own on the database, for as long as the work takes. */
async function withServer<T>(url: string, work: (server: TestServer) => Promise<T>): Promise<T> {
  await using server = await createTestServer({}, { databaseUrl: url, clock: standingClock(systemClock.now()) })
  return await work(server) // the server stays until then
}
