import { authCalls, type Call } from '@tollgate/contract/calls'
import { authSchemas, type Endpoint } from '@tollgate/contract/schemas'
import { expect, test } from 'vitest'
import { createTestServer } from '../testing.ts'

/** The description does not depend on the database. */
const inMemory = { databaseUrl: 'sqlite::memory:' }

const described = async (config: Parameters<typeof createTestServer>[0] = {}) => {
  await using server = await createTestServer(config, inMemory)
  const { status, body } = await server.visitor().request('GET', '/openapi.json')
  expect(status).toBe(200)
  return body
}

/** A path with its parameters as OpenAPI writes them. */
const inBraces = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

test('the description names every call that can be reached, once, and no other', async () => {
  const { paths, openapi } = await described()

  const expected = (Object.entries(authCalls) as [string, Call][])
    .filter(([, call]) => !call.serverOnly)
    .map(([name, { method, path }]) => [name, method.toLowerCase(), `/api/auth${inBraces(path)}`].join(' '))
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { operationId: string }>).map(([method, { operationId }]) =>
      [operationId, method, path].join(' '),
    ),
  )
  expect(openapi).toBe('3.1.0')
  expect(found.sort()).toEqual(expected.sort())
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
  for (const [name, call] of Object.entries(authCalls) as [keyof typeof authCalls, Call][]) {
    if (call.serverOnly) continue
    const endpoint: Endpoint = authSchemas[name]
    const operation = paths[`/api/auth${inBraces(call.path)}`][call.method.toLowerCase()]
    expect([name, operation.summary]).toEqual([name, endpoint.summary])
    expect([name, operation.security !== undefined]).toEqual([name, call.auth === 'session'])
    expect([name, operation.requestBody !== undefined]).toEqual([name, endpoint.body !== undefined])
  }
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

test('the page to try it is ours alone: no script or style from elsewhere', async () => {
  await using server = await createTestServer({}, inMemory)
  const visitor = server.visitor()

  const page = await visitor.request('GET', '/docs')
  const script = await visitor.request('GET', '/docs.js')

  expect([page.status, script.status]).toEqual([200, 200])
  expect(script.headers.get('content-type')).toContain('text/javascript')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  const nonce = /style-src 'nonce-([^']+)'/.exec(policy)?.[1]
  expect(page.text).toContain(`<style nonce="${nonce}">`)
  expect(page.text).not.toMatch(/<(script|link|img)[^>]+(src|href)="(https?:)?\/\//)
  const again = await visitor.request('GET', '/docs')
  expect(again.headers.get('content-security-policy')).not.toBe(policy)
})
