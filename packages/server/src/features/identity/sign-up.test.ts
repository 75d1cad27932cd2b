import { createHash, createHmac } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { days } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type TestServer, testStart } from '../../testing.ts'
import { passwordCost } from './passwords.ts'

const secret = 'the secret of the tests about signing up'
const id = expect.stringMatching(/^[A-Za-z0-9]{32}$/)
const ada = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'correct horse battery' }
const verificationRequired: TollgateConfig = { emailAndPassword: { requireEmailVerification: true } }

/** A signed cookie value as the ecosystem makes it, without our code. */
const signed = (value: string): string =>
  encodeURIComponent(`${value}.${createHmac('sha256', secret).update(value).digest('base64')}`)

/** Row counts of every table that a sign-up may write. */
async function stored({ tollgate }: TestServer) {
  const { db } = tollgate.internals.ctx
  const [users, accounts, sessions, proofs, events] = await Promise.all([
    db.selectFrom('user').selectAll().execute(),
    db.selectFrom('account').selectAll().execute(),
    db.selectFrom('session').selectAll().execute(),
    db.selectFrom('verification').selectAll().execute(),
    db.selectFrom('event').selectAll().execute(),
  ])
  return { users, accounts, sessions, proofs, events }
}

const counts = async (server: TestServer) =>
  Object.fromEntries(Object.entries(await stored(server)).map(([name, rows]) => [name, rows.length]))

const nothing = { users: 0, accounts: 0, sessions: 0, proofs: 0, events: 0 }

test('sign-up answers the user and a token, and signs in by one signed cookie', async () => {
  await using server = await createTestServer({}, { env: { SECRET: secret } })
  const visitor = server.visitor()

  const { status, body, headers } = await visitor.post('/sign-up/email', ada)

  expect(status).toBe(200)
  expect(body).toEqual({
    token: id,
    user: {
      id,
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      image: null,
      emailVerified: false,
      createdAt: testStart.toISOString(),
      updatedAt: testStart.toISOString(),
    },
  })
  expect(headers.getSetCookie()).toEqual([
    `better-auth.session_token=${signed(body.token)}; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax`,
  ])
  expect(headers.get('content-type')).toBe('application/json')
  expect(headers.get('cache-control')).toBe('no-store')
  expect((await visitor.get('/get-session')).body.user.email).toBe('ada@example.com')
})

test('sign-up sends the events of the user and of the session, and nothing else', async () => {
  await using server = await createTestServer()

  const { body } = await server.visitor().post('/sign-up/email', ada)

  const { events, sessions } = await stored(server)
  const userId = body.user.id
  expect(await server.events('user.created')).toEqual([{ actorId: userId, userId, data: { method: 'email' } }])
  expect(await server.events('session.created')).toEqual([
    { actorId: userId, userId, data: { sessionId: sessions[0]?.id } },
  ])
  expect(events).toHaveLength(2)
})

test('sign-up keeps the address in one spelling and the password as an argon2id hash only', async () => {
  await using server = await createTestServer({}, { passwordCost })

  const { body } = await server
    .visitor()
    .post('/sign-up/email', { ...ada, email: '  ADA@Exämple.COM ', name: ' Ada  ' })

  const { users, accounts } = await stored(server)
  expect(body.user).toMatchObject({ email: 'ada@xn--exmple-cua.com', name: 'Ada' })
  expect(users[0]).toMatchObject({ email: 'ada@xn--exmple-cua.com', role: null, banned: false })
  expect(accounts).toHaveLength(1)
  expect(accounts[0]).toMatchObject({
    providerId: 'credential',
    accountId: body.user.id,
    userId: body.user.id,
    password: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
  })
})

test('fields that a visitor may not set are ignored', async () => {
  await using server = await createTestServer()

  const { body } = await server
    .visitor()
    .post('/sign-up/email', { ...ada, id: 'mine', role: 'admin', emailVerified: true, banned: true })

  const { users } = await stored(server)
  expect(body.user.id).toEqual(id)
  expect(users[0]).toMatchObject({ role: null, emailVerified: false, banned: false })
})

