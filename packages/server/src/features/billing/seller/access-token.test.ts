import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, minutes, seconds } from '../../../foundation/clock.ts'
import { sha256 } from '../../../foundation/token.ts'
import { createTestServer, type Person, type TestServer } from '../../../testing.ts'
import { createTestMerchant, type TestMerchant } from '../testing/merchant.ts'

let server: TestServer
let merchant: TestMerchant
let other: TestMerchant
beforeAll(async () => {
  server = await createTestServer()
  merchant = await createTestMerchant(server)
  other = await createTestMerchant(server)
})
afterAll(() => server[Symbol.asyncDispose]())

const path = '/v1/organization-access-tokens'
const call = (person: Pick<Person, 'request'>, method: string, rest = '', body?: unknown) =>
  person.request(method, path + rest, body === undefined ? {} : { body })
const create = (body: object = {}, person: Pick<Person, 'request'> = merchant.owner) =>
  call(person, 'POST', '/', { comment: 'Shop server', scopes: ['customers:read'], ...body })
/** Lists customers with a token. */
const use = (token: string, method = 'GET') =>
  server.visitor().request(method, '/v1/customers', {
    headers: { authorization: `Bearer ${token}` },
    ...(method !== 'GET' && { body: { email: 'somebody@example.com' } }),
  })

/** A member of the merchant's organization with one role. */
async function member(role: string, permission?: Record<string, string[]>): Promise<Person> {
  const person = await server.signedUp('Member')
  const { ctx } = server.tollgate.internals
  if (permission)
    await merchant.owner.post('/organization/create-role', {
      role,
      permission,
      organizationId: merchant.organizationId,
    })
  await ctx.transaction((tx) =>
    tx
      .insertInto('member')
      .values({
        id: person.id,
        organizationId: merchant.organizationId,
        userId: person.id,
        role,
        createdAt: ctx.clock.now(),
      })
      .execute(),
  )
  await person.post('/organization/set-active', { organizationId: merchant.organizationId })
  return person
}

describe('an access token', () => {
  test('is shown once, works at once, and is stored as a hash', async () => {
    const { status, body } = await create({ scopes: ['customers:write', 'customers:write'] })

    expect(status).toBe(201)
    expect(body.token).toMatch(/^tollgate_oat_[A-Za-z0-9]{43}$/)
    expect(body.organization_access_token).toMatchObject({
      comment: 'Shop server',
      scopes: ['customers:write'],
      last_four: body.token.slice(-4),
      expires_at: null,
      last_used_at: null,
      organization_id: merchant.organizationId,
    })
    expect((await use(body.token)).status).toBe(200)
    const { db } = server.tollgate.internals.ctx
    const row = await db
      .selectFrom('organizationAccessToken')
      .selectAll()
      .where('id', '=', body.organization_access_token.id)
      .executeTakeFirstOrThrow()
    expect(row.tokenHash).toBe(sha256(body.token))
    expect(JSON.stringify(row)).not.toContain(body.token)
    expect(JSON.stringify((await call(merchant.owner, 'GET')).body)).not.toContain(body.token)
    expect((await server.events('access_token.created')).at(-1)).toEqual({
      actorId: merchant.owner.id,
      userId: null,
      data: { comment: 'Shop server', lastFour: body.token.slice(-4) },
    })
  })

  test.each([
    ['PT1H', 3600],
    ['P1DT1S', 86_401],
    [60, 60],
  ])('that lives for %s ends %i seconds later', async (expiresIn, life) => {
    const { body } = await create({ expires_in: expiresIn })
    const { token, organization_access_token: made } = body

    expect(Date.parse(made.expires_at) - server.clock.now().getTime()).toBe(seconds(life))
    server.clock.advance(seconds(life) - 1)
    expect((await use(token)).status).toBe(200)
    server.clock.advance(1)
    expect((await use(token)).status).toBe(401)
  })

  test.each(['soon', 'P0D', '-P1D', 'P9999Y', Number.MAX_SAFE_INTEGER, 0, -5, 1.5, true, {}])(
    'is not made for %j',
    async (expiresIn) => {
      const { status, body } = await create({ expires_in: expiresIn })

      expect([status, body.detail[0].loc]).toEqual([422, ['body', 'expires_in']])
    },
  )

  test.each([
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['everything'] }, 'scopes'],
    [{ comment: ' ' }, 'comment'],
    [{ comment: 7 }, 'comment'],
  ])('is not made of %j', async (given, field) => {
    const { status, body } = await create(given)

    expect([status, body.detail[0].loc.slice(0, 2)]).toEqual([422, ['body', field]])
  })

  test('remembers when it was last used, to the minute', async () => {
    const { body } = await create()
    const lastUse = async () => {
      await server.tollgate.internals.ctx.settled()
      const { items } = (await call(merchant.owner, 'GET', '?limit=100')).body
      return items.find(({ id }: { id: string }) => id === body.organization_access_token.id).last_used_at
    }

    const first = server.clock.now().toISOString()
    await use(body.token)
    expect(await lastUse()).toBe(first)
    server.clock.advance(seconds(30))
    await use(body.token)
    expect(await lastUse()).toBe(first)
    server.clock.advance(minutes(1))
    await use(body.token)
    expect(await lastUse()).toBe(server.clock.now().toISOString())
  })

  test('is renamed, and given other scopes, which count at once', async () => {
    const { body } = await create()
    const rest = `/${body.organization_access_token.id}`

    const { status, body: changed } = await call(merchant.owner, 'PATCH', rest, {
      comment: 'Renamed',
      scopes: ['products:read'],
    })

    expect(status).toBe(200)
    expect(changed).toMatchObject({
      comment: 'Renamed',
      scopes: ['products:read'],
      modified_at: server.clock.now().toISOString(),
    })
    expect((await use(body.token)).body.error).toBe('insufficient_scope')
    const same = await call(merchant.owner, 'PATCH', rest, {})
    expect(same.body).toEqual(changed)
  })

  test('ends at once when it is deleted, and once', async () => {
    const { body } = await create()
    const rest = `/${body.organization_access_token.id}`

    expect((await call(merchant.owner, 'DELETE', rest)).status).toBe(204)
    expect((await use(body.token)).status).toBe(401)
    expect((await call(merchant.owner, 'DELETE', rest)).status).toBe(404)
    expect((await call(merchant.owner, 'PATCH', rest, { comment: 'x' })).status).toBe(404)
  })

  test('of another organization is not found', async () => {
    const { body } = await create({}, other.owner)
    const rest = `/${body.organization_access_token.id}`

    expect((await call(merchant.owner, 'PATCH', rest, { comment: 'x' })).status).toBe(404)
    expect((await call(merchant.owner, 'DELETE', rest)).status).toBe(404)
    expect((await call(merchant.owner, 'GET', '?limit=100')).text).not.toContain(body.organization_access_token.id)
    expect((await use(body.token)).status).toBe(200)
  })

  test('makes, lists, changes and ends no tokens itself', async () => {
    const headers = { authorization: `Bearer ${merchant.token}` }
    const asked = (method: string, rest: string, body?: object) =>
      server.visitor().request(method, path + rest, { headers, ...(body && { body }) })

    expect((await asked('GET', '')).status).toBe(401)
    expect((await asked('POST', '', { comment: 'x', scopes: ['orders:read'] })).status).toBe(401)
  })
})

