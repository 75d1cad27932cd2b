import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createTollgate } from '../../app/server.ts'
import { type Clock, days, hours, movableClock, systemClock } from '../../foundation/clock.ts'
import { enqueueMail } from '../../foundation/mail/mail.jobs.ts'
import { createTestServer, testStart } from '../../testing.ts'
import { createShop, fixedPrice } from '../billing/testing/shop.ts'
import { moveClock } from './move-clock.ts'

const production = {
  TOLLGATE_MODE: 'production',
  SECRET: 'a secret of tests that is long enough to be one',
  BASE_URL: 'http://localhost:3000',
}
/** These refusals come before any query, so the test needs no database of its own. */
const inMemory = { databaseUrl: 'sqlite::memory:' }
const isoAfter = (milliseconds: number) => new Date(testStart.getTime() + milliseconds).toISOString()

test.each([
  ['GET', '/dev/inbox'],
  ['GET', '/dev/inbox/messages'],
  ['DELETE', '/dev/inbox/messages'],
  ['POST', '/dev/inbox/clear'],
  ['GET', '/dev/inbox.js'],
  ['GET', '/dev/clock'],
  ['POST', '/dev/clock'],
])('in production %s %s is not there', async (method, path) => {
  await using server = await createTestServer({}, { env: production, ...inMemory })

  const { status } = await server
    .visitor()
    .request(method, path, { ...(method === 'POST' && { body: { advance: 'P1D' } }) })

  expect(status).toBe(404)
  expect(server.clock.now()).toEqual(testStart)
})

test('the inbox gives the mails to an address, newest first, with their links', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const grace = await server.signedUp('Grace')
  await server.mailsTo(ada.email)
  server.clock.advance(1)
  await server.visitor().post('/forget-password', { email: ada.email })
  const mails = await server.mailsTo(ada.email)

  const all = await server.visitor().request('GET', '/dev/inbox/messages')
  const otherCase = await server.visitor().request('GET', `/dev/inbox/messages?to=${ada.email.toUpperCase()}`)

  expect(mails).toHaveLength(2)
  expect(Object.keys(mails[0]!).sort()).toEqual([
    'attachments',
    'createdAt',
    'from',
    'html',
    'id',
    'links',
    'subject',
    'text',
    'to',
  ])
  expect(mails[0]).toMatchObject({ to: ada.email, from: 'no-reply@localhost', createdAt: isoAfter(1) })
  expect(mails[0]!.links[0]).toContain('/reset-password/')
  expect(mails[1]!.links[0]).toContain('/verify-email')
  expect(otherCase.body).toEqual(mails)
  expect(all.body).toHaveLength(3)
  expect(all.body.filter(({ to }: { to: string }) => to === grace.email)).toHaveLength(1)
})

test('the inbox lists mails that are sent at the same moment by the order in which they were ordered', async () => {
  await using server = await createTestServer()
  const { ctx } = server.tollgate.internals
  const to = 'ada@example.com'
  const names = ['First', 'Second', 'Third', 'Fourth', 'Fifth']
  for (const name of names)
    await ctx.transaction((tx) =>
      enqueueMail(ctx, tx, { to, locale: 'en', template: 'password-changed', data: { name } }),
    )

  const mails = await server.mailsTo(to)

  const named = (text: string) => names.find((name) => text.includes(name))
  expect(mails.map((mail: { text: string }) => named(mail.text))).toEqual(names.toReversed())
})

test('the inbox is emptied by DELETE and by its button, from our own pages only', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  await server.mailsTo(ada.email)
  const visitor = server.visitor()
  visitor.cookies.set('a', 'b')
  const foreign = { headers: { origin: 'https://evil.example' } }

  expect((await visitor.request('DELETE', '/dev/inbox/messages', foreign)).status).toBe(403)
  expect((await visitor.request('POST', '/dev/inbox/clear', foreign)).status).toBe(403)
  expect(await server.mailsTo(ada.email)).toHaveLength(1)
  const cleared = await visitor.request('DELETE', '/dev/inbox/messages')
  expect([cleared.status, cleared.body]).toEqual([200, { status: true }])
  expect(await server.mailsTo(ada.email)).toEqual([])
  const button = await visitor.request('POST', '/dev/inbox/clear')
  expect([button.status, button.headers.get('location')]).toEqual([303, '/dev/inbox'])
})

