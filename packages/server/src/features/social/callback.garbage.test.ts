import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { begin, comeBack, createSocialServer, errorPage, finish, signIn, target, whoIs } from './testing/flow.ts'
import { habits } from './testing/habits.ts'
import { json } from './testing/stand-in.ts'

const { token, profile = '' } = habits.discord
const html = (status: number): Response =>
  new Response('<!doctype html><title>Oops</title>', { status, headers: { 'content-type': 'text/html' } })

/** 50 MB; `pulled` counts the bytes that the server reads. */
function endless(pulled: { bytes: number }): Response {
  const chunk = new Uint8Array(64 * 1024).fill(0x20)
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulled.bytes += chunk.byteLength
      if (pulled.bytes > 50 * 1024 * 1024) controller.close()
      else controller.enqueue(chunk)
    },
  })
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

const garbage: [string, () => Response][] = [
  ['HTML', () => html(200)],
  ['HTML of an error', () => html(500)],
  ['nothing', () => new Response('')],
  ['nothing at all', () => new Response(null, { status: 204 })],
  ['null', () => json(null)],
  ['a list', () => json([])],
  ['a number', () => json(5)],
  ['a text', () => json('access_token=1')],
  ['an empty object', () => json({})],
  ['an error with status 200', () => json({ error: 'invalid_grant' })],
  ['an error', () => json({ error: 'invalid_grant' }, 400)],
  ['an error of its own kind', () => json({ error: 401, message: 'Unauthorized' }, 401)],
  ['a fault', () => json({ access_token: 'a', token_type: 'bearer', id: '1' }, 500)],
  ['wrong types', () => json({ access_token: { a: 1 }, token_type: 7, expires_in: [], scope: 4, id: [] })],
  ['an empty token', () => json({ access_token: '', token_type: 'bearer', id: '' })],
  ['a kind of token that we do not know', () => json({ access_token: 'a', token_type: 'mac' })],
  ['brackets without end', () => new Response('['.repeat(500_000))],
  ['nested objects without end', () => new Response(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)],
  ['half a JSON', () => new Response('{"access_token":"a"')],
  ['bytes that are no text', () => new Response(new Uint8Array([0xff, 0xfe, 0x00, 0x80]))],
]

test.each(garbage)('a token call that answers with %s gives no tokens', async (_, answer) => {
  await using server = await createSocialServer(['discord'])
  server.at('discord').instead.set(token, answer)
  const visitor = server.visitor()

  expect(await signIn(server, visitor, 'discord')).toBe(errorPage('invalid_code'))
  expect(await whoIs(visitor)).toBeNull()
})

test.each(garbage)('a profile call that answers with %s gives no profile', async (_, answer) => {
  await using server = await createSocialServer(['discord'])
  server.at('discord').instead.set(profile, answer)
  const visitor = server.visitor()

  expect(await signIn(server, visitor, 'discord')).toBe(errorPage('unable_to_get_user_info'))
  expect(await whoIs(visitor)).toBeNull()
})

test.each([
  ['token', token, 'invalid_code'],
  ['profile', profile, 'unable_to_get_user_info'],
])('of a %s answer of 50 MB only the first is read', async (_, address, code) => {
  await using server = await createSocialServer(['discord'])
  const pulled = { bytes: 0 }
  server.at('discord').instead.set(address, () => endless(pulled))

  expect(await signIn(server, server.visitor(), 'discord')).toBe(errorPage(code))
  expect(pulled.bytes).toBeLessThan(2 * 1024 * 1024)
})

test.each([
  ['token', token, 'invalid_code'],
  ['profile', profile, 'unable_to_get_user_info'],
])('a redirect of the %s call is not followed: it would carry secrets elsewhere', async (_, address, code) => {
  await using server = await createSocialServer(['discord'])
  let asked: RequestInit = {}
  server.at('discord').instead.set(address, (init) => {
    asked = init
    return new Response(JSON.stringify({ access_token: 'a', token_type: 'bearer' }), {
      status: 307,
      headers: { location: 'https://evil.example/' },
    })
  })

  expect(await signIn(server, server.visitor(), 'discord')).toBe(errorPage(code))
  expect(asked.redirect).toBe('manual')
})

afterEach(() => void vi.restoreAllMocks())

test.each([
  ['token', token, 'invalid_code'],
  ['profile', profile, 'unable_to_get_user_info'],
])('a %s call that takes too long is given up', async (_, address, code) => {
  await using server = await createSocialServer(['discord'])
  const limits: number[] = []
  const limit = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    limits.push(milliseconds)
    return limit.signal
  })
  server.at('discord').instead.set(address, ({ signal }) => {
    const answer = new Promise<Response>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
    })
    limit.abort(new DOMException('too long', 'TimeoutError'))
    return answer
  })

  expect(await signIn(server, server.visitor(), 'discord')).toBe(errorPage(code))
  expect(new Set(limits)).toEqual(new Set([10_000]))
})

