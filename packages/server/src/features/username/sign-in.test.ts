import { expect, test, vi } from 'vitest'
import { days } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type TestAnswer, type TestServer, testStart } from '../../testing.ts'

const id = expect.stringMatching(/^[A-Za-z0-9]{32}$/)
const wrong = { code: 'INVALID_USERNAME_OR_PASSWORD', message: 'invalid username or password' }
const verificationRequired: TollgateConfig = { emailAndPassword: { requireEmailVerification: true } }
/** Limits are on, except those by address and path, which would apply first. */
const limited: TollgateConfig = { rateLimit: { enabled: true, customRules: { '/sign-in/*': false } } }
const password = 'correct horse battery'
const ada = { name: 'Ada', email: 'ada@example.com', password, username: 'Ada.L' }
const right = { username: 'ada.l', password }

async function serverWithAda(config: TollgateConfig = {}): Promise<TestServer> {
  const server = await createTestServer(config)
  const { status } = await server.visitor().post('/sign-up/email', ada)
  expect(status).toBe(200)
  return server
}

const storedSessions = ({ tollgate }: TestServer) =>
  tollgate.internals.ctx.db.selectFrom('session').selectAll().execute()

test('sign-in by username answers token and user, sets the cookie, and sends the session event', async () => {
  await using server = await serverWithAda()
  const visitor = server.visitor()

  const { status, body, headers } = await visitor.post('/sign-in/username', right)

  expect(status).toBe(200)
  expect(body).toEqual({
    token: id,
    user: {
      id,
      email: ada.email,
      emailVerified: false,
      username: 'ada.l',
      name: 'Ada',
      image: null,
      createdAt: testStart.toISOString(),
      updatedAt: testStart.toISOString(),
    },
  })
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^better-auth\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
  const { session, user } = (await visitor.get('/get-session')).body
  expect(session.token).toBe(body.token)
  expect(user).toMatchObject({ id: body.user.id, username: 'ada.l', displayUsername: 'Ada.L' })
  expect(await server.events('session.created')).toContainEqual({
    actorId: user.id,
    userId: user.id,
    data: { sessionId: session.id },
  })
})

test('a username may be typed in any case', async () => {
  await using server = await serverWithAda()

  for (const username of ['ada.l', 'ADA.L', 'Ada.L'])
    expect((await server.visitor().post('/sign-in/username', { username, password })).status).toBe(200)
})

test('with rememberMe false the session ends with the browser and after a day', async () => {
  await using server = await serverWithAda()
  const visitor = server.visitor()

  const { body, headers } = await visitor.post('/sign-in/username', { ...right, rememberMe: false })

  expect(headers.getSetCookie().map((line) => line.replace(/=[^;]+/, ''))).toEqual([
    'better-auth.session_token; Path=/; HttpOnly; SameSite=Lax',
    'better-auth.dont_remember; Path=/; HttpOnly; SameSite=Lax',
  ])
  const session = (await storedSessions(server)).find(({ token }) => token === body.token)
  expect(session?.expiresAt).toEqual(new Date(testStart.getTime() + days(1)))
  server.clock.advance(days(1))
  expect((await visitor.get('/get-session')).body).toBeNull()
})

const refusals: readonly { name: string; given: unknown; expected: readonly unknown[]; config?: TollgateConfig }[] = [
  ...[
    ['the password is wrong', { ...right, password: 'wrong horse battery' }],
    ['the password is empty', { ...right, password: '' }],
    ['the password is another person’s', { ...right, password: 'password of eve' }],
    ['nobody has the username', { ...right, username: 'nobody' }],
    ['the username is empty', { ...right, username: '' }],
    ['both are empty', { username: '', password: '' }],
    ['there is no username', { password }],
    ['there is no password', { username: 'ada.l' }],
    ['the body is null', null],
  ].map(([name, given]) => ({ name: String(name), given, expected: [401, wrong] })),
  {
    name: 'the username is too short, whatever the password',
    given: { username: 'ad', password: '' },
    expected: [422, { code: 'USERNAME_IS_TOO_SHORT', message: 'username is too short' }],
  },
  {
    name: 'the username is too long',
    given: { ...right, username: 'a'.repeat(31) },
    expected: [422, { code: 'USERNAME_IS_TOO_LONG', message: 'username is too long' }],
  },
  ...['ada@example.com', 'ada l', 'ada.l\u0301'].map((username) => ({
    name: `the username is ${JSON.stringify(username)}`,
    given: { ...right, username },
    expected: [422, { code: 'USERNAME_IS_INVALID', message: 'username is invalid' }],
  })),
  {
    name: 'the username is as long as a text may be',
    given: { ...right, username: 'a'.repeat(2048) },
    expected: [422, { code: 'USERNAME_IS_TOO_LONG', message: 'username is too long' }],
  },
  ...[
    ['the username is a list', { ...right, username: ['ada.l'] }],
    ['the username is longer than a text may be', { ...right, username: 'a'.repeat(2049) }],
    ['the username holds a NUL', { ...right, username: 'ada\0' }],
    ['rememberMe is a text', { ...right, rememberMe: 'yes' }],
  ].map(([name, given]) => ({
    name: String(name),
    given,
    expected: [400, { code: 'VALIDATION_ERROR', message: 'Invalid body parameters' }],
  })),
  {
    name: 'the callbackURL leads elsewhere',
    given: { ...right, callbackURL: '//evil.example' },
    expected: [403, { code: 'INVALID_CALLBACKURL', message: 'Invalid callbackURL' }],
  },
  {
    name: 'the validator fails',
    given: { ...right, username: 'broken' },
    expected: [500, { code: 'UNEXPECTED_ERROR', message: 'unexpected error' }],
    config: {
      username: {
        usernameValidator: (name) => {
          if (name === 'broken') throw new Error('validator is down')
          return true
        },
      },
    },
  },
]

