import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { hours, minutes, seconds } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type TestServer, testStart } from '../../testing.ts'

const secret = 'the secret of the tests of verification'
const env = { SECRET: secret }
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
const verify = '/api/auth/verify-email'

async function signUp(server: TestServer, person: Partial<typeof ada> & { callbackURL?: string } = {}) {
  const visitor = server.visitor()
  const { status, body } = await visitor.post('/sign-up/email', { ...ada, ...person })
  expect(status).toBe(200)
  return Object.assign(visitor, { user: body.user })
}

/** The mailed link without its callbackURL, so that the API answers instead of redirecting. */
async function bareLink(server: TestServer, email = ada.email): Promise<string> {
  const link = new URL(await server.linkTo(email), server.baseURL)
  link.searchParams.delete('callbackURL')
  return link.pathname + link.search
}

const isVerified = async ({ tollgate }: TestServer, email = ada.email) =>
  (
    await tollgate.internals.ctx.db
      .selectFrom('user')
      .select('emailVerified')
      .where('email', '=', email)
      .executeTakeFirst()
  )?.emailVerified

/** A token in our format with other claims or another key. */
const keyOf = (from: string) => new TextEncoder().encode(from)
const token = (claims: Record<string, unknown>, key = keyOf(secret), alg = 'HS256') =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(key)

test('the mailed link verifies the address and leads on, once', async () => {
  await using server = await createTestServer()
  const { user } = await signUp(server, { callbackURL: '/welcome?a=b' })
  const link = await server.linkTo(ada.email)

  const first = await server.visitor().request('GET', link)

  expect([first.status, first.headers.get('location'), first.text]).toEqual([302, '/welcome?a=b', ''])
  expect(first.headers.get('referrer-policy')).toBe('no-referrer')
  expect(first.headers.getSetCookie()).toEqual([])
  expect(await isVerified(server)).toBe(true)
  expect(await server.events('user.email_verified')).toEqual([{ actorId: user.id, userId: user.id, data: null }])

  const second = await server.visitor().request('GET', link)
  expect([second.status, second.headers.get('location')]).toEqual([302, '/welcome?a=b'])
  expect(await server.events('user.email_verified')).toHaveLength(1)
})

test('without a callbackURL the link answers with JSON, the second time too', async () => {
  await using server = await createTestServer()
  await signUp(server)
  const link = await bareLink(server)

  for (const _ of ['first', 'second']) {
    const { status, body, headers } = await server.visitor().request('GET', link)
    expect([status, body]).toEqual([200, { status: true, user: null }])
    expect(headers.getSetCookie()).toEqual([])
  }
})

test('the token is a JWT of the ecosystem: HS256, address, an hour, signed with a key of the secret', async () => {
  await using server = await createTestServer({}, { env })
  await signUp(server)

  const [header = '', payload = ''] = new URL(await server.linkTo(ada.email), server.baseURL).searchParams
    .get('token')!
    .split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())

  expect(read(header)).toEqual({ alg: 'HS256' })
  const iat = testStart.getTime() / 1000
  expect(read(payload)).toEqual({ email: ada.email, jti: expect.any(String), iat, exp: iat + 3600 })
})

test('of two visits at the same moment one verifies, and both are answered alike', async () => {
  await using server = await createTestServer()
  await signUp(server)
  const link = await bareLink(server)

  const answers = await Promise.all([1, 2, 3].map(() => server.visitor().request('GET', link)))

  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    answers.map(() => [200, { status: true, user: null }]),
  )
  expect(await server.events('user.email_verified')).toHaveLength(1)
})

test('the link works until an hour has passed, and not a second longer', async () => {
  await using server = await createTestServer()
  await signUp(server)
  await signUp(server, { email: 'eve@example.com' })
  const [adas, eves] = [await bareLink(server), await bareLink(server, 'eve@example.com')]

  server.clock.advance(hours(1) - seconds(1))
  expect((await server.visitor().request('GET', adas)).status).toBe(200)

  server.clock.advance(seconds(1))
  const late = await server.visitor().request('GET', eves)
  expect([late.status, late.body]).toEqual([401, { code: 'TOKEN_EXPIRED', message: 'token_expired' }])
  expect(await isVerified(server, 'eve@example.com')).toBe(false)
})

