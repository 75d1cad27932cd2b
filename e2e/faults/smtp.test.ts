import { expect, test } from 'vitest'
import { freePort } from '../../testing/free-port.ts'
import { call, cookieOf, password, signedUp } from './calls.ts'
import { freshSqlite } from './databases.ts'
import { type MailServer, type ReceivedMail, startMailServer, startSilentServer } from './mail-server.ts'
import { type ServerProcess, startServer, until } from './server-process.ts'
import { lookInto } from './state.ts'

test('in production every mail goes out by SMTP, and its link works', async () => {
  await using database = await freshSqlite()
  await using mails = await startMailServer(await freePort())
  await using server = await startServer({
    databaseUrl: database.url,
    env: { TOLLGATE_MODE: 'production', SMTP_URL: mails.url, EMAIL_FROM: 'Gate <gate@tollgate.example>' },
  })
  const { baseURL } = server
  const signUp = await call(baseURL, '/sign-up/email', { name: 'Ada', email: 'ada@example.com', password })
  const cookie = cookieOf(signUp.headers)

  const welcome = await mailTo(mails, 'ada@example.com', 1)
  expect(welcome.from).toBe('gate@tollgate.example')
  expect(welcome.mail).toMatchObject({
    from: { name: 'Gate', address: 'gate@tollgate.example' },
    to: [{ address: 'ada@example.com' }],
  })
  expect(welcome.mail.subject).toMatch(/\S/)
  expect(welcome.mail.messageId).toMatch(/^<\w+@tollgate\.example>$/)
  expect(welcome.mail.html).toContain('<a')
  expect((await follow(welcome, cookie)).status).toBe(302)
  expect((await call(baseURL, '/get-session', undefined, { cookie })).body.user.emailVerified).toBe(true)

  await call(baseURL, '/request-password-reset', { email: 'ada@example.com', redirectTo: '/choose' })
  const reset = await mailTo(mails, 'ada@example.com', 2)
  expect((await follow(reset, cookie)).headers.get('location')).toMatch(/\/choose\?token=\w{24}$/)

  await call(baseURL, '/change-email', { newEmail: 'countess@example.com' }, { cookie })
  const approval = await mailTo(mails, 'ada@example.com', 3)
  expect(approval.mail.text).toContain('countess@example.com')
  await follow(approval, cookie)
  await follow(await mailTo(mails, 'countess@example.com', 1), cookie)
  expect((await call(baseURL, '/get-session', undefined, { cookie })).body.user).toMatchObject({
    email: 'countess@example.com',
    emailVerified: true,
  })

  await call(baseURL, '/delete-user', {}, { cookie })
  await follow(await mailTo(mails, 'countess@example.com', 2), cookie)
  expect((await call(baseURL, '/get-session', undefined, { cookie })).body).toBeNull()
  expect(await server.end()).toEqual({ code: 0, signal: null })
})

test('SMTP delivers invitations, each with its own link, by which a visitor signs up and joins', async () => {
  await using database = await freshSqlite()
  await using mails = await startMailServer(await freePort())
  await using server = await startServer({
    databaseUrl: database.url,
    env: { TOLLGATE_MODE: 'production', SMTP_URL: mails.url, EMAIL_FROM: 'Gate <gate@tollgate.example>' },
  })
  const { baseURL } = server
  const cookie = await signedUp(baseURL, 'ada@example.com')
  await call(baseURL, '/organization/create', { name: 'Northwind & Söhne', slug: 'northwind' }, { cookie })
  const emails = ['grace@example.com', 'alan@example.com']
  await call(baseURL, '/organization/invite-members', { emails, role: 'member' }, { cookie })

  const received = () => mails.received.filter(({ to }) => emails.some((email) => to.includes(email)))
  await until('both mails', 10_000, () => received().length === 2)
  const addresses = received().map(
    ({ mail }) => /https?:\/\/\S+\/accept-invitation\/\S+/.exec(mail.text ?? '')?.[0] ?? '',
  )
  expect(
    received()
      .flatMap(({ to }) => to)
      .sort(),
  ).toEqual(emails.toSorted())
  expect(new Set(addresses).size).toBe(2)
  const [{ mail, to }] = received() as [ReceivedMail, ReceivedMail] // waited for above
  const [email = ''] = to
  expect(mail.text).toContain('Northwind & Söhne')
  expect(mail.html).toContain('Northwind &#38; Söhne')
  expect(mail.html).toContain(addresses[0]!.replaceAll('&', '&#38;'))

  const link = new URL(addresses[0]!)
  const page = await fetch(link)
  expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'strict-origin'])
  expect(await page.text()).toContain(email)
  const invitationId = link.pathname.split('/').at(-1)
  const proof = link.searchParams.get('proof')
  const joining = { invitationId, invitationProof: proof }
  const signUp = await call(baseURL, '/sign-up/email', { name: 'Grace', email, password, ...joining })
  const own = { cookie: cookieOf(signUp.headers) }
  expect((await call(baseURL, '/organization/accept-invitation', { invitationId, proof }, own)).status).toBe(200)
  expect((await call(baseURL, '/get-session', undefined, own)).body).toMatchObject({
    user: { email, emailVerified: true },
    organization: { slug: 'northwind', roles: ['member'] },
  })
})

