import { type BillingCall, billingCalls, snakeKey } from '@tollgate/contract/billing'
import { billingSchemas } from '@tollgate/contract/billing-schemas'
import { authCalls, type Call } from '@tollgate/contract/calls'
import { authSchemas, type Endpoint } from '@tollgate/contract/schemas'
import { expect, test } from 'vitest'
import { createTestServer } from '../../testing.ts'

/** The description does not depend on the database. */
const inMemory = { databaseUrl: 'sqlite::memory:' }

/** Features that are off by default. */
const allOn = { jwt: {}, organization: { teams: { enabled: true } } } as const

const described = async (config: Parameters<typeof createTestServer>[0] = {}) => {
  await using server = await createTestServer({ ...allOn, ...config }, inMemory)
  const { status, body } = await server.visitor().request('GET', '/openapi.json')
  expect(status).toBe(200)
  return body
}

/** A path with OpenAPI parameters. */
const inBraces = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

test('the description names every call that can be reached, once, and no other', async () => {
  const { paths, openapi } = await described()

  const expected = (Object.entries(authCalls) as [string, Call][])
    .filter(([, call]) => !call.serverOnly)
    .map(([name, { method, path }]) => [name, method.toLowerCase(), `/api/auth${inBraces(path)}`].join(' '))
  const billing = (Object.entries(billingCalls) as [string, BillingCall][]).map(([name, { method, path }]) =>
    [name, method.toLowerCase(), `/v1${snakeKey(inBraces(path))}`].join(' '),
  )
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { operationId: string }>).map(([method, { operationId }]) =>
      [operationId, method, path].join(' '),
    ),
  )
  expect(openapi).toBe('3.1.0')
  expect(found.sort()).toEqual([...expected, ...billing].sort())
})

test('each operation has its shapes and all its refusals', async () => {
  const { paths } = await described()
  const signIn = paths['/api/auth/sign-in/email'].post

  expect(signIn.requestBody.content['application/json'].schema).toMatchObject({
    type: 'object',
    required: ['email', 'password'],
  })
  expect(Object.keys(signIn.responses).sort()).toEqual(['200', '400', '401', '403', '413', '415', '429', '500', '503'])
  expect(signIn.responses['401'].description).toContain('Invalid email or password')
  const limited = Object.values(paths).flatMap((path) => Object.values(path as Record<string, typeof signIn>))
  expect(limited.filter(({ responses }) => !responses['429']).map(({ operationId }) => operationId)).toEqual([
    'getSession',
  ])
  for (const [name, call] of Object.entries(authCalls) as [keyof typeof authCalls, Call][]) {
    if (call.serverOnly) continue
    const endpoint: Endpoint = authSchemas[name]
    const operation = paths[`/api/auth${inBraces(call.path)}`][call.method.toLowerCase()]
    expect([name, operation.summary]).toEqual([name, endpoint.summary])
    expect([name, operation.security !== undefined]).toEqual([name, call.auth === 'session'])
    const takesBody = endpoint.body !== undefined || call.takesFile === true
    expect([name, operation.requestBody !== undefined]).toEqual([name, takesBody])
  }
})

test.each([
  ['/verify-email', 'get', ['200', '302']],
  ['/delete-user/callback', 'get', ['200', '302']],
  ['/magic-link/verify', 'get', ['200', '302']],
  ['/reset-password/{token}', 'get', ['302']],
  ['/callback/{id}', 'get', ['302']],
  ['/callback/{id}', 'post', ['303']],
  ['/error', 'get', ['200']],
  ['/get-session', 'get', ['200']],
  ['/sign-in/email', 'post', ['200']],
])('%s %s is described with where it answers and where it leads on', async (path, method, statuses) => {
  const { paths } = await described()

  const { responses } = paths[`/api/auth${path}`][method]

  expect(Object.keys(responses).filter((status) => status < '400')).toEqual(statuses)
})

