import { billingCalls } from '@tollgate/contract/billing'
import { authCalls } from '@tollgate/contract/calls'
import { expect, test } from 'vitest'
import { createTestMerchant } from '../features/billing/testing/merchant.ts'
import type { TollgateError } from '../foundation/error.ts'
import { createTestServer } from '../testing.ts'

const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
const baseURL = 'https://accounts.example.com'
const production = { env: { TOLLGATE_MODE: 'production', BASE_URL: baseURL, SECRET: 'x'.repeat(40) } }

/** The cookies that a browser would send back. */
const cookieOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

test('every call of the contract but the page is a function', async () => {
  await using server = await createTestServer()

  expect(Object.keys(server.tollgate.api).sort()).toEqual(
    [...Object.keys(authCalls), ...Object.keys(billingCalls)].filter((name) => name !== 'errorPage').sort(),
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

test('a function’s input is checked as the API checks it', async () => {
  await using server = await createTestServer()
  const { api } = server.tollgate
  const wrongBody = { ...ada, email: 1 } as unknown as typeof ada // untyped code may pass anything

  await expect(api.signUpEmail({ body: wrongBody })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  await expect(api.signUpEmail()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  await expect(api.verifyEmail()).rejects.toMatchObject({ message: 'Invalid query parameters' })
})

test('where the API redirects a browser a function returns the address', async () => {
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

test('a function receives the client’s address and browser', async () => {
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

test('functions of billing act for the organization that server code names, in our spelling', async () => {
  await using server = await createTestServer()
  const { api } = server.tollgate
  const { organizationId } = await createTestMerchant(server)
  const other = await createTestMerchant(server)

  const product = await api.createProduct({
    body: {
      organizationId,
      name: 'Pro',
      recurringInterval: 'month',
      prices: [{ amountType: 'fixed', priceAmount: 1500 }],
      metadata: { someKey: 1 },
    },
  })

  expect(product).toMatchObject({ organizationId, recurringInterval: 'month', metadata: { someKey: 1 } })
  const { id } = product
  const query = { organizationId }
  expect((await api.listProducts({ query: { ...query, limit: 5 } })).items).toMatchObject([{ id }])
  expect(await api.updateProduct({ params: { id }, query, body: { name: 'Pro II' } })).toMatchObject({ name: 'Pro II' })
  expect(await api.getProduct({ params: { id }, query })).toMatchObject({ name: 'Pro II' })
  const { email } = await api.createCustomer({ body: { organizationId, email: 'ada@example.com' } })
  expect(email).toBe('ada@example.com')
  const { items } = await api.listCustomers({ query })
  expect(await api.deleteCustomer({ params: { id: items[0]!.id }, query })).toBeUndefined()

  const elsewhere = api.getProduct({ params: { id }, query: { organizationId: other.organizationId } })
  await expect(elsewhere).rejects.toMatchObject({ error: 'RESOURCE_NOT_FOUND' })
  await expect(api.listProducts()).rejects.toMatchObject({ error: 'RESOURCE_NOT_FOUND' })
  const wrong = api.createProduct({ body: { organizationId, name: 'x', recurringInterval: null, prices: [] } })
  await expect(wrong).rejects.toMatchObject({
    error: 'REQUEST_INVALID',
    issues: [{ loc: ['body', 'name'] }, { loc: ['body', 'prices'] }],
  })
})

test('functions of billing act as the user of the headers, within their permissions', async () => {
  await using server = await createTestServer()
  const { api } = server.tollgate
  const merchant = await createTestMerchant(server, ['products:read'])
  const headers = { authorization: `Bearer ${merchant.token}` }

  const { response, headers: answered } = await api.listProducts({ headers, returnHeaders: true })

  expect([response.items, [...answered]]).toEqual([[], []])
  const body = { name: 'Pro', recurringInterval: null, prices: [{ amountType: 'free' as const }] }
  await expect(api.createProduct({ headers, body })).rejects.toMatchObject({ error: 'INSUFFICIENT_SCOPE' })
  const nobody = { authorization: 'Bearer nobody' }
  await expect(api.listProducts({ headers: nobody })).rejects.toMatchObject({ error: 'UNAUTHORIZED' })
})
