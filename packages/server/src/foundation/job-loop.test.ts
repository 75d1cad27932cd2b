import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createTestServer, type TestServer } from '../testing.ts'
import { after, minutes, seconds, systemClock } from './clock.ts'
import type { Database, Db } from './db/database.ts'
import { listOldestJobs, takeJobs } from './job.repository.ts'
import { createJobs } from './job-loop.ts'
import {
  callFor,
  dequeue,
  enqueue,
  type JobHandler,
  type JobKind,
  lanes,
  PermanentJobFailure,
  removed,
} from './jobs.ts'
import { createLogger } from './log.ts'

let server: TestServer
let database: Database
let logs: string[]
let workers: ReturnType<typeof createJobs>[]

beforeAll(async () => {
  server = await createTestServer()
  ;({ database } = server.tollgate.internals.ctx)
  // The server's own worker would take the tests' jobs.
  await server.tollgate.internals.ctx.jobs.stop()
})
beforeEach(async () => {
  logs = []
  workers = []
  await server.tollgate.internals.ctx.transaction((tx) => tx.deleteFrom('job').execute())
})
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(workers.map((worker) => worker.stop()))
})
afterAll(() => server[Symbol.asyncDispose]())

function worker(handlers: Partial<Record<JobKind, JobHandler>>, { on = database } = {}) {
  const log = createLogger({ level: 'info', format: 'json', stream: { write: (line) => void logs.push(line) } })
  const jobs = createJobs(on, server.clock, log)
  jobs.start(handlers)
  workers.push(jobs)
  return jobs
}

const add = (kind: JobKind, count = 1, prefix: string = kind) =>
  server.tollgate.internals.ctx.transaction(async (tx) => {
    for (let number = 0; number < count; number += 1)
      await enqueue(tx, server.clock.now(), { id: `${prefix}${String(number).padStart(2, '0')}`, kind, payload: '' })
  })
/** Waits for a spontaneous change, also on a busy machine. */
const until = (check: () => boolean | Promise<boolean>) => vi.waitUntil(check, seconds(30))
const stored = () => database.db.selectFrom('job').selectAll().orderBy('id').execute()

/** Jobs that end on request. */
function held() {
  const release = Promise.withResolvers<void>()
  const state = { running: 0, most: 0, ended: 0 }
  const handler: JobHandler = async () => {
    state.running += 1
    state.most = Math.max(state.most, state.running)
    await release.promise
    state.running -= 1
    state.ended += 1
    return undefined
  }
  return { state, handler, release: release.resolve }
}

test.each([
  ['mail', 'mail'],
  ['webhook-endpoint', 'receivers'],
  ['charge-payment', 'charges'],
  ['remove-file', 'general'],
] as const)('of %s as many run at once as its lane has slots, and nothing else waits for them', async (kind, lane) => {
  const slow = held()
  const kinds = ['mail', 'webhook-endpoint', 'charge-payment', 'remove-file', 'account-mail'] as const
  const others = kinds.filter((each) => each !== kind)
  // Kinds of the same lane wait for the same slots.
  const free = others.filter((each) => !(lane === 'general' && each === 'account-mail'))
  const ran: string[] = []
  const quick: JobHandler = async (job) => {
    ran.push(job.kind)
    return undefined
  }
  const jobs = worker({ ...Object.fromEntries(free.map((each) => [each, quick])), [kind]: slow.handler })
  await add(kind, lanes[lane] + 5)
  jobs.wake()
  await until(() => slow.state.running === lanes[lane])

  for (const each of free) await add(each)
  jobs.wake()
  await until(() => ran.length === free.length)

  expect(ran.toSorted()).toEqual(free.toSorted())
  expect(slow.state).toEqual({ running: lanes[lane], most: lanes[lane], ended: 0 })
  slow.release()
  await jobs.runDue()
  expect(slow.state).toEqual({ running: 0, most: lanes[lane], ended: lanes[lane] + 5 })
})

/** Queues jobs of an organization. */
const call = (organizationId: string, count: number, kind: JobKind = 'webhook-endpoint') =>
  server.tollgate.internals.ctx.transaction(async (tx) => {
    for (let number = 0; number < count; number += 1) {
      const id = `${organizationId} ${number}`
      await callFor(tx, server.clock.now(), { id, kind, payload: organizationId, organizationId })
    }
  })

/** A worker whose jobs run until the test ends one of their organization. */
function shared(kind: JobKind = 'webhook-endpoint') {
  const running: { of: string; end: () => void }[] = []
  let isOver = false
  const jobs = worker({
    [kind]: async ({ payload }: { payload: string }) => {
      if (isOver) return undefined
      const release = Promise.withResolvers<void>()
      const one = { of: payload, end: release.resolve }
      running.push(one)
      await release.promise
      running.splice(running.indexOf(one), 1)
      return undefined
    },
  })
  const count = (organization: string) => running.filter((one) => one.of === organization).length
  const end = (organization: string) => running.find((one) => one.of === organization)?.end()
  const endAll = async () => {
    isOver = true
    for (const one of [...running]) one.end()
    await jobs.runDue()
  }
  return { jobs, running, count, end, endAll }
}

