import { expect, test } from 'vitest'
import { TollgateError } from '../foundation/error.ts'
import { createTestServer } from '../testing.ts'
import { createTollgate } from './server.ts'

const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }

const refusal = async (call: Promise<unknown>): Promise<TollgateError> => {
  const error = await call.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  expect(error).toBeInstanceOf(TollgateError)
  return error as TollgateError
}

test('server code that asks for a session without naming one gets null', async () => {
  await using server = await createTestServer()
  const { api } = server.tollgate

  expect(await api.getSession()).toBeNull()
  expect(await api.getSession({ headers: { cookie: 'better-auth.session_token=forged.signature' } })).toBeNull()
  expect((await api.getSession({ returnHeaders: true })).response).toBeNull()
})

test('server code gets the session of the cookies that it hands over', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  const session = await server.tollgate.api.getSession({ headers: { cookie } })

  expect(session?.user.email).toBe(ada.email)
})

test('the calls are functions for server code: they return the API’s answer', async () => {
  await using server = await createTestServer()
  const { api } = server.tollgate

  const { user, token } = await api.signUpEmail({ body: person })
  const { response, headers } = await api.signInEmail({ body: person, returnHeaders: true })

  expect(user.email).toBe(person.email)
  expect(token).toMatch(/^\w{32}$/)
  expect(response.user).toEqual(user)
  const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect(cookie).toContain(`${response.token}.`)
  const session = await api.getSession({ headers: { cookie } })
  expect(session?.user.id).toBe(user.id)
  expect(await api.getSession({ headers: new Headers({ cookie }) })).toEqual(session)
  expect(await api.getSession()).toBeNull()
})

test('they throw the API’s refusals', async () => {
  await using server = await createTestServer()
  const { api } = server.tollgate

  const wrong = await refusal(api.signInEmail({ body: person }))
  const shape = await refusal(api.signInEmail({ body: { email: 'x' } as never }))
  const nobody = await refusal(api.listSessions())

  expect([wrong.error, wrong.code, wrong.row.status]).toEqual([
    'INVALID_EMAIL_OR_PASSWORD',
    'INVALID_EMAIL_OR_PASSWORD',
    401,
  ])
  expect(shape.error).toBe('VALIDATION_ERROR')
  expect(nobody.error).toBe('UNAUTHORIZED')
})

test('they are neither limited nor asked where they come from', async () => {
  await using server = await createTestServer({ rateLimit: { enabled: true } })
  const { api } = server.tollgate

  for (let index = 0; index < 8; index += 1)
    expect(
      (await refusal(api.signInEmail({ body: person, headers: { cookie: 'a=b', origin: 'https://evil.example' } })))
        .error,
    ).toBe('INVALID_EMAIL_OR_PASSWORD')
})