test('the configured life of links holds', async () => {
  await using server = await createTestServer({ emailVerification: { expiresIn: 60 } })
  await signUp(server)
  const link = await server.linkTo(ada.email)

  server.clock.advance(minutes(1))

  expect((await server.visitor().request('GET', link)).headers.get('location')).toBe('/?error=token_expired')
})

test('a signed-in visitor sees the verified address at once', async () => {
  await using server = await createTestServer({ session: { cookieCache: { enabled: true } } })
  const visitor = await signUp(server)
  expect((await visitor.get('/get-session')).body.user.emailVerified).toBe(false)

  const { headers } = await visitor.request('GET', await server.linkTo(ada.email))

  expect(headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual([
    'better-auth.session_token',
    'better-auth.session_data',
  ])
  expect((await visitor.get('/get-session')).body.user.emailVerified).toBe(true)
})

const autoSignIn: TollgateConfig = {
  emailAndPassword: { requireEmailVerification: true },
  emailVerification: { autoSignInAfterVerification: true },
}

test('with autoSignInAfterVerification the first visit signs in, a second one does not', async () => {
  await using server = await createTestServer(autoSignIn)
  const { user } = await signUp(server)
  const link = await server.linkTo(ada.email)
  const visitor = server.visitor()

  await visitor.request('GET', link)

  expect((await visitor.get('/get-session')).body.user.id).toBe(user.id)
  const finder = server.visitor()
  const { status, headers } = await finder.request('GET', link)
  expect([status, headers.getSetCookie()]).toEqual([302, []])
})

test('following the link in a browser of another user verifies, and leaves them signed in as they were', async () => {
  await using server = await createTestServer()
  await signUp(server)
  const link = await server.linkTo(ada.email)
  const eve = await signUp(server, { email: 'eve@example.com' })

  await eve.request('GET', link)

  expect(await isVerified(server)).toBe(true)
  expect((await eve.get('/get-session')).body.user.email).toBe('eve@example.com')
  expect((await eve.get('/get-session')).body.user.emailVerified).toBe(false)
})

const iat = testStart.getTime() / 1000
const lasting = { iat, exp: iat + 3600, jti: 'x'.repeat(32) }

const badTokens: readonly { name: string; make: () => Promise<string> | string; message: string }[] = [
  { name: 'no JWT', make: () => 'nonsense', message: 'invalid_token' },
  {
    name: 'one of another secret',
    make: () => token({ ...lasting, email: ada.email }, keyOf('x'.repeat(40))),
    message: 'invalid_token',
  },
  {
    name: 'one without a signature',
    make: () =>
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ ...lasting, email: ada.email })).toString('base64url')}.`,
    message: 'invalid_token',
  },
  {
    name: 'one of another algorithm',
    make: () => token({ ...lasting, email: ada.email }, keyOf(secret), 'HS512'),
    message: 'invalid_token',
  },
  { name: 'one that was never mailed', make: () => token({ ...lasting, email: ada.email }), message: 'invalid_token' },
  { name: 'one without an id', make: () => token({ email: ada.email, exp: lasting.exp }), message: 'invalid_token' },
  { name: 'one that never ends', make: () => token({ email: ada.email, jti: lasting.jti }), message: 'invalid_token' },
  { name: 'one without an address', make: () => token(lasting), message: 'invalid_token' },
  {
    name: 'one that has run out',
    make: () => token({ ...lasting, email: ada.email, exp: iat }),
    message: 'token_expired',
  },
  {
    name: 'one of an unknown address',
    make: () => token({ ...lasting, email: 'nobody@example.com' }),
    message: 'user_not_found',
  },
]

test.each(badTokens)('verify-email refuses $name', async ({ make, message }) => {
  await using server = await createTestServer({}, { env })
  await signUp(server)
  const bad = await make()

  const plain = await server.visitor().request('GET', `${verify}?token=${bad}`)
  const redirected = await server.visitor().request('GET', `${verify}?token=${bad}&callbackURL=/after`)
  const withQuery = await server.visitor().request('GET', `${verify}?token=${bad}&callbackURL=/after%3Fa=b`)

  expect([plain.status, plain.body]).toEqual([401, { code: message.toUpperCase(), message }])
  expect([redirected.status, redirected.headers.get('location')]).toEqual([302, `/after?error=${message}`])
  expect(withQuery.headers.get('location')).toBe(`/after?a=b&error=${message}`)
  expect(await isVerified(server)).toBe(false)
})

test('a missing or doubled token is a wrong query, and a callbackURL that leads elsewhere is refused', async () => {
  await using server = await createTestServer()
  const wrongQuery = { code: 'VALIDATION_ERROR', message: 'Invalid query parameters' }

  for (const query of ['', '?callbackURL=/', '?token=a&token=b']) {
    const { status, body } = await server.visitor().request('GET', verify + query)
    expect([query, status, body]).toEqual([query, 400, wrongQuery])
  }
  const away = await server.visitor().request('GET', `${verify}?token=a&callbackURL=https://evil.example`)
  expect([away.status, away.body]).toEqual([403, { code: 'INVALID_CALLBACKURL', message: 'Invalid callbackURL' }])
})

