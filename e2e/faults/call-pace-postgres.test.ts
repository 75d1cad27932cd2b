import { expect, test } from 'vitest'
import { processorForJobs, sharedTurns } from '../../packages/server/src/features/billing/payments/background.ts'
import type { Payments, Processor } from '../../packages/server/src/features/billing/payments/processor.ts'
import { days, minutes, seconds } from '../../packages/server/src/foundation/clock.ts'
import { createTestServer, type TestServer } from '../../packages/server/src/testing.ts'
import { freshPostgres } from './databases.ts'

const databaseOf = (server: TestServer) => server.tollgate.internals.ctx.database

/** A processor that allows a burst, and then hardly a call. */
function counting(server: TestServer) {
  const looked: string[] = []
  const look = async (id: string) => {
    looked.push(id)
    return undefined
  }
  const { sandbox } = server.tollgate.internals.ctx.payments
  const limited: Processor = { ...sandbox, name: 'stripe', look, callsPerSecond: 0.001 }
  const payments: Payments = { forNewCheckouts: limited, byName: () => limited }
  return { looked, payments }
}

test('servers on one database share the limit of a processor account', async () => {
  await using database = await freshPostgres()
  await using one = await createTestServer({}, { databaseUrl: database.url })
  await using two = await createTestServer({}, { databaseUrl: database.url })
  const looked = [one, two].map((server) => {
    const { looked: calls, payments } = counting(server)
    const processor = processorForJobs({ payments, database: databaseOf(server) }, 'stripe')
    for (let call = 0; call < 8; call += 1) void processor?.look(`payment ${call}`).catch(() => undefined)
    return calls
  })

  await expect.poll(() => looked.flat().length).toBe(10)

  // A process that starts now has no burst of its own either.
  await using three = await createTestServer({}, { databaseUrl: database.url })
  expect(await sharedTurns(databaseOf(three), 'stripe', 0.001)(1)).toBeGreaterThan(0)
  expect(looked.flat()).toHaveLength(10)
})

test('turns of an account follow each other, whichever process reserves them', async () => {
  await using database = await freshPostgres()
  await using one = await createTestServer({}, { databaseUrl: database.url })
  await using two = await createTestServer({}, { databaseUrl: database.url, clock: one.clock })
  const now = () => one.clock.now()
  const [ofOne, ofTwo] = [one, two].map((server) => sharedTurns(databaseOf(server), 'stripe', 20, now))

  expect(await ofOne?.(10)).toBe(-450)
  expect(await ofTwo?.(4)).toBe(50)
  expect(await ofOne?.(1)).toBe(250)
  one.clock.advance(300)
  expect(await ofTwo?.(2)).toBe(0)
  one.clock.advance(minutes(10))
  expect(await ofTwo?.(1)).toBe(-450)
  expect(await sharedTurns(databaseOf(two), 'another account', 20, now)(1)).toBe(-450)

  // A clock that was a day ahead delays calls by a minute at most.
  await sharedTurns(databaseOf(two), 'stripe', 20, () => new Date(now().getTime() + days(1)))(1)
  expect(await ofOne?.(1)).toBe(seconds(60))
})
