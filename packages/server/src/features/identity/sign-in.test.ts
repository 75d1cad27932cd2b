import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { days } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type TestServer, testStart } from '../../testing.ts'

const secret = 'the secret of the tests about signing in'
const id = expect.stringMatching(/^[A-Za-z0-9]{32}$/)
const wrong = { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' }
const verificationRequired: TollgateConfig = { emailAndPassword: { requireEmailVerification: true } }
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }

/** A signed cookie value as the ecosystem makes it, without our code. */
const signed = (value: string): string =>
  encodeURIComponent(`${value}.${createHmac('sha256', secret).update(value).digest('base64')}`)

const storedSessions = ({ tollgate }: TestServer) =>
  tollgate.internals.ctx.db.selectFrom('session').selectAll().execute()

const removePassword = ({ tollgate }: TestServer) =>
  tollgate.internals.ctx.transaction((tx) => tx.deleteFrom('account').execute())

test('sign-in answers token and user, and sets one signed cookie for a week', async () => {
  await using server = await createTestServer({}, { env: { SECRET: secret } })
  const { body: signUp } = await server.visitor().post('/sign-up/email', ada)
  const visitor = server.visitor({ address: '192.0.2.9', headers: { 'user-agent': 'Test browser' } })

  const { status, body, headers } = await visitor.post('/sign-in/email', { email: ada.email, password: ada.password })

  expect([status, body]).toEqual([200, { redirect: false, token: id, user: signUp.user }])
  expect(body.token).not.toBe(signUp.token)
  expect(headers.getSetCookie()).toEqual([
    `better-auth.session_token=${signed(body.token)}; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax`,
  ])
  const session = (await storedSessions(server)).find(({ token }) => token === body.token)
  expect(session).toMatchObject({
    userId: body.user.id,
    ipAddress: '192.0.2.9',
    userAgent: 'Test browser',
    expiresAt: new Date(testStart.getTime() + days(7)),
  })
  expect(await server.events('session.created')).toContainEqual({
    actorId: body.user.id,
    userId: body.user.id,
    data: { sessionId: session?.id },
  })
})

test('with a callbackURL the answer gives the address', async () => {
  await using server = await createTestServer()
  await server.visitor().post('/sign-up/email', ada)

  const { body } = await server.visitor().post('/sign-in/email', { ...ada, callbackURL: '/dashboard?tab=1' })

  expect(body).toMatchObject({ redirect: true, url: '/dashboard?tab=1' })
})

test('with rememberMe false the session ends with the browser and after a day', async () => {
  await using server = await createTestServer({}, { env: { SECRET: secret } })
  await server.visitor().post('/sign-up/email', ada)

  const { body, headers } = await server.visitor().post('/sign-in/email', { ...ada, rememberMe: false })

  expect(headers.getSetCookie()).toEqual([
    `better-auth.session_token=${signed(body.token)}; Path=/; HttpOnly; SameSite=Lax`,
    `better-auth.dont_remember=${signed('true')}; Path=/; HttpOnly; SameSite=Lax`,
  ])
  const session = (await storedSessions(server)).find(({ token }) => token === body.token)
  expect(session?.expiresAt).toEqual(new Date(testStart.getTime() + days(1)))
})

test('signing in again with rememberMe takes the opt-out back', async () => {
  await using server = await createTestServer()
  await server.visitor().post('/sign-up/email', ada)
  const visitor = server.visitor()
  await visitor.post('/sign-in/email', { ...ada, rememberMe: false })
  expect([...visitor.cookies.keys()]).toContain('better-auth.dont_remember')

  await visitor.post('/sign-in/email', { ...ada, rememberMe: true })

  expect([...visitor.cookies.keys()]).toEqual(['better-auth.session_token'])
})

test('the address may be typed in any spelling', async () => {
  await using server = await createTestServer()
  await server.visitor().post('/sign-up/email', ada)

  for (const email of ['ADA@example.COM', ' ada@example.com ', 'ad\uff41@example.com'])
    expect((await server.visitor().post('/sign-in/email', { ...ada, email })).status).toBe(200)
})

test('two spellings of one character are one password, another case is another one', async () => {
  await using server = await createTestServer()
  await server.visitor().post('/sign-up/email', { ...ada, password: 'caf\u00e9 ol\u00e9 2026' })
  const statusFor = async (password: string) =>
    (await server.visitor().post('/sign-in/email', { ...ada, password })).status

  expect(await statusFor('cafe\u0301 ole\u0301 2026')).toBe(200)
  expect(await statusFor('Caf\u00e9 ol\u00e9 2026')).toBe(401)
  expect(await statusFor('caf\u00e9 ol\u00e9 2026 ')).toBe(401)
})

test.each([
  ['the password is wrong', { ...ada, password: 'wrong horse battery' }],
  ['the password is empty', { ...ada, password: '' }],
  ['nobody has the address', { ...ada, email: 'nobody@example.com' }],
])('sign-in is refused by one answer when %s', async (_, given) => {
  await using server = await createTestServer()
  await server.visitor().post('/sign-up/email', ada)

  const { status, body, headers } = await server.visitor().post('/sign-in/email', given)

  expect([status, body]).toEqual([401, wrong])
  expect(headers.getSetCookie()).toEqual([])
  expect(await storedSessions(server)).toHaveLength(1)
})