test('a picture is kept when it is an http address', async () => {
  await using server = await createTestServer()

  const { body } = await server.visitor().post('/sign-up/email', { ...ada, image: 'https://pictures.example/ada.png' })

  expect(body.user.image).toBe('https://pictures.example/ada.png')
})

test('sign-up mails a link that verifies the address and leads to the callbackURL', async () => {
  await using server = await createTestServer()
  const visitor = server.visitor()

  await visitor.post('/sign-up/email', { ...ada, callbackURL: '/welcome?plan=pro&seats=2' })

  const mails = await server.mailsTo(ada.email)
  expect(mails.map(({ subject }) => subject)).toEqual(['Confirm your email address for Tollgate'])
  const link = new URL(mails[0]?.links[0] ?? '')
  expect(link.origin + link.pathname).toBe('http://localhost:3000/api/auth/verify-email')
  expect([...link.searchParams.keys()]).toEqual(['token', 'callbackURL'])
  expect(link.searchParams.get('callbackURL')).toBe('/welcome?plan=pro&seats=2')
})

test.each<{ name: string; config: TollgateConfig }>([
  { name: 'sendOnSignUp is off', config: { emailVerification: { sendOnSignUp: false } } },
  { name: 'verification is off', config: { emailVerification: { enabled: false } } },
])('sign-up mails nothing when $name', async ({ config }) => {
  await using server = await createTestServer(config)

  await server.visitor().post('/sign-up/email', ada)

  expect(await server.mailsTo(ada.email)).toEqual([])
  expect((await counts(server)).proofs).toBe(0)
})

test('where verification is required the mail is sent even if sendOnSignUp is off', async () => {
  await using server = await createTestServer({ ...verificationRequired, emailVerification: { sendOnSignUp: false } })

  await server.visitor().post('/sign-up/email', ada)

  expect(await server.mailsTo(ada.email)).toHaveLength(1)
})

test('with rememberMe false the session ends with the browser and after a day', async () => {
  await using server = await createTestServer({}, { env: { SECRET: secret } })

  const { body, headers } = await server.visitor().post('/sign-up/email', { ...ada, rememberMe: false })

  expect(headers.getSetCookie()).toEqual([
    `better-auth.session_token=${signed(body.token)}; Path=/; HttpOnly; SameSite=Lax`,
    `better-auth.dont_remember=${signed('true')}; Path=/; HttpOnly; SameSite=Lax`,
  ])
  expect((await stored(server)).sessions[0]?.expiresAt).toEqual(new Date(testStart.getTime() + days(1)))
})

test('without autoSignIn there is no token, no cookie and no session', async () => {
  await using server = await createTestServer({ emailAndPassword: { autoSignIn: false } })

  const { status, body, headers } = await server.visitor().post('/sign-up/email', ada)

  expect([status, body.token, body.user.email]).toEqual([200, null, ada.email])
  expect(headers.getSetCookie()).toEqual([])
  expect(await counts(server)).toMatchObject({ users: 1, sessions: 0 })
})

const tooLong = 'x'.repeat(129)
const validation = { status: 400, code: 'VALIDATION_ERROR', message: 'Invalid body parameters' }

