import { expect, test } from 'vitest'
import { days, minutes } from '../../foundation/clock.ts'
import { createTestServer, type Person, type TestServer, testStart } from '../../testing.ts'

type Listed = { id: string; email: string; name: string; createdAt: string }

const list = async (root: Person, query: Record<string, string | number> = {}) => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) search.set(name, String(value))
  const { status, body } = await root.get(`/admin/list-users?${search}`)
  expect([status, body]).toEqual([200, body])
  return body as { users: Listed[]; total: number; limit?: number; offset?: number; nextCursor: string | null }
}
const names = async (root: Person, query: Record<string, string | number>) =>
  (await list(root, { sortBy: 'name', ...query })).users.map(({ name }) => name)

/** Creates this many users directly, one minute apart. */
async function create(
  root: Person,
  server: TestServer,
  people: { name: string; email?: string; [key: string]: unknown }[],
) {
  const made: Listed[] = []
  for (const { name, email = `${name.toLowerCase().replace(/\W/g, '')}@example.org`, ...rest } of people) {
    server.clock.advance(minutes(1))
    const { status, body } = await root.post('/admin/create-user', { name, email, ...rest })
    expect([status, body]).toEqual([200, body])
    made.push(body.user)
  }
  return made
}

test('lists every user with everything that administrators see, the newest first', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  server.clock.advance(minutes(1))
  const ada = await server.signedUp('Ada')
  await root.post('/admin/ban-user', { userId: ada.id, banReason: 'spam', banExpiresIn: 3600 })

  const { body } = await root.get('/admin/list-users')

  const at = new Date(testStart.getTime() + minutes(1)).toISOString()
  expect(body).toEqual({
    users: [
      {
        id: ada.id,
        email: ada.email,
        name: 'Ada',
        image: null,
        emailVerified: false,
        createdAt: at,
        updatedAt: at,
        role: null,
        banned: true,
        banReason: 'spam',
        banExpires: new Date(testStart.getTime() + minutes(61)).toISOString(),
        username: null,
        displayUsername: null,
      },
      expect.objectContaining({ id: root.id, role: 'admin', banned: false }),
    ],
    total: 2,
    nextCursor: null,
  })
})

test('searches for a part of an address, a name, a username or an id, without regard to case', async () => {
  await using server = await createTestServer()
  const root = await server.administrator('Root')
  const [ada] = await create(root, server, [
    { name: 'Ada Lovelace', email: 'ada@engine.example', data: { username: 'Countess' } },
    { name: 'Alan Turing', email: 'alan@bletchley.example' },
    { name: 'Grace Hopper', email: 'grace@navy.example', data: { username: 'amazing_grace' } },
  ])
  const found = (searchValue: string, searchField?: string, searchOperator?: string) =>
    names(root, { searchValue, ...(searchField && { searchField }), ...(searchOperator && { searchOperator }) })

  expect(await found('BLETCHLEY')).toEqual(['Alan Turing'])
  expect(await found('a', 'email', 'starts_with')).toEqual(['Ada Lovelace', 'Alan Turing'])
  expect(await found('.example', 'email', 'ends_with')).toEqual(['Ada Lovelace', 'Alan Turing', 'Grace Hopper'])
  expect(await found('.example', 'email', 'starts_with')).toEqual([])
  expect(await found('lovelace', 'name')).toEqual(['Ada Lovelace'])
  expect(await found('GRACE', 'username', 'ends_with')).toEqual(['Grace Hopper'])
  expect(await found('count', 'username', 'starts_with')).toEqual(['Ada Lovelace'])
  expect(await found(ada!.id, 'id')).toEqual(['Ada Lovelace'])
  expect(await found('', 'name')).toHaveLength(4)
  expect((await list(root, { searchValue: '.example', limit: 1 })).total).toBe(3)
})

