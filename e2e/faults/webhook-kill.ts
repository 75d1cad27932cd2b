import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createShop, fixedPrice } from '../../packages/server/src/features/billing/testing/shop.ts'
import { openSink, type Sink } from '../../packages/server/src/features/billing/testing/sink.ts'
import { endpointJob } from '../../packages/server/src/features/billing/webhooks/fan-out.service.ts'
import { standingClock, systemClock } from '../../packages/server/src/foundation/clock.ts'
import { callFor } from '../../packages/server/src/foundation/jobs.ts'
import { createTestServer } from '../../packages/server/src/testing.ts'
import type { FreshDatabase } from './databases.ts'
import type { KillPoints } from './kill-points.ts'
import { spawnServer, startServer, until } from './server-process.ts'
import { endLeases, lookInto } from './state.ts'

const preload = new URL('./kill-at-statement.mjs', import.meta.url)

/**
 * What kill -9 in the middle of a delivery must not do, on one database (security, F-kill-hook): before something is sent,
 * and after it, before it is written down.
 */
export function webhookKillStory(
  freshDatabase: () => Promise<FreshDatabase>,
  { first, stride, moments, named, timeout }: KillPoints,
): void {
  test(
    `F-kill-hook: killed at any statement of a delivery, a server loses no event (${named})`,
    async () => {
      await using database = await freshDatabase()
      await using sink = await openSink()
      const events = await happen(database.url, sink, 110)

      let kills = 0
      for (let statement = first; (await pending(database.url)) > 0; statement += stride) {
        // Its jobs begin with it, and it may end before it is ready.
        await using server = await spawnServer({
          databaseUrl: database.url,
          preload,
          env: { FAULT_FROM: '"webhook_message"', FAULT_STATEMENT: String(statement) },
        })
        const ended = await Promise.race([server.exited, allSent(database.url, sink, events)])
        if (ended !== undefined) {
          expect(ended.signal).toBe('SIGKILL')
          kills += 1
        }
        await endLeases(database.url)
      }

      expect(kills).toBeGreaterThan(1)
      expectNoneLost(sink, events)
    },
    timeout,
  )

  test(
    `F-kill-hook: killed ${moments} times at random moments, a server resends every event without a recorded receipt, under the same id`,
    async () => {
      await using database = await freshDatabase()
      await using sink = await openSink()
      // A receiver that takes its time: most kills come while it does.
      sink.answer('/', async () => {
        await wait(20)
        return 204
      })
      const events = await happen(database.url, sink, moments * 40)
      for (let round = 0; round < moments; round += 1) {
        await using server = await startServer({ databaseUrl: database.url })
        const before = sink.received.length
        await until('a delivery of the round', 20_000, () => sink.received.length > before + 2)
        await wait(randomInt(0, 200))
        await server.end('SIGKILL')
        await endLeases(database.url)
      }
      await using server = await startServer({ databaseUrl: database.url })
      await allSent(database.url, sink, events)

      expect(server.output()).not.toContain('"level":50')
      // Some were on their way when their server died.
      expect(sink.received.length).toBeGreaterThan(events.length)
      expectNoneLost(sink, events)
    },
    timeout,
  )
}

/** Changes of some products, and an endpoint that has not heard of any; the ids of the events, in their order. */
async function happen(url: string, sink: Sink, count: number): Promise<string[]> {
  const endpoint = await change(url, sink, count)
  // The server that it happened in has begun to send at once: nothing of that counts.
  const events = await lookInto(url, async ({ db }) => {
    const now = systemClock.now()
    await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('webhookAttempt').execute()
      await tx.updateTable('webhookMessage').set({ state: 'pending', attempts: 0, nextAttemptAt: now }).execute()
      await callFor(tx, now, endpointJob(endpoint))
    })
    return db.selectFrom('webhookMessage').select('eventId').orderBy('sequence').execute()
  })
  expect(events).toHaveLength(count)
  sink.received.length = 0
  return events.map(({ eventId }) => eventId)
}

async function change(url: string, sink: Sink, count: number): Promise<{ id: string; organizationId: string }> {
  await using server = await createTestServer({}, { databaseUrl: url, clock: standingClock(systemClock.now()) })
  const shop = await createShop(server)
  const asked = { url: `${sink.origin}/`, events: ['product.created', 'product.updated'] }
  const { body } = await shop.post('/webhooks/endpoints', asked)
  const products = [await shop.product([fixedPrice(900)]), await shop.product([fixedPrice(700)])]
  for (let made = 2; made < count; made += 1)
    await shop.patch(`/products/${products[made % 2]}`, { description: `Change ${made}` })
  await server.tollgate.internals.ctx.jobs.runDue()
  return { id: body.id, organizationId: shop.organizationId }
}

const pending = (url: string): Promise<number> =>
  lookInto(url, async ({ db }) => {
    const rows = await db.selectFrom('webhookMessage').select('id').where('state', '=', 'pending').execute()
    return rows.length
  })

/** Until every event has come, and that is written down. */
const allSent = (url: string, { received }: Sink, events: readonly string[]): Promise<undefined> =>
  until('everything sent', 30_000, async () => {
    const came = new Set(received.map(({ id }) => id))
    return events.every((id) => came.has(id)) && (await pending(url)) === 0
  }).then(() => undefined)

/** Each event has come; again only the same bytes; and those of one object in their order, repetitions apart. */
function expectNoneLost({ received }: Sink, events: readonly string[]): void {
  const bodies = new Map<string, string>()
  for (const { id, raw } of received) {
    expect(raw).toBe(bodies.get(id) ?? raw)
    bodies.set(id, raw)
  }
  expect(events.filter((id) => !bodies.has(id))).toEqual([])
  const objectOf = new Map(received.map(({ id, body }) => [id, body.data.id as string]))
  for (const object of new Set(objectOf.values())) {
    const first = [...bodies.keys()].filter((id) => objectOf.get(id) === object)
    expect(first).toEqual(events.filter((id) => objectOf.get(id) === object))
  }
}