test('an organization that waits alone gets every slot of the lane', async () => {
  const { jobs, count, endAll } = shared()
  await call('alone', lanes.receivers + 4)

  jobs.wake()

  await until(() => count('alone') === lanes.receivers)
  await endAll()
})

test.each([
  ['webhook-endpoint', 'receivers'],
  ['charge-payment', 'charges'],
] as const)('of %s, organizations share the slots equally, however many jobs of one wait first', async (kind, lane) => {
  await call('crowd', 200, kind)
  server.clock.advance(minutes(1))
  await call('neighbour', 40, kind)
  // A loop that ran before would give the first ones all slots.
  const { count, end, endAll, running } = shared(kind)
  await until(() => running.length === lanes[lane])
  const atOnce = [count('crowd'), count('neighbour')]

  // Whichever job ends, the shares stay equal.
  for (let ended = 0; ended < 12; ended += 1) {
    end('crowd')
    await until(() => running.length === lanes[lane])
  }

  expect(atOnce).toEqual([lanes[lane] / 2, lanes[lane] / 2])
  expect([count('crowd'), count('neighbour')]).toEqual(atOnce)
  await endAll()
})

test('an organization that comes late gets the next free slot', async () => {
  const { jobs, count, end, endAll } = shared()
  await call('crowd', 100)
  jobs.wake()
  await until(() => count('crowd') === lanes.receivers)
  await call('late', 1)

  end('crowd')

  await until(() => count('late') === 1)
  await endAll()
})

test('many organizations with one job each all get their turn, beside one with a crowd', async () => {
  const ran: string[] = []
  const jobs = worker({
    'webhook-endpoint': async ({ payload }) => {
      ran.push(payload)
      return undefined
    },
  })
  await call('crowd', 300)
  server.clock.advance(minutes(1))
  for (let number = 0; number < 80; number += 1) await call(`small ${number}`, 1)

  await jobs.runDue()

  expect(ran).toHaveLength(380)
  // The eighty come before most of the crowd, though they are younger.
  expect(ran.lastIndexOf('small 79')).toBeLessThan(250)
})

test('a free slot takes the oldest due job at once, whatever the other slots run', async () => {
  const slow = held()
  const ran: string[] = []
  const jobs = worker({
    mail: async (job) => {
      if (job.id.startsWith('slow')) return slow.handler(job)
      ran.push(job.id)
      return undefined
    },
  })
  await add('mail', lanes.mail - 1, 'slow')
  jobs.wake()
  await until(() => slow.state.running === lanes.mail - 1)

  await server.tollgate.internals.ctx.transaction(async (tx) => {
    for (const [id, wait] of [
      ['third', 3],
      ['first', 1],
      ['second', 2],
    ] as const)
      await enqueue(tx, server.clock.now(), { id, kind: 'mail', payload: '', runAt: after(server.clock.now(), wait) })
  })
  server.clock.advance(3)
  jobs.wake()
  await until(() => ran.length === 3)

  expect(ran).toEqual(['first', 'second', 'third'])
  slow.release()
})

test('a job that outlasts its lease renews it, and no other worker starts it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'], now: systemClock.now() })
  const slow = held()
  const other = held()
  const first = worker({ mail: slow.handler })
  await add('mail')
  first.wake()
  await until(() => slow.state.running === 1)
  const second = worker({ mail: other.handler })

  await keepsLease(minutes(3))
  await second.runDue()
  slow.release()
  await first.runDue()

  expect([slow.state.most, other.state.most]).toEqual([1, 0])
  expect(slow.state.ended).toBe(1)
  expect(await stored()).toEqual([])
})

test('a job that takes a quarter of an hour is given up, and begun anew when its lease is over', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'], now: systemClock.now() })
  const slow = held()
  const first = worker({ mail: slow.handler })
  await add('mail')
  first.wake()
  await until(() => slow.state.running === 1)

  await keepsLease(minutes(15))
  await pass(120)
  // By the same process, which still knows that it is running.
  await until(() => slow.state.running === 2)
  slow.release()
  await first.runDue()

  expect(slow.state.ended).toBe(2)
  expect(await stored()).toEqual([])
  expect(logs.join('')).toContain('A job exceeded its time limit')
})

