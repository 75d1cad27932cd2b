import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestServer } from '../../../testing.ts'
import { createPace, ownTurns, processorForJobs } from './background.ts'
import type { Payments, Processor } from './processor.ts'

/** A clock that moves with each wait. */
function clockOfWaits() {
  const state = { now: 0, waits: [] as number[] }
  const pause = async (ms: number) => {
    state.waits.push(Math.round(ms))
    state.now += ms
  }
  return { state, now: () => state.now, pause }
}

function ownPace() {
  const { state, now, pause } = clockOfWaits()
  return { state, pace: createPace(20, ownTurns(20, now), now, pause) }
}

test('calls begin at the rate, after a first burst', async () => {
  const { state, pace } = ownPace()

  for (let call = 0; call < 30; call += 1) await pace()

  expect(state.waits).toEqual(Array(20).fill(50))
  expect(state.now).toBeCloseTo(1000)
})

test('a quiet time gives another burst, and no more than one', async () => {
  const { state, pace } = ownPace()
  for (let call = 0; call < 12; call += 1) await pace()
  state.now += 60_000
  state.waits.length = 0

  for (let call = 0; call < 12; call += 1) await pace()

  expect(state.waits).toEqual([50, 50])
})

test('calls that wait together reserve their turns together, a second of them at most', async () => {
  const { state, now, pause } = clockOfWaits()
  const own = ownTurns(20, now)
  const reserved: number[] = []
  const reserve = (count: number) => {
    reserved.push(count)
    return own(count)
  }
  const pace = createPace(20, reserve, now, pause)

  await Promise.all(Array.from({ length: 70 }, () => pace()))

  expect(reserved).toEqual([1, 20, 20, 20, 9])
  expect(state.now).toBeCloseTo(3000)
})

test('a failed reservation refuses the calls that waited for it, and no others', async () => {
  const { now, pause } = clockOfWaits()
  const answers = [() => Promise.reject(new Error('The database is away')), ownTurns(20, now)]
  const pace = createPace(20, (count) => (answers.shift() ?? ownTurns(20, now))(count), now, pause)

  await expect(pace()).rejects.toThrow('away')

  await expect(pace()).resolves.toBeUndefined()
})

const counting = () => {
  const looked: string[] = []
  const look = async (id: string) => {
    looked.push(id)
    return undefined
  }
  const free = { name: 'sandbox', look } as unknown as Processor
  const limited = { name: 'stripe', look, callsPerSecond: 0.001 } as unknown as Processor
  const payments: Payments = { forNewCheckouts: free, byName: (name) => ({ sandbox: free, stripe: limited })[name] }
  return { looked, free, payments }
}

test('a processor without a limit is the same for jobs, and one with a limit shares its pace between all of them', async () => {
  await using server = await createTestServer()
  const { looked, free, payments } = counting()
  const ctx = { payments, database: server.tollgate.internals.ctx.database }

  expect(processorForJobs(ctx, 'sandbox')).toBe(free)
  expect(processorForJobs(ctx, 'none')).toBeUndefined()
  const jobs = Array.from({ length: 30 }, () => processorForJobs(ctx, 'stripe')!)
  for (const [at, processor] of jobs.entries()) void processor.look(`payment ${at}`)

  // One burst for all of them: a pace of each job's own would let all begin.
  await expect.poll(() => looked.length).toBe(10)
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
  expect(looked).toHaveLength(10)
})
