import { expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../testing.ts'
import { createAccountMailHandler } from './account-mail.ts'

const context = ({ tollgate }: TestServer) => tollgate.internals.ctx
const email = 'ada@example.com'
const ada = { name: 'Ada Lovelace', email, password: 'correct horse battery' }
const baseURL = 'https://accounts.example.com'
const production = { env: { TOLLGATE_MODE: 'production', BASE_URL: baseURL, SECRET: 'x'.repeat(40) } }

const waitingJobs = (server: TestServer) =>
  context(server).db.selectFrom('job').selectAll().where('kind', '!=', 'sweep').execute()

/** The contents, as text, of every table that outlives a request. */
async function atRest(server: TestServer): Promise<string> {
  const { db } = context(server)
  return JSON.stringify([
    await db.selectFrom('job').selectAll().execute(),
    await db.selectFrom('verification').selectAll().execute(),
    await db.selectFrom('event').selectAll().execute(),
    await db.selectFrom('rateLimit').selectAll().execute(),
  ])
}

test('an ordered mail is stored sealed, and the secret of its link nowhere in the clear', async () => {
  await using server = await createTestServer({ baseURL }, production)

  await server.visitor().post('/sign-up/email', ada)
  await server.visitor().post('/request-password-reset', { email })
  await context(server).jobs.runDue()

  const orders = (await waitingJobs(server)).map(({ kind, payload }) => ({
    kind,
    ...JSON.parse(context(server).secrets.open(payload)),
  }))
  expect(orders.map(({ kind, to, template }) => [kind, to, template]).sort()).toEqual([
    ['mail', email, 'reset-password'],
    ['mail', email, 'verify-email'],
  ])
  const stored = await atRest(server)
  for (const { data } of orders) {
    const url = new URL(data.url)
    expect(url.origin).toBe(baseURL)
    const secret = url.searchParams.get('token') ?? url.pathname.split('/').at(-1) ?? ''
    expect(secret.length).toBeGreaterThanOrEqual(24)
    expect(stored).not.toContain(secret)
  }
  for (const plain of [email, ada.name, 'reset-password/', 'eyJ']) expect(stored).not.toContain(plain)
})

test('whether an address is known shows in no row that the request itself writes', async () => {
  await using server = await createTestServer({}, { env: { LOG_LEVEL: 'info' } })
  await server.visitor().post('/sign-up/email', ada)
  await context(server).jobs.runDue()
  await context(server).jobs.stop()
  const jobsAfter = async (asked: string) => {
    const before = new Set((await waitingJobs(server)).map(({ id }) => id))
    await server.visitor().post('/request-password-reset', { email: asked })
    return (await waitingJobs(server))
      .filter(({ id }) => !before.has(id))
      .map(({ kind, attempts }) => ({ kind, attempts }))
  }

  const ofKnown = await jobsAfter(email)

  expect(ofKnown).toEqual([{ kind: 'account-mail', attempts: 0 }])
  expect(await jobsAfter('nobody@example.com')).toEqual(ofKnown)
})

test('an order for an unknown address is done without a mail, a failure or a trace', async () => {
  await using server = await createTestServer()

  await server.visitor().post('/request-password-reset', { email })
  await server.visitor().post('/send-verification-email', { email })

  expect(await server.mailsTo(email)).toEqual([])
  expect(await waitingJobs(server)).toEqual([])
  expect(server.logs.filter((line) => JSON.parse(line).level >= 40)).toEqual([])
  expect(server.logs.join('')).not.toContain(email)
})

test('run twice, an order of a reset ends the first link and mails another', async () => {
  await using server = await createTestServer()
  await server.visitor().post('/sign-up/email', ada)
  await context(server).jobs.runDue()
  const handle = createAccountMailHandler(context(server))
  const payload = context(server).secrets.seal(
    JSON.stringify({ purpose: 'reset-password', email, locale: 'en', callbackURL: '/choose' }),
  )
  const linkOfRun = async () => {
    server.clock.advance(1)
    await handle({ id: 'the same job', kind: 'account-mail', payload, attempts: 1 })
    return server.linkTo(email)
  }

  const [first, second] = [await linkOfRun(), await linkOfRun()]

  const locationOf = async (link: string) => (await server.visitor().request('GET', link)).headers.get('location')
  expect(await locationOf(first)).toBe('http://localhost:3000/choose?error=INVALID_TOKEN')
  expect(await locationOf(second)).toMatch(/^http:\/\/localhost:3000\/choose\?token=\w{24}$/)
})

test.each([
  ['the browser prefers German', { 'accept-language': 'de-CH, en;q=0.8' }, 'Bestätigen'],
  ['the page was set to French', { cookie: 'tollgate_lang=fr', 'accept-language': 'de' }, 'Confirmez'],
  ['the browser prefers a language we do not speak', { 'accept-language': 'tlh, xx;q=0.9' }, 'Confirm'],
  ['nothing is said', {}, 'Confirm'],
])('mails are written in the language of who caused them: %s', async (_, headers, firstWord) => {
  await using server = await createTestServer()

  await server.visitor({ headers }).post('/sign-up/email', ada)

  const [mail] = await server.mailsTo(email)
  expect(mail?.subject.split(' ')[0]).toBe(firstWord)
})

test('links in mails lead to the configured address, whatever host the request names', async () => {
  await using server = await createTestServer({ baseURL: 'https://accounts.example.com' })

  const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
  await server.visitor({ headers: forged }).post('/sign-up/email', ada)

  const [mail] = await server.mailsTo(email)
  expect(mail?.links.map((link) => new URL(link).origin)).not.toContain('http://evil.example')
  expect(new Set(mail?.links.map((link) => new URL(link).origin))).toEqual(new Set(['https://accounts.example.com']))
  expect(`${mail?.html}${mail?.text}`).not.toContain('evil.example')
})

test('sendEmail gets each mail, once', async () => {
  const sent: { to: string; subject: string; text: string; html: string }[] = []
  await using server = await createTestServer(
    { baseURL, hooks: { sendEmail: (mail) => void sent.push(mail) } },
    production,
  )

  await server.visitor().post('/sign-up/email', ada)
  await context(server).jobs.runDue()
  await context(server).jobs.runDue()

  expect(sent.map(({ to, subject }) => [to, subject])).toEqual([[email, 'Confirm your email address for Tollgate']])
  expect(sent[0]?.text).toContain(`${baseURL}/api/auth/verify-email?token=`)
  expect(sent[0]?.html).toContain('<html')
  expect(await waitingJobs(server)).toEqual([])
})

test('a change that is rolled back sends no mail and no event', async () => {
  await using server = await createTestServer()
  const { db } = context(server)
  const eventsBefore = (await db.selectFrom('event').select('id').execute()).length
  await server.visitor().post('/sign-up/email', ada)
  const counted = async () => [
    (await db.selectFrom('event').select('id').execute()).length - eventsBefore,
    (await server.mailsTo(email)).length,
  ]
  const before = await counted()
  // Fails at its last statement, after writing events and orders.
  await context(server).transaction((tx) => tx.schema.alterTable('session').renameTo('session_away').execute())

  const { status } = await server.visitor().post('/sign-up/email', { ...ada, email: 'eve@example.com' })

  expect(status).toBe(500)
  expect(await counted()).toEqual(before)
  expect(await server.mailsTo('eve@example.com')).toEqual([])
})
