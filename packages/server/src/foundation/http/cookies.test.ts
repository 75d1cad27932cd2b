import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createTestServer as createServerOn, type TestServerOptions, testStart } from '../../testing.ts'
import { days, standingClock } from '../clock.ts'
import type { TollgateConfig } from '../config/config.ts'

const secret = 'a secret of tests that is long enough to be one'
const newSecret = 'another secret of tests that is long enough too'
const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }

/** Cookie signing does not depend on the database, so the fastest one will do. */
const createTestServer = (config: TollgateConfig = {}, options: TestServerOptions = {}) =>
  createServerOn(config, { databaseUrl: 'sqlite::memory:', ...options })

/** Signs a cookie as the ecosystem does (auth contract, section 1), without Tollgate's code. */
const signed = (value: string, key = secret) =>
  encodeURIComponent(`${value}.${createHmac('sha256', key).update(value).digest('base64')}`)

test('the session cookie is value and HMAC, percent-encoded, for the whole site and out of reach of scripts', async () => {
  await using server = await createTestServer()

  const { body, headers } = await server.visitor().post('/sign-up/email', person)

  expect(headers.getSetCookie()).toEqual([
    `better-auth.session_token=${signed(body.token)}; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax`,
  ])
})

test('a cookie that another implementation signed with the same secret is believed', async () => {
  await using server = await createTestServer()
  const { body } = await server.visitor().post('/sign-up/email', person)

  for (const cookie of [
    `better-auth.session_token=${signed(body.token)}`,
    `better-auth.session_token=${decodeURIComponent(signed(body.token))}`,
    `better-auth.session_token="${signed(body.token)}"`,
    `a=b; better-auth.session_token=${signed(body.token)}; better-auth.session_token=second`,
    `;;=; x; better-auth.session_token=${signed(body.token)}  ;`,
  ]) {
    const answer = await server.visitor().get('/get-session', { cookie })
    expect([cookie, answer.body?.user.name]).toEqual([cookie, 'Ada'])
  }
})

test('one signed with another secret, or for another value, is not', async () => {
  await using server = await createTestServer()
  const { body } = await server.visitor().post('/sign-up/email', person)
  const hex = createHmac('sha256', secret).update(body.token).digest('hex')
  const urlSafe = createHmac('sha256', secret).update(body.token).digest('base64url')

  for (const value of [
    signed(body.token, newSecret),
    signed('x').replace('x', body.token),
    encodeURIComponent(`${body.token}.${hex}`),
    encodeURIComponent(`${body.token}.${urlSafe}`),
    body.token,
    '',
  ]) {
    const answer = await server.visitor().get('/get-session', { cookie: `better-auth.session_token=${value}` })
    expect([value, answer.body]).toEqual([value, null])
  }
})

test.each<[string, TollgateConfig, string, string]>([
  [
    'an https address makes them secure',
    { baseURL: 'https://accounts.example.com' },
    '__Secure-better-auth',
    '; Secure',
  ],
  ['so does the option', { advanced: { useSecureCookies: true } }, '__Secure-better-auth', '; Secure'],
  [
    'the option can take it back',
    { baseURL: 'https://accounts.example.com', advanced: { useSecureCookies: false } },
    'better-auth',
    '',
  ],
  ['the first part of the name is an option', { advanced: { cookiePrefix: 'acme' } }, 'acme', ''],
  [
    'sub-domains share them when asked to',
    {
      baseURL: 'https://accounts.example.com',
      advanced: { crossSubDomainCookies: { enabled: true, domain: 'example.com' } },
    },
    '__Secure-better-auth',
    '; Secure; Domain=example.com',
  ],
  [
    '… of the base address where no domain is named',
    { baseURL: 'https://example.com', advanced: { crossSubDomainCookies: { enabled: true } } },
    '__Secure-better-auth',
    '; Secure; Domain=example.com',
  ],
])('%s', async (_, config, prefix, attributes) => {
  await using server = await createTestServer(config)
  const visitor = server.visitor()

  const { body, headers } = await visitor.post('/sign-up/email', { ...person, rememberMe: false })

  expect(headers.getSetCookie()).toEqual([
    `${prefix}.session_token=${signed(body.token)}; Path=/; HttpOnly; SameSite=Lax${attributes}`,
    `${prefix}.dont_remember=${signed('true')}; Path=/; HttpOnly; SameSite=Lax${attributes}`,
  ])
  const out = await visitor.post('/sign-out')
  expect(out.headers.getSetCookie().sort()).toEqual(
    ['dont_remember', 'session_data', 'session_token'].map(
      (name) => `${prefix}.${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${attributes}`,
    ),
  )
})

/** A value signed by one installation, sent to another. */
async function cookieOf(env: Record<string, string>): Promise<{ token: string; value: string; cache: string }> {
  await using server = await createTestServer({ session: { cookieCache: { enabled: true } } }, { env })
  const visitor = server.visitor()
  const { body } = await visitor.post('/sign-up/email', person)
  return {
    token: body.token,
    value: visitor.cookies.get('better-auth.session_token')!,
    cache: visitor.cookies.get('better-auth.session_data')!,
  }
}

test('after a change of the secret the previous one still verifies: all users stay signed in', async () => {
  const { token, value, cache } = await cookieOf({ SECRET: secret })
  await using rotated = await createTestServer(
    { session: { cookieCache: { enabled: true } } },
    { env: { SECRET: newSecret, SECRET_PREVIOUS: `${'x'.repeat(32)}, ${secret}` } },
  )
  await using careless = await createTestServer(
    { session: { cookieCache: { enabled: true } } },
    { env: { SECRET: newSecret } },
  )
  const ask = (server: typeof rotated) =>
    server
      .visitor()
      .get('/get-session', { cookie: `better-auth.session_token=${value}; better-auth.session_data=${cache}` })

  // The databases differ: only the signed copy in the cookie can answer.
  expect((await ask(rotated)).body.session.token).toBe(token)
  expect((await ask(careless)).body).toBeNull()
})

test('a renewed token is signed with the new secret', async () => {
  await using server = await createTestServer({}, { env: { SECRET: newSecret, SECRET_PREVIOUS: secret } })
  const visitor = server.visitor()
  const { body } = await visitor.post('/sign-up/email', person)
  expect(visitor.cookies.get('better-auth.session_token')).toBe(signed(body.token, newSecret))
  visitor.cookies.set('better-auth.session_token', signed(body.token, secret))

  server.clock.advance(days(1))
  expect((await visitor.get('/get-session')).body.user.name).toBe('Ada')

  expect(visitor.cookies.get('better-auth.session_token')).toBe(signed(body.token, newSecret))
})

test('Max-Age is the life that is left, in whole seconds', async () => {
  await using server = await createTestServer({ session: { expiresIn: 100 } }, { clock: standingClock(testStart) })
  const visitor = server.visitor()
  await visitor.post('/sign-up/email', person)

  server.clock.advance(70_500)
  const { headers } = await visitor.post('/update-user', { name: 'Countess' })

  expect(headers.getSetCookie()[0]).toContain('; Max-Age=30;')
})
