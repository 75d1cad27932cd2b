import { expect, test } from 'vitest'
import { createTestServer, type Person } from '../../testing.ts'
import { foundedCompany } from './testing/company.ts'

const config = {
  organization: {
    permissions: { project: ['create', 'share'] },
    roles: {
      maker: { project: ['create'] },
      sharer: { project: ['share'], audit: ['read'] },
      admin: { project: ['share'] },
    },
  },
}
const may = async (person: Person, permissions: object) =>
  (await person.post('/organization/has-permission', { permissions })).body

test.each([
  ['owner', { organization: ['update', 'delete'], project: ['create', 'share'] }, true],
  ['admin', { organization: ['update'], project: ['share'] }, true],
  ['admin', { organization: ['update', 'delete'] }, false],
  ['admin', { project: ['create'] }, false],
  ['member', { organization: ['update'] }, false],
  ['member', { ac: ['read'] }, true],
  ['maker', { project: ['create'] }, true],
  // A single role must allow all of it.
  ['maker,sharer', { project: ['create', 'share'] }, false],
  ['maker,sharer', { project: ['share'], audit: ['read'] }, true],
  ['maker', { project: { actions: ['create', 'share'], connector: 'OR' } }, true],
  ['maker', { project: { actions: ['create', 'share'], connector: 'AND' } }, false],
  ['owner', { project: ['fly'] }, false],
  ['owner', { rocket: ['fly'] }, false],
  ['owner', { constructor: ['fly'] }, false],
  ['owner', {}, false],
])('%s may do %o: %s', async (role, asked, success) => {
  await using server = await createTestServer(config)
  const acme = await foundedCompany(server)
  const person = role === 'owner' ? acme.owner : await acme.member(role)

  expect(await may(person, asked)).toEqual({ error: null, success })
})

test('both names of the member are understood; neither, and another shape, are refused', async () => {
  await using server = await createTestServer()
  const { owner } = await foundedCompany(server)
  const ask = async (body: object) => (await owner.post('/organization/has-permission', body)).body

  expect(await ask({ permission: { member: ['update'] } })).toEqual({ error: null, success: true })
  expect(await ask({ permissions: { member: ['update'] } })).toEqual({ error: null, success: true })
  expect((await ask({})).code).toBe('VALIDATION_ERROR')
  expect((await ask({ permissions: { member: 'update' } })).code).toBe('VALIDATION_ERROR')
})

test.each([
  ['has-permission', 'permissions'],
  ['has-permission', 'permission'],
  ['create-role', 'permission'],
])('%s looks at a hundred resources at most', async (call, name) => {
  await using server = await createTestServer()
  const { owner } = await foundedCompany(server)
  const ask = async (count: number) => {
    const resources = Object.fromEntries(Array.from({ length: count }, (_, at) => [`resource-${at}`, []]))
    return (await owner.post(`/organization/${call}`, { role: 'wide', [name]: resources })).status
  }

  expect(await ask(100)).toBe(200)
  expect(await ask(101)).toBe(400)
})

test('with an organization in the query it answers for that one, for its members only', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const other = await foundedCompany(server, 'other')
  await server.tollgate.api.addMember({
    body: { userId: acme.owner.id, role: 'member', organizationId: other.id },
  })
  const ask = (person: Person, organizationId?: string) =>
    person.post('/organization/has-permission', { permissions: { organization: ['update'] }, organizationId })

  expect((await ask(acme.owner)).body.success).toBe(true)
  expect((await ask(acme.owner, other.id)).body.success).toBe(false)
  for (const id of [acme.id, 'nothing']) {
    const { status, body } = await ask(other.owner, id)
    expect([status, body.code]).toEqual([401, 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION'])
  }
  const { status, body } = await ask(await server.signedUp())
  expect([status, body.code]).toEqual([400, 'NO_ACTIVE_ORGANIZATION'])
  expect((await server.visitor().post('/organization/has-permission', { permissions: {} })).status).toBe(401)
})

test('a role that is no longer known holds nothing, and takes nothing from the others', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const max = await acme.member('admin')
  const { ctx } = server.tollgate.internals
  const hold = (role: string) =>
    ctx.transaction((tx) => tx.updateTable('member').set({ role }).where('id', '=', max.memberId).execute())

  await hold('wizard,admin')
  expect((await may(max, { member: ['update'] })).success).toBe(true)
  await hold('wizard')
  expect((await may(max, { member: ['update'] })).success).toBe(false)
  expect((await max.get('/organization/get-active-member')).body.permissions).toEqual({})
})

test('in the active organization it reads nothing but the session', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const { ctx } = server.tollgate.internals
  const queries: unknown[] = []
  const db = ctx.db.withPlugin({
    transformQuery: ({ node }) => {
      queries.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  Object.assign(ctx, { db })

  expect((await may(acme.owner, { member: ['update'] })).success).toBe(true)
  expect(queries).toEqual([])
  await acme.owner.get('/organization/list-members')
  expect(queries).not.toEqual([])
})
