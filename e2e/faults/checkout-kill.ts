import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { faultsInBooks } from '../../packages/server/src/features/billing/testing/books.ts'
import {
  createShop,
  fixedPrice,
  newBuyer,
  type OpenCheckout,
  type Shop,
} from '../../packages/server/src/features/billing/testing/shop.ts'
import { after, hours, minutes, standingClock, systemClock } from '../../packages/server/src/foundation/clock.ts'
import { createTestServer, type TestServer } from '../../packages/server/src/testing.ts'
import { freePort } from '../../testing/free-port.ts'
import type { FreshDatabase } from './databases.ts'
import type { KillPoints } from './kill-points.ts'
import { startServer, until } from './server-process.ts'
import { endLeases } from './state.ts'

const preload = new URL('./kill-at-statement.mjs', import.meta.url)

/**
 * What kill -9 in the middle of a purchase must not do, on one database (security, F-kill-checkout).
 */
export function checkoutKillStory(
  freshDatabase: () => Promise<FreshDatabase>,
  { first, stride, moments, named, timeout }: KillPoints,
): void {
  test(
    `F-kill-checkout: killed at any statement of a purchase, a server leaves nothing half done (${named})`,
    async () => {
      await using database = await freshDatabase()
      const checkouts: OpenCheckout[] = []
      const { code, next } = await withShop(database.url, systemClock.now(), async (shop) => {
        const plan = await shop.product([fixedPrice(1900)], 'month')
        const discount = await shop.discount({ duration: 'forever' })
        // More than are needed to walk through the statements of a purchase.
        for (let count = 0; count * stride < 330; count += 1) checkouts.push(await shop.checkout(plan))
        return { code: discount.code, next: checkouts.values() }
      })

      const answers: number[] = []
      for (let statement = first; answers.at(-1) !== 200; statement += stride) {
        const checkout = next.next().value
        if (!checkout) throw new Error('The purchase never came to its end')
        await using server = await startServer({
          databaseUrl: database.url,
          preload,
          env: { FAULT_FROM: '"client_secret_hash" = ', FAULT_STATEMENT: String(statement) },
        })
        answers.push(await confirm(server.baseURL, checkout, { discount_code: code }))
        if (answers.at(-1) === 0) expect(await server.exited).toMatchObject({ signal: 'SIGKILL' })
      }

      expect(answers.length).toBeGreaterThan(4)
      expect(new Set(answers)).toEqual(new Set([0, 200]))
      await allEnd(database.url, checkouts.slice(0, answers.length))
    },
    timeout,
  )

  test(
    `F-kill-checkout: a server killed ${moments} times during parallel purchases charges each order once, and keeps no charge without an order`,
    async () => {
      await using database = await freshDatabase()
      const port = await freePort()
      const paid: OpenCheckout[] = []
      const begun: OpenCheckout[] = []
      const { offered, code } = await withShop(database.url, systemClock.now(), async (shop) => {
        const products = [await shop.product([fixedPrice(1900)], 'month'), await shop.product([fixedPrice(700)])]
        const made: OpenCheckout[] = []
        for (let count = 0; count < moments * 40; count += 1) made.push(await shop.checkout(products[count % 2]!))
        return { offered: made.values(), code: (await shop.discount({ duration: 'once' })).code }
      })
      const tokens = ['success', 'success', 'decline', 'requires_action']
      for (let round = 0; round < moments; round += 1) {
        await using server = await startServer({ databaseUrl: database.url, port })
        const before = begun.length
        const buyers = Array.from({ length: 6 }, async (_, index) => {
          for (let checkout = offered.next().value; checkout; checkout = offered.next().value) {
            const token = tokens[index % tokens.length]
            const given = {
              confirmation_token_id: `ctoken_sandbox_${token}`,
              ...(index % 2 && { discount_code: code }),
            }
            const buyer = newBuyer()
            // Twice, like a buyer who sees no answer.
            const twice = [1, 2].map(() => confirm(server.baseURL, checkout, { ...buyer, ...given }))
            const answered = await Promise.all(twice)
            begun.push(checkout)
            if (token === 'success' && answered.includes(200)) paid.push(checkout)
            if (answered.includes(0)) return
          }
        })
        await until('a purchase of the round', 20_000, () => begun.length > before + 6)
        await wait(randomInt(0, 120))
        await server.end('SIGKILL')
        await Promise.all(buyers)
      }

      expect(paid.length).toBeGreaterThan(moments)
      await allEnd(database.url, begun, paid)
    },
    timeout,
  )
}

/** The status of a confirmation, 0 when the server was gone before its answer. */
async function confirm(baseURL: string, { client_secret }: OpenCheckout, given: object): Promise<number> {
  const body = { ...newBuyer(), confirmation_token_id: 'ctoken_sandbox_success', ...given }
  try {
    const response = await fetch(`${baseURL}/v1/checkouts/client/${client_secret}/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: baseURL },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(40_000),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

/**
 * Finishes the work that the kill left, as a running server does. Afterwards nothing is half done, every confirmed purchase
 * exists, and other buyers can still buy.
 */
async function allEnd(url: string, checkouts: OpenCheckout[], paid: OpenCheckout[] = []): Promise<void> {
  await endLeases(url)
  const now = systemClock.now()
  await withShop(url, now, async (shop, server) => {
    const { ctx } = server.tollgate.internals
    for (const step of [minutes(2), minutes(3), minutes(10)]) {
      server.clock.advance(step)
      await ctx.jobs.runDue()
    }
    // Payments that wait for their buyers are not waited for: each is confirmed, or its buyer never comes back.
    for (const [index, { id }] of (await waiting(server)).entries()) {
      const attempt = await ctx.payments.sandbox.look(id)
      if (attempt?.status === 'requires_action' && index % 2 === 0)
        await ctx.payments.sandbox.completeAction(attempt.clientSecret!, 'succeed') // sealed under the same SECRET
    }
    await ctx.jobs.runDue()
    server.clock.advance(hours(25))
    await ctx.jobs.runDue()
    expect(await faultsInBooks(ctx.db)).toEqual([])

    const states = new Map(
      (await ctx.db.selectFrom('checkout').select(['id', 'status']).execute()).map((row) => [row.id, row.status]),
    )
    expect(paid.filter(({ id }) => states.get(id) !== 'succeeded')).toEqual([])
    expect(checkouts.filter(({ id }) => !['succeeded', 'open', 'expired'].includes(states.get(id)!))).toEqual([])
    // They have expired meanwhile, which this test is not about.
    const left = checkouts.filter(({ id }) => states.get(id) !== 'succeeded').slice(0, 10)
    const expiresAt = after(server.clock.now(), hours(1))
    await ctx.transaction((tx) =>
      tx
        .updateTable('checkout')
        .set({ expiresAt, status: 'open' })
        .where('status', 'in', ['open', 'expired'])
        .execute(),
    )
    for (const checkout of left) expect((await shop.confirm(checkout)).status).toBe(200)
    await ctx.jobs.runDue()
    expect(await faultsInBooks(ctx.db)).toEqual([])
    expect(server.logs.filter((line) => line.includes('"level":50'))).toEqual([])
  })
}

const waiting = (server: TestServer) =>
  server.tollgate.internals.ctx.db.selectFrom('payment').select('id').where('status', '=', 'pending').execute()

/** A server of the test's own on the database, for as long as the work takes. */
async function withShop<T>(url: string, now: Date, work: (shop: Shop, server: TestServer) => Promise<T>): Promise<T> {
  await using server = await createTestServer({}, { databaseUrl: url, clock: standingClock(now) })
  return await work(await createShop(server), server) // the server stays until then
}