test('a user without a password cannot sign in by one', async () => {
  await using server = await createTestServer()
  await server.visitor().post('/sign-up/email', ada)
  await removePassword(server)

  const { status, body } = await server.visitor().post('/sign-in/email', ada)

  expect([status, body]).toEqual([401, wrong])
})

test("one person's password does not open another person's account", async () => {
  await using server = await createTestServer()
  await server.visitor().post('/sign-up/email', ada)
  await server.visitor().post('/sign-up/email', { name: 'Eve', email: 'eve@example.com', password: 'password of eve' })

  const { status, body } = await server
    .visitor()
    .post('/sign-in/email', { email: ada.email, password: 'password of eve' })

  expect([status, body]).toEqual([401, wrong])
})

const validation = [400, { code: 'VALIDATION_ERROR', message: 'Invalid body parameters' }]

test.each<{ name: string; given: unknown; expected: unknown[]; config?: TollgateConfig }>([
  ...['ada', '', 'ada@', 'ada@example', 'ada@example.com\nbcc: eve@example.com'].map((email) => ({
    name: `the address is ${JSON.stringify(email)}`,
    given: { ...ada, email },
    expected: [400, { code: 'INVALID_EMAIL', message: 'Invalid email' }],
  })),
  { name: 'there is no password', given: { email: ada.email }, expected: validation },
  { name: 'there is no address', given: { password: ada.password }, expected: validation },
  { name: 'the password is a number', given: { ...ada, password: 12345678 }, expected: validation },
  { name: 'rememberMe is a text', given: { ...ada, rememberMe: 'yes' }, expected: validation },
  { name: 'the body is null', given: null, expected: validation },
  {
    name: 'the callbackURL leads elsewhere',
    given: { ...ada, callbackURL: '//evil.example' },
    expected: [403, { code: 'INVALID_CALLBACKURL', message: 'Invalid callbackURL' }],
  },
  {
    name: 'passwords are switched off',
    given: ada,
    config: { emailAndPassword: { enabled: false } },
    expected: [400, { code: 'EMAIL_AND_PASSWORD_IS_NOT_ENABLED', message: 'Email and password is not enabled' }],
  },
])('sign-in is refused when $name', async ({ given, expected, config }) => {
  await using server = await createTestServer(config)

  const { status, body, headers } = await server.visitor().request('POST', '/api/auth/sign-in/email', { body: given })

  expect([status, body]).toEqual(expected)
  expect(headers.getSetCookie()).toEqual([])
})

test('an unverified address is reported only after the right password, and gets another mail', async () => {
  await using server = await createTestServer(verificationRequired)
  await server.visitor().post('/sign-up/email', ada)
  const first = await server.linkTo(ada.email)
  server.clock.advance(1000)

  const guess = await server.visitor().post('/sign-in/email', { ...ada, password: 'wrong horse battery' })
  expect([guess.status, guess.body]).toEqual([401, wrong])
  expect(await server.mailsTo(ada.email)).toHaveLength(1)

  const { status, body, headers } = await server.visitor().post('/sign-in/email', { ...ada, callbackURL: '/inside' })
  expect([status, body]).toEqual([403, { code: 'EMAIL_NOT_VERIFIED', message: 'Email not verified' }])
  expect(headers.getSetCookie()).toEqual([])
  expect(await storedSessions(server)).toEqual([])
  expect(await server.mailsTo(ada.email)).toHaveLength(2)

  const second = await server.linkTo(ada.email)
  expect((await server.visitor().request('GET', first)).headers.get('location')).toBe('/?error=invalid_token')
  expect((await server.visitor().request('GET', second)).headers.get('location')).toBe('/inside')
  expect((await server.visitor().post('/sign-in/email', ada)).status).toBe(200)
})

test('no mail is sent again when sendOnSignIn is off', async () => {
  await using server = await createTestServer({ ...verificationRequired, emailVerification: { sendOnSignIn: false } })
  await server.visitor().post('/sign-up/email', ada)

  expect((await server.visitor().post('/sign-in/email', ada)).status).toBe(403)

  expect(await server.mailsTo(ada.email)).toHaveLength(1)
})

test('several sign-ins at the same moment each get a session of their own', async () => {
  await using server = await createTestServer()
  await server.visitor().post('/sign-up/email', ada)

  const answers = await Promise.all([1, 2, 3].map(() => server.visitor().post('/sign-in/email', ada)))

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(answers.map(({ body }) => body.token)).size).toBe(3)
  expect(await storedSessions(server)).toHaveLength(4)
})

test('signing in as another user replaces the cookie and leaves the other session alone', async () => {
  await using server = await createTestServer()
  const visitor = server.visitor()
  await visitor.post('/sign-up/email', ada)
  await server.visitor().post('/sign-up/email', { ...ada, email: 'eve@example.com' })

  await visitor.post('/sign-in/email', { ...ada, email: 'eve@example.com' })

  expect((await visitor.get('/get-session')).body.user.email).toBe('eve@example.com')
  expect(await storedSessions(server)).toHaveLength(3)
})

test('when the session cannot be stored the answer is an error', async () => {
  await using server = await createTestServer()
  await server.visitor().post('/sign-up/email', ada)
  await server.tollgate.internals.ctx.transaction((tx) => tx.schema.dropTable('session').execute())

  const { status, body, headers } = await server.visitor().post('/sign-in/email', ada)

  expect([status, body]).toEqual([500, { code: 'FAILED_TO_CREATE_SESSION', message: 'Failed to create session' }])
  expect(headers.getSetCookie()).toEqual([])
})
