import type { ErrorName } from '@tollgate/contract/calls'
import { expect, test } from 'vitest'
import { createTestServer } from '../../testing.ts'
import { resolveConfig, type TollgateConfig } from '../config/config.ts'
import { TollgateError } from '../error.ts'
import { assertTargets, createOrigins } from './origin.ts'

const production = {
  TOLLGATE_MODE: 'production',
  SECRET: 'a secret of tests that is long enough to be one',
  BASE_URL: 'https://accounts.example.com',
}
/** Origins are checked before the database is read. */
const inMemory = { databaseUrl: 'sqlite::memory:' }
const origins = (trustedOrigins: string[] = [], env: Record<string, string> = production) =>
  createOrigins(resolveConfig({ trustedOrigins }, env))

const own = 'https://accounts.example.com'

test.each([
  '/',
  '/account',
  '/account/security?saved=1',
  '/a-b.c+d/@me',
  '/done?next=/account&email=a%40example.com',
  `${own}/anywhere?x=1#part`,
  own,
  'https://app.example/callback',
  'HTTPS://APP.example/callback',
  'https://eu.tenants.example/welcome',
  'http://plain.wild.test:8080/',
])('a caller may be sent to %s', (target) => {
  const trusted = origins(['https://app.example', 'https://*.tenants.example', '*.wild.test:8080'])

  expect(trusted.isSafeTarget(target)).toBe(true)
})

/** Addresses that once led from a trusted site to another, in similar products and elsewhere (security, §1). */
const escapes = [
  '',
  ' ',
  'account',
  './account',
  '?next=1',
  '#part',
  '//evil.example',
  '///evil.example',
  '////evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '/\\/evil.example',
  '/%2fevil.example',
  '/%2Fevil.example',
  '/%5cevil.example',
  '/%5Cevil.example',
  '/%2f..',
  '/%2e%2e//evil.example',
  '/a/../..//evil.example',
  '/a/..//evil.example',
  '/.//evil.example',
  '/./evil',
  '/a/../b',
  '/a//evil.example',
  '/\tevil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '\u0000//evil.example',
  '/\u0000/evil.example',
  '/account\r\nset-cookie: a=b',
  '/account\u2028',
  '/ä',
  '/／evil.example',
  '/a;b',
  '/a:b@c',
  '/account#//evil.example',
  '/account?next=javascript:alert(1)',
  'https:evil.example',
  'https:/evil.example',
  'https:\\\\evil.example',
  'https://evil.example',
  `https://accounts.example.com.evil.example`,
  `https://accounts.example.com@evil.example`,
  `https://accounts.example.com:x@evil.example/`,
  `https://accounts.example.com%2f@evil.example/`,
  `https://accounts.example.com%40evil.example/`,
  `https://accounts.example.com\\@evil.example/`,
  `https://accounts.example.com\\.evil.example/`,
  `https://accounts.example.com/\u0000`,
  'https://user@accounts.example.com/',
  'https://user:word@accounts.example.com/',
  'https://evil.example/https://accounts.example.com',
  'https://evil.example?https://accounts.example.com',
  'https://evil.example#https://accounts.example.com',
  'https://evil.example/.tenants.example',
  'https://evil.example?.tenants.example',
  'https://evil.example#.tenants.example',
  'https://evil.example\\.tenants.example',
  'https://evil.example:443.tenants.example',
  'https://tenants.example',
  'https://.tenants.example.evil.example',
  'https://a.tenants.example:8443',
  'http://a.tenants.example',
  'https://eviltenants.example',
  'https://a.tenants.example.',
  'https://a\u3002tenants.example.evil.example',
  'https://ｅvil.example',
  'https://app.example:444/',
  'http://app.example/',
  'http://accounts.example.com',
  'https://accounts.example.com:8443/',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'javascript://accounts.example.com/%0aalert(1)',
  'data:text/html,hello',
  'vbscript:x',
  'blob:https://accounts.example.com/x',
  'file:///etc/passwd',
  'ftp://accounts.example.com/',
  'app://open',
  'null',
  'about:blank',
  'http://localhost:3000/',
  'http://[::1]/',
  'https://',
  'https://[',
  'https://accounts.example.com:99999/',
]
test.each(escapes)('no redirect leads to %j', (target) => {
  expect(origins(['https://app.example', 'https://*.tenants.example']).isSafeTarget(target)).toBe(false)
})