test('a job that never ends loses its slots, too: others run in them', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'], now: systemClock.now() })
  const slow = held()
  const jobs = worker({ 'webhook-endpoint': slow.handler })
  await add('webhook-endpoint', lanes.receivers + 1)
  jobs.wake()
  await until(() => slow.state.running === lanes.receivers)

  vi.advanceTimersByTime(minutes(16))
  await until(() => slow.state.running > lanes.receivers)
  slow.release()
})

test('a stop waits twenty seconds for requests that do not end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const slow = held()
  const jobs = worker({ mail: slow.handler })
  await add('mail')
  jobs.wake()
  while (slow.state.running === 0) await nextTurn()

  let isStopped = false
  const stopped = jobs.stop().then(() => {
    isStopped = true
  })
  vi.advanceTimersByTime(seconds(19))
  await stored()
  expect(isStopped).toBe(false)
  vi.advanceTimersByTime(seconds(1))
  await stopped

  expect(logs.join('')).toContain('A job did not end before the stop and was abandoned')
  // Another process runs it again after its lease.
  expect(await stored()).toMatchObject([{ id: 'mail00', leaseUntil: expect.any(Date) }])
  slow.release()
})

test('the server retries an unavailable database rarely, with one log line, and runs its jobs when it returns', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const faulty = away(database)
  const ran: string[] = []
  await add('mail')
  faulty.isAway = true
  worker(
    {
      mail: async ({ id }) => {
        ran.push(id)
        return undefined
      },
    },
    { on: faulty.database },
  )
  await pass(60)

  // At the start, then after 1, 2, 4 and every 5 seconds.
  expect(faulty.asked).toBeGreaterThanOrEqual(12)
  expect(faulty.asked).toBeLessThanOrEqual(15)
  expect(logs.filter((line) => line.includes('Cannot read jobs'))).toHaveLength(1)
  expect(ran).toEqual([])

  faulty.isAway = false
  await pass(6)
  await until(() => ran.length === 1 && logs.some((line) => line.includes('Reading jobs again')))
  expect(logs.filter((line) => line.includes('Reading jobs again'))).toHaveLength(1)
})

test.each([
  ['ends', undefined],
  ['fails for good', new PermanentJobFailure('no')],
] as const)(
  'the result of a job that %s leaves is written when the database returns, and the job does not run twice',
  async (_, failure) => {
    const faulty = away(database)
    let runs = 0
    const jobs = worker(
      {
        mail: async () => {
          runs += 1
          faulty.isAway = true
          if (failure) throw failure
          return undefined
        },
      },
      { on: faulty.database },
    )
    await add('mail')
    jobs.wake()
    await until(() => runs === 1 && faulty.asked > 0)

    faulty.isAway = false
    await until(async () => (await stored()).every(({ deadAt }) => deadAt !== null))

    expect(runs).toBe(1)
    expect((await stored()).map(({ lastError }) => lastError)).toEqual(failure ? ['no'] : [])
  },
)

test('a job that is claimed during a stop is returned unchanged', async () => {
  // No other process looks in the meantime.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const ran: string[] = []
  let stopped: Promise<void> | undefined
  const db = database.db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind === 'UpdateQueryNode') stopped ??= jobs.stop()
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const jobs = worker(
    {
      mail: async ({ id }) => {
        ran.push(id)
        return undefined
      },
    },
    { on: { ...database, db } },
  )
  await jobs.runDue()
  await add('mail')

  jobs.wake()
  while (!stopped) await nextTurn()
  await stopped

  expect(ran).toEqual([])
  expect(await stored()).toMatchObject([{ id: 'mail00', attempts: 0, leaseUntil: null }])
})

test('a job that another worker has run in between, and put off, is not taken before its time', async () => {
  await add('mail')
  const now = server.clock.now()
  const found = await listOldestJobs(database, { lane: 'mail', kinds: ['mail'], now }, 10)
  const ids = found.map(({ id }) => id)
  const jobs = worker({ mail: () => Promise.reject(new Error('the server is away')) })
  await jobs.runDue()

  const taken = await takeJobs(database, ids, { now, leaseUntil: after(systemClock.now(), minutes(1)) })

  expect([ids, taken]).toEqual([['mail00'], []])
  expect(await stored()).toMatchObject([{ id: 'mail00', attempts: 1, runAt: after(now, seconds(10)) }])
})

test('the text of a failure is stored without the character that databases refuse', async () => {
  await add('mail')

  await worker({
    mail: async () => {
      throw new PermanentJobFailure('bad\0 answer')
    },
  }).runDue()

  expect(await stored()).toMatchObject([{ lastError: 'bad answer' }])
})