const refusals: {
  readonly name: string
  readonly config?: TollgateConfig
  readonly given: unknown
  readonly status: number
  readonly code: string
  readonly message: string
}[] = [
  ...['', 'ada', 'ada@', '@example.com', 'ada@example', 'ada@@example.com', 'ada@example.com, eve@example.com'].map(
    (email) => ({
      name: `the address is "${email}"`,
      given: { ...ada, email },
      status: 400,
      code: 'INVALID_EMAIL',
      message: 'Invalid email',
    }),
  ),
  {
    name: 'the password has 7 characters',
    given: { ...ada, password: '1234567' },
    status: 400,
    code: 'PASSWORD_TOO_SHORT',
    message: 'Password too short',
  },
  {
    name: 'the password has 129 characters',
    given: { ...ada, password: tooLong },
    status: 400,
    code: 'PASSWORD_TOO_LONG',
    message: 'Password too long',
  },
  {
    name: 'the name has a control character',
    given: { ...ada, name: 'Ada\u202eecalevoL' },
    status: 400,
    code: 'INVALID_NAME',
    message: 'Invalid name',
  },
  {
    name: 'the name has 101 characters',
    given: { ...ada, name: 'x'.repeat(101) },
    status: 400,
    code: 'INVALID_NAME',
    message: 'Invalid name',
  },
  ...['javascript:alert(1)', 'data:image/png;base64,AAAA', '//pictures.example/a.png', 'a.png'].map((image) => ({
    name: `the picture is ${image}`,
    given: { ...ada, image },
    status: 400,
    code: 'INVALID_IMAGE',
    message: 'Invalid image',
  })),
  {
    name: 'the callbackURL leads elsewhere',
    given: { ...ada, callbackURL: 'https://evil.example' },
    status: 403,
    code: 'INVALID_CALLBACKURL',
    message: 'Invalid callbackURL',
  },
  {
    name: 'the set-up token is none',
    given: { ...ada, setupToken: 'x'.repeat(24) },
    status: 400,
    code: 'INVALID_TOKEN',
    message: 'invalid token',
  },
  { name: 'there is no name', given: { ...ada, name: undefined }, ...validation },
  { name: 'there is no address', given: { ...ada, email: undefined }, ...validation },
  { name: 'there is no password', given: { ...ada, password: undefined }, ...validation },
  { name: 'the password is null', given: { ...ada, password: null }, ...validation },
  { name: 'the address is a list', given: { ...ada, email: [ada.email] }, ...validation },
  { name: 'the name is an object', given: { ...ada, name: {} }, ...validation },
  { name: 'the body is a list', given: [ada], ...validation },
  { name: 'a text holds a NUL', given: { ...ada, email: 'ada\u0000@example.com' }, ...validation },
  {
    name: 'sign-up is switched off',
    config: { emailAndPassword: { disableSignUp: true } },
    given: ada,
    status: 400,
    code: 'EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED',
    message: 'Email and password sign up is not enabled',
  },
  {
    name: 'passwords are switched off',
    config: { emailAndPassword: { enabled: false } },
    given: ada,
    status: 400,
    code: 'EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED',
    message: 'Email and password sign up is not enabled',
  },
  {
    name: 'the session would not fit into its cookie',
    config: { session: { cookieCache: { enabled: true } } },
    given: { ...ada, image: `https://pictures.example/${'a'.repeat(2000)}`, name: '𝒜'.repeat(100) },
    status: 400,
    code: 'SESSION_DATA_TOO_LARGE',
    message: 'Session data is too large',
  },
]

test.each(refusals)('sign-up is refused, and stores nothing, when $name', async (row) => {
  await using server = await createTestServer(row.config)

  const { status, body, headers } = await server.visitor().post('/sign-up/email', row.given)

  expect([status, body]).toEqual([row.status, { code: row.code, message: row.message }])
  expect(headers.getSetCookie()).toEqual([])
  expect(await counts(server)).toEqual(nothing)
})

test('passwords of 8 and of 128 characters are taken, counted as people count', async () => {
  await using server = await createTestServer()

  for (const [index, password] of ['12345678', 'x'.repeat(128), '🐎🐎🐎🐎🐎🐎🐎🐎', '  blank '].entries()) {
    const email = `ada${index}@example.com`
    expect((await server.visitor().post('/sign-up/email', { ...ada, email, password })).status).toBe(200)
    expect((await server.visitor().post('/sign-in/email', { email, password })).status).toBe(200)
  }
})

