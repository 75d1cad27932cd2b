import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { days, minutes, seconds } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type Person, type TestServer, type Visitor } from '../../testing.ts'

const withTokens: TollgateConfig = { jwt: {} }

/** Verifies a token as another service does: with the published keys and no further request. */
async function verified(server: TestServer, token: string, expected: object = {}): Promise<JWTPayload> {
  const keys = createLocalJWKSet((await server.visitor().get('/jwks')).body)
  const { payload } = await jwtVerify(token, keys, {
    issuer: 'http://localhost:3000',
    audience: 'http://localhost:3000',
    algorithms: ['EdDSA'],
    currentDate: server.clock.now(),
    ...expected,
  })
  return payload
}

const tokenOf = async (person: Visitor): Promise<string> => (await person.get('/token')).body.token
const headerOf = async (person: Visitor): Promise<string | null> =>
  (await person.get('/get-session')).headers.get('set-auth-jwt')

test('a token identifies the signed-in user to another service, which verifies it offline', async () => {
  await using server = await createTestServer(withTokens)
  const ada = await server.signedUp()
  const { user, session } = (await ada.get('/get-session')).body

  const { status, body, headers } = await ada.get('/token')

  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  const now = server.clock.now().getTime() / 1000
  expect(await verified(server, body.token)).toEqual({
    ...user,
    sub: user.id,
    sid: session.id,
    iss: 'http://localhost:3000',
    aud: 'http://localhost:3000',
    iat: now,
    exp: now + 15 * 60,
  })
  expect(decodeProtectedHeader(body.token)).toEqual({ alg: 'EdDSA', typ: 'JWT', kid: expect.any(String) })
  expect(body.token).not.toContain(session.token)
})

test('the published keys are public halves only, and any client may cache them for five minutes', async () => {
  await using server = await createTestServer(withTokens)

  const { status, body, headers } = await server.visitor().get('/jwks')

  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300'])
  expect(body).toEqual({
    keys: [{ kid: expect.any(String), kty: 'OKP', crv: 'Ed25519', x: expect.any(String), alg: 'EdDSA', use: 'sig' }],
  })
})

test('issuer, audience and lifetime follow the configuration', async () => {
  await using server = await createTestServer({
    jwt: { issuer: 'https://accounts.example', audience: 'notes', expirationTime: '2h' },
  })
  const ada = await server.signedUp()

  const { exp = 0, iat = 0 } = await verified(server, await tokenOf(ada), {
    issuer: 'https://accounts.example',
    audience: 'notes',
  })

  expect(exp - iat).toBe(7200)
})

test('a token ends after a quarter of an hour, and one for another audience is refused', async () => {
  await using server = await createTestServer(withTokens)
  const token = await tokenOf(await server.signedUp())

  await expect(verified(server, token, { audience: 'notes' })).rejects.toThrow('"aud"')
  server.clock.advance(minutes(15) - 1)
  await verified(server, token)
  server.clock.advance(1)

  await expect(verified(server, token)).rejects.toThrow('"exp"')
})

test('a token does not outlive its session', async () => {
  await using server = await createTestServer({ ...withTokens, session: { disableSessionRefresh: true } })
  const ada = await server.signedUp()
  server.clock.advance(days(7) - minutes(5))

  const { exp, iat } = decodeJwt(await tokenOf(ada))

  expect(exp! - iat!).toBe(300)
})

test('a token of another server, or one that was altered, is refused', async () => {
  await using server = await createTestServer(withTokens)
  await using other = await createTestServer(withTokens)
  const foreign = await tokenOf(await other.signedUp())
  const [head, , signature] = (await tokenOf(await server.signedUp())).split('.')
  const forged = Buffer.from(JSON.stringify({ ...decodeJwt(foreign), role: 'admin' })).toString('base64url')

  await expect(verified(server, foreign)).rejects.toThrow('no applicable key')
  await expect(verified(server, `${head}.${forged}.${signature}`)).rejects.toThrow('signature verification failed')
})

test('no user gets a token without a session: strangers, and those whose session has been ended', async () => {
  await using server = await createTestServer(withTokens)
  const ada = await server.signedUp()
  const thief = server.visitor()
  for (const [name, value] of ada.cookies) thief.cookies.set(name, value)
  expect((await thief.get('/token')).status).toBe(200)

  await ada.post('/revoke-sessions')

  expect(await thief.get('/token')).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  expect(await headerOf(thief)).toBeNull()
  expect((await server.visitor().get('/token')).status).toBe(401)
})