// A text with a NUL is refused before the target check.
test.each(escapes.filter((each) => !each.includes('\u0000')))(
  'the calls that redirect refuse %j, by POST and by GET, before they do anything',
  async (target) => {
    await using server = await createTestServer(
      { trustedOrigins: ['https://app.example', 'https://*.tenants.example'] },
      { env: production, ...inMemory },
    )
    const visitor = server.visitor({ headers: { origin: own } })
    const encoded = encodeURIComponent(target)
    const invalid = { code: 'INVALID_CALLBACKURL', message: 'Invalid callbackURL' }

    const posted = await visitor.post('/sign-in/email', { email: 'a@example.com', password: 'x', callbackURL: target })
    const reset = await visitor.post('/forget-password', { email: 'a@example.com', redirectTo: target })
    const got = await Promise.all(
      ['/verify-email?token=x&', '/delete-user/callback?token=x&', '/reset-password/x?'].map((path) =>
        visitor.get(`${path}callbackURL=${encoded}`),
      ),
    )

    expect([posted.status, posted.body]).toEqual([403, invalid])
    expect([reset.status, reset.body]).toEqual([403, { code: 'INVALID_REDIRECTURL', message: 'Invalid redirectURL' }])
    // An empty required parameter is missing, and an empty optional one is not a valid address.
    const missing = { code: 'CALLBACKURL_IS_REQUIRED', message: 'callbackURL is required' }
    for (const { status, body, headers } of got) {
      expect([invalid, missing]).toContainEqual(body)
      expect([400, 403]).toContain(status)
      expect(headers.get('location')).toBeNull()
    }
  },
)

test.each<[string, ErrorName, string, string]>([
  ['callbackURL', 'INVALID_CALLBACK_URL', 'INVALID_CALLBACKURL', 'Invalid callbackURL'],
  ['redirectTo', 'INVALID_REDIRECT_URL', 'INVALID_REDIRECTURL', 'Invalid redirectURL'],
  ['errorCallbackURL', 'INVALID_ERROR_CALLBACK_URL', 'INVALID_ERRORCALLBACKURL', 'Invalid errorCallbackURL'],
  ['newUserCallbackURL', 'INVALID_NEW_USER_CALLBACK_URL', 'INVALID_NEWUSERCALLBACKURL', 'Invalid newUserCallbackURL'],
])('a %s that leads elsewhere is refused in its own words', (member, error, code, message) => {
  const refused = () => assertTargets(origins(), { [member]: 'https://evil.example' })

  expect(refused).toThrow(TollgateError)
  expect(refused).toThrow(
    expect.objectContaining({ error, code, message, row: expect.objectContaining({ status: 403 }) }),
  )
  expect(() => assertTargets(origins(), { [member]: '/account' })).not.toThrow()
})

test.each<[string, string | null, TollgateConfig['trustedOrigins'], boolean]>([
  ['our own origin', own, [], true],
  ['a listed origin', 'https://app.example', ['https://app.example'], true],
  ['a listed origin with a slash behind it', 'https://app.example', ['https://app.example/'], true],
  ['a listed origin with its default port', 'https://app.example', ['https://app.example:443'], true],
  ['an origin that fits a pattern', 'https://eu.app.example', ['https://*.app.example'], true],
  ['one that a function names', 'https://app.example', async () => ['https://app.example'], true],
  ['one that a function names with a path', 'https://app.example', () => ['https://app.example/home'], true],
  ['another origin', 'https://evil.example', ['https://app.example'], false],
  ['another protocol', 'http://accounts.example.com', [], false],
  ['another port', 'https://accounts.example.com:8443', [], false],
  ['a longer name', 'https://accounts.example.com.evil.example', [], false],
  ['a name that ends like a pattern', 'https://evilapp.example', ['https://*.app.example'], false],
  ['the bare domain of a pattern', 'https://app.example', ['https://*.app.example'], false],
  ['an origin with a path', `${own}/`, [], false],
  ['an opaque origin', 'null', [], false],
  ['an opaque origin, with an entry that lacks its protocol', 'null', () => ['localhost:5173', 'app:x'], false],
  ['an opaque origin, with the pattern for everything', 'null', ['https://*'], false],
  ['an empty one', '', [], false],
  ['a local one, in production', 'http://localhost:5173', [], false],
  ['several at once', `${own}, https://evil.example`, [], false],
])('%s: the server checks the origin of a request with cookies', async (_, origin, trustedOrigins, passes) => {
  await using server = await createTestServer(
    { ...(trustedOrigins && { trustedOrigins }) },
    { env: production, ...inMemory },
  )
  const visitor = server.visitor({ headers: { origin: own } })
  visitor.cookies.set('theme', 'dark')

  const { status, body } = await visitor.post('/sign-out', {}, { origin: origin ?? '' })

  if (passes) expect([status, body.code]).toEqual([400, 'FAILED_TO_GET_SESSION'])
  else expect([status, body]).toEqual([403, { code: 'INVALID_ORIGIN', message: 'Invalid origin' }])
})

/** Sends exactly these headers, which the test visitor never does. */
const bare = async (headers: Record<string, string>, method = 'POST', path = '/api/auth/sign-out') => {
  await using server = await createTestServer({}, { env: production, ...inMemory })
  const response = await server.tollgate.handler(new Request(`${own}${path}`, { method, headers }))
  return [response.status, ((await response.json()) as { code?: string } | null)?.code]
}
const refused = [403, 'INVALID_ORIGIN']
const passed = [400, 'FAILED_TO_GET_SESSION']