test('set-password exists for them only', async () => {
  await using server = await createTestServer()
  const { api, internals } = server.tollgate
  const ada = await server.signedUp()
  const headers = { cookie: [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }

  expect((await ada.post('/set-password', { newPassword: 'another word' })).status).toBe(404)
  expect((await refusal(api.setPassword({ body: { newPassword: 'another word' }, headers }))).message).toBe(
    'user already has a password',
  )
  expect((await refusal(api.setPassword({ body: { newPassword: 'another word' } }))).error).toBe('UNAUTHORIZED')
  await internals.ctx.transaction((tx) => tx.deleteFrom('account').execute())
  expect((await refusal(api.setPassword({ body: { newPassword: 'short' }, headers }))).error).toBe('PASSWORD_TOO_SHORT')
  expect(await api.setPassword({ body: { newPassword: 'another word' }, headers })).toEqual({ status: true })
  expect((await server.visitor().post('/sign-in/email', { email: ada.email, password: 'another word' })).status).toBe(
    200,
  )
})

test('a call that redirects returns the address', async () => {
  await using server = await createTestServer()

  const answer = await server.tollgate.api.resetPasswordCallback({
    params: { token: 'unknown' },
    query: { callbackURL: '/reset-password' },
  })

  expect(answer).toEqual({ redirect: true, url: expect.stringContaining('/reset-password?error=INVALID_TOKEN') })
})

test('hooks are called after the commit, and a failing hook is only logged', async () => {
  const seen: unknown[] = []
  await using server = await createTestServer({
    hooks: {
      onUserCreated: async (user) => {
        seen.push(['created', user])
        throw new Error('the hook is broken')
      },
      onUserDeleted: (user) => seen.push(['deleted', user]),
    },
  })
  const ada = await server.signedUp()
  const { id } = (await ada.get('/get-session')).body.user

  expect((await ada.post('/delete-user', { password: ada.password })).status).toBe(200)
  await server.tollgate.internals.ctx.settled()

  const user = { id, email: ada.email, name: 'Ada' }
  expect(seen).toEqual([
    ['created', user],
    ['deleted', user],
  ])
  expect(server.logs.join('')).toContain('the hook is broken')
})

test('a sign-up that is refused calls no hook', async () => {
  const seen: unknown[] = []
  await using server = await createTestServer({ hooks: { onUserCreated: (user) => seen.push(user) } })
  const ada = await server.signedUp()

  await server.visitor().post('/sign-up/email', { ...person, email: ada.email })
  await server.tollgate.internals.ctx.settled()

  expect(seen).toHaveLength(1)
})

test('closing waits for the work that continues after answers', async () => {
  let isDone = false
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const server = await createTestServer({
    hooks: {
      onUserCreated: async () => {
        started.resolve()
        await finish.promise
        isDone = true
      },
    },
  })
  await server.signedUp()
  await started.promise

  const closed = server[Symbol.asyncDispose]()
  expect(isDone).toBe(false)
  finish.resolve()
  await closed

  expect(isDone).toBe(true)
})

test('closing waits for requests under way, and takes no further ones', async () => {
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const server = await createTestServer({
    // Called at the beginning of each request.
    trustedOrigins: async ({ url }) => {
      if (!url.endsWith('/sign-up/email')) return []
      started.resolve()
      await finish.promise
      return []
    },
  })
  const answer = server.visitor().post('/sign-up/email', person)
  await started.promise

  const closed = server[Symbol.asyncDispose]()
  const late = await server.visitor().get('/get-session')
  const ready = await server.visitor().request('GET', '/api/health/ready')
  const { api } = server.tollgate
  const unavailable = { name: 'TollgateError', code: 'SERVICE_UNAVAILABLE', retryAfter: 5 }
  await expect(api.signInEmail({ body: person })).rejects.toMatchObject(unavailable)
  finish.resolve()

  expect((await answer).status).toBe(200)
  expect([late.status, late.body.code, late.headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '5'])
  expect([ready.status, ready.body.reason]).toEqual([503, 'closed'])
  await closed
  await expect(api.getSession({ headers: {} })).rejects.toMatchObject(unavailable)
  await expect(api.listProducts()).rejects.toMatchObject(unavailable)
})

test('two closes at once, as two signals ask for, both wait for requests under way', async () => {
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  await using server = await createTestServer({
    trustedOrigins: async () => {
      started.resolve()
      await finish.promise
      return []
    },
  })
  const answer = server.visitor().get('/ok')
  await started.promise

  const closes = [server.tollgate.close(), server.tollgate.close()]
  // Both get past the jobs and the mails, to what waits for requests.
  await new Promise(setImmediate)
  finish.resolve()

  expect((await answer).status).toBe(200)
  await Promise.all(closes)
})

test('F-failclosed: a database that cannot be reached or read stops the start', async () => {
  const env = { LOG_LEVEL: 'silent' }

  await expect(
    createTollgate({}, { env: { ...env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' } }),
  ).rejects.toThrow()
  await expect(createTollgate({}, { env: { ...env, DATABASE_URL: 'sqlite:/dev/null/x.db' } })).rejects.toThrow()
})

test('an unforeseen fault is an opaque 500, and a log line with its details', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const { ctx } = server.tollgate.internals
  await ctx.jobs.stop()
  await ctx.transaction((tx) => tx.schema.alterTable('event').renameTo('lost').execute())

  const { status, body, headers } = await ada.post('/update-user', { name: 'Countess' })

  expect([status, body]).toEqual([500, { code: 'INTERNAL_SERVER_ERROR', message: 'Internal server error' }])
  const line = server.logs.map((each) => JSON.parse(each)).find(({ level }) => level === 50)
  expect(line).toMatchObject({
    request: headers.get('x-request-id'),
    path: '/api/auth/update-user',
    msg: 'Unexpected failure',
  })
  // Server code gets the same answer.
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  await expect(
    server.tollgate.api.updateUser({ body: { name: 'Countess' }, headers: { cookie } }),
  ).rejects.toMatchObject({ name: 'TollgateError', code: 'INTERNAL_SERVER_ERROR', message: 'Internal server error' })
  const lines = server.logs.map((each) => JSON.parse(each)).filter(({ level }) => level === 50)
  expect(lines[1]).toMatchObject({ call: 'updateUser', msg: 'Unexpected failure' })
  // All or nothing: the change and its event roll back together.
  expect((await ada.get('/get-session')).body.user.name).toBe('Ada')
})