test('where the handler is mounted, the request’s address gives its mount path', async () => {
  await using server = await createTestServer()
  const get = async (address: string) => (await server.tollgate.handler(new Request(address))).status

  expect(await get('http://localhost:4000/dev/inbox/messages')).toBe(200)
  expect(await get('http://[::1]:4000/dev/inbox/messages')).toBe(200)
  expect(await get('http://evil.example:3000/dev/inbox/messages')).toBe(404)
  expect(await get('http://evil.example:3000/dev/clock')).toBe(404)
})

test('the inbox page is closed to everything from elsewhere', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('<script>alert(1)</script>')
  const [mail] = await server.mailsTo(ada.email)

  const list = await server.visitor().request('GET', '/dev/inbox')
  const one = await server.visitor().request('GET', `/dev/inbox?id=${mail!.id}`)

  for (const { status, headers, text } of [list, one]) {
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).not.toContain('<script>alert(1)')
  }
  expect(one.text).toContain(mail!.subject)
})

test('the clock is read, and moved by a duration or to a time', async () => {
  await using server = await createTestServer()
  const visitor = server.visitor()
  const move = (body: unknown) => visitor.request('POST', '/dev/clock', { body })

  expect((await visitor.request('GET', '/dev/clock')).body).toEqual({ now: testStart.toISOString() })
  expect((await move({ advance: 'PT1H' })).body).toEqual({ now: isoAfter(hours(1)) })
  expect((await move({ now: isoAfter(days(2)) })).body).toEqual({ now: isoAfter(days(2)) })
  expect((await move({ now: '2026-03-03T14:00:00+01:00' })).body).toEqual({ now: isoAfter(days(2) + hours(1)) })
  // Setting the current time is not a step back.
  expect((await move({ now: isoAfter(days(2) + hours(1)) })).status).toBe(200)
  expect((await visitor.request('GET', '/dev/clock')).body).toEqual({ now: isoAfter(days(2) + hours(1)) })
})

test.each([[{ now: '2026-03-01T11:59:59.999Z' }], [{ advance: '-P1D' }]])('it never goes back: %j', async (body) => {
  await using server = await createTestServer({}, inMemory)

  const answer = await server.visitor().request('POST', '/dev/clock', { body })

  expect([answer.status, answer.body]).toEqual([
    422,
    { code: 'THE_CLOCK_ONLY_MOVES_FORWARD', message: 'The clock only moves forward' },
  ])
  expect(server.clock.now()).toEqual(testStart)
})

test.each([
  [{}],
  [{ now: 'tomorrow' }],
  [{ now: 1 }],
  [{ advance: 1 }],
  [{ advance: 'P1D', now: isoAfter(1) }],
  [{ next: false }],
  [{ next: true, advance: 'P1D' }],
  [{ advance: 'P1D', keepSessions: 'yes' }],
  [{ advance: 'P1X' }],
  [{ advance: 'x' }],
  [{ advance: '' }],
  [{ advance: 'P999999999Y' }],
  [{ advance: 'P99999Y' }],
  [[]],
  [null],
])('a body that names no time is refused: %j', async (body) => {
  await using server = await createTestServer({}, inMemory)

  const answer = await server.visitor().request('POST', '/dev/clock', { body })

  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR'])
})

test('another site does not move the clock of a developer', async () => {
  await using server = await createTestServer()
  const visitor = server.visitor()
  visitor.cookies.set('a', 'b')

  const answer = await visitor.request('POST', '/dev/clock', {
    body: { advance: 'P1D' },
    headers: { origin: 'https://evil.example' },
  })

  expect([answer.status, answer.body.code]).toEqual([403, 'INVALID_ORIGIN'])
})

test('every due job has run when the answer comes', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const { db } = server.tollgate.internals.ctx

  await server.visitor().request('POST', '/dev/clock', { body: { advance: 'P8D' } })

  expect(await db.selectFrom('session').selectAll().execute()).toEqual([])
  expect((await ada.get('/get-session')).body).toBeNull()
})

test('sessions are kept over a move that says so', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')

  await server.visitor().request('POST', '/dev/clock', { body: { advance: 'P1M', keepSessions: true } })

  expect((await ada.get('/get-session')).body.user.id).toBe(ada.id)
  expect(server.clock.now() > new Date(isoAfter(days(27)))).toBe(true)
})

