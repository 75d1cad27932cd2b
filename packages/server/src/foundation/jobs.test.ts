import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createTestServer, type TestServer, testStart } from '../testing.ts'
import { after, type Clock, days, hours, minutes, seconds, standingClock, systemClock } from './clock.ts'
import { openDatabase } from './db/database.ts'
import { createJobs } from './job-loop.ts'
import { enqueue, type Job, type JobHandler, moneyKinds, PermanentJobFailure, WaitsForOthers } from './jobs.ts'
import { createLogger } from './log.ts'

const log = createLogger({ level: 'silent', format: 'json' })

type Bench = AsyncDisposable & {
  readonly server: TestServer
  readonly clock: Clock
  add(id: string, payload?: string, runAt?: Date): Promise<void>
  stored(): Promise<
    {
      id: string
      attempts: number
      runAt: Date
      deadAt: Date | null
      lastError: string | null
      leaseUntil: Date | null
    }[]
  >
  /** A worker beside the server's own, which has no handler for jobs of this kind. */
  worker(handler: JobHandler): ReturnType<typeof createJobs>
}

/** A database whose own jobs are done, and workers of the test. */
async function bench(): Promise<Bench> {
  const server = await createTestServer({}, { clock: standingClock(testStart) })
  const { ctx } = server.tollgate.internals
  // The server's own worker would take the test's jobs.
  await ctx.jobs.stop()
  await ctx.transaction((tx) => tx.deleteFrom('job').execute())
  const workers: ReturnType<typeof createJobs>[] = []
  return {
    server,
    clock: server.clock,
    add: (id, payload = '', runAt) =>
      ctx.transaction((tx) => enqueue(tx, server.clock.now(), { id, kind: 'mail', payload, ...(runAt && { runAt }) })),
    stored: () => ctx.db.selectFrom('job').selectAll().orderBy('id').execute(),
    worker: (handler) => {
      const jobs = createJobs(ctx.database, server.clock, log)
      jobs.start({ mail: handler })
      workers.push(jobs)
      return jobs
    },
    [Symbol.asyncDispose]: async () => {
      for (const worker of workers) await worker.stop()
      await server[Symbol.asyncDispose]()
    },
  }
}

test('a job is run with its payload, once, and is gone', async () => {
  await using b = await bench()
  const ran: Job[] = []
  const worker = b.worker(async (job) => {
    ran.push(job)
    return undefined
  })
  await b.add('one', 'the payload')

  await worker.runDue()
  await worker.runDue()

  expect(ran).toMatchObject([{ id: 'one', kind: 'mail', payload: 'the payload', attempts: 1 }])
  expect(await b.stored()).toEqual([])
})

test('a job commits, or vanishes, with the change that ordered it', async () => {
  await using b = await bench()
  const { ctx } = b.server.tollgate.internals

  const failed = ctx.transaction(async (tx) => {
    await enqueue(tx, b.clock.now(), { id: 'never', kind: 'mail', payload: '' })
    throw new Error('changed my mind')
  })

  await expect(failed).rejects.toThrow('changed my mind')
  expect(await b.stored()).toEqual([])
})

test('a job with the id of one that waits is not added a second time', async () => {
  await using b = await bench()

  await b.add('same', 'first')
  await b.add('same', 'second')

  expect(await b.stored()).toMatchObject([{ id: 'same', payload: 'first' }])
})

test('a job of later waits until then, to the millisecond', async () => {
  await using b = await bench()
  let runs = 0
  const worker = b.worker(async () => {
    runs += 1
    return undefined
  })
  await b.add('later', '', after(testStart, hours(1)))

  b.clock.advance(hours(1) - 1)
  await worker.runDue()
  expect(runs).toBe(0)
  b.clock.advance(1)
  await worker.runDue()
  expect(runs).toBe(1)
})

test('a failed job retries after growing waits, and after the eighth attempt is dead, kept and reported', async () => {
  await using b = await bench()
  let runs = 0
  const worker = b.worker(async () => {
    runs += 1
    throw new Error(`failure ${runs}`)
  })
  await b.add('broken')
  await worker.runDue()

  const waits = [seconds(10), minutes(1), minutes(5), minutes(30), hours(2), hours(5), hours(10)]
  for (const [index, wait] of waits.entries()) {
    expect(await b.stored()).toMatchObject([
      {
        attempts: index + 1,
        deadAt: null,
        leaseUntil: null,
        lastError: `failure ${index + 1}`,
        runAt: after(b.clock.now(), wait),
      },
    ])
    b.clock.advance(wait - 1)
    await worker.runDue()
    expect(runs).toBe(index + 1)
    b.clock.advance(1)
    await worker.runDue()
    expect(runs).toBe(index + 2)
  }
  expect(await b.stored()).toMatchObject([{ attempts: 8, deadAt: b.clock.now(), lastError: 'failure 8' }])

  b.clock.advance(days(365))
  await worker.runDue()
  expect(runs).toBe(8)
})