test('wildcards are searched for literally', async () => {
  await using server = await createTestServer()
  const root = await server.administrator('Root')
  await create(root, server, [
    { name: '100%' },
    { name: '100 times' },
    { name: 'a_b' },
    { name: 'axb' },
    { name: 'c\\d' },
  ])
  const found = (searchValue: string) => names(root, { searchValue, searchField: 'name' })

  expect(await found('0%')).toEqual(['100%'])
  expect(await found('a_b')).toEqual(['a_b'])
  expect(await found('c\\d')).toEqual(['c\\d'])
  expect(await found('%')).toEqual(['100%'])
  expect(await found("' or 1=1 --")).toEqual([])
})

test('filters by id, address, proof of it, role, ban, day and provider', async () => {
  await using server = await createTestServer()
  const root = await server.administrator('Root')
  const [ada, alan, grace] = await create(root, server, [
    { name: 'Ada', email: 'ada@example.org', data: { emailVerified: true }, password: 'correct horse battery' },
    { name: 'Alan', email: 'alan@example.org', role: ['user', 'admin'] },
    { name: 'Grace', email: 'grace@example.org', role: 'user' },
  ])
  await root.post('/admin/ban-user', { userId: grace!.id })
  await root.post('/admin/ban-user', { userId: ada!.id, banExpiresIn: 60 })
  server.clock.advance(minutes(2))
  const found = (filterField: string, filterValue: string, filterOperator?: string) =>
    names(root, { filterField, filterValue, ...(filterOperator && { filterOperator }) })

  expect(await found('id', alan!.id)).toEqual(['Alan'])
  expect(await found('email', 'ADA@example.org')).toEqual(['Ada'])
  expect(await found('email', 'b', 'gt')).toEqual(['Grace', 'Root'])
  expect(await found('emailVerified', 'true')).toEqual(['Ada'])
  expect(await found('emailVerified', 'true', 'ne')).toEqual(['Alan', 'Grace', 'Root'])
  expect(await found('role', 'admin')).toEqual(['Alan', 'Root'])
  expect(await found('role', 'admin', 'ne')).toEqual(['Ada', 'Grace'])
  // Users without a role have the default one.
  expect(await found('role', 'user')).toEqual(['Ada', 'Alan', 'Grace'])
  expect(await found('role', 'adm')).toEqual([])
  expect(await found('role', '%')).toEqual([])
  // An expired ban does not count.
  expect(await found('banned', 'true')).toEqual(['Grace'])
  expect(await found('banned', 'false')).toEqual(['Ada', 'Alan', 'Root'])
  expect(await found('createdAt', ada!.createdAt)).toEqual(['Ada'])
  expect(await found('createdAt', ada!.createdAt, 'gt')).toEqual(['Alan', 'Grace'])
  expect(await found('createdAt', ada!.createdAt, 'lte')).toEqual(['Ada', 'Root'])
  expect(await found('createdAt', '2026-03-02', 'lt')).toHaveLength(4)
  expect(await found('provider', 'credential')).toEqual(['Ada', 'Root'])
  expect(await found('provider', 'credential', 'ne')).toEqual(['Alan', 'Grace'])
  expect(await found('provider', 'github')).toEqual([])
  expect(await names(root, { filterField: 'role', filterValue: 'user', searchValue: 'ada' })).toEqual(['Ada'])
})

test('refuses filters, orders and cursors that make no sense', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  await server.signedUp()
  const { nextCursor } = await list(root, { limit: 1 })
  const wrong = [
    'filterField=banned&filterValue=maybe',
    'filterField=banned&filterValue=true&filterOperator=lt',
    'filterField=role&filterValue=user&filterOperator=gt',
    'filterField=createdAt&filterValue=yesterday',
    'filterField=createdAt&filterValue=2026-13-01',
    'filterField=password&filterValue=x',
    'sortBy=role',
    'sortDirection=up',
    'limit=501',
    'limit=-1',
    'limit=many',
    'offset=1e9',
    'limit=1&limit=2',
    'cursor=nonsense',
    'cursor=bnVsbA',
    `cursor=${nextCursor}&sortBy=name`,
    `cursor=${nextCursor}&sortDirection=asc`,
    `cursor=${Buffer.from('["createdAt","desc","soon","x"]').toString('base64url')}`,
    `cursor=${Buffer.from('["createdAt","desc",1,"x"]').toString('base64url')}`,
    `cursor=${Buffer.from('["name","asc","\\u0000","x"]').toString('base64url')}&sortBy=name`,
  ]

  for (const query of wrong) {
    const { status, body } = await root.get(`/admin/list-users?${query}`)
    expect([query, status, body]).toEqual([
      query,
      400,
      { code: 'VALIDATION_ERROR', message: 'Invalid query parameters' },
    ])
  }
})

