import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type CallAnswer, call, signedUp, signUp } from './calls.ts'
import { startMortalPostgres } from './postgres-outage.ts'
import { openSales } from './sales.ts'
import { startServer, statusOf, until } from './server-process.ts'
import { endLeases, lookInto, mailsByAddress, signUps } from './state.ts'

/** How long PostgreSQL stays away while people buy, in seconds; by itself until both servers have seen it. */
const outage = Number(process.env.OUTAGE_SECONDS ?? 0)

test('F-dbdown, F-revoke-dbdown: PostgreSQL crashes under load and comes back', async () => {
  await using postgres = await startMortalPostgres()
  const options = { databaseUrl: postgres.url, env: { LOG_LEVEL: 'fatal' } }
  await using first = await startServer(options)
  await using second = await startServer({ ...options, env: { ...options.env, BASE_URL: first.baseURL } })
  const bases = [first.baseURL, second.baseURL]
  const faults: string[] = []
  const acknowledged: string[] = []
  let isOver = false

  /** Answers that may be given, and how a refusal must look. */
  const accept = (what: string, { status, headers, text }: CallAnswer): boolean => {
    if (status === 503 && !headers.get('retry-after')) faults.push(`${what}: 503 without Retry-After`)
    if (status !== 200 && status !== 503) faults.push(`${what}: ${status} ${text}`)
    return status === 200
  }
  const people = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const email = `worker${index}@example.com`
      return { email, cookie: await signedUp(bases[index % 2]!, email), written: 0 }
    }),
  )
  const load = [
    ...people.map(async (person, index) => {
      for (let turn = 1; !isOver; turn += 1) {
        const base = bases[turn % 2]!
        const { cookie } = person
        const known = await call(base, '/get-session', undefined, { cookie })
        if (accept('get-session', known) && known.body?.user.email !== person.email)
          faults.push(`get-session forgot ${person.email}: ${known.text}`)
        const written = await call(
          base,
          '/update-user',
          { name: String(turn) },
          { cookie, headers: { origin: bases[0]! } },
        )
        if (accept('update-user', written)) person.written = turn
        await wait(5 + index)
      }
    }),
    ...bases.map(async (base) => {
      while (!isOver) {
        const email = `${randomUUID()}@example.com`
        const answer = await call(base, '/sign-up/email', { name: 'Ada', email, password: 'correct horse battery' })
        if (accept('sign-up', answer)) acknowledged.push(email)
        await wait(10)
      }
    }),
  ]
  const leaving = await signedUp(first.baseURL, 'leaving@example.com')
  await until('sign-ups before the crash', 20_000, () => acknowledged.length > 4)

  await postgres.crash()
  const duringOutage = acknowledged.length
  for (const base of bases)
    await until('both see it', 10_000, async () => (await statusOf(`${base}/api/health/ready`)) === 503)
  for (const path of ['/sign-out', '/revoke-sessions', '/revoke-other-sessions']) {
    const answer = await call(first.baseURL, path, {}, { cookie: leaving })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(answer.headers.getSetCookie()).toEqual([])
  }
  for (const base of bases) {
    expect((await call(base, '/get-session', undefined, { cookie: leaving })).status).toBe(503)
    expect((await call(base, '/ok')).status).toBe(200)
    expect(await statusOf(`${base}/api/health/live`)).toBe(200)
  }
  expect(acknowledged.length).toBeLessThanOrEqual(duringOutage + 2) // answers under way when it crashed

  await postgres.restart()
  const backAt = performance.now()
  for (const base of bases)
    await until('service again', 10_000, async () => {
      return (await call(base, '/get-session', undefined, { cookie: leaving })).status === 200
    })
  expect(performance.now() - backAt).toBeLessThan(10_000)
  // Nothing was revoked while the answer was no.
  expect((await call(first.baseURL, '/get-session', undefined, { cookie: leaving })).body.user.email).toBe(
    'leaving@example.com',
  )
  expect((await call(first.baseURL, '/sign-out', {}, { cookie: leaving })).body).toEqual({ success: true })
  expect((await call(second.baseURL, '/get-session', undefined, { cookie: leaving })).body).toBeNull()
  const afterwards = acknowledged.length
  await until('sign-ups after the crash', 20_000, () => acknowledged.length > afterwards + 4)
  isOver = true
  await Promise.all(load)

  expect(faults).toEqual([])
  const found = await signUps(postgres.url)
  expect(found.faults.filter((fault) => !fault.startsWith('leaving@'))).toEqual([])
  expect(acknowledged.filter((email) => !found.emails.includes(email))).toEqual([])
  const names = await lookInto(postgres.url, ({ db }) => db.selectFrom('user').select(['email', 'name']).execute())
  for (const { email, written } of people)
    expect(Number(names.find((row) => row.email === email)?.name)).toBeGreaterThanOrEqual(written)
  // A lease of a job whose end could not be written down runs out within a minute.
  await endLeases(postgres.url)
  await until(
    'a mail to everybody',
    20_000,
    async () => (await mailsByAddress(postgres.url)).size === found.emails.length,
  )
})

