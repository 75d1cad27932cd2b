import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPace, processorForJobs } from './background.ts'
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

test('calls begin at the rate, after a first burst', async () => {
  const { state, now, pause } = clockOfWaits()
  const pace = createPace(20, now, pause)

  for (let call = 0; call < 30; call += 1) await pace()

  expect(state.waits).toEqual(Array(20).fill(50))
  expect(state.now).toBeCloseTo(1000)
})

test('a quiet time gives another burst, and no more than one', async () => {
  const { state, now, pause } = clockOfWaits()
  const pace = createPace(20, now, pause)
  for (let call = 0; call < 12; call += 1) await pace()
  state.now += 60_000
  state.waits.length = 0

  for (let call = 0; call < 12; call += 1) await pace()

  expect(state.waits).toEqual([50, 50])
})

test('a processor without a limit is the same for jobs, and one with a limit shares its pace between all of them', async () => {
  const looked: string[] = []
  const look = async (id: string) => {
    looked.push(id)
    return undefined
  }
  const free = { name: 'sandbox', look } as unknown as Processor
  const limited = { name: 'stripe', look, callsPerSecond: 0.001 } as unknown as Processor
  const payments: Payments = { forNewCheckouts: free, byName: (name) => ({ sandbox: free, stripe: limited })[name] }

  expect(processorForJobs(payments, 'sandbox')).toBe(free)
  expect(processorForJobs(payments, 'none')).toBeUndefined()
  const jobs = Array.from({ length: 30 }, () => processorForJobs(payments, 'stripe')!)
  for (const [at, processor] of jobs.entries()) void processor.look(`payment ${at}`)
  for (let turn = 0; turn < 5; turn += 1) await nextTurn()

  // One burst for all of them: a pace of each job's own would let all begin.
  expect(looked).toHaveLength(10)
})