describe('who makes a token', () => {
  test('needs token:write, and token:read to see them', async () => {
    const plain = await member('member')
    const reader = await member('token-reader', { token: ['read'] })

    expect((await call(plain, 'GET')).body.error).toBe('NotPermitted')
    expect((await create({}, plain)).body.error).toBe('NotPermitted')
    expect((await call(reader, 'GET')).status).toBe(200)
    expect((await create({}, reader)).body.error).toBe('NotPermitted')
  })

  test('gives it only permissions that they hold, neither at first nor later more', async () => {
    const keeper = await member('token-keeper', { token: ['read', 'write'], customer: ['read'] })

    expect((await create({ scopes: ['customers:read', 'orders:read'] }, keeper)).body.error).toBe('NotPermitted')
    expect((await create({ scopes: ['customers:write'] }, keeper)).body.error).toBe('NotPermitted')
    const { status, body } = await create({ scopes: ['customers:read', 'organizations:read'] }, keeper)
    expect(status).toBe(201)
    const rest = `/${body.organization_access_token.id}`
    expect((await call(keeper, 'PATCH', rest, { scopes: ['discounts:read'] })).body.error).toBe('NotPermitted')

    // Scopes from a more privileged member stay, and may be removed.
    await call(merchant.owner, 'PATCH', rest, { scopes: ['customers:read', 'orders:write', 'discounts:read'] })
    const kept = await call(keeper, 'PATCH', rest, { scopes: ['customers:read', 'orders:write'] })
    expect([kept.status, kept.body.scopes]).toEqual([200, ['customers:read', 'orders:write']])
  })

  test('is no administrator who acts as a user', async () => {
    const root = await server.administrator()
    await root.post('/admin/impersonate-user', { userId: merchant.owner.id, reason: 'Support' })
    await root.post('/organization/set-active', { organizationId: merchant.organizationId })

    const { status, body } = await create({}, root)

    expect([status, body.error]).toEqual([403, 'NotAllowedWhileImpersonating'])
  })

  test('can be created from our own pages only: another site cannot use a member’s cookies', async () => {
    const { status } = await merchant.owner.request('POST', path, {
      body: { comment: 'x', scopes: ['orders:read'] },
      headers: { origin: 'https://evil.example' },
    })

    expect(status).toBe(403)
  })

  test('sees them sorted and paged, those of the own organization alone', async () => {
    const seller = await createTestMerchant(server)
    for (const comment of ['b', 'c', 'a']) {
      server.clock.advance(seconds(1))
      await create({ comment, expires_in: days(1) / 1000 }, seller.owner)
    }
    const comments = async (query: string) =>
      (await call(seller.owner, 'GET', query)).body.items.map(({ comment }: { comment: string }) => comment)

    expect(await comments('?sorting=comment')).toEqual(['Tests', 'a', 'b', 'c'])
    expect(await comments('')).toEqual(['a', 'c', 'b', 'Tests'])
    expect(await comments('?limit=2&page=2')).toEqual(['b', 'Tests'])
  })
})