test.each<[string, Record<string, string>, unknown[]]>([
  ['without cookies any origin passes', { origin: 'https://evil.example' }, passed],
  ['with cookies and neither header it passes: no browser sends cookies so', { cookie: 'a=b' }, passed],
  ['a page of ours as the referrer does', { cookie: 'a=b', referer: `${own}/account?x=1` }, passed],
  ['another page as the referrer does not', { cookie: 'a=b', referer: 'https://evil.example/' }, refused],
  ['a referrer that is no address does not', { cookie: 'a=b', referer: 'about' }, refused],
  ['the origin counts before the referrer', { cookie: 'a=b', origin: 'https://evil.example', referer: own }, refused],
  ['a browser that hides both is refused', { cookie: 'a=b', 'sec-fetch-site': 'cross-site' }, refused],
  ['… from a sibling too', { cookie: 'a=b', 'sec-fetch-site': 'same-site' }, refused],
  ['… but not from our own pages', { cookie: 'a=b', 'sec-fetch-site': 'same-origin' }, passed],
  ['… nor when the person did it', { cookie: 'a=b', 'sec-fetch-site': 'none' }, passed],
])('%s', async (_, headers, outcome) => {
  expect(await bare(headers)).toEqual(outcome)
})

test.each([
  ['callbackURL=https://evil.example', 'INVALID_CALLBACKURL'],
  ['redirectTo=//evil.example', 'INVALID_REDIRECTURL'],
  ['errorCallbackURL=https:evil.example', 'INVALID_ERRORCALLBACKURL'],
  ['newUserCallbackURL=/new&newUserCallbackURL=https://evil.example', 'INVALID_NEWUSERCALLBACKURL'],
])('a target in the query of a POST that does not read it is checked: %s', async (query, code) => {
  await using server = await createTestServer()
  const ada = await server.signedUp()

  const refused = await ada.post(`/update-user?${query}`, { name: 'Eve' })
  const allowed = await ada.post('/update-user?callbackURL=/in', { name: 'Grace' })

  expect([refused.status, refused.body.code]).toEqual([403, code])
  expect(allowed.status).toBe(200)
  expect((await ada.get(`/get-session?${query}`)).body.user.name).toBe('Grace')
})

test('reading is open to every origin: browsers keep the answer from callers without permission', async () => {
  expect(await bare({ origin: 'https://evil.example', cookie: 'a=b' }, 'GET', '/api/auth/get-session')).toEqual([
    200,
    undefined,
  ])
})

test('in development every address of this machine is trusted, and no other', () => {
  const local = origins([], { TOLLGATE_MODE: 'development' })

  for (const host of ['localhost', '127.0.0.1', '127.8.8.8', '[::1]', 'app.localhost'])
    expect([host, local.isTrusted(`http://${host}:5173`)]).toEqual([host, true])
  for (const origin of [
    'http://localhost.evil.example',
    'http://128.0.0.1',
    'http://10.0.0.1',
    'null',
    'http://evil.example',
  ])
    expect([origin, local.isTrusted(origin)]).toEqual([origin, false])
})

test.each<[string, string, boolean]>([
  ['https://*.example.org', 'https://a.example.org', true],
  ['https://*.example.org', 'https://a.b.example.org', true],
  ['https://*.example.org', 'https://example.org', false],
  ['https://*.example.org', 'http://a.example.org', false],
  ['https://*.example.org', 'https://a.example.org:8443', false],
  ['https://*.EXAMPLE.org', 'https://a.example.org', true],
  ['*.example.org', 'http://a.example.org', true],
  ['https://app-*.example.org', 'https://app-1.example.org', true],
  ['https://app-*.example.org', 'https://app-.example.org', true],
  ['https://app-*-eu.example.org', 'https://app-eu.example.org', false],
  ['https://a*b*c.example.org', 'https://a1b2c.example.org', true],
  ['https://a*b*c.example.org', 'https://acb.example.org', false],
  ['http://localhost:*', 'http://localhost:5173', true],
  ['http://localhost:*', 'http://localhost.evil.example', false],
  ['https://*.(a|b).example', 'https://x.a.example', false],
  ['https://*.example.org', 'https://a-example.org', false],
])('the pattern %s and the origin %s', (pattern, origin, fits) => {
  expect(origins([pattern]).isTrusted(origin)).toBe(fits)
})

test('a function of trusted origins that fails causes an opaque error, and allows nothing', async () => {
  await using server = await createTestServer({
    trustedOrigins: () => {
      throw new Error('tenant table is away')
    },
  })

  const { status, body } = await server.visitor().get('/get-session')

  expect([status, body]).toEqual([500, { code: 'INTERNAL_SERVER_ERROR', message: 'Internal server error' }])
  expect(server.logs.join('')).toContain('tenant table is away')
})
