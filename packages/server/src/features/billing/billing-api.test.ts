import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days } from '../../foundation/clock.ts'
import { newBillingSecret } from '../../foundation/ids.ts'
import { createTestServer, type TestServer } from '../../testing.ts'
import { createTestMerchant, insertTestToken, type TestMerchant } from './testing/merchant.ts'

let server: TestServer
let merchant: TestMerchant
let other: TestMerchant

beforeAll(async () => {
  server = await createTestServer()
  merchant = await createTestMerchant(server)
  other = await createTestMerchant(server)
})
afterAll(() => server[Symbol.asyncDispose]())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
  server.visitor().request(method, `/v1${path}`, { headers, ...(body !== undefined && { body }) })

let named = 0
const customer = () => {
  named += 1
  return { email: `buyer-${named}@example.com`, name: `Buyer ${named}` }
}

async function tokenWith(scopes: readonly string[], expiresAt: Date | null = null): Promise<string> {
  const { ctx } = server.tollgate.internals
  return ctx.transaction(async (tx) => {
    const token = await insertTestToken(tx, merchant.organizationId, scopes, server.clock.now())
    await tx.updateTable('organizationAccessToken').set({ expiresAt }).where('lastFour', '=', token.slice(-4)).execute()
    return token
  })
}

describe('a caller who asks', () => {
  test('has to authenticate, and a refusal has the reason in the body and the header that such clients know', async () => {
    const { status, headers, body } = await ask('GET', '/products/')

    expect([status, body]).toEqual([401, { error: 'Unauthorized', detail: 'Unauthorized' }])
    expect(headers.get('www-authenticate')).toBe('Bearer realm="tollgate"')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test.each([
    ['one that there is not', () => `tollgate_oat_${newBillingSecret()}`],
    ['a customer’s', () => `tollgate_cst_${newBillingSecret()}`],
    ['one with something after it', () => `${merchant.token}x`],
    ['an empty one', () => ''],
    ['a very long one', () => 'x'.repeat(5000)],
  ])('gets nothing by a token: %s', async (_, token) => {
    const { status, body } = await ask('GET', '/customers', bearer(token()))

    expect([status, body.error]).toEqual([401, 'Unauthorized'])
  })

  test('gets nothing by a token outside the header, whatever the scheme', async () => {
    const { token } = merchant
    const elsewhere = [
      await ask('GET', `/customers?access_token=${token}`),
      await ask('GET', `/customers?token=${token}`),
      await ask('GET', '/customers', { authorization: `Basic ${token}` }),
      await ask('GET', '/customers', { authorization: token }),
      await ask('GET', '/customers', { cookie: `token=${token}` }),
    ]

    expect(elsewhere.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    expect((await ask('GET', '/customers', { authorization: `bearer ${token}` })).status).toBe(200)
  })

  test('gets nothing by a token whose time is over', async () => {
    const token = await tokenWith(['customers:read'], new Date(server.clock.now().getTime() + days(1)))
    expect((await ask('GET', '/customers', bearer(token))).status).toBe(200)

    server.clock.advance(days(1))

    expect((await ask('GET', '/customers', bearer(token))).status).toBe(401)
  })

  test('does no more than its token’s scopes allow; a scope to write includes reading', async () => {
    const reads = await tokenWith(['customers:read'])
    const writes = await tokenWith(['customers:write'])

    expect((await ask('GET', '/customers', bearer(reads))).status).toBe(200)
    expect((await ask('GET', '/customers', bearer(writes))).status).toBe(200)
    const refused = await ask('POST', '/customers', bearer(reads), customer())
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope'])
    expect((await ask('GET', '/orders', bearer(writes))).status).toBe(403)
    expect((await ask('POST', '/customers', bearer(writes), customer())).status).toBe(201)
  })

  test('makes no tokens by a token', async () => {
    expect((await merchant.post('/organization-access-tokens', { comment: 'x', scopes: ['orders:read'] })).status).toBe(
      401,
    )
    expect((await merchant.get('/organization-access-tokens')).status).toBe(401)
  })

  test('acts by cookies for the organization that is named, else for the active one', async () => {
    const { owner, organizationId } = merchant
    const list = (query = '') => owner.request('GET', `/v1/customers${query}`)
    await owner.post('/organization/set-active', { organizationId: null })
    expect((await list()).status).toBe(404)
    expect((await list(`?organization_id=${organizationId}`)).status).toBe(200)
    expect((await list(`?organization_id=${other.organizationId}`)).status).toBe(404)

    await owner.post('/organization/set-active', { organizationId })

    expect((await list()).status).toBe(200)
    const made = await owner.request('POST', '/v1/customers', { body: customer() })
    expect([made.status, made.body.organization_id]).toEqual([201, organizationId])
    const elsewhere = { ...customer(), organization_id: other.organizationId }
    expect((await owner.request('POST', '/v1/customers', { body: elsewhere })).status).toBe(404)
  })

  test('changes nothing by cookies from another site, and reads nothing there either', async () => {
    const { owner, organizationId } = merchant
    await owner.post('/organization/set-active', { organizationId })
    const from = { origin: 'https://evil.example' }

    const refused = await owner.request('POST', '/v1/customers', { body: customer(), headers: from })
    expect([refused.status, refused.body.error]).toEqual([403, 'InvalidOrigin'])
    const read = await owner.request('GET', '/v1/customers', { headers: from })
    expect(read.headers.get('access-control-allow-origin')).toBeNull()
    expect((await ask('POST', '/customers', { ...bearer(merchant.token), ...from }, customer())).status).toBe(201)
    // A buyer's calls take no token, so cookies sent beside one still need a trusted origin.
    const confirm = '/v1/checkouts/client/none/confirm'
    const beside = await owner.request('POST', confirm, { body: {}, headers: { ...from, ...bearer('anything') } })
    expect([beside.status, beside.body.error]).toEqual([403, 'InvalidOrigin'])
  })

  test('is no longer admitted by cookies once they have left, or lost the permission', async () => {
    const { owner, organizationId } = merchant
    const mate = await server.signedUp('Mate')
    const { api, internals } = server.tollgate
    const { id } = await api.addMember({ body: { organizationId, userId: mate.id, role: 'member' } })
    await internals.ctx.transaction((tx) => tx.updateTable('user').set({ emailVerified: true }).execute())
    const send = (method: string, body?: unknown) =>
      mate.request(method, `/v1/customers?organization_id=${organizationId}`, body ? { body } : {})
    const refused = await send('POST', customer())
    expect([refused.status, refused.body.error]).toEqual([403, 'NotPermitted'])

    await owner.post('/organization/remove-member', { organizationId, memberIdOrEmail: id })

    expect((await send('GET')).status).toBe(404)
  })
})

describe('addresses', () => {
  test('are served with and without the slash at their end', async () => {
    for (const path of ['/customers', '/customers/', '/customers?limit=1', '/customers/?limit=1'])
      expect([path, (await merchant.get(path)).status]).toEqual([path, 200])
    expect((await merchant.post('/customers/', customer())).status).toBe(201)
  })

  test('that are invalid are refused in the same body, for every caller', async () => {
    for (const path of ['/nothing', '/customers/a/b/c', '/', '/products//'])
      expect([path, (await ask('GET', path)).body]).toEqual([path, { error: 'ResourceNotFound', detail: 'Not found' }])
    expect((await merchant.delete('/customers')).status).toBe(404)
  })

  test('want an id in the form of one', async () => {
    const { status, body } = await merchant.get('/customers/of-no-form')

    expect([status, body.error]).toEqual([422, 'RequestValidationError'])
    expect(body.detail).toEqual([expect.objectContaining({ loc: ['path', 'id'], msg: 'Input should be a valid UUID' })])
  })

  test('are not there where billing is off, or organizations are', async () => {
    for (const config of [{ billing: false as const }, { organization: false as const }]) {
      await using without = await createTestServer(config, { databaseUrl: 'sqlite::memory:' })
      const { status, body } = await without.visitor().request('GET', '/v1/products')
      expect([status, body]).toEqual([404, { error: 'ResourceNotFound', detail: 'Not found' }])
    }
  })
})

describe('another user’s', () => {
  test('is not found, the same as a missing one', async () => {
    const { body: theirs } = await other.post('/customers', customer())
    const calls = (id: string) => [
      merchant.get(`/customers/${id}`),
      merchant.patch(`/customers/${id}`, { name: 'Mine' }),
      merchant.delete(`/customers/${id}`),
    ]

    const answers = await Promise.all([...calls(theirs.id), ...calls('00000000-0000-4000-8000-000000000000')])

    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      Array.from({ length: 6 }, () => [404, { error: 'ResourceNotFound', detail: 'Not found' }]),
    )
    expect((await other.get(`/customers/${theirs.id}`)).body.name).toBe(theirs.name)
  })

  test('organization is refused in a body; the token’s own may be named', async () => {
    const { organizationId } = merchant
    const refused = await merchant.post('/customers', { ...customer(), organization_id: other.organizationId })

    expect(refused.status).toBe(422)
    expect(refused.body.detail).toEqual([
      expect.objectContaining({ loc: ['body', 'organization_id'], type: 'organization_token' }),
    ])
    expect((await merchant.post('/customers', { ...customer(), organization_id: organizationId })).status).toBe(201)
  })

  test('a write refuses organization in the query, also beside the token’s own', async () => {
    const [own, foreign] = [merchant, other].map(({ organizationId }) => `organization_id=${organizationId}`)
    const { id } = (await merchant.post('/customers', customer())).body
    for (const query of [foreign, `${own}&${foreign}`]) {
      const refused = [
        await merchant.post(`/customers?${query}`, customer()),
        await merchant.patch(`/customers/${id}?${query}`, { name: 'Moved' }),
        await merchant.delete(`/customers/${id}?${query}`),
      ]
      for (const { status, body } of refused) {
        expect([status, body.detail]).toEqual([
          422,
          [expect.objectContaining({ loc: ['query', 'organization_id'], type: 'organization_token' })],
        ])
      }
    }
    expect((await merchant.get(`/customers/${id}`)).body.name).not.toBe('Moved')
    expect((await merchant.post(`/customers?${own}`, customer())).status).toBe(201)
  })

  test('organization as a filter finds nothing', async () => {
    const { status, body } = await merchant.get(`/customers?organization_id=${other.organizationId}`)
    expect([status, body.items, body.pagination.total_count]).toEqual([200, [], 0])
    const both = `/customers?organization_id=${other.organizationId}&organization_id=${merchant.organizationId}`
    expect((await merchant.get(both)).body.pagination.total_count).toBeGreaterThan(0)
  })
})

describe('lists', () => {
  let seller: TestMerchant
  beforeAll(async () => {
    seller = await createTestMerchant(server)
    for (let index = 1; index <= 25; index += 1) {
      await seller.post('/customers', {
        email: `c${String(index).padStart(2, '0')}@example.com`,
        metadata: { group: index % 2, tag: `t${index % 5}` },
      })
      server.clock.advance(1000)
    }
  })
  const emails = (body: { items: { email: string }[] }) => body.items.map(({ email }) => email.split('@')[0])

  test('have pages of ten, newest first, and give the total, past the end too', async () => {
    const first = await seller.get('/customers')
    expect(first.body.pagination).toMatchObject({ total_count: 25, max_page: 3 })
    expect(emails(first.body)).toEqual(['c25', 'c24', 'c23', 'c22', 'c21', 'c20', 'c19', 'c18', 'c17', 'c16'])

    expect(emails((await seller.get('/customers?page=3')).body)).toEqual(['c05', 'c04', 'c03', 'c02', 'c01'])
    const past = await seller.get('/customers?page=4')
    expect([past.body.items, past.body.pagination.total_count]).toEqual([[], 25])
    expect((await seller.get('/customers?page=1000000000&limit=100')).status).toBe(200)
  })

  test('have at most a hundred on a page, whatever the query requests', async () => {
    expect((await seller.get('/customers?limit=1000')).body.pagination).toMatchObject({ total_count: 25, max_page: 1 })
  })

  test.each([
    'page=0',
    'page=-1',
    'limit=0',
    'limit=-5',
    'page=1.5',
    'page=NaN',
    'page=',
    'page=1e3',
    'page=99999999999999999999',
    'page=1&page=2',
    'limit=Infinity',
    'sorting=password',
    'sorting=--created_at',
    'sorting=created_at;drop table customer',
    'cursor=x',
    'cursor=bnVsbA',
    'metadata=x',
    'metadata[__proto__]=x&metadata[a]=%00',
    'metadata[__proto__]=x',
    'metadata[]=x',
    'metadata[=x',
  ])('refuse %s with 422', async (query) => {
    const { status, body } = await seller.get(`/customers?${query}`)

    expect([status, body.error]).toEqual([422, 'RequestValidationError'])
    expect(body.detail[0].loc[0]).toBe('query')
  })

  test('go on by cursors, which belong to the order that they were made for', async () => {
    const seen: (string | undefined)[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await seller.get(`/customers?limit=10&sorting=email&cursor=${cursor}`)
      seen.push(...emails(body))
      expect(body.pagination).not.toHaveProperty('total_count')
      cursor = body.pagination.next_cursor
    }
    expect(seen).toEqual([...seen].sort())
    expect(new Set(seen).size).toBe(25)

    const { body } = await seller.get('/customers?limit=10&sorting=email&cursor=')
    const wrong = await seller.get(`/customers?sorting=-email&cursor=${body.pagination.next_cursor}`)
    expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['query', 'cursor']])
    expect((await seller.get(`/products?cursor=${body.pagination.next_cursor}`)).status).toBe(422)
  })

  test('can be filtered by the owner’s metadata: any value of a key, and every key', async () => {
    const count = async (query: string) => (await seller.get(`/customers?${query}`)).body.pagination.total_count
    expect(await count('metadata[tag]=t1')).toBe(5)
    expect(await count('metadata[tag]=t1&metadata[tag]=t2')).toBe(10)
    expect(await count('metadata[group]=1')).toBe(13)
    expect(await count('metadata[tag]=t1&metadata[group]=1')).toBe(3)
    expect(await count('metadata[tag]=1')).toBe(0)
    expect(await count('metadata[a\'b"c]=1')).toBe(0)
    expect(await count('metadata[$.tag]=t1')).toBe(0)
    expect(await count('metadata[tag][0]=t1')).toBe(0)
  })

  test('are filtered by notes of every kind alike on both databases: odd keys, numbers however they are written', async () => {
    const metadata = {
      'a[0]': 'x',
      'a"b': 'y',
      '$.x': 'z',
      far: 1e300,
      wide: 1e21,
      part: 0.1,
      none: 0,
      yes: true,
      t: '1',
    }
    const { body: customer } = await other.post('/customers', { email: 'notes@example.com', metadata })
    expect(customer.metadata).toEqual(metadata)
    const found = async (key: string, value: string) => {
      const query = `metadata[${encodeURIComponent(key)}]=${encodeURIComponent(value)}`
      return (await other.get(`/customers?${query}`)).body.items.map(({ id }: { id: string }) => id)
    }

    for (const [key, value] of [
      ['a[0]', 'x'],
      ['a"b', 'y'],
      ['$.x', 'z'],
      ['far', '1e300'],
      ['far', '1e+300'],
      ['wide', '1e21'],
      ['wide', '1e+21'],
      ['wide', '1000000000000000000000'],
      ['part', '0.1'],
      ['part', '1e-1'],
      ['none', '-0'],
      ['yes', 'true'],
      ['t', '1'],
    ])
      expect([key, value, await found(key!, value!)]).toEqual([key, value, [customer.id]])
    for (const [key, value] of [
      ['far', '1e301'],
      ['far', '1e999'],
      ['yes', 'True'],
      ['t', '1.0'],
      ['a', 'x'],
    ])
      expect([key, value, await found(key!, value!)]).toEqual([key, value, []])
  })

  test('are searched case-insensitively, also outside ASCII', async () => {
    for (const [email, name] of [
      ['search1@example.com', 'Ünal'],
      ['search2@example.com', 'école'],
      ['search3@example.com', '100 % Sûr_e'],
    ])
      await other.post('/customers', { email, name })
    const found = async (text: string) =>
      (await other.get(`/customers?query=${encodeURIComponent(text)}`)).body.items.map(
        ({ name }: { name: string }) => name,
      )

    expect([await found('ünal'), await found('ÜNAL'), await found('NAL')]).toEqual([['Ünal'], ['Ünal'], ['Ünal']])
    expect([await found('ÉCOLE'), await found('Col')]).toEqual([['école'], ['école']])
    expect([await found('0 % sÛR_'), await found('s_r')]).toEqual([['100 % Sûr_e'], []])
  })

  test.each([
    ['customers', ['-created_at', '2024-02-30T00:00:00.000Z', 'x']],
    ['customers', ['-created_at', '0000-01-01T00:00:00.000Z', 'x']],
    ['customers', ['-created_at', '1969-12-31T23:59:59.999Z', 'x']],
    ['customers', ['-created_at', '+010000-01-01T00:00:00.000Z', 'x']],
    ['customers', ['-created_at', '2024-02-01T00:00:00Z', 'x']],
    ['customers', ['-created_at', 5, 'x']],
    ['customers', ['-created_at', '2024-02-01T00:00:00.000Z']],
    ['customers', ['-created_at', -1]],
    ['discounts?sorting=-redemptions_count', ['-redemptions_count', 2 ** 53, 'x']],
    ['discounts?sorting=-redemptions_count', ['-redemptions_count', 0.5, 'x']],
  ])('of %s refuse a cursor that the server never gave: %j', async (list, position) => {
    const cursor = Buffer.from(JSON.stringify(position)).toString('base64url')
    const { status, body } = await seller.get(`/${list}${list.includes('?') ? '&' : '?'}cursor=${cursor}`)

    expect([status, body.detail?.[0].loc]).toEqual([422, ['query', 'cursor']])
  })

  test.each([
    ['customers', ['-created_at', '9999-12-31T23:59:59.999Z', 'x'], 25],
    ['customers', ['-created_at', '1970-01-01T00:00:00.000Z', 'x'], 0],
    ['discounts?sorting=-redemptions_count', ['-redemptions_count', Number.MAX_SAFE_INTEGER, 'x'], 1],
    ['discounts?sorting=-redemptions_count', ['-redemptions_count', Number.MIN_SAFE_INTEGER, 'x'], 0],
    ['orders?sorting=-amount', ['-amount', Number.MAX_SAFE_INTEGER, 'x'], 0],
    ['products?sorting=price_amount', ['price_amount', Number.MIN_SAFE_INTEGER, 'x'], 0],
  ])('of %s continue after any valid position: %j', async (list, position, count) => {
    const few = { name: 'Less', type: 'percentage', basis_points: 1000, duration: 'once' }
    if ((await seller.get('/discounts')).body.items.length === 0) await seller.post('/discounts', few)
    const cursor = Buffer.from(JSON.stringify(position)).toString('base64url')
    const { status, body } = await seller.get(`/${list}${list.includes('?') ? '&' : '?'}limit=100&cursor=${cursor}`)

    expect([status, body.items?.length]).toEqual([200, count])
  })
})

