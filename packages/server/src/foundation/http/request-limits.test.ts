import { expect, test } from 'vitest'
import { createTestServer as createServerOn, type TestServer } from '../../testing.ts'

/** These requests are refused before any database read, so the fastest one will do. */
const createTestServer = () => createServerOn({}, { databaseUrl: 'sqlite::memory:' })

const malformed = { code: 'INVALID_JSON_IN_REQUEST_BODY', message: 'Invalid JSON in request body' }
const unsupported = { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Unsupported media type' }
const tooLarge = { code: 'REQUEST_BODY_IS_TOO_LARGE', message: 'Request body is too large' }
const tooDeep = { code: 'JSON_IS_NESTED_TOO_DEEPLY', message: 'JSON is nested too deeply' }
const invalid = { code: 'VALIDATION_ERROR', message: 'Invalid body parameters' }
const json = { 'content-type': 'application/json' }

const send = (
  server: TestServer,
  raw: string,
  headers: Record<string, string> = json,
  path = '/api/auth/sign-in/email',
) => server.visitor().request('POST', path, { raw, headers })

test.each([
  '{',
  '{"email":"a@example.com"',
  '{"email":}',
  "{'email':'a'}",
  '{"a":1,}',
  'undefined',
  'NaN',
  '[1,2',
  '"open',
  '{"a":"\u0000"}',
  '{"a":1}{"b":2}',
  '\ufeff{}',
  '}{',
  ']',
])('a body that is no JSON is refused: %j', async (raw) => {
  await using server = await createTestServer()

  const { status, body } = await send(server, raw)

  expect([status, body]).toEqual([400, malformed])
})

test.each([
  ['bytes that are none', [0xff, 0xfe]],
  ['a letter cut in half', [0xc3]],
  ['a letter written longer than it is', [0xc0, 0xaf]],
  ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
])('text that is no UTF-8 is refused, not read as another: %s', async (_, bytes) => {
  await using server = await createTestServer()
  const body = Buffer.concat([
    Buffer.from('{"email":"a@example.com","password":"'),
    Buffer.from(bytes),
    Buffer.from('"}'),
  ])

  const answer = await server.tollgate.handler(
    new Request('http://localhost:3000/api/auth/sign-in/email', { method: 'POST', headers: json, body }),
  )

  expect([answer.status, await answer.json()]).toEqual([400, malformed])
})

test.each([
  'null',
  'true',
  '1',
  '"text"',
  '[]',
  '[{"email":"a"}]',
  '{}',
  '{"email":null,"password":null}',
  '{"email":{"$ne":""},"password":"x"}',
])('JSON of another shape is refused: %s', async (raw) => {
  await using server = await createTestServer()

  const { status, body } = await send(server, raw)

  expect([status, body]).toEqual([400, invalid])
})

test.each(['', ' ', '\r\n\t '])('an empty body counts as {}: %j', async (raw) => {
  await using server = await createTestServer()

  expect((await send(server, raw)).body).toEqual(invalid)
  expect((await send(server, raw, {}, '/api/auth/sign-out')).body.code).toBe('FAILED_TO_GET_SESSION')
})

test.each([
  'text/plain',
  'text/plain; charset=application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'application/json-seq',
  'text/json',
  'application/xml',
  'application/',
])('a body of type %s is refused', async (type) => {
  await using server = await createTestServer()

  const { status, body } = await send(server, '{"email":"a@example.com","password":"x"}', { 'content-type': type })

  expect([status, body]).toEqual([415, unsupported])
})

test('so is a body without a type, before it is parsed as JSON', async () => {
  await using server = await createTestServer()
  const request = new Request('http://localhost:3000/api/auth/sign-in/email', {
    method: 'POST',
    body: Buffer.from('{'),
  })

  const answer = await server.tollgate.handler(request)

  expect([answer.status, await answer.json()]).toEqual([415, unsupported])
})

test.each([
  'application/json',
  'APPLICATION/JSON',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/problem+json',
])('JSON of type %s is taken', async (type) => {
  await using server = await createTestServer()

  const { status } = await send(server, '{"email":"a@example.com","password":"x"}', { 'content-type': type })

  expect(status).toBe(401)
})

const ofSize = (bytes: number) => {
  const body = '{"email":"a@example.com","password":"x","rest":""}'
  return body.replace('""', `"${'x'.repeat(bytes - body.length)}"`)
}

test('a body of one megabyte is read, one byte more is refused', async () => {
  await using server = await createTestServer()

  expect((await send(server, ofSize(1024 * 1024))).status).toBe(401)
  const { status, body } = await send(server, ofSize(1024 * 1024 + 1))
  expect([status, body]).toEqual([413, tooLarge])
})

test('the limit counts received bytes, whatever length was announced, and the server reads nothing past it', async () => {
  await using server = await createTestServer()
  let sent = 0
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536).fill(0x20))
    },
  })

  const answer = await server.tollgate.handler(
    new Request('http://localhost:3000/api/auth/sign-in/email', {
      method: 'POST',
      headers: json,
      body: endless,
      duplex: 'half',
    } as RequestInit),
  )

  expect([answer.status, await answer.json()]).toEqual([413, tooLarge])
  expect(sent).toBeLessThan(2 * 1024 * 1024)
})

