import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { createTestMerchant, type TestMerchant } from '../testing/merchant.ts'
import { wrongAt } from '../testing/refusal.ts'
import { fixedPrice } from '../testing/shop.ts'
import { openSink, type Sink } from '../testing/sink.ts'

/** F-ssrf: a server that must not send into private networks, and a receiver inside one. */
let server: TestServer
let sink: Sink
let seller: TestMerchant
/** Name resolution; counts each lookup. */
const names = new Map<string, () => string[]>()
const asked: string[] = []

beforeAll(async () => {
  sink = await openSink()
  server = await createTestServer(
    { billing: { webhooks: { allowPrivateNetworks: false } } },
    {
      resolveAddresses: async (name) => {
        asked.push(name)
        const addresses = names.get(name)?.() ?? []
        if (addresses.length === 0) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
        return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      },
    },
  )
  seller = await createTestMerchant(server)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await sink[Symbol.asyncDispose]()
})

const runJobs = () => server.tollgate.internals.ctx.jobs.runDue()
const event = () => seller.post('/products', { name: 'A book', recurring_interval: null, prices: [fixedPrice(1000)] })
const endpoint = (url: string) => seller.post('/webhooks/endpoints', { url, events: ['product.created'] })

/** The only attempt to send an event to an endpoint. */
async function attempt(id: string) {
  await event()
  await runJobs()
  const { body } = await seller.get(`/webhooks/deliveries?endpoint_id=${id}`)
  await seller.delete(`/webhooks/endpoints/${id}`)
  expect(body.items).toHaveLength(1)
  return body.items[0]
}

test.each([
  'http://127.0.0.1/',
  'http://[::1]/',
  'http://169.254.169.254/latest/meta-data',
  'http://10.0.0.1/',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://0x7f.1/',
  'http://[::ffff:127.0.0.1]/',
  'http://localhost:3000/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'http://ada:secret@example.com/',
  'https://example.com:25/',
])('F-ssrf: %s is refused when it is saved, and as a change', async (url) => {
  expect(wrongAt(await endpoint(url))).toBe('422 url')
  const { body } = await endpoint('https://example.com/')
  expect(wrongAt(await seller.patch(`/webhooks/endpoints/${body.id}`, { url }))).toBe('422 url')
  await seller.delete(`/webhooks/endpoints/${body.id}`)
})

test.each([
  ['127.0.0.1'],
  ['10.0.0.1'],
  ['169.254.169.254'],
  ['::1'],
  ['::ffff:127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['93.184.215.14', '127.0.0.1'],
])('F-ssrf: a name that stands for %s and %s is not connected to', async (...addresses) => {
  names.set('hooks.example.com', () => addresses.filter((address) => address !== undefined))
  const made = await endpoint(`http://hooks.example.com:${new URL(sink.origin).port}/`)
  expect(made.status).toBe(201)
  const { http_code, response } = await attempt(made.body.id)
  expect([http_code, response]).toEqual([null, 'Not sent: the host name resolves to a private network'])
  expect(sink.received).toEqual([])
})

test('F-ssrf: each request resolves a name once, so that it connects to the address that was checked', async () => {
  // Public when checked, private when connected: the second answer would reach the receiver.
  let looks = 0
  names.set('turning.example.com', () => {
    looks += 1
    return looks === 1 ? ['10.255.255.1'] : ['127.0.0.1']
  })
  const made = await endpoint(`http://turning.example.com:${new URL(sink.origin).port}/`)
  const { response } = await attempt(made.body.id)
  expect(response).toContain('Not sent')
  expect(looks).toBe(1)
  expect(sink.received).toEqual([])
})

test('F-ssrf: the server stops sending to a saved address that is no longer allowed', async () => {
  const made = await endpoint('https://example.com/')
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) =>
    tx.updateTable('webhookEndpoint').set({ url: sink.origin }).where('id', '=', made.body.id).execute(),
  )
  expect((await attempt(made.body.id)).response).toBe('Not sent: URL should not lead into a private network')
  expect(sink.received).toEqual([])
})

test('an unknown name is a failure like any other', async () => {
  const made = await endpoint('https://nowhere.example.com/')
  expect((await attempt(made.body.id)).response).toBe('The connection failed (ENOTFOUND)')
  expect(asked).toContain('nowhere.example.com')
})
