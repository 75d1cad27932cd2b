import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { days, seconds } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type TestServer, testStart, type Visitor } from '../../testing.ts'

const dataCookie = 'better-auth.session_data'
const secret = 'a secret of tests that is long enough to be one'

const cached = (maxAge?: number | null): TollgateConfig => ({
  session: { cookieCache: { enabled: true, ...(maxAge !== undefined && { maxAge }) } },
})

type Copy = {
  session: { session: Record<string, unknown>; user: Record<string, unknown> }
  expiresAt: number
  signature: string
}
const read = (value: string | undefined): Copy => JSON.parse(Buffer.from(value ?? '', 'base64url').toString('utf8'))
const write = (copy: Copy): string => Buffer.from(JSON.stringify(copy)).toString('base64url')

/** The signature computed without our code. */
const sign = ({ session, expiresAt }: Copy, key = secret): string =>
  createHmac('sha256', key)
    .update(JSON.stringify({ ...session, expiresAt }))
    .digest('base64url')

/** Changes the stored user without the server's knowledge. */
const rename = ({ tollgate }: TestServer, name: string) =>
  tollgate.internals.ctx.transaction((tx) => tx.updateTable('user').set({ name }).execute())

const nameSeen = async (person: Visitor, query = '') => (await person.get(`/get-session${query}`)).body?.user.name

test('without the option no copy is sent, and one that is brought is not looked at', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  ada.cookies.set(dataCookie, 'anything')

  expect(await nameSeen(ada)).toBe('Ada')
})

test('sign-up sends a signed copy of session and user, believed for five minutes', async () => {
  await using server = await createTestServer(cached())
  const visitor = server.visitor()

  const { headers } = await visitor.post('/sign-up/email', {
    name: 'Ada',
    email: 'a@example.com',
    password: '12345678',
  })

  const copy = read(visitor.cookies.get(dataCookie))
  expect(headers.getSetCookie()[1]).toBe(
    `${dataCookie}=${visitor.cookies.get(dataCookie)}; Max-Age=300; Path=/; HttpOnly; SameSite=Lax`,
  )
  expect(Object.keys(copy)).toEqual(['session', 'expiresAt', 'signature'])
  expect(Object.keys(copy.session)).toEqual(['session', 'user'])
  expect(copy.session.user).toMatchObject({ email: 'a@example.com', name: 'Ada' })
  expect(copy.expiresAt).toBe(testStart.getTime() + seconds(300))
  expect(copy.signature).toBe(sign(copy))
})

test('the copy answers without the database, and leaves the organization out', async () => {
  await using server = await createTestServer(cached())
  const ada = await server.signedUp()
  await rename(server, 'Countess')

  const { body, headers } = await ada.get('/get-session')

  expect(body.user.name).toBe('Ada')
  expect(body).not.toHaveProperty('organization')
  expect(headers.getSetCookie()).toEqual([])
})

test('disableCookieCache reads the database, and renews the copy', async () => {
  await using server = await createTestServer(cached())
  const ada = await server.signedUp()
  await rename(server, 'Countess')

  const { body } = await ada.get('/get-session?disableCookieCache=true')

  expect([body.user.name, body.organization]).toEqual(['Countess', null])
  expect(await nameSeen(ada)).toBe('Countess')
})

test('a copy that has run out is renewed from the database', async () => {
  await using server = await createTestServer(cached())
  const ada = await server.signedUp()
  await rename(server, 'Countess')

  server.clock.advance(seconds(300) - 1)
  expect(await nameSeen(ada)).toBe('Ada')
  server.clock.advance(1)
  expect(await nameSeen(ada)).toBe('Countess')
  expect(read(ada.cookies.get(dataCookie)).expiresAt).toBe(testStart.getTime() + seconds(600))
})

test.each([0, null])('with %s as its age the copy is believed for 60 seconds', async (maxAge) => {
  await using server = await createTestServer(cached(maxAge))
  const ada = await server.signedUp()
  await rename(server, 'Countess')

  server.clock.advance(seconds(60) - 1)
  expect(await nameSeen(ada)).toBe('Ada')
  server.clock.advance(1)
  expect(await nameSeen(ada)).toBe('Countess')
})

