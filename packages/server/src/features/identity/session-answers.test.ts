import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listen } from '../../app/node.ts'
import { days, minutes, seconds } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type TestServer, type TestServerOptions, type Visitor } from '../../testing.ts'

type Listening = AsyncDisposable & {
  readonly server: TestServer
  /** `get-session` over a connection, as a browser sends it. */
  ask(
    person: Visitor | string,
    headers?: Record<string, string>,
  ): Promise<{
    status: number
    body: string
    setCookie: string[]
    allowOrigin: string | undefined
    token: string | undefined
  }>
}

async function listening(config: TollgateConfig = {}, options: TestServerOptions = {}): Promise<Listening> {
  const server = await createTestServer(
    { baseURL: 'http://localhost:3000', ...config },
    { ...options, env: { PORT: '0', ...options.env } },
  )
  const running = await listen(server.tollgate)
  return {
    server,
    ask: (person, headers = {}) =>
      new Promise((resolve, reject) => {
        const cookie =
          typeof person === 'string'
            ? person
            : [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        request(
          { port: running.port, path: '/api/auth/get-session', headers: { ...(cookie && { cookie }), ...headers } },
          (answer) => {
            let body = ''
            answer.setEncoding('utf8').on('data', (chunk: string) => {
              body += chunk
            })
            answer.on('end', () =>
              resolve({
                status: answer.statusCode ?? 0,
                body,
                setCookie: answer.headers['set-cookie'] ?? [],
                allowOrigin: answer.headers['access-control-allow-origin'],
                token: answer.headers['set-auth-jwt']?.toString(),
              }),
            )
          },
        )
          .on('error', reject)
          .end()
      }),
    [Symbol.asyncDispose]: async () => {
      await running.stop()
      await server[Symbol.asyncDispose]()
    },
  }
}

const headerOf = (person: Visitor) => [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** Whether the next answer comes from the cache. */
const isRemembered = ({ server }: Listening, person: Visitor): boolean =>
  server.tollgate.internals.app.sessionAnswers.find(headerOf(person)) !== undefined

/** Calls twice, so that the second answer is cached where the database allows it. */
async function warm(site: Listening, person: Visitor): Promise<string> {
  await site.ask(person)
  return (await site.ask(person)).body
}

const nameIn = (body: string): string | undefined => JSON.parse(body)?.user.name

test('an answer from memory is the same, byte for byte, as one that was read', async () => {
  await using site = await listening()
  const ada = await site.server.signedUp()

  const read = await site.ask(ada)
  const remembered = await site.ask(ada)

  expect(remembered).toEqual(read)
  expect(read.body).toBe((await ada.get('/get-session')).text)
})

test('on SQLite the second answer comes from memory; on PostgreSQL, where others may write, each is read', async () => {
  await using site = await listening()
  const ada = await site.server.signedUp()
  expect(isRemembered(site, ada)).toBe(false)

  await site.ask(ada)

  expect(isRemembered(site, ada)).toBe(site.server.tollgate.internals.ctx.database.dialect === 'sqlite')
})

test('a visitor without our cookie is answered null at once', async () => {
  await using site = await listening()

  expect(await site.ask('')).toMatchObject({ status: 200, body: 'null', setCookie: [] })
  expect(await site.ask('theme=dark; better-auth.session=x')).toMatchObject({
    status: 200,
    body: 'null',
    setCookie: [],
  })
})

test('answers are remembered by the whole cookie header: no user gets another person’s', async () => {
  await using site = await listening()
  const ada = await site.server.signedUp('Ada')
  const grace = await site.server.signedUp('Grace')
  await warm(site, ada)

  expect(nameIn(await warm(site, grace))).toBe('Grace')
  expect(nameIn(await warm(site, ada))).toBe('Ada')
  const forged = `better-auth.session_token=${ada.cookies.get('better-auth.session_token')?.slice(0, -4)}AAAA`
  expect((await site.ask(forged)).body).toBe('null')
})

test.each<[string, (ada: Visitor, site: Listening) => Promise<unknown>]>([
  ['signing out', (ada) => ada.post('/sign-out')],
  ['revoking all sessions', (ada) => ada.post('/revoke-sessions')],
  ['deleting the account', (ada) => ada.post('/delete-user', { password: 'correct horse battery' })],
  [
    'revoking it from another device',
    async (ada, { server }) => {
      const { user, session } = (await ada.get('/get-session')).body
      const device = server.visitor()
      await device.post('/sign-in/email', { email: user.email, password: 'correct horse battery' })
      await device.post('/revoke-session', { token: session.token })
    },
  ],
  [
    'resetting the password',
    async (ada, { server }) => {
      const { user } = (await ada.get('/get-session')).body
      await server.mailsTo(user.email)
      server.clock.advance(1)
      await server.visitor().post('/forget-password', { email: user.email })
      const token = /reset-password\/(\w{24})/.exec(await server.linkTo(user.email))?.[1]
      const { status } = await server.visitor().post('/reset-password', { newPassword: 'another password', token })
      expect(status).toBe(200)
    },
  ],
])('%s immediately ends the remembered session', async (_, end) => {
  await using site = await listening()
  const ada = await site.server.signedUp()
  const cookies = headerOf(ada)
  expect(nameIn(await warm(site, ada))).toBe('Ada')

  await end(ada, site)

  expect((await site.ask(cookies)).body).toBe('null')
})

test.each<[string, (ada: Visitor, site: Listening) => Promise<unknown>, Record<string, unknown>]>([
  ['a name', (ada) => ada.post('/update-user', { name: 'Countess' }), { name: 'Countess' }],
  [
    'a picture',
    (ada) => ada.post('/update-user', { image: 'https://example.com/a.png' }),
    { image: 'https://example.com/a.png' },
  ],
  ['an address', (ada) => ada.post('/change-email', { newEmail: 'new@example.com' }), { email: 'new@example.com' }],
  [
    'a verification',
    async (ada, { server }) => {
      const { user } = (await ada.get('/get-session')).body
      await server.visitor().request('GET', await server.linkTo(user.email))
    },
    { emailVerified: true },
  ],
])('%s that changes is seen in the next answer', async (_, change, seen) => {
  await using site = await listening()
  const ada = await site.server.signedUp()
  await warm(site, ada)

  await change(ada, site)

  expect(JSON.parse((await site.ask(ada)).body).user).toMatchObject(seen)
})

test('a change in a transaction that is rolled back is never answered', async () => {
  await using site = await listening()
  const ada = await site.server.signedUp()
  const { ctx } = site.server.tollgate.internals
  await warm(site, ada)
  let during = ''

  const failed = ctx.transaction(async (tx) => {
    await tx.updateTable('user').set({ name: 'Nobody' }).execute()
    // The request arrives while the change is written but not committed.
    const asked = site.ask(ada)
    await tx.selectFrom('user').selectAll().execute()
    void asked.then(({ body }) => {
      during = body
    })
    throw new Error('changed my mind')
  })

  await expect(failed).rejects.toThrow('changed my mind')
  expect(nameIn((await site.ask(ada)).body)).toBe('Ada')
  await expect.poll(() => during).not.toBe('')
  expect(nameIn(during)).toBe('Ada')
})

test('a remembered answer ends with its session, to the millisecond', async () => {
  await using site = await listening({ session: { disableSessionRefresh: true } })
  const ada = await site.server.signedUp()
  await warm(site, ada)

  site.server.clock.advance(days(7) - 1)
  expect(nameIn((await site.ask(ada)).body)).toBe('Ada')
  site.server.clock.advance(1)
  expect((await site.ask(ada)).body).toBe('null')
})

test('a remembered answer does not keep a session from being extended', async () => {
  await using site = await listening()
  const ada = await site.server.signedUp()
  const before = JSON.parse(await warm(site, ada)).session.expiresAt

  site.server.clock.advance(days(1))
  const { body, setCookie } = await site.ask(ada)

  expect(Date.parse(JSON.parse(body).session.expiresAt) - Date.parse(before)).toBe(days(1))
  expect(setCookie[0]).toContain('Max-Age=604800')
})

test('a session without remember-me ends in time, remembered or not', async () => {
  await using site = await listening()
  const { email, password } = await site.server.signedUp()
  const device = site.server.visitor()
  await device.post('/sign-in/email', { email, password, rememberMe: false })
  await warm(site, device)

  site.server.clock.advance(days(1))

  expect((await site.ask(device)).body).toBe('null')
})

const cached: TollgateConfig = { session: { cookieCache: { enabled: true, maxAge: 100 } } }

test('a session from the cookie cache is remembered as long as that is valid, and no longer', async () => {
  await using site = await listening(cached)
  const ada = await site.server.signedUp()
  await warm(site, ada)
  expect(isRemembered(site, ada)).toBe(true)
  const cookies = headerOf(ada)
  await ada.post('/revoke-sessions')

  site.server.clock.advance(seconds(100) - 1)
  expect(nameIn((await site.ask(cookies)).body)).toBe('Ada')
  site.server.clock.advance(1)
  expect((await site.ask(cookies)).body).toBe('null')
})

/** Forms of a header in which a careless parser picks another copy than the verified one. */
const longLived = Buffer.from(JSON.stringify({ expiresAt: 9e15 })).toString('base64url')
test.each<[string, (copy: string) => string]>([
  [
    'a blank before the equals sign, and a second copy that nobody signed',
    (copy) => `better-auth.session_data =${copy}; better-auth.session_data=${longLived}`,
  ],
  ['a blank before the equals sign', (copy) => `better-auth.session_data =${copy}`],
  ['quotes', (copy) => `better-auth.session_data="${copy}"`],
  [
    'a percent-encoded letter',
    (copy) => `better-auth.session_data=%${copy.charCodeAt(0).toString(16)}${copy.slice(1)}`,
  ],
  ['a second copy', (copy) => `better-auth.session_data=${copy}; better-auth.session_data=${longLived}`],
])('with %s the copy is valid no longer than it states', async (_, spelled) => {
  await using site = await listening(cached)
  const ada = await site.server.signedUp()
  const copy = ada.cookies.get('better-auth.session_data')!
  const header = `better-auth.session_token=${ada.cookies.get('better-auth.session_token')}; ${spelled(copy)}`
  expect(nameIn((await site.ask(header)).body)).toBe('Ada')
  expect(nameIn((await site.ask(header)).body)).toBe('Ada')
  await ada.post('/revoke-sessions')

  site.server.clock.advance(seconds(100))

  expect((await site.ask(header)).body).toBe('null')
})

test('another origin gets its headers, remembered or not', async () => {
  await using site = await listening({ trustedOrigins: ['https://app.example'] })
  const ada = await site.server.signedUp()
  await warm(site, ada)

  const { body, allowOrigin } = await site.ask(ada, { origin: 'https://app.example' })

  expect([nameIn(body), allowOrigin]).toEqual(['Ada', 'https://app.example'])
})

test('more headers than are kept push the oldest out, and every user is still answered', async () => {
  await using site = await listening()
  const ada = await site.server.signedUp()
  const token = `better-auth.session_token=${ada.cookies.get('better-auth.session_token')}`
  const { find, read } = site.server.tollgate.internals.app.sessionAnswers
  const body = await warm(site, ada)

  for (let index = 0; index <= 8000; index += 1) await read(`${token}; n=${index}`)

  expect(find(`${token}; n=0`)).toBeUndefined()
  expect((await site.ask(ada)).body).toBe(body)
  const tooLong = `${token}; n=${'x'.repeat(6000)}`
  expect((await read(tooLong))?.text).toBe(body)
  expect(find(tooLong)).toBeUndefined()
})

test('a revocation or a change by another process on the same SQLite file is seen at once', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-answers-'))
  try {
    const databaseUrl = `sqlite:${path.join(folder, 'shared.db')}`
    await using site = await listening({}, { databaseUrl })
    await using other = await createTestServer({}, { databaseUrl, clock: site.server.clock })
    const ada = await site.server.signedUp()
    await warm(site, ada)
    expect(isRemembered(site, ada)).toBe(true)

    const elsewhere = other.visitor()
    for (const [name, value] of ada.cookies) elsewhere.cookies.set(name, value)
    await elsewhere.post('/update-user', { name: 'Countess' })
    expect(nameIn(await warm(site, ada))).toBe('Countess')
    await elsewhere.post('/revoke-sessions')

    expect((await site.ask(ada)).body).toBe('null')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('an answer that was overtaken by a change while it was read is not remembered', async () => {
  await using site = await listening()
  const ada = await site.server.signedUp()
  const { find, read } = site.server.tollgate.internals.app.sessionAnswers
  const header = headerOf(ada)

  await Promise.all([
    ...Array.from({ length: 20 }, () => read(header)),
    ada.post('/update-user', { name: 'Countess' }),
    ...Array.from({ length: 20 }, () => read(header)),
  ])

  expect(nameIn(find(header)?.text ?? (await read(header))?.text ?? 'null')).toBe('Countess')
})

test('where tokens are on, one goes along with answers that are read and with those from memory', async () => {
  await using site = await listening({ jwt: {} })
  const ada = await site.server.signedUp()

  const read = await site.ask(ada)
  const remembered = await site.ask(ada)
  const general = await ada.get('/get-session')

  expect(read.token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  expect([remembered.token, general.headers.get('set-auth-jwt')]).toEqual([read.token, read.token])
  expect((await site.ask('')).token).toBeUndefined()
})

test('a remembered answer does not go out with a token of more than a minute ago', async () => {
  await using site = await listening({ jwt: {} })
  const ada = await site.server.signedUp()
  await warm(site, ada)
  const { token } = await site.ask(ada)

  site.server.clock.advance(minutes(1) - 1)
  expect((await site.ask(ada)).token).toBe(token)
  site.server.clock.advance(1)

  expect((await site.ask(ada)).token).not.toBe(token)
})

test('an answer from the cookie cache has its token too, renewed as others are, and is not remembered with it', async () => {
  await using site = await listening({ ...cached, jwt: {} })
  const ada = await site.server.signedUp()
  await warm(site, ada)
  expect(isRemembered(site, ada)).toBe(false)
  const { token } = await site.ask(ada)
  expect(token).toBeDefined()

  site.server.clock.advance(minutes(1))

  const renewed = await site.ask(ada)
  expect([nameIn(renewed.body), renewed.token === token]).toEqual(['Ada', false])
  expect(renewed.token).toBeDefined()
})

test('F-revoke-dbdown: without a database the hot path refuses like every other', async () => {
  await using site = await listening()
  const ada = await site.server.signedUp()
  await warm(site, ada)

  await site.server.tollgate.internals.ctx.database.close()

  expect(await site.ask(ada)).toMatchObject({ status: 503, setCookie: [] })
})
