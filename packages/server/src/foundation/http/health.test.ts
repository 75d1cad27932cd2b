import { expect, test } from 'vitest'
import { createTestServer } from '../../testing.ts'

test('a server that works is live and ready', async () => {
  await using server = await createTestServer()
  const visitor = server.visitor()

  expect((await visitor.request('GET', '/api/health/live')).body).toEqual({ status: 'live' })
  const ready = await visitor.request('GET', '/api/health/ready')
  expect([ready.status, ready.body]).toEqual([200, { status: 'ready' }])
})

test.each(['migrating', 'draining'] as const)('%s, it is live and not ready', async (state) => {
  await using server = await createTestServer()
  server.tollgate.internals.ctx.lifecycle.state = state
  const visitor = server.visitor()

  const ready = await visitor.request('GET', '/api/health/ready')

  expect((await visitor.request('GET', '/api/health/live')).status).toBe(200)
  expect([ready.status, ready.body, ready.headers.get('retry-after')]).toEqual([
    503,
    { status: 'not ready', reason: state },
    '1',
  ])
})

test('F-dbdown: without a database the server is live and not ready, and every call answers with an error', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const cookies = new Map(ada.cookies)
  await server.tollgate.internals.ctx.database.close()

  const ready = await ada.request('GET', '/api/health/ready')
  expect([ready.status, ready.body.reason]).toEqual([503, 'no database'])
  for (const [method, path, body] of [
    ['GET', '/get-session'],
    ['GET', '/list-sessions'],
    ['POST', '/sign-in/email', { email: ada.email, password: ada.password }],
    ['POST', '/sign-up/email', { name: 'Grace', email: 'grace@example.com', password: ada.password }],
    ['POST', '/forget-password', { email: ada.email }],
    ['POST', '/sign-out', {}],
    ['POST', '/revoke-sessions', {}],
    ['POST', '/revoke-other-sessions', {}],
    ['POST', '/revoke-session', { token: 'x' }],
    ['POST', '/delete-user', { password: ada.password }],
  ] as const) {
    const { status, body: answer, headers } = await ada.request(method, `/api/auth${path}`, { ...(body && { body }) })
    expect([path, status, answer]).toEqual([
      path,
      503,
      { code: 'SERVICE_UNAVAILABLE', message: 'The service is temporarily unavailable.' },
    ])
    expect(headers.get('retry-after')).toBe('5')
    // F-revoke-dbdown: a user must not be shown as signed out while the session is still valid.
    expect(headers.getSetCookie()).toEqual([])
  }
  expect(ada.cookies).toEqual(cookies)
  expect((await ada.get('/ok')).body).toEqual({ ok: true })
})