test('configured lengths of passwords hold', async () => {
  await using server = await createTestServer({ emailAndPassword: { minPasswordLength: 12, maxPasswordLength: 16 } })
  const codeFor = async (password: string) =>
    (await server.visitor().post('/sign-up/email', { ...ada, password })).body.code

  expect(await codeFor('x'.repeat(11))).toBe('PASSWORD_TOO_SHORT')
  expect(await codeFor('x'.repeat(17))).toBe('PASSWORD_TOO_LONG')
  expect(await codeFor('x'.repeat(12))).toBeUndefined()
})

test.each([['ada@example.com'], ['ADA@EXAMPLE.COM'], ['\uff41da@example.com'], [' ada@example.com\t']])(
  'a taken address is refused in the spelling "%s"',
  async (email) => {
    await using server = await createTestServer()
    await server.visitor().post('/sign-up/email', ada)
    const before = await counts(server)

    const { status, body, headers } = await server
      .visitor()
      .post('/sign-up/email', { ...ada, email, password: 'another password' })

    expect([status, body]).toEqual([422, { code: 'USER_ALREADY_EXISTS', message: 'User already exists' }])
    expect(headers.getSetCookie()).toEqual([])
    expect(await counts(server)).toEqual(before)
    expect((await server.visitor().post('/sign-in/email', ada)).status).toBe(200)
  },
)

/** Holds each request at the hash until all have arrived; from there they run concurrently. */
function meetAtHash(server: TestServer, count: number): void {
  const { passwords } = server.tollgate.internals.ctx
  const { hash } = passwords
  const all = Promise.withResolvers<void>()
  let come = 0
  vi.spyOn(passwords, 'hash').mockImplementation(async (password) => {
    const hashed = await hash(password)
    come += 1
    if (come === count) all.resolve()
    await all.promise
    return hashed
  })
}

test('of several sign-ups of one address at the same moment one makes the user', async () => {
  await using server = await createTestServer()
  meetAtHash(server, 4)

  const answers = await Promise.all(
    ['first', 'second', 'third', 'fourth'].map((word) =>
      server.visitor().post('/sign-up/email', { ...ada, password: `${word} password` }),
    ),
  )

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
  expect(await counts(server)).toEqual({ users: 1, accounts: 1, sessions: 1, proofs: 1, events: 2 })
  expect(await server.mailsTo(ada.email)).toHaveLength(1)
})

test('where verification is required no user is signed in by signing up', async () => {
  await using server = await createTestServer(verificationRequired)

  const { status, body, headers } = await server.visitor().post('/sign-up/email', ada)

  expect([status, body]).toEqual([200, { token: null, user: expect.objectContaining({ email: ada.email }) }])
  expect(headers.getSetCookie()).toEqual([])
  expect(await counts(server)).toMatchObject({ users: 1, sessions: 0 })
})

test('where verification is required only the owner learns of a sign-up with a taken address', async () => {
  await using server = await createTestServer(verificationRequired)
  const first = await server.visitor().post('/sign-up/email', ada)
  const before = await counts(server)

  const second = await server.visitor().post('/sign-up/email', { ...ada, name: 'Eve', password: 'password of eve' })

  expect(second.status).toBe(200)
  expect(second.body).toEqual({ token: null, user: { ...first.body.user, id, name: 'Eve' } })
  expect(second.body.user.id).not.toBe(first.body.user.id)
  expect(Object.keys(second.body.user)).toEqual(Object.keys(first.body.user))
  expect(await counts(server)).toEqual(before)
  const subjects = (await server.mailsTo(ada.email)).map(({ subject }) => subject)
  expect(subjects.sort()).toEqual([
    'Confirm your email address for Tollgate',
    'You already have an account at Tollgate',
  ])
})

test('two sign-ups of one address at the same moment are both answered neutrally where verification is required', async () => {
  await using server = await createTestServer(verificationRequired)
  meetAtHash(server, 2)

  const answers = await Promise.all([1, 2].map(() => server.visitor().post('/sign-up/email', ada)))

  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await counts(server)).toMatchObject({ users: 1, accounts: 1 })
})