test('a job that waits for others asks them every hour, and has all its further attempts when they are back', async () => {
  await using b = await bench()
  let runs = 0
  let areOthersAway = true
  const worker = b.worker(async () => {
    runs += 1
    throw areOthersAway ? new WaitsForOthers('nobody answers') : new Error('a fault of ours')
  })
  await b.add('patient')
  await worker.runDue()
  for (const wait of [seconds(10), minutes(1), minutes(5), minutes(30)]) {
    b.clock.advance(wait)
    await worker.runDue()
  }
  for (let hour = 0; hour < 72; hour += 1) {
    expect(await b.stored()).toMatchObject([{ deadAt: null, runAt: after(b.clock.now(), hours(1)) }])
    b.clock.advance(hours(1))
    await worker.runDue()
  }
  expect(runs).toBe(77)

  areOthersAway = false
  b.clock.advance(hours(1))
  await worker.runDue()
  expect(await b.stored()).toMatchObject([{ deadAt: null, attempts: 5, runAt: after(b.clock.now(), hours(2)) }])
})

test('a failure that trying again cannot mend is dead at once', async () => {
  await using b = await bench()
  const worker = b.worker(async () => {
    throw new PermanentJobFailure('no such mailbox')
  })
  await b.add('hopeless')

  await worker.runDue()

  expect(await b.stored()).toMatchObject([{ attempts: 1, deadAt: b.clock.now(), lastError: 'no such mailbox' }])
})

test('the text of a failure is limited in length, whatever was thrown', async () => {
  await using b = await bench()
  const worker = b.worker(async ({ id }) => {
    throw id === 'long' ? new Error('x'.repeat(10_000)) : 'not even an error'
  })
  await b.add('long')
  await b.add('odd')

  await worker.runDue()

  expect((await b.stored()).map(({ lastError }) => lastError)).toEqual(['x'.repeat(500), 'not even an error'])
})

test('one that fails does not keep the others from being done', async () => {
  await using b = await bench()
  const done: string[] = []
  const worker = b.worker(async ({ id }) => {
    if (id === 'b') throw new Error('no')
    done.push(id)
    return undefined
  })
  for (const id of ['a', 'b', 'c']) await b.add(id)

  await worker.runDue()

  expect(done.sort()).toEqual(['a', 'c'])
})

test('a job that answers a time is run again then, with its attempts counted anew', async () => {
  await using b = await bench()
  const attempts: number[] = []
  const worker = b.worker(async (job) => {
    attempts.push(job.attempts)
    return after(b.clock.now(), hours(1))
  })
  await b.add('recurring')

  for (let hour = 0; hour < 3; hour += 1) {
    await worker.runDue()
    b.clock.advance(hours(1))
  }

  expect(attempts).toEqual([1, 1, 1])
  expect(await b.stored()).toMatchObject([{ id: 'recurring', attempts: 0 }])
})

test('kinds without a handler stay where they are', async () => {
  await using b = await bench()
  const { ctx } = b.server.tollgate.internals
  await ctx.transaction((tx) => enqueue(tx, b.clock.now(), { id: 'other', kind: 'account-mail', payload: '' }))
  const worker = b.worker(async () => undefined)

  await worker.runDue()

  expect(await b.stored()).toMatchObject([{ id: 'other', attempts: 0, leaseUntil: null }])
})

test('workers share due jobs: every job runs exactly once', async () => {
  await using b = await bench()
  const ran: string[] = []
  const handler: JobHandler = async ({ id }) => {
    ran.push(id)
    return undefined
  }
  const expected = Array.from({ length: 60 }, (_, index) => `job${String(index).padStart(2, '0')}`)
  for (const id of expected) await b.add(id)
  const workers = [b.worker(handler), b.worker(handler), b.worker(handler)]

  await Promise.all(workers.map((worker) => worker.runDue()))

  expect(ran.sort()).toEqual(expected)
})

