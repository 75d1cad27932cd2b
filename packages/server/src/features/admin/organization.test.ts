import { expect, test } from 'vitest'
import { minutes } from '../../foundation/clock.ts'
import { createCaller } from '../../foundation/http/caller.ts'
import { createTestServer, type Person, type TestServer, testStart } from '../../testing.ts'
import { admit, arrived, context, founded, membersOf, refusal } from '../organization/testing/joining.ts'
import { adminVerifyDomain } from './organization.service.ts'

const list = async (root: Person, query: Record<string, string> = {}) => {
  const { status, body, text } = await root.get(`/admin/list-organizations?${new URLSearchParams(query)}`)
  expect([status, text]).toEqual([200, text])
  return body as {
    organizations: { name: string; slug: string; memberCount: number; selling: string }[]
    total: number
    nextCursor: string | null
  }
}

/** Created directly, one minute apart, with one owner. */
async function made(server: TestServer, ownerId: string, names: readonly string[]) {
  const { ctx } = server.tollgate.internals
  for (const name of names) {
    server.clock.advance(minutes(1))
    const now = ctx.clock.now()
    const id = `id-of-${name}`
    const slug = name.toLowerCase().replace(/\W/g, '-')
    const row = { id, name, slug, requireVerifiedEmail: false, createdAt: now, updatedAt: now }
    await ctx.transaction((tx) => tx.insertInto('organization').values(row).execute())
    await admit(server, id, ownerId, 'owner')
  }
}

test('organizations are listed with their members counted, the newest first', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const ada = await arrived(server, 'ada@home.example')
  await made(server, ada.id, ['One', 'Two'])
  await admit(server, 'id-of-One', root.id)

  const { body } = await root.get('/admin/list-organizations')

  expect(body).toEqual({
    organizations: [
      {
        id: 'id-of-Two',
        name: 'Two',
        slug: 'two',
        logo: null,
        requireVerifiedEmail: false,
        createdAt: new Date(testStart.getTime() + minutes(2)).toISOString(),
        memberCount: 1,
        selling: 'none',
      },
      expect.objectContaining({ id: 'id-of-One', memberCount: 2 }),
    ],
    total: 2,
    nextCursor: null,
  })
})

const told = {
  about: 'We make coffee.',
  product_description: 'Beans.',
  intended_use: 'A subscription.',
  customer_acquisition: ['Word of mouth'],
  future_annual_revenue: 100_000,
}

test('a user who waits for permission to sell is listed, with their application, until they get it', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  await root.post('/organization/create', { name: 'Ours', slug: 'ours' }) // the first one may sell at once
  server.clock.advance(1)
  const { id, owner } = await founded(server)
  await made(server, root.id, ['Asks nothing'])
  const found = async (query: Record<string, string>) => {
    const { organizations, total } = await list(root, query)
    expect(total).toBe(organizations.length)
    return organizations.map(({ slug, selling }) => [slug, selling])
  }
  const shown = async () => (await root.get(`/admin/get-organization?id=${id}`)).body.organization
  expect(await found({ selling: 'waiting' })).toEqual([])
  expect(await shown()).toMatchObject({ selling: 'none', details: null, detailsSubmittedAt: null })

  const { status } = await owner.request('PATCH', `/v1/organizations/${id}`, { body: { details: told } })

  expect(status).toBe(200)
  expect(await found({})).toEqual([
    ['asks-nothing', 'none'],
    ['acme', 'waiting'],
    ['ours', 'approved'],
  ])
  expect(await found({ selling: 'waiting' })).toEqual([['acme', 'waiting']])
  expect(await found({ selling: 'waiting', searchValue: 'ours' })).toEqual([])
  expect(await found({ selling: 'none' })).toEqual([['asks-nothing', 'none']])
  expect(await shown()).toMatchObject({
    selling: 'waiting',
    details: { about: 'We make coffee.', customerAcquisition: ['Word of mouth'], futureAnnualRevenue: 100_000 },
    detailsSubmittedAt: server.clock.now().toISOString(),
  })

  await root.post('/admin/set-selling', { organizationId: id, maySell: true })

  expect(await found({ selling: 'waiting' })).toEqual([])
  expect(await found({ selling: 'approved', sortBy: 'name' })).toEqual([
    ['acme', 'approved'],
    ['ours', 'approved'],
  ])
  expect(refusal(await root.get('/admin/list-organizations?selling=maybe'))).toEqual([400, 'VALIDATION_ERROR'])
})