test('a dead job that is called for begins anew; one that waits to be tried again keeps its count', async () => {
  let failure: Error = new PermanentJobFailure('no')
  const jobs = worker({
    mail: async () => {
      throw failure
    },
  })
  const call = () =>
    server.tollgate.internals.ctx.transaction((tx) =>
      callFor(tx, server.clock.now(), { id: 'called', kind: 'mail', payload: '' }),
    )
  await call()
  await jobs.runDue()
  expect(await stored()).toMatchObject([{ attempts: 1, deadAt: server.clock.now() }])

  failure = new Error('not now')
  await call()
  await jobs.runDue()
  expect(await stored()).toMatchObject([{ attempts: 1, deadAt: null, lastError: 'not now' }])
  await call()
  await jobs.runDue()
  expect(await stored()).toMatchObject([{ attempts: 2, deadAt: null }])
})

test.each([
  ['is its last', new Error('not now')],
  ['fails for good', new PermanentJobFailure('no')],
])('a job that is called for while a run %s begins anew, with all its attempts', async (_, failure) => {
  const began = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  let runs = 0
  const jobs = worker({
    mail: async () => {
      runs += 1
      began.resolve()
      await release.promise
      if (runs === 1) throw failure
      return undefined
    },
  })
  const { transaction } = server.tollgate.internals.ctx
  const call = () => transaction((tx) => callFor(tx, server.clock.now(), { id: 'called', kind: 'mail', payload: '' }))
  await call()
  await transaction((tx) => tx.updateTable('job').set({ attempts: 7 }).execute())
  jobs.wake()
  await began.promise
  await call()
  release.resolve()
  await jobs.runDue()
  expect(await stored()).toMatchObject([{ id: 'called', attempts: 0, deadAt: null }])

  server.clock.advance(seconds(10))
  await jobs.runDue()

  expect(runs).toBe(2)
  expect(await stored()).toEqual([])
})

test('a job that is called for while it runs, runs once more', async () => {
  const began = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  let runs = 0
  const jobs = worker({
    mail: async () => {
      runs += 1
      began.resolve()
      await release.promise
      return undefined
    },
  })
  const call = () =>
    server.tollgate.internals.ctx.transaction((tx) =>
      callFor(tx, server.clock.now(), { id: 'called', kind: 'mail', payload: '' }),
    )
  await call()
  jobs.wake()
  await began.promise
  await call()
  await call()
  release.resolve()
  await jobs.runDue()

  expect(runs).toBe(2)
  expect(await stored()).toEqual([])
})

/** Advances the faked timers while the only running job is renewed again and again. */
async function keepsLease(time: number): Promise<void> {
  const left = async () => (await stored())[0]!.leaseUntil!.getTime() - systemClock.now().getTime()
  for (let passed = 0; passed < time; passed += seconds(20)) {
    vi.advanceTimersByTime(seconds(20))
    await until(async () => (await left()) > minutes(1) / 2)
  }
}

/** Advances the faked timers by seconds, with time for queries in between. */
async function pass(count: number): Promise<void> {
  for (let second = 0; second < count; second += 1) {
    vi.advanceTimersByTime(seconds(1))
    await stored()
    await nextTurn()
  }
}

/** The same database behind a connection that can be cut. */
function away(whole: Database) {
  const state = { isAway: false, asked: 0, database: whole }
  const db = whole.db.withPlugin({
    transformQuery: ({ node }) => {
      if (!state.isAway) return node
      state.asked += 1
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    },
    transformResult: async ({ result }) => result,
  }) as Db // a plug-in changes no types
  state.database = { ...whole, db }
  return state
}

test('jobs that end together are removed together, except one that was called for during its run', async () => {
  const slow = held()
  const { ctx } = server.tollgate.internals
  const callAgain = (id: string) =>
    ctx.transaction((tx) => callFor(tx, server.clock.now(), { id, kind: 'mail', payload: '' }))
  await add('mail', 4)
  // The end of a job that was called for before depends on another number of calls.
  await callAgain('mail00')
  const jobs = worker({ mail: slow.handler })
  await until(() => slow.state.running === 4)
  await callAgain('mail01')
  slow.release()
  await jobs.runDue()

  expect(slow.state.ended).toBe(5)
  expect(await stored()).toEqual([])
})

test('a job that its own transaction has removed is over, and one that comes after it under its id runs', async () => {
  const { ctx } = server.tollgate.internals
  let runs = 0
  const jobs = worker({
    mail: async ({ id }) => {
      runs += 1
      await ctx.transaction(async (tx) => {
        await dequeue(tx, id)
        // A later job of the same id belongs to another process until it is due.
        if (runs === 1) await enqueue(tx, server.clock.now(), { id, kind: 'mail', payload: 'next' })
      })
      return removed
    },
  })
  await add('mail')
  jobs.wake()
  await until(() => runs === 2)
  await jobs.runDue()

  expect(runs).toBe(2)
  expect(await stored()).toEqual([])
})