test('F-smtp: a mail server that hangs delays no sign-up; the mail waits and is sent later, once', async () => {
  const port = await freePort()
  await using database = await freshSqlite()
  const silent = await startSilentServer(port)
  await using server = await startServer({ databaseUrl: database.url, env: { SMTP_URL: `smtp://127.0.0.1:${port}` } })

  await signUpQuickly(server)
  await until('the server is stuck in a conversation', 10_000, () => silent.connections() > 0)
  await signUpQuickly(server, 'bob@example.com')
  expect(await waitingMails(database.url)).toBe(2)
  await silent[Symbol.asyncDispose]()

  await using mails = await startMailServer(port)
  await letTimePass(server, () => mails.received.length >= 2)
  expect(mails.received.flatMap(({ to }) => to).sort()).toEqual(['ada@example.com', 'bob@example.com'])
  await until('nothing left to send', 10_000, async () => (await waitingMails(database.url)) === 0)
})

test('F-smtp: a mail server that is away delays no sign-up; the mail waits and is sent later, once', async () => {
  const port = await freePort()
  await using database = await freshSqlite()
  await using server = await startServer({ databaseUrl: database.url, env: { SMTP_URL: `smtp://127.0.0.1:${port}` } })

  await signUpQuickly(server)
  await until('a first attempt', 10_000, () => server.output().includes('ECONNREFUSED'))
  expect(await waitingMails(database.url)).toBe(1)

  await using mails = await startMailServer(port)
  await letTimePass(server, () => mails.received.length > 0)
  await until('nothing left to send', 10_000, async () => (await waitingMails(database.url)) === 0)
  expect(mails.received).toHaveLength(1)
})

test('F-smtp: the server retries a mail that the mail server defers', async () => {
  await using database = await freshSqlite()
  await using mails = await startMailServer(await freePort())
  mails.defers = true
  await using server = await startServer({ databaseUrl: database.url, env: { SMTP_URL: mails.url } })

  await signUpQuickly(server)
  await until('a first attempt', 10_000, () => mails.attempts === 1)
  await until('the mail waits again', 10_000, () => server.output().includes('Try again later'))
  mails.defers = false
  await letTimePass(server, () => mails.received.length > 0)

  await until('nothing left to send', 10_000, async () => (await waitingMails(database.url)) === 0)
  expect(mails.received).toHaveLength(1)
  expect(mails.attempts).toBe(2)
})

test('F-smtp: a mail server that hangs does not keep the server from stopping, and no mail is lost by it', async () => {
  const port = await freePort()
  await using database = await freshSqlite()
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}` }
  const silent = await startSilentServer(port)
  const tollgatePort = await freePort()
  {
    await using server = await startServer({ databaseUrl: database.url, port: tollgatePort, env })
    await Promise.all(Array.from({ length: 10 }, (_, each) => signedUp(server.baseURL, `ada${each}@example.com`)))
    // How many mails are begun at once depends on how many sign-ups are done when the first one is.
    await until('a connection is stuck', 10_000, () => silent.connections() >= 1)

    const start = performance.now()
    expect(await server.end()).toEqual({ code: 0, signal: null })
    expect(performance.now() - start).toBeLessThan(15_000)
  }
  await silent[Symbol.asyncDispose]()
  expect(await waitingMails(database.url)).toBe(10)

  await using mails = await startMailServer(port)
  await using server = await startServer({ databaseUrl: database.url, port: tollgatePort, env })
  await letTimePass(server, () => mails.received.length >= 10)
  await until('nothing left to send', 10_000, async () => (await waitingMails(database.url)) === 0)
  expect(new Set(mails.received.flatMap(({ to }) => to)).size).toBe(10)
})

async function signUpQuickly(server: ServerProcess, email = 'ada@example.com'): Promise<void> {
  const start = performance.now()
  await signedUp(server.baseURL, email)
  expect(performance.now() - start).toBeLessThan(3000)
}

/** Moves the server's clock on, in small steps, until something has happened. */
async function letTimePass(server: ServerProcess, happened: () => boolean): Promise<void> {
  await until('it happens some time', 25_000, async () => {
    if (happened()) return true
    await fetch(`${server.baseURL}/dev/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"advance":"PT11S"}',
    })
    return happened()
  })
}

const waitingMails = (url: string): Promise<number> =>
  lookInto(url, async ({ db }) => (await db.selectFrom('job').select('id').where('kind', '=', 'mail').execute()).length)

/** Waits until a user has so many mails with a link; returns the newest. */
async function mailTo(mails: MailServer, address: string, count: number): Promise<ReceivedMail> {
  const theirs = () => mails.received.filter((mail) => mail.to.includes(address) && linkOf(mail))
  await until(`${count} mails to ${address}`, 10_000, () => theirs().length >= count)
  expect(theirs()).toHaveLength(count)
  return theirs().at(-1)!
}

const linkOf = ({ mail }: ReceivedMail): string => /https?:\/\/\S+\/api\/auth\/\S+/.exec(mail.text ?? '')?.[0] ?? ''

const follow = (mail: ReceivedMail, cookie: string): Promise<Response> =>
  fetch(linkOf(mail), { redirect: 'manual', headers: { cookie } })