test('when the session cannot be stored the answer is an error, and no user is left behind', async () => {
  await using server = await createTestServer()
  await server.tollgate.internals.ctx.transaction((tx) => tx.schema.dropTable('session').execute())

  const { status, body, headers } = await server.visitor().post('/sign-up/email', ada)

  expect([status, body]).toEqual([500, { code: 'FAILED_TO_CREATE_SESSION', message: 'Failed to create session' }])
  expect(headers.getSetCookie()).toEqual([])
  const users = await server.tollgate.internals.ctx.db.selectFrom('user').selectAll().execute()
  expect(users).toEqual([])
  expect(await server.events('user.created')).toEqual([])
  expect(server.logs.some((line) => line.includes('Failed to create session'))).toBe(true)
})

test('onUserCreated is called once for each user made, and its failure fails no sign-up', async () => {
  const onUserCreated = vi.fn().mockRejectedValueOnce(new Error('the hook is broken'))
  await using server = await createTestServer({ hooks: { onUserCreated } })

  const { status, body } = await server.visitor().post('/sign-up/email', ada)
  await server.visitor().post('/sign-up/email', ada)
  await server.tollgate.internals.ctx.settled()

  expect(status).toBe(200)
  expect(onUserCreated.mock.calls).toEqual([[{ id: body.user.id, email: ada.email, name: ada.name }]])
  expect(server.logs.some((line) => line.includes('the hook is broken'))).toBe(true)
})

/** A list of breached passwords in the format of the range search. */
const breachList =
  (line: string): typeof fetch =>
  async (input) => {
    expect(String(input)).toBe(`https://api.pwnedpasswords.com/range/${digest.slice(0, 5)}`)
    return new Response(`0000000000000000000000000000000000A:3\r\n${line}\r\n`)
  }
const digest = createHash('sha1').update(ada.password).digest('hex').toUpperCase()

test('a password on the list of breached ones is refused, and only five characters of its hash are sent', async () => {
  const fetch = breachList(`${digest.slice(5)}:42`)
  await using server = await createTestServer({ emailAndPassword: { breachedPasswords: 'refuse' } }, { fetch })

  const { status, body } = await server.visitor().post('/sign-up/email', ada)

  expect([status, body]).toEqual([
    400,
    { code: 'PASSWORD_HAS_APPEARED_IN_A_DATA_BREACH', message: 'Password has appeared in a data breach' },
  ])
  expect(await counts(server)).toEqual(nothing)
})

test.each<{ name: string; breachedPasswords: 'refuse' | 'warn'; fetch: typeof fetch; warning: string | null }>([
  {
    name: 'the list does not have it',
    breachedPasswords: 'refuse',
    fetch: breachList(`${'0'.repeat(35)}:1`),
    warning: null,
  },
  {
    name: 'its line is padding',
    breachedPasswords: 'refuse',
    fetch: breachList(`${digest.slice(5)}:0`),
    warning: null,
  },
  {
    name: 'the list does not answer',
    breachedPasswords: 'refuse',
    fetch: () => Promise.reject(new Error('no route to host')),
    warning: 'The breached-password service is unreachable',
  },
  {
    name: 'the list fails',
    breachedPasswords: 'refuse',
    fetch: async () => new Response('', { status: 500 }),
    warning: 'The breached-password service is unreachable',
  },
  {
    name: 'the list is only to warn',
    breachedPasswords: 'warn',
    fetch: breachList(`${digest.slice(5)}:42`),
    warning: 'A user chose a breached password',
  },
])('a password is taken when $name', async ({ breachedPasswords, fetch, warning }) => {
  await using server = await createTestServer({ emailAndPassword: { breachedPasswords } }, { fetch })

  const { status } = await server.visitor().post('/sign-up/email', ada)

  expect(status).toBe(200)
  const warnings = server.logs.map((line) => JSON.parse(line)).filter(({ msg }) => /breached/.test(msg))
  expect(warnings.map(({ msg }) => msg)).toEqual(warning === null ? [] : [warning])
})
