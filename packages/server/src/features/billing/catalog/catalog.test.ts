import { holdsScope, type Scope, scopes } from '@tollgate/contract/billing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../testing.ts'
import { createTestMerchant, insertTestToken, type TestMerchant } from '../testing/merchant.ts'
import { announced, uploadedFile } from '../testing/upload.ts'

/** Permissions for every catalog call, as one table. */

let server: TestServer
let seller: TestMerchant
let stranger: TestMerchant
/** The seller's objects, by kind. */
let ids: Record<string, string>
beforeAll(async () => {
  server = await createTestServer()
  seller = await createTestMerchant(server)
  stranger = await createTestMerchant(server)
  const made = async (path: string, body: object) => (await seller.post(path, body)).body.id
  ids = {
    product: await made('/products', product),
    customField: await made('/custom-fields', { ...field, slug: 'first' }),
    meter: await made('/meters', meter),
    file: (await uploadedFile(server, seller)).id,
  }
})
afterAll(() => server[Symbol.asyncDispose]())

const product = { name: 'Ebook', recurring_interval: null, prices: [{ amount_type: 'free' }] }
const field = { type: 'text', slug: 'company', name: 'Company', properties: {} }
const meter = { name: 'Calls', filter: { conjunction: 'and', clauses: [] }, aggregation: { func: 'count' } }
const completion = { id: 'x', path: 'x', parts: [{ number: 1, checksum_etag: 'x' }] }

const calls: [method: string, path: string, scope: Scope, body?: object][] = [
  ['GET', '/products/', 'products:read'],
  ['POST', '/products/', 'products:write', product],
  ['GET', '/products/{product}', 'products:read'],
  ['PATCH', '/products/{product}', 'products:write', { name: 'Novel' }],
  ['POST', '/products/{product}/benefits', 'products:write', { benefits: [] }],
  ['GET', '/custom-fields/', 'custom_fields:read'],
  ['POST', '/custom-fields/', 'custom_fields:write', field],
  ['GET', '/custom-fields/{customField}', 'custom_fields:read'],
  ['PATCH', '/custom-fields/{customField}', 'custom_fields:write', { type: 'text' }],
  ['DELETE', '/custom-fields/{customField}', 'custom_fields:write'],
  ['GET', '/meters/', 'meters:read'],
  ['POST', '/meters/', 'meters:write', meter],
  ['GET', '/meters/{meter}', 'meters:read'],
  ['PATCH', '/meters/{meter}', 'meters:write', { name: 'Tokens' }],
  ['GET', '/files/', 'files:read'],
  ['POST', '/files/', 'files:write', announced()],
  ['POST', '/files/{file}/uploaded', 'files:write', completion],
  ['PATCH', '/files/{file}', 'files:write', { version: '1' }],
  ['DELETE', '/files/{file}', 'files:write'],
]

const filled = (path: string) => path.replace(/\{(\w+)\}/, (_, kind: string) => ids[kind]!)
const asked = (method: string, path: string, token: string, body?: object) =>
  server.visitor().request(method, `/v1${path}`, {
    headers: { authorization: `Bearer ${token}` },
    ...(body && { body }),
  })
const tokenWith = (held: readonly Scope[]) => {
  const { ctx } = server.tollgate.internals
  return ctx.transaction((tx) => insertTestToken(tx, seller.organizationId, held, ctx.clock.now()))
}

test.each(calls)('%s %s is only for tokens that hold %s', async (method, path, scope, body) => {
  const others = await tokenWith(scopes.filter((each) => !holdsScope([each], scope)))

  const refused = await asked(method, filled(path), others, body)

  expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope'])
  expect((await server.visitor().request(method, `/v1${filled(path)}`, body && { body })).status).toBe(401)
})

test.each(calls.filter(([, path]) => path.includes('{')))(
  '%s %s finds nothing of another organization',
  async (method, path, _, body) => {
    const foreign = await asked(method, filled(path), stranger.token, body)
    const unknown = await asked(
      method,
      path.replace(/\{\w+\}/, '00000000-0000-4000-8000-000000000000'),
      seller.token,
      body,
    )
    const malformed = await asked(method, path.replace(/\{\w+\}/, '12'), seller.token, body)

    expect([foreign.status, foreign.body]).toEqual([404, { error: 'ResourceNotFound', detail: 'Not found' }])
    expect([unknown.status, unknown.body]).toEqual([foreign.status, foreign.body])
    expect([malformed.status, malformed.body.detail[0].loc]).toEqual([422, ['path', 'id']])
  },
)

test.each(calls.filter(([method, path]) => method === 'GET' && !path.includes('{')))(
  '%s %s lists nothing of another organization',
  async (method, path) => {
    expect((await asked(method, path, seller.token)).body.pagination.total_count).toBe(1)
    expect((await asked(method, path, stranger.token)).body.items).toEqual([])
    expect(
      (await asked(method, `${path}?organization_id=${seller.organizationId}`, stranger.token)).body.items,
    ).toEqual([])
    expect((await asked(method, `${path}?sorting=secret`, seller.token)).status).toBe(422)
    expect((await asked(method, `${path}?limit=0`, seller.token)).status).toBe(422)
  },
)

test.each(calls)('%s %s is done for a token that holds %s', async (method, path, scope, body) => {
  const { status } = await asked(method, filled(path), await tokenWith([scope]), body)

  expect(status).toBeLessThan(300)
})
