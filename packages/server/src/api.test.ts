import { authCalls } from '@tollgate/contract/calls'
import { expect, test } from 'vitest'
import type { TollgateError } from './error.ts'
import { createTestServer } from './testing.ts'

const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
const baseURL = 'https://accounts.example.com'
const production = { env: { TOLLGATE_MODE: 'production', BASE_URL: baseURL, SECRET: 'x'.repeat(40) } }

/** What a browser would send back. */
const cookieOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

test('every call of the contract but the page is a function', async () => {
  await using server = await createTestServer()

  expect(Object.keys(server.tollgate.api).sort()).toEqual(
    Object.keys(authCalls)
      .filter((name) => name !== 'errorPage')
      .sort(),
  )
  expect(await server.tollgate.api.ok()).toEqual({ ok: true })
})

test('a function that changes something works in the session of the headers', async () => {
  await using server = await createTestServer()
  const { api } = server.tollgate
  const { headers } = await api.signUpEmail({ body: ada, returnHeaders: true })
  const cookie = cookieOf(headers)

  expect(await api.updateUser({ body: { name: 'Ada Lovelace' }, headers: { cookie } })).toEqual({ status: true })
  expect((await api.getSession({ headers: { cookie } }))?.user.name).toBe('Ada Lovelace')
  expect(await api.listSessions({ headers: { cookie } })).toHaveLength(1)
  expect(await api.signOut({ headers: { cookie } })).toEqual({ success: true })
  expect(await api.getSession({ headers: { cookie } })).toBeNull()
})

test('what a function is given is checked as the API checks it', async () => {
  await using server = await createTestServer()
  const { api } = server.tollgate
  const wrongBody = { ...ada, email: 1 } as unknown as typeof ada // what untyped code may pass

  await expect(api.signUpEmail({ body: wrongBody })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  await expect(api.signUpEmail()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  await expect(api.verifyEmail()).rejects.toMatchObject({ message: 'Invalid query parameters' })
})

test('where the API sends a browser elsewhere a function says where', async () => {
  await using server = await createTestServer()
  const { api } = server.tollgate
  await api.signUpEmail({ body: ada })
  const link = new URL(await server.linkTo(ada.email), server.baseURL)
  const token = link.searchParams.get('token') ?? ''

  const answer = await api.verifyEmail({ query: { token, callbackURL: '/welcome' } })

  expect(answer).toEqual({ redirect: true, url: '/welcome' })
  expect(await api.verifyEmail({ query: { token } })).toEqual({ status: true, user: null })
  const away = await api.resetPasswordCallback({ params: { token: 'x' }, query: { callbackURL: '/choose' } })
  expect(away).toEqual({ redirect: true, url: 'http://localhost:3000/choose?error=INVALID_TOKEN' })
})

test('functions are outside the limits of addresses, and inside those of accounts', async () => {
  await using server = await createTestServer({ baseURL }, production)
  const { api } = server.tollgate
  await api.signUpEmail({ body: ada })
  const guess = () =>
    api.signInEmail({ body: { ...ada, password: 'wrong horse battery' } }).catch((error: TollgateError) => error.code)

  const codes: unknown[] = []
  for (let index = 0; index < 11; index += 1) codes.push(await guess())

  expect(codes).toEqual([...Array.from({ length: 10 }, () => 'INVALID_EMAIL_OR_PASSWORD'), 'TOO_MANY_REQUESTS'])
})

test('a function knows the address and the browser that it is told', async () => {
  await using server = await createTestServer()
  const { api } = server.tollgate

  const { headers } = await api.signUpEmail({
    body: ada,
    headers: { 'user-agent': 'Test browser' },
    remoteAddress: '192.0.2.7',
    returnHeaders: true,
  })

  const answer = await api.getSession({ headers: { cookie: cookieOf(headers) } })
  expect(answer?.session).toMatchObject({ ipAddress: '192.0.2.7', userAgent: 'Test browser' })
})

test('two functions of one event loop do not see each other’s sessions', async () => {
  await using server = await createTestServer()
  const { api } = server.tollgate
  const people = await Promise.all(
    ['ada', 'eve', 'bob'].map((name) =>
      api.signUpEmail({ body: { ...ada, name, email: `${name}@example.com` }, returnHeaders: true }),
    ),
  )

  const answers = await Promise.all(
    people.map(({ headers }) => api.getSession({ headers: { cookie: cookieOf(headers) } })),
  )

  expect(answers.map((answer) => answer?.user.name)).toEqual(['ada', 'eve', 'bob'])
})