test('a revoked session is believed until its copy runs out, and not a millisecond longer', async () => {
  await using server = await createTestServer(cached(100))
  const ada = await server.signedUp()
  const phone = server.visitor()
  await phone.post('/sign-in/email', { email: ada.email, password: ada.password })

  await ada.post('/revoke-other-sessions')

  server.clock.advance(seconds(100) - 1)
  expect(await nameSeen(phone)).toBe('Ada')
  expect(await nameSeen(phone, '?disableRefresh=true')).toBe('Ada')
  server.clock.advance(1)
  expect(await nameSeen(phone)).toBeUndefined()
})

test('a write checks the stored session, whatever the copy contains', async () => {
  await using server = await createTestServer(cached())
  const ada = await server.signedUp()
  const copies = new Map(ada.cookies)
  await ada.post('/revoke-sessions')
  for (const [name, value] of copies) ada.cookies.set(name, value)

  expect(await nameSeen(ada)).toBe('Ada')
  expect((await ada.post('/update-user', { name: 'Eve' })).status).toBe(401)
  expect((await ada.get('/list-sessions')).status).toBe(401)
})

const forgeries: [string, (copy: Copy) => string][] = [
  [
    'another user',
    (copy) => write({ ...copy, session: { ...copy.session, user: { ...copy.session.user, role: 'admin' } } }),
  ],
  ['a later end', (copy) => write({ ...copy, expiresAt: copy.expiresAt + days(365) })],
  ['no signature', ({ session, expiresAt }) => write({ session, expiresAt } as Copy)],
  ['an empty signature', (copy) => write({ ...copy, signature: '' })],
  ['the signature of another secret', (copy) => write({ ...copy, signature: sign(copy, 'x'.repeat(32)) })],
  ['no session', (copy) => write({ ...copy, session: null as never })],
  ['a list', () => Buffer.from('[1]').toString('base64url')],
  ['null', () => Buffer.from('null').toString('base64url')],
  ['no JSON', () => 'bm9uc2Vuc2U'],
  ['no base64', () => '~~~'],
]

test('a copy that we did not sign as it stands is worth nothing: null, and all cookies are cleared', async () => {
  await using server = await createTestServer(cached())
  const ada = await server.signedUp()
  const genuine = new Map(ada.cookies)

  for (const [what, forge] of forgeries) {
    for (const [name, value] of genuine) ada.cookies.set(name, value)
    ada.cookies.set(dataCookie, forge(read(genuine.get(dataCookie))))

    const { text, headers } = await ada.get('/get-session')

    expect([what, text, headers.getSetCookie().length, ada.cookies.size]).toEqual([what, 'null', 3, 0])
  }
})

test("a copy of another session of ours is not this session's", async () => {
  await using server = await createTestServer(cached())
  const ada = await server.signedUp('Ada')
  const grace = await server.signedUp('Grace')
  grace.cookies.set(dataCookie, ada.cookies.get(dataCookie)!)

  expect(await nameSeen(grace)).toBe('Grace')
})

test('a copy alone, without the session cookie, signs no user in', async () => {
  await using server = await createTestServer(cached())
  const ada = await server.signedUp()

  const { text } = await server
    .visitor()
    .get('/get-session', { cookie: `${dataCookie}=${ada.cookies.get(dataCookie)}` })

  expect(text).toBe('null')
})

test('a signed copy is not believed past the end of its session', async () => {
  await using server = await createTestServer({
    session: { expiresIn: 50, disableSessionRefresh: true, cookieCache: { enabled: true } },
  })
  const ada = await server.signedUp()

  server.clock.advance(seconds(50))

  expect(await nameSeen(ada)).toBeUndefined()
})

test('without remember-me the copy ends with the browser', async () => {
  await using server = await createTestServer(cached())
  const { email, password } = await server.signedUp()
  const device = server.visitor()

  const { headers } = await device.post('/sign-in/email', { email, password, rememberMe: false })
  const line = headers.getSetCookie().find((each) => each.startsWith(dataCookie))
  server.clock.advance(seconds(300))
  const renewed = (await device.get('/get-session')).headers.getSetCookie()

  expect(line).not.toContain('Max-Age')
  expect(renewed).toHaveLength(1)
  expect(renewed[0]).toContain(dataCookie)
  expect(renewed[0]).not.toContain('Max-Age')
})

