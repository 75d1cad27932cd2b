import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../testing.ts'
import { guides } from './guides.ts'

let server: TestServer
let operations: string[]
let shapes: string[]

beforeAll(async () => {
  server = await createTestServer(
    { jwt: {}, organization: { teams: { enabled: true } } },
    { databaseUrl: 'sqlite::memory:' },
  )
  const { body } = await server.visitor().request('GET', '/openapi.json')
  const methods = Object.values(body.paths as Record<string, Record<string, { operationId: string }>>)
  operations = methods.flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
  shapes = Object.keys(body.components.schemas)
})
afterAll(() => server[Symbol.asyncDispose]())

const get = (path: string, headers: Record<string, string> = {}) => server.visitor().request('GET', path, { headers })

test('every call, every shape and every guide has a page of its own', async () => {
  expect(operations.length).toBeGreaterThan(150)
  const pages = [...Object.keys(guides), ...operations, ...shapes.map((name) => `shapes/${name}`)]
  for (const page of pages) {
    const { status, text } = await get(`/docs${page && `/${page}`}`)
    expect([page, status]).toEqual([page, 200])
    expect(text).toMatch(/<h1>[^<]+<\/h1>/)
    expect([page, text.match(/aria-current="page"/g)?.length ?? 0]).toEqual([page, page.startsWith('shapes/') ? 0 : 1])
    expect(text.length, page).toBeLessThan(120_000)
  }
})

test('no guide has the name of a call', () => {
  expect(Object.keys(guides).filter((name) => operations.includes(name))).toEqual([])
})

test('every link of the reference leads to a page that is there', async () => {
  const seen = new Set<string>()
  for (const page of ['', '/webhooks', '/authentication', '/createCheckout', '/shapes/Order', '/getOrder'])
    for (const [, href = ''] of (await get(`/docs${page}`)).text.matchAll(/href="(\/docs[^"#]*)"/g)) seen.add(href)
  expect(seen.size).toBeGreaterThan(150)
  for (const href of seen) expect([href, (await get(href)).status]).toEqual([href, 200])
})

test('an unknown page is not there', async () => {
  for (const path of ['/docs/nothing', '/docs/constructor', '/docs/shapes/nothing', '/docs/shapes/__proto__'])
    expect([path, (await get(path)).status]).toEqual([path, 404])
})

test('a call shows the request in three languages, its members, its answer and its refusals', async () => {
  const { text } = await get('/docs/createProduct')

  expect(text).toContain('curl -X POST')
  expect(text).toContain('createBillingClient')
  expect(text).toContain('polar.products.create(')
  expect(text).toContain('Needs an access token with <code>products:write</code>')
  expect(text).toContain('<code>prices</code>')
  expect(text).toContain('href="/docs/shapes/Product"')
  expect(text).toContain('<dt>422</dt>')
  // Accounts have no Polar SDK.
  expect((await get('/docs/signInEmail')).text).not.toContain('Polar SDK</span>')
})

test('everything comes from this server, and nothing in the page runs by itself', async () => {
  const { text, headers } = await get('/docs/signInEmail')

  const policy = headers.get('content-security-policy') ?? ''
  for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
    expect(policy).toContain(part)
  expect(text).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\//)
  expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=/)
})

test('a browser keeps a page until it changes, for each scheme', async () => {
  const first = await get('/docs/signInEmail')
  const tag = first.headers.get('etag') ?? ''

  expect(tag).toMatch(/^W\/"/)
  expect((await get('/docs/signInEmail', { 'if-none-match': tag })).status).toBe(304)
  expect((await get('/docs/signInEmail', { 'if-none-match': '"other"' })).status).toBe(200)
  const dark = await get('/docs/signInEmail', { 'if-none-match': tag, cookie: 'tollgate_scheme=dark' })
  expect([dark.status, dark.text.includes('data-scheme="dark"')]).toEqual([200, true])
  expect(first.headers.get('vary')).toContain('cookie')
})

test.each([
  ['br', (bytes: Buffer) => brotliDecompressSync(bytes)],
  ['gzip', (bytes: Buffer) => gunzipSync(bytes)],
] as const)('pages and the description are compressed with %s', async (encoding, decompress) => {
  for (const path of ['/docs/createCheckout', '/openapi.json']) {
    const ask = (accepted: string) =>
      server.tollgate.handler(new Request(`http://localhost${path}`, { headers: { 'accept-encoding': accepted } }))
    const plain = await (await ask('identity')).text()
    const answer = await ask(encoding)
    const bytes = Buffer.from(await answer.arrayBuffer())

    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('vary')).toContain('accept-encoding')
    expect(bytes.length).toBeLessThan(plain.length / 4)
    expect(decompress(bytes).toString()).toBe(plain)
  }
})