test('a worker takes no job under another’s lease; it does once the lease expires', async () => {
  await using b = await bench()
  const { ctx } = b.server.tollgate.internals
  let runs = 0
  const count: JobHandler = async () => {
    runs += 1
    return undefined
  }
  await b.add('held')
  const hold = (leaseUntil: Date) => ctx.transaction((tx) => tx.updateTable('job').set({ leaseUntil }).execute())

  // Leases use the machine's time, because their holder does not live by our clock.
  await hold(after(systemClock.now(), minutes(1)))
  b.clock.advance(days(1))
  await b.worker(count).runDue()
  expect(runs).toBe(0)
  await hold(after(systemClock.now(), -1))
  await b.worker(count).runDue()
  expect(runs).toBe(1)
})

test('a worker whose lease was taken over neither removes nor reschedules the job', async () => {
  await using b = await bench()
  const { ctx } = b.server.tollgate.internals
  const taken = after(systemClock.now(), minutes(5))
  const worker = b.worker(async ({ id }) => {
    await ctx.transaction((tx) => tx.updateTable('job').set({ leaseUntil: taken }).where('id', '=', id).execute())
    if (id === 'fails') throw new Error('too late')
    return undefined
  })
  await b.add('fails')
  await b.add('ends')

  await worker.runDue()

  expect(await b.stored()).toMatchObject([
    { id: 'ends', leaseUntil: taken, lastError: null },
    { id: 'fails', leaseUntil: taken, lastError: null, deadAt: null },
  ])
})

test('stopping waits for running work, and takes no more', async () => {
  await using b = await bench()
  let finish: () => void = () => {}
  const started = Promise.withResolvers<void>()
  const done: string[] = []
  const worker = b.worker(async ({ id }) => {
    started.resolve()
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    done.push(id)
    return undefined
  })
  await b.add('running')
  worker.wake()
  await started.promise

  const stopped = worker.stop()
  await b.add('late')
  worker.wake()
  finish()
  await stopped

  expect(done).toEqual(['running'])
  expect(await b.stored()).toMatchObject([{ id: 'late', attempts: 0 }])
})