test('a change of the profile renews the copy at once', async () => {
  await using server = await createTestServer(cached())
  const ada = await server.signedUp()

  await ada.post('/update-user', { name: 'Countess' })

  expect(await nameSeen(ada)).toBe('Countess')
})

test('sign-out clears the copy with the session', async () => {
  await using server = await createTestServer(cached())
  const ada = await server.signedUp()

  await ada.post('/sign-out')

  expect([...ada.cookies.keys()]).toEqual([])
})

/** A picture address that makes the cookie longer than 4093 characters. */
const largeImage = `https://example.com/${'x'.repeat(2000)}`
const largeAgent = { headers: { 'user-agent': 'x'.repeat(600) } }

test.each<[string, TollgateConfig]>([
  ['', {}],
  [', also where the address has to be verified first', { emailAndPassword: { requireEmailVerification: true } }],
  [', also where it signs nobody in', { emailAndPassword: { autoSignIn: false } }],
])('sign-up that would not fit into the copy is refused, and nothing is stored%s', async (_, config) => {
  await using server = await createTestServer({ ...cached(), ...config })
  const visitor = server.visitor(largeAgent)
  const { db } = server.tollgate.internals.ctx

  const body = {
    name: 'A'.repeat(100),
    email: `${'a'.repeat(60)}@example.com`,
    password: '12345678',
    image: largeImage,
  }
  const { status, body: refusal, headers } = await visitor.post('/sign-up/email', body)

  expect([status, refusal]).toEqual([400, { code: 'SESSION_DATA_TOO_LARGE', message: 'Session data is too large' }])
  expect(headers.getSetCookie()).toEqual([])
  for (const table of ['user', 'account', 'session', 'verification', 'event'] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
  expect(await server.mailsTo(body.email)).toEqual([])
})

test('update-user that would not fit into the copy is refused, and nothing is changed', async () => {
  await using server = await createTestServer(cached())
  const ada = await server.signedUp('Ada', largeAgent)

  const { status, body } = await ada.post('/update-user', { name: 'ä'.repeat(100), image: largeImage })

  expect([status, body.code]).toEqual([400, 'SESSION_DATA_TOO_LARGE'])
  expect((await ada.get('/get-session?disableCookieCache=true')).body.user).toMatchObject({ name: 'Ada', image: null })
})

test('exactly 4093 characters fit, one more does not', async () => {
  await using server = await createTestServer(cached())
  const ada = await server.signedUp('Ada', largeAgent)
  const lengthWith = async (image: string) => {
    const { status } = await ada.post('/update-user', { name: 'Ada', image })
    return status === 200 ? ada.cookies.get(dataCookie)!.length : undefined
  }
  const base = 'https://example.com/'
  let longest = 0
  // base64url turns three bytes into four characters, so the image alone decides between 4091 and 4094.
  for (let low = 1, high = 2000; low <= high; ) {
    const middle = Math.floor((low + high) / 2)
    const length = await lengthWith(base + 'x'.repeat(middle))
    if (length === undefined) high = middle - 1
    else {
      longest = length
      low = middle + 1
    }
  }

  expect(longest).toBeLessThanOrEqual(4093)
  expect(longest).toBeGreaterThan(4089)
})

test('sign-in and get-session of a user who does not fit leave the copy out', async () => {
  await using server = await createTestServer(cached())
  const ada = await server.signedUp('Ada')
  const device = server.visitor(largeAgent)
  await server.tollgate.internals.ctx.transaction((tx) => tx.updateTable('user').set({ image: largeImage }).execute())

  const { status, headers } = await device.post('/sign-in/email', { email: ada.email, password: ada.password })
  const answer = await device.get('/get-session')

  expect(status).toBe(200)
  expect(headers.getSetCookie().map((line) => line.split('=')[0])).toEqual(['better-auth.session_token'])
  expect([answer.body.user.image, answer.headers.getSetCookie()]).toEqual([largeImage, []])
})