test('a user who is banned gets no further token, by neither way', async () => {
  await using server = await createTestServer(withTokens)
  const root = await server.administrator()
  const ada = await server.signedUp()
  const { user } = (await ada.get('/get-session')).body
  expect(await headerOf(ada)).not.toBeNull()

  await root.post('/admin/ban-user', { userId: user.id })

  expect((await ada.get('/token')).status).toBe(401)
  expect(await headerOf(ada)).toBeNull()
})

test('a token names the administrator who impersonates the user', async () => {
  await using server = await createTestServer(withTokens)
  const root = await server.administrator()
  const { user: administrator } = (await root.get('/get-session')).body
  const ada = await server.signedUp()
  const { user } = (await ada.get('/get-session')).body
  expect(await verified(server, await tokenOf(root))).not.toHaveProperty('act')

  const { status } = await root.post('/admin/impersonate-user', { userId: user.id })

  expect(status).toBe(200)
  for (const token of [await tokenOf(root), await headerOf(root)])
    expect(await verified(server, token ?? '')).toMatchObject({ sub: user.id, act: { sub: administrator.id } })
  expect(await verified(server, await tokenOf(ada))).not.toHaveProperty('act')
})

test('where tokens are switched off, both calls are as if they were not there, and no token goes along', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()

  expect((await ada.get('/token')).status).toBe(404)
  expect((await ada.get('/jwks')).status).toBe(404)
  expect(await headerOf(ada)).toBeNull()
})

test('get-session brings a token along, which scripts of trusted origins may read', async () => {
  await using server = await createTestServer({ ...withTokens, trustedOrigins: ['https://app.example'] })
  const ada = await server.signedUp()
  const { user } = (await ada.get('/get-session')).body

  const own = await ada.get('/get-session')
  const foreign = await ada.get('/get-session', { origin: 'https://app.example' })

  expect(await verified(server, own.headers.get('set-auth-jwt')!)).toMatchObject({ sub: user.id, name: 'Ada' })
  expect(own.headers.get('access-control-expose-headers')).toContain('set-auth-jwt')
  expect(foreign.headers.get('set-auth-jwt')).toBe(own.headers.get('set-auth-jwt'))
  expect(foreign.headers.get('access-control-expose-headers')).toContain('set-auth-jwt')
  expect((await server.visitor().get('/get-session')).headers.has('set-auth-jwt')).toBe(false)
})

test('the token of get-session is signed once a minute, and again when the user has changed', async () => {
  await using server = await createTestServer(withTokens)
  const ada = await server.signedUp()
  const first = await headerOf(ada)

  server.clock.advance(minutes(1) - 1)
  expect(await headerOf(ada)).toBe(first)
  server.clock.advance(1)
  const second = await headerOf(ada)
  expect(second).not.toBe(first)
  server.clock.advance(seconds(1))
  await ada.post('/update-user', { name: 'Countess' })

  expect(decodeJwt((await headerOf(ada))!)).toMatchObject({ name: 'Countess' })
})

test('a token of seconds is renewed while it is still good', async () => {
  await using server = await createTestServer({ jwt: { expirationTime: '10s' } })
  const ada = await server.signedUp()
  const first = await headerOf(ada)

  server.clock.advance(seconds(5))

  expect(await headerOf(ada)).not.toBe(first)
})

test.each<[string, (server: TestServer, ada: Person) => Promise<unknown>]>([
  ['revoked', (_, ada) => ada.post('/revoke-sessions')],
  ['ended by a ban', async (server, ada) => (await server.administrator()).post('/admin/ban-user', { userId: ada.id })],
])('a session that was %s and only lives on in the cookie cache gets no token from that moment', async (_, end) => {
  await using server = await createTestServer({ ...withTokens, session: { cookieCache: { enabled: true } } })
  const ada = await server.signedUp()
  const copy = server.visitor()
  for (const [name, value] of ada.cookies) copy.cookies.set(name, value)
  expect(await headerOf(copy)).not.toBeNull()
  expect(await headerOf(copy)).not.toBeNull()

  await end(server, ada)

  const { body, headers } = await copy.get('/get-session')
  expect([body?.user.name, headers.get('set-auth-jwt')]).toEqual(['Ada', null])
})

test('a copy of the session is answered without a database, and then without a token', async () => {
  await using server = await createTestServer({ ...withTokens, session: { cookieCache: { enabled: true } } })
  const ada = await server.signedUp()

  await server.tollgate.internals.ctx.database.close()

  const { status, headers } = await ada.get('/get-session')
  expect([status, headers.get('set-auth-jwt')]).toEqual([200, null])
})