test('in production without SMTP mails wait in the queue, and leave when there is a way', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-jobs-'))
  const databaseUrl = `sqlite:${path.join(folder, 'jobs.db')}`
  const env = {
    TOLLGATE_MODE: 'production',
    SECRET: 'a secret of tests that is long enough to be one',
    BASE_URL: 'http://localhost:3000',
  }
  try {
    {
      await using silent = await createTestServer({}, { databaseUrl, env })
      await silent.visitor().post('/sign-up/email', { name: 'Ada', email: 'ada@example.com', password: '12345678' })
      await silent.tollgate.internals.ctx.jobs.runDue()
      const jobs = await silent.tollgate.internals.ctx.db
        .selectFrom('job')
        .selectAll()
        .where('kind', '=', 'mail')
        .execute()
      expect(jobs).toMatchObject([{ attempts: 0, deadAt: null }])
      // An order is sealed, because it holds a working link.
      expect(JSON.stringify(jobs)).not.toMatch(/ada@example\.com|verify-email/)
      expect(silent.logs.join('')).toContain('mails wait in the queue')
    }
    const sent: { to: string; subject: string; text: string }[] = []
    await using speaking = await createTestServer(
      { hooks: { sendEmail: (mail) => void sent.push(mail) } },
      { databaseUrl, env },
    )
    await speaking.tollgate.internals.ctx.jobs.runDue()

    expect(sent).toMatchObject([{ to: 'ada@example.com' }])
    expect(sent[0]!.text).toContain('http://localhost:3000/api/auth/verify-email?token=')
    expect(await speaking.tollgate.internals.ctx.db.selectFrom('inboxMessage').selectAll().execute()).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('F-smtp: a mailer that fails does not fail the sign-up; the mail follows when it works again', async () => {
  let isDown = true
  const sent: string[] = []
  await using server = await createTestServer({
    hooks: {
      sendEmail: ({ to }) => {
        if (isDown) throw new Error('mailer away')
        sent.push(to)
      },
    },
  })
  const ada = await server.signedUp()
  const { ctx } = server.tollgate.internals
  await ctx.jobs.runDue()
  expect(sent).toEqual([])

  isDown = false
  server.clock.advance(seconds(10))
  await ctx.jobs.runDue()

  expect(sent).toEqual([ada.email])
})

test('the hourly sweep is one job, however many processes start on the database', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-jobs-'))
  const databaseUrl = `sqlite:${path.join(folder, 'jobs.db')}`
  try {
    await using first = await createTestServer({}, { databaseUrl })
    await using second = await createTestServer({}, { databaseUrl })
    await first.tollgate.internals.ctx.jobs.runDue()
    await second.tollgate.internals.ctx.jobs.runDue()

    const rows = await first.tollgate.internals.ctx.db.selectFrom('job').selectAll().execute()

    expect(rows).toMatchObject([{ id: 'sweep', attempts: 0, runAt: after(testStart, hours(1)) }])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test.each([
  ['dead', { deadAt: testStart, attempts: 8, lastError: 'disk full' }],
  ['put off by a clock that ran ahead', { runAt: new Date('2099-01-01') }],
])('a start brings back a sweep that is %s', async (_, what) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-jobs-'))
  const databaseUrl = `sqlite:${path.join(folder, 'jobs.db')}`
  try {
    {
      await using before = await createTestServer({}, { databaseUrl })
      const { ctx } = before.tollgate.internals
      await ctx.jobs.runDue()
      await ctx.transaction((tx) => tx.updateTable('job').set(what).where('id', '=', 'sweep').execute())
    }

    await using server = await createTestServer({}, { databaseUrl })
    const { ctx } = server.tollgate.internals
    await ctx.jobs.runDue()

    expect(await ctx.db.selectFrom('job').selectAll().execute()).toMatchObject([
      { id: 'sweep', attempts: 0, deadAt: null, lastError: null, runAt: after(testStart, hours(1)) },
    ])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a dead job is kept for thirty days and then swept away', async () => {
  await using server = await createTestServer()
  const { ctx } = server.tollgate.internals
  await ctx.jobs.runDue()
  await ctx.transaction(async (tx) => {
    await enqueue(tx, testStart, { id: 'dead', kind: 'mail', payload: '' })
    await tx.updateTable('job').set({ deadAt: testStart }).where('id', '=', 'dead').execute()
  })
  const left = async () => (await ctx.db.selectFrom('job').select('id').orderBy('id').execute()).map(({ id }) => id)

  server.clock.advance(days(30) - 1)
  await ctx.jobs.runDue()
  expect(await left()).toEqual(['dead', 'sweep'])
  server.clock.advance(hours(1))
  await ctx.jobs.runDue()
  expect(await left()).toEqual(['sweep'])
})

test('a dead job that handles money is retried every hour, and never removed', async () => {
  await using server = await createTestServer()
  const { ctx } = server.tollgate.internals
  await ctx.jobs.runDue()
  await ctx.transaction(async (tx) => {
    for (const kind of moneyKinds) {
      await enqueue(tx, testStart, { id: kind, kind, payload: 'no JSON, and no id' })
      await tx.updateTable('job').set({ deadAt: testStart, attempts: 8 }).where('id', '=', kind).execute()
    }
  })
  const left = () => ctx.db.selectFrom('job').selectAll().where('id', '!=', 'sweep').orderBy('id').execute()

  for (const attempts of [9, 10]) {
    server.clock.advance(hours(1))
    await ctx.jobs.runDue()
    // The job of an unknown payment or refund is done.
    expect(await left()).toMatchObject([{ id: 'processor-event', attempts, deadAt: server.clock.now() }])
  }
  await ctx.transaction((tx) =>
    tx
      .updateTable('job')
      .set({ runAt: after(testStart, days(99)) })
      .where('id', '=', 'sweep')
      .execute(),
  )
  server.clock.advance(days(99))
  await ctx.jobs.runDue()
  expect(await left()).toMatchObject([{ id: 'processor-event', attempts: 11 }])
})

test('a process without jobs leaves them to another', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-jobs-'))
  const url = `sqlite:${path.join(folder, 'jobs.db')}`
  try {
    await using server = await createTestServer({}, { databaseUrl: url })
    const database = openDatabase(url)
    const idle = createJobs(database, server.clock, log)
    idle.wake()
    await idle.stop()
    await database.close()

    await server.tollgate.internals.ctx.jobs.runDue()
    expect(await server.tollgate.internals.ctx.db.selectFrom('job').selectAll().execute()).toHaveLength(1)
  } finally {
    await rm(folder, { recursive: true })
  }
})