test('links signed with a previous secret still work after a rotation', async () => {
  await using server = await createTestServer({}, { env: { SECRET: 'y'.repeat(40), SECRET_PREVIOUS: secret } })
  await signUp(server)
  const made = new URL(await server.linkTo(ada.email), server.baseURL).searchParams.get('token')!
  const claims = JSON.parse(Buffer.from(made.split('.')[1]!, 'base64url').toString())
  const older = await token(claims)

  expect((await server.visitor().request('GET', `${verify}?token=${older}`)).status).toBe(200)
  expect(await isVerified(server)).toBe(true)
})

test('send-verification-email mails a new link and ends the one before', async () => {
  await using server = await createTestServer()
  await signUp(server)
  const older = await server.linkTo(ada.email)
  server.clock.advance(seconds(1))

  const { status, body } = await server
    .visitor()
    .post('/send-verification-email', { email: 'ADA@example.com', callbackURL: '/next' })

  expect([status, body]).toEqual([200, { status: true }])
  const newer = await server.linkTo(ada.email)
  expect(newer).not.toBe(older)
  expect((await server.visitor().request('GET', older)).headers.get('location')).toBe('/?error=invalid_token')
  expect((await server.visitor().request('GET', newer)).headers.get('location')).toBe('/next')
})

test('send-verification-email mails nothing to a verified or unknown address, and answers the same', async () => {
  await using server = await createTestServer()
  await signUp(server)
  await server.visitor().request('GET', await server.linkTo(ada.email))
  server.clock.advance(seconds(1))

  for (const email of [ada.email, 'nobody@example.com']) {
    const before = (await server.mailsTo(email)).length
    const { status, body } = await server.visitor().post('/send-verification-email', { email })
    expect([status, body]).toEqual([200, { status: true }])
    expect(await server.mailsTo(email)).toHaveLength(before)
  }
})

const validation = [400, { code: 'VALIDATION_ERROR', message: 'Invalid body parameters' }]

test.each<{ name: string; given: unknown; expected: unknown[]; config?: TollgateConfig }>([
  { name: 'there is no address', given: {}, expected: validation },
  { name: 'the address is none', given: { email: 'ada' }, expected: validation },
  { name: 'the address has two @', given: { email: 'ada@example.com@evil.example.com' }, expected: validation },
  { name: 'the address is a number', given: { email: 1 }, expected: validation },
  {
    name: 'the callbackURL leads elsewhere',
    given: { email: ada.email, callbackURL: 'javascript:alert(1)' },
    expected: [403, { code: 'INVALID_CALLBACKURL', message: 'Invalid callbackURL' }],
  },
  {
    name: 'verification is off',
    given: { email: ada.email },
    config: { emailVerification: { enabled: false } },
    expected: [400, { code: 'VERIFICATION_EMAIL_ISNT_ENABLED', message: "Verification email isn't enabled" }],
  },
])('send-verification-email is refused when $name', async ({ given, expected, config }) => {
  await using server = await createTestServer(config)

  const { status, body } = await server.visitor().post('/send-verification-email', given)

  expect([status, body]).toEqual(expected)
})