test('organizations are found by a part of their name or slug, case-insensitively and literally', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  await made(server, root.id, ['Acme Wheels', '100% Wool', 'snake_case', 'Other'])
  const found = async (searchValue: string) =>
    (await list(root, { searchValue, sortBy: 'name' })).organizations.map(({ name }) => name)

  expect(await found('WHEELS')).toEqual(['Acme Wheels'])
  expect(await found('acme-w')).toEqual(['Acme Wheels'])
  expect(await found('%')).toEqual(['100% Wool'])
  expect(await found('_')).toEqual(['snake_case'])
  expect(await found('\\')).toEqual([])
  expect((await list(root, { searchValue: 'o', limit: '1' })).total).toBe(2)
  expect((await list(root, { searchValue: '' })).total).toBe(4)
})

test.each([
  [{}, ['E', 'D', 'C', 'B', 'B']],
  [{ sortBy: 'createdAt' }, ['B', 'B', 'C', 'D', 'E']],
  [{ sortBy: 'name', sortDirection: 'desc' }, ['E', 'D', 'C', 'B', 'B']],
  [{ sortBy: 'name' }, ['B', 'B', 'C', 'D', 'E']],
])('pages of %j follow one another without gaps', async (order: Record<string, string>, expected) => {
  await using server = await createTestServer()
  const root = await server.administrator()
  await made(server, root.id, ['B', 'C', 'D', 'E'])
  const { ctx } = server.tollgate.internals
  const twin = {
    id: 'another-b',
    name: 'B',
    slug: 'another-b',
    requireVerifiedEmail: false,
    createdAt: new Date(testStart.getTime() + minutes(1)),
    updatedAt: testStart,
  }
  await ctx.transaction((tx) => tx.insertInto('organization').values(twin).execute())

  const names: string[] = []
  const slugs = new Set<string>()
  let cursor: string | null = null
  do {
    const page = await list(root, { ...order, limit: '2', ...(cursor !== null && { cursor }) })
    names.push(...page.organizations.map(({ name }) => name))
    for (const { slug } of page.organizations) slugs.add(slug)
    cursor = page.nextCursor
    expect(page.total).toBe(5)
  } while (cursor !== null)

  expect(names).toEqual(expected)
  expect(slugs.size).toBe(5)
})