test.each(refusals)('sign-in by username is refused when $name', async ({ given, expected, config }) => {
  await using server = await serverWithAda(config)
  const eve = { name: 'Eve', email: 'eve@example.com', password: 'password of eve', username: 'eve' }
  await server.visitor().post('/sign-up/email', eve)

  const { status, body, headers } = await server
    .visitor()
    .request('POST', '/api/auth/sign-in/username', { body: given })

  expect([status, body]).toEqual(expected)
  expect(headers.getSetCookie()).toEqual([])
  expect(await storedSessions(server)).toHaveLength(2)
})

test('where passwords are off no user signs in by username', async () => {
  await using server = await createTestServer({ emailAndPassword: { enabled: false } })

  const { status, body } = await server.visitor().post('/sign-in/username', right)

  expect([status, body.code]).toEqual([400, 'EMAIL_AND_PASSWORD_IS_NOT_ENABLED'])
})

test('where usernames are off the calls are as if they were not there', async () => {
  await using server = await createTestServer({ username: false })

  const signIn = await server.visitor().post('/sign-in/username', right)
  const available = await server.visitor().post('/is-username-available', { username: 'ada' })

  expect([signIn.status, available.status]).toEqual([404, 404])
})

/** Everything a caller sees of an answer, minus what differs between any two requests. */
const seen = ({ status, text, headers }: TestAnswer): unknown => ({
  status,
  headers: [...headers].filter(([name]) => name !== 'x-request-id'),
  text,
})

test('unknown, empty and known usernames, with a password and without, look alike and cost one hash', async () => {
  await using server = await serverWithAda(verificationRequired)
  const { passwords, transaction } = server.tollgate.internals.ctx
  const ask = async (username: string) => {
    const spies = [vi.spyOn(passwords, 'hash'), vi.spyOn(passwords, 'verify')]
    const answer = await server.visitor().post('/sign-in/username', { username, password: 'wrong horse battery' })
    const hashes = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    for (const spy of spies) spy.mockRestore()
    return { answer: seen(answer), hashes }
  }

  const ofKnown = await ask('ada.l')
  const others = [await ask('nobody'), await ask('')]
  await transaction((tx) => tx.deleteFrom('account').execute())
  others.push(await ask('ada.l'))

  expect(ofKnown.hashes).toBe(1)
  expect(others).toEqual([ofKnown, ofKnown, ofKnown])
})

test('ten failures are allowed by username, whatever its spelling, and unknown usernames count alike', async () => {
  await using server = await serverWithAda(limited)
  const guess = async (path: string, who: object) =>
    (await server.visitor().post(path, { ...who, password: 'wrong horse battery' })).status
  const guesses = async (count: number, path: string, who: object) => {
    const statuses: number[] = []
    for (let index = 0; index < count; index += 1) statuses.push(await guess(path, who))
    return statuses
  }

  expect(await guesses(5, '/sign-in/username', { username: 'ada.l' })).toEqual(Array(5).fill(401))
  expect(await guesses(6, '/sign-in/username', { username: 'ADA.L' })).toEqual([...Array(5).fill(401), 429])
  expect(await guesses(11, '/sign-in/username', { username: 'nobody' })).toEqual([...Array(10).fill(401), 429])

  expect((await server.visitor().post('/sign-in/username', right)).status).toBe(429)
  server.clock.advance(15 * 60_000)
  expect((await server.visitor().post('/sign-in/username', right)).status).toBe(200)
})