// The last one waits for half a minute, mostly: the one before it runs meanwhile.
test.concurrent(
  'F-dbdown: PostgreSQL crashes during purchases and refunds; no answered write is lost, and every event is sent',
  async () => {
    await using postgres = await startMortalPostgres()
    await using sales = await openSales(postgres.url)
    const options = { databaseUrl: postgres.url, env: { LOG_LEVEL: 'fatal' } }
    await using first = await startServer(options)
    await using second = await startServer(options)
    const bases = [first.baseURL, second.baseURL]
    const served = new Map(bases.map((base) => [base, 0]))
    let isOver = false

    const visitors = [...bases, ...bases, ...bases].map(async (base, index) => {
      while (!isOver) {
        const checkout = await sales.offer(base)
        const isBought = checkout !== undefined && (await sales.buy(base, checkout))
        if (isBought) served.set(base, served.get(base)! + 1)
        // Money goes back by the other server than it came.
        if (isBought && index % 3 === 0) await sales.giveBack(bases[(index + 1) % 2]!, checkout)
        await wait(5 + index)
      }
    })
    const sellsAgain = async (what: string, milliseconds: number) => {
      const before = new Map(served)
      for (const base of bases) await until(what, milliseconds, () => served.get(base)! > before.get(base)! + 1)
    }
    await sellsAgain('sales before the crash', 20_000)
    await until('refunds before the crash', 20_000, () => sales.refunds.length > 10)

    await postgres.crash()
    const atCrash = { bought: sales.bought.length, refused: sales.refusals() }
    for (const base of bases)
      await until('both see it', 10_000, async () => (await statusOf(`${base}/api/health/ready`)) === 503)
    await until('sales are refused', 20_000, () => sales.refusals() > atCrash.refused + 10)
    await wait(outage * 1000)
    expect(sales.bought.length).toBeLessThanOrEqual(atCrash.bought + visitors.length) // answers under way when it crashed

    await postgres.restart()
    const backAt = performance.now()
    await sellsAgain('sales after the restart', 10_000)
    expect(performance.now() - backAt).toBeLessThan(20_000) // ten seconds for each of the two
    const refundsBefore = sales.refunds.length
    await until('refunds after the restart', 10_000, () => sales.refunds.length > refundsBefore)
    isOver = true
    await Promise.all(visitors)

    expect(sales.faults).toEqual([])
    expect(await sales.faultsAtRest(bases)).toEqual([])
  },
  90_000 + outage * 1000,
)

test.concurrent('F-dbdown: while PostgreSQL hangs, reading a session answers with an error, and nothing else stops', async () => {
  await using postgres = await startMortalPostgres()
  await using server = await startServer({ databaseUrl: postgres.url, env: { LOG_LEVEL: 'fatal' } })
  await using stopping = await startServer({ databaseUrl: postgres.url, env: { LOG_LEVEL: 'fatal' } })
  const { baseURL } = server
  const cookie = await signedUp(baseURL, 'ada@example.com')

  const goOn = await postgres.freeze()
  const stopped = stopping.end()
  const start = performance.now()
  const refused: number[] = []
  const answers = Array.from({ length: 30 }, async () => {
    const answer = await call(baseURL, '/get-session', undefined, { cookie })
    if (answer.status === 503) refused.push(performance.now() - start)
    return answer
  })
  try {
    expect((await call(baseURL, '/ok')).status).toBe(200)
    await until('all are refused', 20_000, () => refused.length === 30)
    // A stop ends in bounded time too: twenty seconds for running jobs, and some for their results.
    expect(await stopped).toEqual({ code: 1, signal: null })
    expect(performance.now() - start).toBeLessThan(45_000)
  } finally {
    goOn()
  }

  for (const { status, headers, body } of await Promise.all(answers)) {
    expect([200, 503]).toContain(status)
    if (status === 503) expect(headers.get('retry-after')).toMatch(/^\d+$/)
    else expect(body.user.email).toBe('ada@example.com')
  }
  await until(
    'service again',
    10_000,
    async () => (await call(baseURL, '/get-session', undefined, { cookie })).status === 200,
  )
  expect(await signUp(baseURL, 'bob@example.com')).toBe(200)
})