test('a cursor of another order, or made up, is refused', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  await made(server, root.id, ['B', 'C'])
  const cursor = (await list(root, { limit: '1' })).nextCursor!
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  for (const query of [
    { cursor, sortBy: 'name' },
    { cursor, sortDirection: 'asc' },
    { cursor: 'x' },
    { cursor: encoded(['createdAt', 'desc', 'yesterday', 'x']) },
    { cursor: encoded(['createdAt', 'desc', testStart.toISOString()]) },
    { cursor: encoded(['name', 'asc', '\0', 'x']), sortBy: 'name' },
    { cursor: encoded(null) },
    { limit: '201' },
    { sortBy: 'slug' },
  ])
    expect(refusal(await root.get(`/admin/list-organizations?${new URLSearchParams(query)}`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
})

test('one organization is shown with its teams, open invitations and domains', async () => {
  await using server = await createTestServer({ organization: { teams: { enabled: true } } })
  const root = await server.administrator()
  const { id, owner } = await founded(server)
  const { ctx } = server.tollgate.internals
  const invitation = (email: string, status: 'pending' | 'accepted' | 'canceled', expiresAt: Date) => ({
    id: `for-${email}`,
    organizationId: id,
    email,
    role: 'member',
    status,
    inviterId: owner.id,
    expiresAt,
    createdAt: testStart,
  })
  const later = new Date(testStart.getTime() + minutes(5))
  await ctx.transaction(async (tx) => {
    await tx
      .insertInto('invitation')
      .values(invitation('open@x.example', 'pending', later))
      .execute()
    await tx
      .insertInto('invitation')
      .values(invitation('late@x.example', 'pending', testStart))
      .execute()
    await tx
      .insertInto('invitation')
      .values(invitation('gone@x.example', 'canceled', later))
      .execute()
  })
  await owner.post('/organization/add-domain', { domain: 'acme.example' })

  const { status, body } = await root.get(`/admin/get-organization?id=${id}`)

  expect(status).toBe(200)
  expect(body.organization).toMatchObject({ id, name: 'ACME', memberCount: 1 })
  expect(body.teams).toMatchObject([{ name: 'ACME', organizationId: id }])
  expect(body.invitations).toMatchObject([{ email: 'open@x.example' }])
  expect(body.domains).toMatchObject([{ domain: 'acme.example', verifiedAt: null }])
})

test('members are listed, and found by name or address', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const { id, owner } = await founded(server)
  const ada = await arrived(server, 'ada@home.example')
  server.clock.advance(1)
  await admit(server, id, ada.id, 'admin')
  const members = async (query: Record<string, string> = {}) =>
    (await root.get(`/admin/list-organization-members?${new URLSearchParams({ organizationId: id, ...query })}`)).body

  expect(await members()).toMatchObject({
    members: [
      { userId: owner.id, role: 'owner', user: { email: owner.email } },
      { userId: ada.id, role: 'admin', user: { name: 'ada', email: ada.email } },
    ],
    total: 2,
  })
  expect(await members({ search: 'ADA' })).toMatchObject({ members: [{ userId: ada.id }], total: 1 })
  expect(await members({ search: 'home.ex' })).toMatchObject({ members: [{ userId: ada.id }], total: 1 })
  expect(await members({ search: '%' })).toEqual({ members: [], total: 0 })
  expect(await members({ limit: '1', offset: '1' })).toMatchObject({ members: [{ userId: ada.id }], total: 2 })
})

test('the list of a user’s organizations marks those that would have no owner', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const ada = await arrived(server, 'ada@home.example')
  await made(server, ada.id, ['Alone', 'Shared', 'Crowd'])
  await admit(server, 'id-of-Shared', root.id, 'admin,owner')
  // Not an owner, despite the similar role name.
  await admit(server, 'id-of-Crowd', root.id, 'landowner')
  server.clock.advance(1)
  const { id } = await founded(server, 'elsewhere')
  await admit(server, id, ada.id)
  const of = async (query: Record<string, string>) =>
    (await root.get(`/admin/list-user-organizations?${new URLSearchParams({ userId: ada.id, ...query })}`)).body
      .organizations

  const all = await of({})

  expect(
    all.map(
      (one: { organization: { name: string }; member: { role: string }; memberCount: number; soleOwner: boolean }) => [
        one.organization.name,
        one.member.role,
        one.memberCount,
        one.soleOwner,
      ],
    ),
  ).toEqual([
    ['Alone', 'owner', 1, true],
    ['Shared', 'owner', 2, false],
    ['Crowd', 'owner', 2, true],
    ['ELSEWHERE', 'member', 2, false],
  ])
  expect(await of({ limit: '1', offset: '2' })).toMatchObject([{ organization: { name: 'Crowd' } }])
  expect((await root.get(`/admin/list-user-organizations?userId=${root.id}`)).body.organizations).toHaveLength(2)
})

test('an administrator deletes an organization, also where its members may not; no user acts in it any more', async () => {
  const deleted: unknown[] = []
  await using server = await createTestServer({
    organization: { disableOrganizationDeletion: true },
    hooks: { onOrganizationDeleted: (organization) => void deleted.push(organization) },
  })
  const root = await server.administrator()
  const { id, owner } = await founded(server)

  const answers = await Promise.all([1, 2].map(() => root.post('/admin/delete-organization', { organizationId: id })))

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  expect(await membersOf(server, id)).toEqual({})
  expect((await owner.get('/get-session')).body).toMatchObject({
    session: { activeOrganizationId: null },
    organization: null,
  })
  expect(await server.events('organization.deleted')).toEqual([
    { actorId: root.id, userId: null, data: { name: 'ACME', slug: 'acme' } },
  ])
  await context(server).settled()
  expect(deleted).toEqual([{ id, name: 'ACME', slug: 'acme' }])
})