test('the log contains errors, without codes and tokens', async () => {
  await using server = await createSocialServer(['discord'])
  server.at('discord').instead.set(profile, () => html(503))

  await signIn(server, server.visitor(), 'discord')

  const logged = server.logs.filter((line) => line.includes('Invalid provider response')).join()
  expect(logged).toContain('discord.com answered the profile request with 503')
  expect(server.logs.join()).not.toMatch(/opaque|code 1|our_client-secret/)
})

/** Texts known to break servers. */
const nasty = fc.constantFrom(
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e',
  '__proto__',
  "' or 1=1 --",
  'x'.repeat(20_000),
  'a@example.com',
  'A@EXAMPLE.COM',
  'a@example.com, b@example.com',
  'javascript:alert(1)',
  '1e999',
  'https://',
)
const anything = fc.oneof(
  { weight: 3, arbitrary: nasty },
  { weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 2, arbitrary: fc.constantFrom(true, false, null, 0, -1, 1, 1e308, 2 ** 53) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)
/** A valid answer with some members replaced. */
const spoilt = (answer: object): fc.Arbitrary<unknown> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .dictionary(fc.constantFrom(...Object.keys(answer), 'error', 'scope', 'id_token', '__proto__'), anything, {
          maxKeys: 4,
        })
        .map((changes) => ({ ...answer, ...changes })),
    },
    { weight: 1, arbitrary: anything },
  )

const goodToken = {
  access_token: 'a token',
  token_type: 'bearer',
  expires_in: 60,
  refresh_token: 'r',
  scope: 'identify',
}
const goodProfile = {
  id: '1',
  username: 'ada',
  global_name: 'Ada',
  avatar: 'a_b',
  email: 'ada@example.com',
  verified: true,
}

test('whatever a provider sends, the callback redirects, and nothing breaks', async () => {
  await using server = await createSocialServer(['discord'])
  const standIn = server.at('discord')

  await fc.assert(
    fc.asyncProperty(spoilt(goodToken), spoilt(goodProfile), async (tokens, person) => {
      standIn.instead.set(token, () => json(tokens)).set(profile, () => json(person))
      const visitor = server.visitor()

      const to = new URL(await signIn(server, visitor, 'discord'), 'http://localhost:3000')

      expect(to.searchParams.get('error')).not.toBe('internal_server_error')
      expect((await whoIs(visitor)) !== null).toBe(to.pathname === '/')
    }),
    { numRuns: 120 },
  )
})

test('whatever claims an id token has, the callback redirects, and nothing breaks', async () => {
  await using server = await createSocialServer(['google'])
  const standIn = server.at('google')
  const { claims = {} } = standIn.person

  await fc.assert(
    fc.asyncProperty(spoilt(claims), async (changed) => {
      const given = typeof changed === 'object' && changed !== null && !Array.isArray(changed) ? changed : {}
      standIn.idToken = (own, sign) => sign({ ...own, ...given })
      const visitor = server.visitor()

      const to = new URL(await signIn(server, visitor, 'google'), 'http://localhost:3000')

      expect(to.searchParams.get('error')).not.toBe('internal_server_error')
      expect((await whoIs(visitor)) !== null).toBe(to.pathname === '/')
    }),
    { numRuns: 60 },
  )
})

test('any query at a callback leads to a redirect', async () => {
  await using server = await createSocialServer(['google'])
  const names = fc.constantFrom('code', 'state', 'error', 'error_description', 'user', 'device_id', 'iss', '__proto__')
  const value = fc.oneof(nasty, fc.string({ unit: 'binary' }))

  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(names, value), { maxLength: 5 }), fc.boolean(), async (pairs, begins) => {
      const visitor = server.visitor()
      const started = begins ? server.at('google').agree(await begin(visitor, 'google')) : {}
      const query = new URLSearchParams(
        [...Object.entries(started), ...pairs].map(([name, text]): [string, string] => [name, text.toWellFormed()]),
      )

      const answer = await visitor.get(`/callback/google?${query}`)

      expect(answer.status).toBe(302)
      expect(target(answer)).not.toContain('internal_server_error')
    }),
    { numRuns: 100 },
  )
})

test('after all of that a true answer still signs in', async () => {
  await using server = await createSocialServer(['google'])
  const visitor = server.visitor()
  await comeBack(visitor, 'google', { state: 'x', code: 'y' })

  expect(target(await finish(server, visitor, server.at('google'), await begin(visitor, 'google')))).toBe(
    'http://localhost:3000',
  )
})