describe('bodies', () => {
  const post = (raw: string, headers: Record<string, string> = {}) =>
    server.visitor().request('POST', '/v1/customers', {
      raw,
      headers: { ...bearer(merchant.token), 'content-type': 'application/json', ...headers },
    })

  test('are read in snake_case only', async () => {
    const { status, body } = await merchant.post('/customers', {
      ...customer(),
      externalId: 'not-mine',
      billingName: 'x',
    })

    expect([status, body.external_id, body.billing_name]).toEqual([201, null, null])
  })

  test('report every fault at once, each with its place', async () => {
    const { status, body } = await merchant.post('/customers', {
      email: 5,
      metadata: { someKey: { deep: true } },
      billing_address: { postal_code: 7 },
    })

    expect(status).toBe(422)
    const places = body.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.'))
    expect(places).toEqual(
      expect.arrayContaining([
        'body.email',
        'body.metadata.someKey',
        'body.billing_address.postal_code',
        'body.billing_address.country',
      ]),
    )
    for (const { msg, type } of body.detail) expect([typeof msg, typeof type]).toEqual(['string', 'string'])
  })

  test.each([
    ['null', 422],
    ['[]', 422],
    ['"text"', 422],
    ['5', 422],
    ['{', 400],
    ['NaN', 400],
    ['{"email":"a@example.com","metadata":{"n":1e999}}', 422],
    ['{"email":"a@example.com","metadata":{"n":NaN}}', 400],
    ['{"email":"a\\u0000@example.com"}', 422],
    ['{"email":"\\ud800@example.com"}', 422],
    [`${'['.repeat(40)}${']'.repeat(40)}`, 400],
    ['', 422],
  ])('like %s are refused with %i', async (raw, status) => {
    const answer = await post(raw)

    expect([answer.status, typeof answer.body.error]).toEqual([status, 'string'])
  })

  test('change no prototype', async () => {
    const raw =
      '{"email":"proto@example.com","__proto__":{"name":"Eve"},"metadata":{"__proto__":"x","constructor":"y"}}'
    const refused = await post(raw)
    const { status, body } = await post(raw.replace('"__proto__":"x",', ''))

    // Metadata keys that would be lost are refused; unknown members are ignored.
    expect([refused.status, refused.body.detail?.[0].loc]).toEqual([422, ['body', 'metadata', '__proto__']])
    expect([status, body.name, body.metadata]).toEqual([201, null, { constructor: 'y' }])
    expect(({} as Record<string, unknown>).name).toBeUndefined()
  })

  test('are JSON and not larger than a megabyte', async () => {
    const form = await post('email=a%40example.com', { 'content-type': 'application/x-www-form-urlencoded' })
    expect([form.status, form.body.error]).toEqual([415, 'UnsupportedMediaType'])

    const padded = (size: number) => JSON.stringify({ email: 'a@example.com', name: 5 }).padEnd(size)
    expect((await post(padded(1024 * 1024))).status).toBe(422)
    const large = await post(padded(1024 * 1024 + 1))
    expect([large.status, typeof large.body.error]).toEqual([413, 'string'])
  })
})