test('an unverified address is reported only after the right password, and gets another mail', async () => {
  await using server = await serverWithAda(verificationRequired)
  expect(await server.mailsTo(ada.email)).toHaveLength(1)
  server.clock.advance(1000)

  const guess = await server.visitor().post('/sign-in/username', { ...right, password: 'wrong horse battery' })
  expect([guess.status, guess.body]).toEqual([401, wrong])
  expect(await server.mailsTo(ada.email)).toHaveLength(1)

  const answer = await server.visitor().post('/sign-in/username', { ...right, callbackURL: '/inside' })
  expect([answer.status, answer.body]).toEqual([403, { code: 'EMAIL_NOT_VERIFIED', message: 'email not verified' }])
  expect(answer.headers.getSetCookie()).toEqual([])
  expect(await storedSessions(server)).toEqual([])
  expect(await server.mailsTo(ada.email)).toHaveLength(2)

  const followed = await server.visitor().request('GET', await server.linkTo(ada.email))
  expect(followed.headers.get('location')).toBe('/inside')
  expect((await server.visitor().post('/sign-in/username', right)).status).toBe(200)
})

test('no mail is sent again when sendOnSignIn is off', async () => {
  await using server = await serverWithAda({ ...verificationRequired, emailVerification: { sendOnSignIn: false } })

  expect((await server.visitor().post('/sign-in/username', right)).status).toBe(403)

  expect(await server.mailsTo(ada.email)).toHaveLength(1)
})

test('a user who is banned is refused with the reason after the right password only', async () => {
  await using server = await serverWithAda()
  await server.tollgate.internals.ctx.transaction((tx) => tx.updateTable('user').set({ banned: true }).execute())

  const guess = await server.visitor().post('/sign-in/username', { ...right, password: 'wrong horse battery' })
  const { status, body } = await server.visitor().post('/sign-in/username', right)

  expect(guess.status).toBe(401)
  expect([status, body.code]).toEqual([403, 'BANNED_USER'])
  expect(await storedSessions(server)).toHaveLength(1)
})

test('a sign-in by username under way does not outlive a change of password that ends all sessions', async () => {
  await using server = await createTestServer()
  const owner = server.visitor()
  await owner.post('/sign-up/email', ada)
  const { passwords } = server.tollgate.internals.ctx
  const { verify } = passwords
  Object.assign(passwords, {
    verify: async (...given: Parameters<typeof verify>) => {
      Object.assign(passwords, { verify })
      const outcome = await verify(...given)
      const change = { currentPassword: password, newPassword: 'another good one', revokeOtherSessions: true }
      expect((await owner.post('/change-password', change)).status).toBe(200)
      return outcome
    },
  })

  const { status, body } = await server.visitor().post('/sign-in/username', right)

  expect([status, body]).toEqual([401, wrong])
  expect(await storedSessions(server)).toHaveLength(1)
})

test('several sign-ins at the same moment each get a session of their own', async () => {
  await using server = await serverWithAda()

  const answers = await Promise.all([1, 2, 3].map(() => server.visitor().post('/sign-in/username', right)))

  expect(new Set(answers.map(({ body }) => body.token)).size).toBe(3)
  expect(await storedSessions(server)).toHaveLength(4)
})

test('when the session cannot be stored the answer is an error', async () => {
  await using server = await serverWithAda()
  await server.tollgate.internals.ctx.transaction((tx) => tx.schema.dropTable('session').execute())

  const { status, body } = await server.visitor().post('/sign-in/username', right)

  expect([status, body]).toEqual([500, { code: 'FAILED_TO_CREATE_SESSION', message: 'Failed to create session' }])
})

test('whether a username is available does not depend on its case', async () => {
  await using server = await serverWithAda()
  const ask = async (username: string) => {
    const { status, body } = await server.visitor().post('/is-username-available', { username })
    return [status, body]
  }

  expect(await ask('grace')).toEqual([200, { available: true }])
  for (const taken of ['ada.l', 'ADA.L']) expect(await ask(taken)).toEqual([200, { available: false }])
  expect(await ask('ad')).toEqual([422, { code: 'USERNAME_IS_TOO_SHORT', message: 'username is too short' }])
  expect(await ask('a'.repeat(31))).toEqual([422, { code: 'USERNAME_IS_TOO_LONG', message: 'username is too long' }])
  expect(await ask('ada-l')).toEqual([422, { code: 'USERNAME_IS_INVALID', message: 'username is invalid' }])
})

test('an address may ask for three usernames in ten seconds', async () => {
  await using server = await createTestServer({ rateLimit: { enabled: true } })
  const ask = async () => (await server.visitor().post('/is-username-available', { username: 'ada' })).status

  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429])

  server.clock.advance(10_000)
  expect(await ask()).toBe(200)
})