test('the clock moves to what falls due next, and stays where nothing does', async () => {
  await using server = await createTestServer()
  const shop = await createShop(server)
  await shop.buy(await shop.product([fixedPrice(1900)], 'month'))
  const move = async () => {
    const { body } = await server.visitor().request('POST', '/dev/clock', { body: { next: true } })
    return body.now
  }
  const orders = async () => (await shop.get('/orders')).body.items.length

  const first = await move()
  expect([first > testStart.toISOString(), server.clock.now().toISOString()]).toEqual([true, first])
  for (let moves = 0; (await orders()) === 1 && moves < 10; moves += 1) await move()
  expect(await orders()).toBe(2)
  expect((await shop.get('/subscriptions')).body.items[0].current_period_start).toBe(server.clock.now().toISOString())
})

test('the clock stops at each due moment on its way: what falls due happens at its own time', async () => {
  await using server = await createTestServer()
  const shop = await createShop(server)
  const product = await shop.product([fixedPrice(1900)])
  const { db } = server.tollgate.internals.ctx
  await shop.checkout(product)
  server.clock.advance(days(1) - 1)
  await shop.checkout(product)

  await server.visitor().request('POST', '/dev/clock', { body: { advance: 'P1M' } })

  const expired = await db.selectFrom('event').select('createdAt').where('type', '=', 'checkout.expired').execute()
  expect(expired.map(({ createdAt }) => createdAt.toISOString()).sort()).toEqual([
    isoAfter(days(1)),
    isoAfter(days(2) - 1),
  ])
})

test('a waiting job sees the clock at the time it was put off to', async () => {
  await using server = await createTestServer()
  const { ctx } = server.tollgate.internals
  const to = 'ada@example.com'
  await ctx.transaction(async (tx) => {
    await enqueueMail(ctx, tx, { to, locale: 'en', template: 'password-changed', data: { name: 'Ada' } })
    await tx
      .updateTable('job')
      .set({ runAt: new Date(isoAfter(days(3))) })
      .where('kind', '=', 'mail')
      .execute()
  })

  await server.visitor().request('POST', '/dev/clock', { body: { advance: 'P14D' } })

  expect(await server.mailsTo(to)).toMatchObject([{ createdAt: isoAfter(days(3)) }])
  expect(server.clock.now().toISOString()).toBe(isoAfter(days(14)))
})

test('what is due already happens before the clock moves', async () => {
  await using server = await createTestServer()
  const { ctx } = server.tollgate.internals
  const to = 'ada@example.com'
  const due = server.clock.now()
  await ctx.transaction(async (tx) => {
    await enqueueMail(ctx, tx, { to, locale: 'en', template: 'password-changed', data: { name: 'Ada' } })
    await tx
      .updateTable('job')
      .set({ runAt: new Date(isoAfter(days(3))) })
      .where('kind', '=', 'mail')
      .execute()
  })
  // Without a commit that wakes the jobs, as after a start.
  await ctx.db.updateTable('job').set({ runAt: due }).where('kind', '=', 'mail').execute()

  expect(await moveClock(ctx, new Date(isoAfter(days(14))))).toBe(true)

  expect(await server.mailsTo(to)).toMatchObject([{ createdAt: isoAfter(0) }])
})

test('two moves at the same time follow each other', async () => {
  await using server = await createTestServer()
  const visitor = server.visitor()
  const move = (days: number) => visitor.request('POST', '/dev/clock', { body: { advance: `P${days}D` } })

  const answers = await Promise.all([move(3), move(2)])

  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(server.clock.now().toISOString()).toBe(isoAfter(days(5)))
})

test('how far it was moved survives a restart', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-dev-'))
  const databaseUrl = `sqlite:${path.join(folder, 'clock.db')}`
  const ahead = (clock: Clock) => Math.round((clock.now().getTime() - systemClock.now().getTime()) / hours(1))
  try {
    {
      await using first = await createTestServer({}, { databaseUrl, clock: movableClock() })
      await first.visitor().request('POST', '/dev/clock', { body: { advance: 'PT5H' } })
      expect(ahead(first.clock)).toBe(5)
    }
    const again = await createTollgate({}, { env: { DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' } })

    expect(ahead(again.internals.ctx.clock)).toBe(5)
    await again.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})