test('calls of billing are documented in their wire spelling, with the callers who may make them', async () => {
  const { paths, components } = await described()
  const { parameters, requestBody, responses, security, tags } = paths['/v1/checkouts'].post

  expect([tags, security]).toEqual([['Checkouts'], [{ token: ['checkouts:write'] }, { session: [] }]])
  expect(parameters.map(({ name }: { name: string }) => name)).toEqual(['Idempotency-Key'])
  const { properties } = requestBody.content['application/json'].schema
  expect(properties).toMatchObject({ customer_billing_address: {}, products: { type: 'array' }, metadata: {} })
  expect(responses['201'].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Checkout' })
  expect(responses['422'].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/BillingInvalid' })
  expect(responses['404'].description).toContain('`ResourceNotFound`')
  expect(components.securitySchemes.token).toMatchObject({ type: 'http', scheme: 'bearer' })
  expect(components.schemas.Order.properties.customer).toEqual({ $ref: '#/components/schemas/Customer' })
  expect(paths['/v1/checkouts/client/{client_secret}'].get).not.toHaveProperty('security')
  expect(paths['/v1/organization-access-tokens'].post.security).toEqual([{ session: [] }])
  const filters = paths['/v1/products'].get.parameters
  expect(filters).toContainEqual(expect.objectContaining({ name: 'metadata', style: 'deepObject' }))
  expect(filters).toContainEqual(expect.objectContaining({ name: 'is_recurring', in: 'query', required: false }))
})

test('everything of billing is in snake_case, and every shape that is referred to is there', async () => {
  const { paths, components } = await described()
  const billing = Object.fromEntries(Object.entries(paths).filter(([path]) => path.startsWith('/v1/')))
  const whole = JSON.stringify([billing, components])
  const members: string[] = []
  JSON.parse(whole, (key, value) => {
    // A member may have that name, too.
    const isKeyword = Object.values(value ?? {}).every((each) => typeof each === 'object' && !Array.isArray(each))
    if (key === 'properties' && isKeyword) members.push(...Object.keys(value))
    return value
  })

  expect(members.filter((name) => /[A-Z]/.test(name))).toEqual([])
  expect(new Set(members).size).toBeGreaterThan(200)
  const targets = [...whole.matchAll(/"\$ref":"([^"]*)"/g)].map((match) => match[1]!)
  const shapes = Object.keys(components.schemas).map((name) => `#/components/schemas/${name}`)
  expect([...new Set(targets)].filter((target) => !shapes.includes(target))).toEqual([])
  // Each answer is a named shape or a list of one, so that the description stays readable.
  expect(whole.length / Object.keys(billingCalls).length).toBeLessThan(3_600)
  for (const [name, call] of Object.entries(billingCalls) as [keyof typeof billingCalls, BillingCall][]) {
    const operation = paths[`/v1${snakeKey(inBraces(call.path))}`][call.method.toLowerCase()]
    expect([name, operation.summary]).toEqual([name, billingSchemas[name].summary])
    expect([name, Object.keys(operation.responses)[0]]).toEqual([name, String(call.status ?? 200)])
  }
})

test('calls of a feature that is off are not described', async () => {
  const { paths } = await described({ organization: { teams: { enabled: false } }, jwt: false, username: false })

  expect(paths['/api/auth/organization/list']).toBeDefined()
  const off = ['/organization/list-teams', '/jwks', '/sign-in/username'].filter((path) => paths[`/api/auth${path}`])
  expect(off).toEqual([])
})

test('where billing is off its calls are not described', async () => {
  const { paths, components } = await described({ billing: false })

  expect(Object.keys(paths).filter((path) => path.startsWith('/v1'))).toEqual([])
  expect(Object.keys(components.securitySchemes)).toEqual(['session'])
})

test('addresses and the name of the cookie are those of the configuration', async () => {
  const description = await described({
    appName: 'Acme',
    baseURL: 'https://accounts.example.com',
    basePath: '/auth',
    advanced: { cookiePrefix: 'acme' },
  })

  expect(description.info.title).toBe('Acme API')
  expect(description.servers).toEqual([{ url: 'https://accounts.example.com' }])
  expect(Object.keys(description.paths)[0]).toBe('/auth/ok')
  expect(description.components.securitySchemes.session.name).toBe('__Secure-acme.session_token')
})
