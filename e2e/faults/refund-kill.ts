import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { faultsInBooks } from '../../packages/server/src/features/billing/testing/books.ts'
import { createShop, fixedPrice, type Shop } from '../../packages/server/src/features/billing/testing/shop.ts'
import { days, hours, minutes, standingClock, systemClock } from '../../packages/server/src/foundation/clock.ts'
import { createTestServer, type TestServer } from '../../packages/server/src/testing.ts'
import { freePort } from '../../testing/free-port.ts'
import type { FreshDatabase } from './databases.ts'
import type { KillPoints } from './kill-points.ts'
import { startServer, until } from './server-process.ts'
import { endLeases } from './state.ts'

const preload = new URL('./kill-at-statement.mjs', import.meta.url)
const price = 1000
const part = 400

/** An order that was paid, and what may give it back. */
type Paid = { readonly id: string; readonly token: string }

/**
 * What kill -9 in the middle of a refund must not do, on one database (security, F-kill-refund).
 */
export function refundKillStory(
  freshDatabase: () => Promise<FreshDatabase>,
  { first, stride, moments, named, timeout }: KillPoints,
): void {
  test(
    `F-kill-refund: killed at any statement of a refund, a server leaves nothing half done (${named})`,
    async () => {
      await using database = await freshDatabase()
      const orders = await sell(database.url, Math.ceil(110 / stride))
      const next = orders.values()

      const answers: number[] = []
      for (let statement = first; answers.at(-1) !== 200; statement += stride) {
        const order = next.next().value
        if (!order) throw new Error('The refund never came to its end')
        await using server = await startServer({
          databaseUrl: database.url,
          preload,
          env: { FAULT_FROM: 'insert into "refund"', FAULT_STATEMENT: String(statement) },
        })
        answers.push(await refund(server.baseURL, order, price))
        if (answers.at(-1) === 0) expect(await server.exited).toMatchObject({ signal: 'SIGKILL' })
      }

      expect(answers.length).toBeGreaterThan(3)
      expect(new Set(answers)).toEqual(new Set([0, 200]))
      await allEnd(database.url, orders)
    },
    timeout,
  )

  test(
    `F-kill-refund: killed ${moments} times at random moments of parallel refunds, nothing is given back twice, or lost`,
    async () => {
      await using database = await freshDatabase()
      const port = await freePort()
      const orders = await sell(database.url, moments * 6)
      let answered = 0
      for (let round = 0; round < moments; round += 1) {
        await using server = await startServer({ databaseUrl: database.url, port })
        const before = answered
        const sellers = orders.slice(round * 6, round * 6 + 6).map(async (order) => {
          // Twice, like a user who sees no answer, and once more than is left.
          for (const status of await Promise.all(
            [part, part, part].map((amount) => refund(server.baseURL, order, amount)),
          ))
            if (status > 0) answered += 1
        })
        await until('a refund of the round', 20_000, () => answered > before)
        await wait(randomInt(0, 40))
        await server.end('SIGKILL')
        await Promise.all(sellers)
      }

      await allEnd(database.url, orders)
    },
    timeout,
  )
}

/** Paid orders, by cards that give back at once, later, or not at all. */
function sell(url: string, count: number): Promise<Paid[]> {
  return withServer(url, async (server) => {
    const shop: Shop = await createShop(server)
    const course = await shop.product([fixedPrice(price)])
    const cards = ['success', 'refund_pending', 'success', 'refund_fails_later']
    const orders: Paid[] = []
    for (let index = 0; index < count; index += 1) {
      const token = `ctoken_sandbox_${cards[index % cards.length]}`
      const { order } = await shop.buy(course, { confirmation_token_id: token })
      orders.push({ id: order.id, token: shop.token })
    }
    return orders
  })
}

/** The status of a refund, 0 when the server was gone before its answer. */
async function refund(baseURL: string, { id, token }: Paid, amount: number): Promise<number> {
  try {
    const response = await fetch(`${baseURL}/v1/refunds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ order_id: id, reason: 'other', amount }),
      signal: AbortSignal.timeout(40_000),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

/**
 * Lets what was left under way come to its end, as it does where a server goes on running: then nothing is half done, and
 * everything that is left can be given back.
 */
async function allEnd(url: string, orders: readonly Paid[]): Promise<void> {
  await endLeases(url)
  await withServer(url, async (server) => {
    const { ctx } = server.tollgate.internals
    const later = async () => {
      for (const step of [minutes(2), minutes(10), hours(2), days(2)]) {
        server.clock.advance(step)
        await ctx.jobs.runDue()
      }
      expect(await faultsInBooks(ctx.db)).toEqual([])
    }
    await later()
    const left = await ctx.db
      .selectFrom('order')
      .select(['id', 'netAmount', 'refundedAmount'])
      .where('status', '!=', 'refunded')
      .execute()
    const token = orders[0]?.token ?? ''
    for (const { id, netAmount, refundedAmount } of left) {
      const { status } = await server.visitor().request('POST', '/v1/refunds', {
        headers: { authorization: `Bearer ${token}` },
        body: { order_id: id, reason: 'other', amount: netAmount - refundedAmount },
      })
      expect(status).toBe(200)
    }
    await later()
    expect(server.logs.filter((line) => line.includes('"level":50'))).toEqual([])
  })
}

/** A server of the test's own on the database, for as long as the work takes. */
async function withServer<T>(url: string, work: (server: TestServer) => Promise<T>): Promise<T> {
  await using server = await createTestServer({}, { databaseUrl: url, clock: standingClock(systemClock.now()) })
  return await work(server) // the server stays until then
}
