import { gunzipSync } from 'node:zlib'
import { billingSchemas } from '@tollgate/contract/billing-schemas'
import { expect, test } from 'vitest'
import { acceptedEncoding, compressed, compressedAnswer, encode, isCompressible } from './compression.ts'

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, gzip;q=0.1', 'gzip'],
  ['*', 'br'],
  ['*;q=0.2, br;q=0', 'gzip'],
  ['BR', 'br'],
  ['identity', undefined],
  ['gzip;q=0', undefined],
  ['gzip;q=nonsense', undefined],
  ['', undefined],
  [undefined, undefined],
  [`gzip, ${'x'.repeat(2000)}`, undefined],
])('of %s the server chooses %s', (accepted, encoding) => {
  expect(acceptedEncoding(accepted)).toBe(encoding)
})

test('a short text is left as it is', async () => {
  expect(await encode('x'.repeat(500), 'br', 1)).toBeUndefined()
  expect(await encode('x'.repeat(5000), 'br', 1)).toMatchObject({ encoding: 'br' })
})

test('an answer without a body keeps its status and its headers', async () => {
  const answer = await compressed(
    new Response(null, { status: 304, headers: { etag: '"a"' } }),
    new Headers({ 'accept-encoding': 'br' }),
  )
  expect([answer.status, answer.headers.get('etag'), answer.headers.get('content-encoding')]).toEqual([
    304,
    'W/"a"',
    null,
  ])
})

test('no answer that holds a secret is compressed', () => {
  const calls = Object.entries(billingSchemas)
  const left = calls.filter(([, endpoint]) => !isCompressible(endpoint)).map(([name]) => name)

  for (const name of [
    'createAccessToken',
    'createCustomerSession',
    'getCheckout',
    'listCheckouts',
    'getClientCheckout',
  ])
    expect(left).toContain(name)
  for (const name of ['createWebhookEndpoint', 'listWebhookEndpoints', 'getOrderInvoice', 'createFile'])
    expect(left).toContain(name)
  for (const name of ['listOrders', 'listCustomers', 'listProducts', 'getOverview', 'listTimeline'])
    expect(left).not.toContain(name)
})

const long = { status: 200, headers: {}, body: JSON.stringify(Array.from({ length: 500 }, (_, index) => ({ index }))) }
const encodingOf = async (headers: Record<string, string>) =>
  (await compressedAnswer(long, new Headers({ 'accept-encoding': 'gzip', ...headers }))).headers['content-encoding']

test('an answer is compressed for programs and for our own pages, not for a request that another site can cause', async () => {
  expect(await encodingOf({ authorization: 'Bearer x' })).toBe('gzip')
  expect(await encodingOf({ cookie: 'a=b', 'sec-fetch-site': 'same-origin' })).toBe('gzip')
  for (const site of ['cross-site', 'same-site', 'none'])
    expect([site, await encodingOf({ cookie: 'a=b', 'sec-fetch-site': site })]).toEqual([site, undefined])
  expect(await encodingOf({ cookie: 'a=b' })).toBeUndefined()
})

test('a file is compressed while it is sent', async () => {
  const { headers, body } = await compressedAnswer(
    { status: 200, headers: {}, body: new Response(long.body).body! },
    new Headers({ 'accept-encoding': 'gzip, br' }),
  )
  expect(headers).toEqual({ vary: 'accept-encoding', 'content-encoding': 'gzip' })
  expect(gunzipSync(await new Response(body as ReadableStream).arrayBuffer()).toString()).toBe(long.body)
})