test('an administrator vouches for a domain; the first organization to prove it keeps it', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const one = await founded(server, 'one')
  const two = await founded(server, 'two')
  const add = async ({ owner }: typeof one) =>
    (await owner.post('/organization/add-domain', { domain: 'corp.example' })).body.id as string
  const [first, second] = [await add(one), await add(two)]
  const vouch = (domainId: string) => root.post('/admin/verify-domain', { domainId })

  const { status, body } = await vouch(first)

  expect([status, body.verifiedAt]).toEqual([200, testStart.toISOString()])
  expect((await vouch(first)).body).toEqual(body)
  expect(refusal(await vouch(second))).toEqual([400, 'DOMAIN_IS_VERIFIED_BY_ANOTHER_ORGANIZATION'])
  expect(refusal(await vouch('there-is-none'))).toEqual([400, 'DOMAIN_NOT_FOUND'])
  expect(await server.events('domain.verified')).toEqual([
    { actorId: root.id, userId: null, data: { domain: 'corp.example', joinMode: 'request' } },
  ])
})

test('an administrator whose role is taken while they are asking vouches for nothing', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const domainId: string = (await owner.post('/organization/add-domain', { domain: 'corp.example' })).body.id
  const root = await server.administrator()
  const ctx = context(server)
  const { token } = (await root.get('/get-session')).body.session
  const whenAsked = await ctx.database.findSessionRow(token)
  await ctx.transaction((tx) => tx.updateTable('user').set({ role: 'user' }).where('id', '=', root.id).execute())

  await expect(
    adminVerifyDomain({ ctx, caller: createCaller(ctx, new Headers(), ''), session: whenAsked!, body: { domainId } }),
  ).rejects.toMatchObject({
    error: 'ADMIN_VERIFY_DOMAINS',
  })

  expect(await server.events('domain.verified')).toEqual([])
})

/** Every call, with an organization, its domain and a user. */
const calls = (person: Person, ids: { organization: string; domain: string; user: string }) => [
  person.get('/admin/list-organizations'),
  person.get(`/admin/get-organization?id=${ids.organization}`),
  person.get(`/admin/list-organization-members?organizationId=${ids.organization}`),
  person.get(`/admin/list-user-organizations?userId=${ids.user}`),
  person.post('/admin/delete-organization', { organizationId: ids.organization }),
  person.post('/admin/verify-domain', { domainId: ids.domain }),
]

test('no user but administrators does any of it, not even an owner, nor an administrator as another user', async () => {
  await using server = await createTestServer()
  const { id, owner } = await founded(server)
  const domain = (await owner.post('/organization/add-domain', { domain: 'corp.example' })).body.id
  const ids = { organization: id, domain, user: owner.id }
  const root = await server.administrator()
  const answersOf = async (person: Person) => (await Promise.all(calls(person, ids))).map(refusal)

  expect(await answersOf(server.visitor() as Person)).toEqual(Array(6).fill([401, 'UNAUTHORIZED']))
  expect(await answersOf(owner)).toEqual([
    ...Array(4).fill([403, 'YOU_ARE_NOT_ALLOWED_TO_LIST_ORGANIZATIONS']),
    [403, 'YOU_ARE_NOT_ALLOWED_TO_DELETE_ORGANIZATIONS'],
    [403, 'YOU_ARE_NOT_ALLOWED_TO_VERIFY_DOMAINS'],
  ])
  await root.post('/admin/impersonate-user', { userId: owner.id })
  expect((await answersOf(root)).map(([status]) => status)).toEqual(Array(6).fill(403))
  expect(Object.keys(await membersOf(server, id))).toHaveLength(1)
})

test('a missing object is not found', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const none = { organization: 'there-is-none', domain: 'there-is-none', user: 'there-is-none' }

  const [, ...answers] = (await Promise.all(calls(root, none))).map(refusal)

  expect(answers).toEqual([
    [404, 'ORGANIZATION_NOT_FOUND'],
    [404, 'ORGANIZATION_NOT_FOUND'],
    [404, 'USER_NOT_FOUND'],
    [404, 'ORGANIZATION_NOT_FOUND'],
    [400, 'DOMAIN_NOT_FOUND'],
  ])
})

test('where organizations are off, administrators have none', async () => {
  await using server = await createTestServer({ organization: false })
  const root = await server.administrator()
  const none = { organization: 'x', domain: 'x', user: root.id }

  expect((await Promise.all(calls(root, none))).map(({ status }) => status)).toEqual(Array(6).fill(404))
})