test('a body that breaks off is refused', async () => {
  await using server = await createTestServer()
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(Buffer.from('{"email":'))
      controller.error(new Error('aborted'))
    },
  })

  const answer = await server.tollgate.handler(
    new Request('http://localhost:3000/api/auth/sign-in/email', {
      method: 'POST',
      headers: json,
      body: broken,
      duplex: 'half',
    } as RequestInit),
  )

  expect([answer.status, await answer.json()]).toEqual([
    400,
    { code: 'MALFORMED_REQUEST', message: 'Malformed request' },
  ])
})

test('JSON is read to 32 levels, and refused beyond them before it is parsed', async () => {
  await using server = await createTestServer()
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

  expect((await send(server, nested(32))).body).toEqual(invalid)
  expect((await send(server, objects(32))).body).toEqual(invalid)
  for (const raw of [nested(33), objects(33), nested(400_000), '['.repeat(1_000_000)]) {
    const { status, body } = await send(server, raw)
    expect([status, body]).toEqual([400, tooDeep])
  }
})

test('brackets inside texts are no levels', async () => {
  await using server = await createTestServer()

  const { status } = await send(server, JSON.stringify({ email: 'a@example.com', password: `\\"${'['.repeat(500)}` }))

  expect(status).toBe(401)
})

test('members that are not of the call are dropped, dangerous names too', async () => {
  await using server = await createTestServer()
  const raw =
    '{"__proto__":{"role":"admin"},"constructor":{"x":1},"name":"Ada","email":"a@example.com","password":"12345678","role":"admin","emailVerified":true,"id":"mine","banned":true}'

  const visitor = server.visitor()
  const { status } = await visitor.request('POST', '/api/auth/sign-up/email', { raw, headers: json })

  const { user } = (await visitor.get('/get-session')).body
  expect(status).toBe(200)
  expect(user).toMatchObject({ role: null, emailVerified: false, banned: false })
  expect(user.id).not.toBe('mine')
  expect(({} as { role?: string }).role).toBeUndefined()
})

test('a parameter that is given twice is refused', async () => {
  await using server = await createTestServer()

  for (const query of ['token=a&token=b', 'token=a&token=a', 'token=x&callbackURL=/a&callbackURL=//evil.example', '']) {
    const { status, body } = await server.visitor().get(`/verify-email?${query}`)
    expect([query, status, body]).toEqual([
      query,
      400,
      { code: 'VALIDATION_ERROR', message: 'Invalid query parameters' },
    ])
  }
})

test.each([
  ['GET', '/api/auth/sign-in/email'],
  ['POST', '/api/auth/get-session'],
  ['PUT', '/api/auth/sign-in/email'],
  ['DELETE', '/api/auth/list-sessions'],
  ['PATCH', '/api/auth/update-user'],
  ['GET', '/api/auth'],
  ['GET', '/api/auth/'],
  ['POST', '/api/auth/set-password'],
  ['GET', '/api/auth/%'],
  ['GET', '/api/auth/%c0%af'],
  ['GET', '/api/auth/ok/'],
  ['GET', '/api/auth/../auth/nothing'],
  ['GET', '/api/auth/constructor'],
])('%s %s is not found: 404 with an empty body', async (method, path) => {
  await using server = await createTestServer()

  const { status, text, headers } = await server
    .visitor()
    .request(method, path, { ...(method !== 'GET' && { body: {} }) })

  expect([status, text, headers.get('content-type')]).toEqual([404, '', null])
})

test('every answer names its request, is for no cache and is taken for nothing else than it is', async () => {
  await using server = await createTestServer()

  const ok = await server.visitor().get('/ok')
  const refused = await server.visitor().post('/sign-in/email')

  for (const { headers } of [ok, refused]) {
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-z]{7,}$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-type')).toBe('application/json')
  }
  expect(ok.headers.get('x-request-id')).not.toBe(refused.headers.get('x-request-id'))
  expect([ok.status, ok.body]).toEqual([200, { ok: true }])
})

test('F-crosstalk: answers of many people at the same moment are not mixed up', async () => {
  await using server = await createTestServer()
  const people = await Promise.all(Array.from({ length: 8 }, (_, index) => server.signedUp(`Person${index}`)))

  const answers = await Promise.all(
    Array.from({ length: 25 }, () =>
      people.map(async (person) => {
        const [session, refused] = await Promise.all([
          person.get('/get-session'),
          person.post('/revoke-session', { token: 'x' }),
        ])
        return [person.email, session.body.user.email, refused.body.code]
      }),
    ).flat(),
  )

  for (const [expected, seen, code] of answers) expect([seen, code]).toEqual([expected, 'SESSION_NOT_FOUND'])
})
