import { expect, test } from 'vitest'
import { createTestServer } from '../../testing.ts'

const app = 'https://app.example'
const trusting = () => createTestServer({ trustedOrigins: [app] }, { databaseUrl: 'sqlite::memory:' })
const corsOf = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'))

test('a trusted page may read our answers with its cookies', async () => {
  await using server = await trusting()

  const { headers } = await server.visitor().get('/get-session', { origin: app })

  expect(corsOf(headers)).toEqual({
    'access-control-allow-origin': app,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'etag, retry-after, x-retry-after, x-request-id, set-auth-jwt',
    vary: 'Origin',
  })
})

test('an answer to it varies by all that it depends on', async () => {
  await using server = await trusting()

  const { headers } = await server.visitor().request('GET', '/openapi.json', { headers: { origin: app } })

  expect(headers.get('vary')).toBe('accept-encoding, Origin')
})

test('so it may read refusals', async () => {
  await using server = await trusting()

  const { status, headers } = await server.visitor().post('/sign-out', {}, { origin: app })

  expect([status, headers.get('access-control-allow-origin')]).toEqual([400, app])
})

test.each(['https://evil.example', 'null', `${app}.evil.example`, `${app}/`, '*'])('%s may not', async (origin) => {
  await using server = await trusting()

  const { headers } = await server.visitor().get('/get-session', { origin })

  expect(corsOf(headers)).toEqual({})
})

test('the question before a call is answered for a trusted page', async () => {
  await using server = await trusting()

  const { status, text, headers } = await server.visitor().request('OPTIONS', '/api/auth/sign-in/email', {
    headers: { origin: app, 'access-control-request-method': 'POST' },
  })

  expect([status, text]).toEqual([204, ''])
  expect(corsOf(headers)).toMatchObject({
    'access-control-allow-origin': app,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': 'content-type, x-captcha-response',
    'access-control-max-age': '600',
  })
})

test('… and not for a strange one, or for none', async () => {
  await using server = await trusting()
  const { handler } = server.tollgate

  for (const headers of [{ origin: 'https://evil.example' }, {}]) {
    const answer = await handler(
      new Request('http://localhost:3000/api/auth/sign-in/email', { method: 'OPTIONS', headers }),
    )

    expect([answer.status, corsOf(answer.headers)]).toEqual([404, {}])
  }
})