test.each([
  { sortBy: 'createdAt', sortDirection: 'asc' },
  { sortBy: 'createdAt', sortDirection: 'desc' },
  { sortBy: 'email', sortDirection: 'asc' },
  { sortBy: 'email', sortDirection: 'desc' },
  { sortBy: 'name', sortDirection: 'asc' },
  { sortBy: 'name', sortDirection: 'desc' },
  {},
])('pages by cursor show every user once, equals too, in the order %o', async (order) => {
  await using server = await createTestServer()
  const root = await server.administrator('Ann')
  // Several users share a moment, and several a name.
  for (const name of ['Bob', 'Ann', 'Zoë', '"quoted", 名前', 'Ann']) await server.signedUp(name)
  server.clock.advance(days(1))
  for (const name of ['Ann', 'Bob', 'ann']) await server.signedUp(name)
  const whole = (await list(root, order)).users

  const paged: Listed[] = []
  let cursor: string | null = ''
  for (let page = 0; cursor !== null && page < 10; page += 1) {
    const next = await list(root, { ...order, limit: 2, ...(cursor && { cursor }) })
    expect([next.total, next.limit]).toEqual([9, 2])
    paged.push(...next.users)
    cursor = next.nextCursor
  }

  expect(whole).toHaveLength(9)
  expect(paged).toEqual(whole)
  if (order.sortBy === 'createdAt')
    expect(whole.map(({ createdAt }) => createdAt)).toEqual(
      whole
        .map(({ createdAt }) => createdAt)
        .toSorted((a, b) => (order.sortDirection === 'asc' ? 1 : -1) * a.localeCompare(b)),
    )
})

test('a page by cursor continues where the previous one ended, whatever rows are added or removed in between', async () => {
  await using server = await createTestServer()
  const root = await server.administrator('Root')
  const [ada, , grace] = await create(root, server, [{ name: 'Ada' }, { name: 'Alan' }, { name: 'Grace' }])
  const first = await list(root, { limit: 2 })
  expect(first.users.map(({ name }) => name)).toEqual(['Grace', 'Alan'])
  await root.post('/admin/remove-user', { userId: grace!.id })
  await create(root, server, [{ name: 'Edsger' }])

  const second = await list(root, { limit: 2, cursor: first.nextCursor! })

  expect(second.users.map(({ name }) => name)).toEqual(['Ada', 'Root'])
  expect(second.users[0]!.id).toBe(ada!.id)
  expect(second.nextCursor).toBeNull()
})

test('pages by offset as the ecosystem does, and echoes the requested values', async () => {
  await using server = await createTestServer()
  const root = await server.administrator('Root')
  await create(root, server, [{ name: 'Ada' }, { name: 'Alan' }, { name: 'Grace' }])

  const { users, ...rest } = await list(root, { sortBy: 'name', limit: 2, offset: 1 })

  expect(users.map(({ name }) => name)).toEqual(['Alan', 'Grace'])
  expect(rest).toEqual({ total: 4, limit: 2, offset: 1, nextCursor: expect.any(String) })
  expect((await list(root, { offset: 4 })).users).toEqual([])
  expect((await list(root, { limit: 500 })).users).toHaveLength(4)
  // An empty limit counts as none.
  expect((await list(root, { limit: 0 })).users).toHaveLength(4)
})
