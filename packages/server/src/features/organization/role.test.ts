import { expect, test } from 'vitest'
import { days, seconds } from '../../foundation/clock.ts'
import { createTestServer, type Person, type TestAnswer } from '../../testing.ts'
import { foundedCompany, verified } from './testing/company.ts'

const codeOf = ({ status, body }: TestAnswer) => [status, body?.code]
const may = async (person: Person, permissions: object) =>
  (await person.post('/organization/has-permission', { permissions })).body.success
const inviters = { role: 'inviters', permission: { invitation: ['create', 'cancel'] } }

test('an organization makes a role, members are given it, and it means something at once', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const max = await acme.member()

  const { body } = await acme.owner.post('/organization/create-role', {
    role: ' Inviters ',
    permission: { invitation: ['create', 'create'], team: [] },
  })

  const role = {
    id: body.roleData.id,
    organizationId: acme.id,
    role: 'inviters',
    permission: { invitation: ['create'] },
    createdAt: '2026-03-01T12:00:00.000Z',
    updatedAt: '2026-03-01T12:00:00.000Z',
  }
  expect(body).toEqual({ success: true, roleData: role, statements: role.permission })
  expect((await max.get('/organization/list-roles')).body).toEqual([role])
  for (const query of ['roleName=inviters', 'roleName=Inviters', `roleId=${role.id}`])
    expect((await max.get(`/organization/get-role?${query}`)).body).toEqual(role)
  expect(await may(max, { invitation: ['create'] })).toBe(false)
  const given = { memberId: max.memberId, role: ['member', 'inviters'] }
  expect((await acme.owner.post('/organization/update-member-role', given)).body.role).toBe('member,inviters')
  expect(await may(max, { invitation: ['create'] })).toBe(true)
  expect(await server.events('role.created')).toEqual([
    { actorId: acme.owner.id, userId: null, data: { role: 'inviters', permission: 'invitation:create' } },
  ])
})

test('a changed role counts from the next request on', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  await acme.owner.post('/organization/create-role', inviters)
  const max = await acme.member('inviters')
  server.clock.advance(seconds(1))

  const { body } = await acme.owner.post('/organization/update-role', {
    roleName: 'inviters',
    data: { permission: { team: ['create'] } },
  })

  expect(body).toMatchObject({
    success: true,
    roleData: { role: 'inviters', permission: { team: ['create'] }, updatedAt: '2026-03-01T12:00:01.000Z' },
  })
  expect(await may(max, { invitation: ['create'] })).toBe(false)
  expect(await may(max, { team: ['create'] })).toBe(true)
  const told = {
    role: 'inviters',
    permission: 'team:create',
    roleBefore: 'inviters',
    permissionBefore: 'invitation:cancel, invitation:create',
  }
  expect(await server.events('role.updated')).toEqual([{ actorId: acme.owner.id, userId: null, data: told }])
})

test('a renamed role is renamed wherever it is held, and in every open way in', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const other = await foundedCompany(server, 'other')
  for (const { owner } of [acme, other]) await owner.post('/organization/create-role', inviters)
  const longer = { role: 'inviters-too', permission: {} }
  await acme.owner.post('/organization/create-role', longer)
  const max = await acme.member('member,inviters')
  const mia = await acme.member('inviters-too')
  const foreign = await other.member('inviters')
  const invited = { email: 'new@example.com', role: 'inviters' }
  await acme.owner.post('/organization/invite-member', invited)
  await acme.owner.post('/organization/create-invitation-link', { role: 'inviters' })

  const renamed = await acme.owner.post('/organization/update-role', {
    roleName: 'inviters',
    data: { roleName: 'Hosts' },
  })

  expect(renamed.body.roleData).toMatchObject({ role: 'hosts', permission: inviters.permission })
  const roleOf = async (person: Person) => (await person.get('/organization/get-active-member-role')).body.role
  expect([await roleOf(max), await roleOf(mia), await roleOf(foreign)]).toEqual([
    'member,hosts',
    'inviters-too',
    'inviters',
  ])
  expect(await may(max, { invitation: ['create'] })).toBe(true)
  expect((await acme.owner.get('/organization/list-invitations')).body[0].role).toBe('hosts')
  expect((await acme.owner.get('/organization/list-invitation-links')).body[0].role).toBe('hosts')
  expect((await max.get('/get-session')).body.organization.roles).toEqual(['member', 'hosts'])
})

test('a name that members still have of a role that is no more, or are invited with, is taken', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const max = await acme.member()
  await acme.owner.post('/organization/create-role', inviters)
  const invitation = await acme.owner.post('/organization/invite-member', { email: 'new@example.com', role: 'member' })
  // The state after the configuration drops the roles.
  await server.tollgate.internals.ctx.transaction(async (tx) => {
    await tx.updateTable('member').set({ role: 'member,held' }).where('id', '=', max.memberId).execute()
    await tx.updateTable('invitation').set({ role: 'offered' }).where('id', '=', invitation.body.id).execute()
  })

  for (const name of ['held', 'offered']) {
    const made = await acme.owner.post('/organization/create-role', { role: name, permission: { audit: ['read'] } })
    const renamed = await acme.owner.post('/organization/update-role', {
      roleName: 'inviters',
      data: { roleName: name },
    })
    expect([codeOf(made), codeOf(renamed)]).toEqual([
      [400, 'ROLE_NAME_IS_ALREADY_TAKEN'],
      [400, 'ROLE_NAME_IS_ALREADY_TAKEN'],
    ])
  }

  expect(await may(max, { audit: ['read'] })).toBe(false)
  expect((await acme.owner.post('/organization/create-role', { role: 'hel', permission: {} })).status).toBe(200)
})

test('a name that is taken, or none, is refused', async () => {
  await using server = await createTestServer({ organization: { roles: { Support: { audit: ['read'] } } } })
  const acme = await foundedCompany(server)
  await acme.owner.post('/organization/create-role', inviters)
  await acme.owner.post('/organization/create-role', { role: 'hosts', permission: {} })
  const create = async (role: string) =>
    (await acme.owner.post('/organization/create-role', { role, permission: {} })).body.code
  const rename = async (roleName: string) =>
    (await acme.owner.post('/organization/update-role', { roleName: 'hosts', data: { roleName } })).body.code

  for (const name of ['owner', 'ADMIN', 'member', 'support', 'Inviters']) {
    expect(await create(name)).toBe('ROLE_NAME_IS_ALREADY_TAKEN')
    expect(await rename(name)).toBe('ROLE_NAME_IS_ALREADY_TAKEN')
  }
  for (const name of ['a,b', ' ', '-a', 'ä', 'a b', '%', "a'b"]) {
    expect(await create(name)).toBe('INVALID_ROLE_NAME')
    expect(await rename(name)).toBe('INVALID_ROLE_NAME')
  }
  expect(await create('')).toBe('VALIDATION_ERROR')
  expect(await create('x'.repeat(65))).toBe('VALIDATION_ERROR')
  // A role may keep its own name.
  expect(await rename('hosts')).toBe(undefined)
  expect(await server.events('role.updated')).toEqual([])
})

test('a role holds only existing permissions that its creator holds', async () => {
  await using server = await createTestServer({ organization: { permissions: { project: ['create'] } } })
  const acme = await foundedCompany(server)
  const admin = await acme.member('admin')
  const create = async (by: Person, permission: object) =>
    codeOf(await by.post('/organization/create-role', { role: 'new', permission }))
  const change = async (by: Person, permission: object) =>
    codeOf(await by.post('/organization/update-role', { roleName: 'mine', data: { permission } }))
  await admin.post('/organization/create-role', { role: 'mine', permission: { member: ['update'] } })

  for (const permission of [{ rocket: ['fly'] }, { member: ['fly'] }, { constructor: ['create'] }]) {
    expect(await create(acme.owner, permission)).toEqual([400, 'INVALID_RESOURCE'])
    expect(await change(acme.owner, permission)).toEqual([400, 'INVALID_RESOURCE'])
  }
  expect(await create(admin, { organization: ['delete'] })).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE'])
  expect(await change(admin, { member: ['update'], project: ['create'] })).toEqual([
    403,
    'YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE',
  ])
  expect(await change(acme.owner, { organization: ['delete'], project: ['create'] })).toEqual([200, undefined])
  // The role now outranks the administrator.
  expect(await change(admin, { member: ['update'] })).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE'])
  expect(codeOf(await admin.post('/organization/delete-role', { roleName: 'mine' }))).toEqual([
    403,
    'YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE',
  ])
  const max = await acme.member()
  const give = { memberId: max.memberId, role: 'mine' }
  expect(codeOf(await admin.post('/organization/update-member-role', give))).toEqual([
    403,
    'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER',
  ])
})

test('without the permission each call returns its error; strangers cannot distinguish existing and missing organizations', async () => {
  await using server = await createTestServer({ organization: { roles: { blind: { team: ['create'] } } } })
  const acme = await foundedCompany(server)
  const other = await foundedCompany(server, 'other')
  await acme.owner.post('/organization/create-role', inviters)
  const [{ id: roleId }] = (await acme.owner.get('/organization/list-roles')).body
  const max = await acme.member()
  const blind = await acme.member('blind')
  const visitor = server.visitor()
  const calls: [string, (person: Pick<Person, 'get' | 'post'>, organizationId?: string) => Promise<TestAnswer>][] = [
    [
      'CREATE',
      (by, organizationId) => by.post('/organization/create-role', { role: 'new', permission: {}, organizationId }),
    ],
    ['UPDATE', (by, organizationId) => by.post('/organization/update-role', { roleId, data: {}, organizationId })],
    ['DELETE', (by, organizationId) => by.post('/organization/delete-role', { roleId, organizationId })],
    ['READ', (by, id) => by.get(`/organization/get-role?roleId=${roleId}${id ? `&organizationId=${id}` : ''}`)],
    ['LIST', (by, id) => by.get(`/organization/list-roles${id ? `?organizationId=${id}` : ''}`)],
  ]

  for (const [action, call] of calls) {
    expect(codeOf(await call(blind))).toEqual([403, `YOU_ARE_NOT_ALLOWED_TO_${action}_A_ROLE`])
    for (const id of [acme.id, 'nothing'])
      expect(codeOf(await call(other.owner, id))).toEqual([403, 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION'])
    expect(codeOf(await call(await server.signedUp()))).toEqual([400, 'NO_ACTIVE_ORGANIZATION'])
    expect((await call(visitor)).status).toBe(401)
  }
  for (const [action, call] of calls.slice(0, 3))
    expect(codeOf(await call(max))).toEqual([403, `YOU_ARE_NOT_ALLOWED_TO_${action}_A_ROLE`])
  // Another organization's role is unknown here.
  for (const [, call] of calls.slice(1, 4)) expect(codeOf(await call(other.owner))).toEqual([400, 'ROLE_NOT_FOUND'])
})

test('a role is named by its name or its id; by neither, or by one that is not there, it is refused', async () => {
  await using server = await createTestServer()
  const { owner } = await foundedCompany(server)

  expect(codeOf(await owner.get('/organization/get-role'))).toEqual([400, 'VALIDATION_ERROR'])
  expect(codeOf(await owner.post('/organization/update-role', { data: {} }))).toEqual([400, 'VALIDATION_ERROR'])
  expect(codeOf(await owner.post('/organization/delete-role', {}))).toEqual([400, 'VALIDATION_ERROR'])
  for (const named of [{ roleName: 'nothing' }, { roleId: 'nothing' }]) {
    expect(codeOf(await owner.post('/organization/update-role', { ...named, data: {} }))).toEqual([
      400,
      'ROLE_NOT_FOUND',
    ])
    expect(codeOf(await owner.post('/organization/delete-role', named))).toEqual([400, 'ROLE_NOT_FOUND'])
  }
  for (const roleName of ['owner', 'Admin', 'member'])
    expect(codeOf(await owner.post('/organization/delete-role', { roleName }))).toEqual([
      400,
      'CANNOT_DELETE_A_PRE_DEFINED_ROLE',
    ])
})

test('a role is deleted once no user holds it, nor would by an open invitation or link', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const { owner } = acme
  await owner.post('/organization/create-role', inviters)
  const remove = async () => codeOf(await owner.post('/organization/delete-role', { roleName: 'inviters' }))
  const assigned = [400, 'ROLE_IS_ASSIGNED_TO_MEMBERS']

  const max = await acme.member('member,inviters')
  expect(await remove()).toEqual(assigned)
  await owner.post('/organization/remove-member', { memberIdOrEmail: max.memberId })

  await owner.post('/organization/invite-member', { email: 'new@example.com', role: 'inviters' })
  expect(await remove()).toEqual(assigned)
  server.clock.advance(days(3))

  const link = (await owner.post('/organization/create-invitation-link', { role: 'inviters' })).body
  expect(await remove()).toEqual(assigned)
  await owner.post('/organization/revoke-invitation-link', { linkId: link.id })

  expect(await remove()).toEqual([200, undefined])
  expect(await remove()).toEqual([400, 'ROLE_NOT_FOUND'])
  expect((await owner.get('/organization/list-roles')).body).toEqual([])
  expect(await server.events('role.deleted')).toHaveLength(1)
})

test('a user who has asked to join with a role keeps it from being deleted, and joins with its new name', async () => {
  await using server = await createTestServer()
  const { owner } = await foundedCompany(server)
  await owner.post('/organization/create-role', inviters)
  const shared = { role: 'inviters', requiresApproval: true }
  const link = (await owner.post('/organization/create-invitation-link', shared)).body
  const eve = await server.signedUp('Eve')
  await verified(server, eve)
  await eve.post('/organization/join-by-link', { token: new URL(link.url).pathname.split('/').at(-1) })
  await owner.post('/organization/revoke-invitation-link', { linkId: link.id })

  const deleted = await owner.post('/organization/delete-role', { roleName: 'inviters' })
  await owner.post('/organization/update-role', { roleName: 'inviters', data: { roleName: 'hosts' } })
  const [request] = (await owner.get('/organization/list-join-requests')).body
  const approved = await owner.post('/organization/approve-join-request', { requestId: request.id })

  expect(codeOf(deleted)).toEqual([400, 'ROLE_IS_ASSIGNED_TO_MEMBERS'])
  expect(approved.body.member).toMatchObject({ userId: eve.id, role: 'hosts' })
})

test('a role is not deleted because its name is part of another one that is held', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  for (const role of ['host', 'host_2']) await acme.owner.post('/organization/create-role', { role, permission: {} })
  await acme.member('host_2')

  expect((await acme.owner.post('/organization/delete-role', { roleName: 'host' })).status).toBe(200)
  expect((await acme.owner.post('/organization/delete-role', { roleName: 'host_2' })).status).toBe(400)
})

test('an organization has fifty roles of its own and no more, also of two that are made at the same moment', async () => {
  await using server = await createTestServer()
  const { owner, id: organizationId } = await foundedCompany(server)
  const { ctx } = server.tollgate.internals
  const now = ctx.clock.now()
  const rows = Array.from({ length: 49 }, (_, index) => ({
    id: `role${index}`,
    organizationId,
    role: `role${index}`,
    permission: {},
    createdAt: now,
    updatedAt: now,
  }))
  await ctx.transaction((tx) => tx.insertInto('organizationRole').values(rows).execute())
  const create = (role: string) => owner.post('/organization/create-role', { role, permission: {} })

  const answers = await Promise.all([create('one'), create('other')])

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(codeOf(await create('late'))).toEqual([400, 'TOO_MANY_ROLES'])
  expect((await owner.get('/organization/list-roles')).body).toHaveLength(50)
})

test('of two roles of one name that are made at the same moment there is one', async () => {
  await using server = await createTestServer()
  const { owner } = await foundedCompany(server)

  const answers = await Promise.all([1, 2].map(() => owner.post('/organization/create-role', inviters)))

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('a role that is given and deleted at the same moment is either', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const max = await acme.member()
  await acme.owner.post('/organization/create-role', inviters)

  const [given, deleted] = await Promise.all([
    acme.owner.post('/organization/update-member-role', { memberId: max.memberId, role: 'inviters' }),
    acme.owner.post('/organization/delete-role', { roleName: 'inviters' }),
  ])

  expect([given.status, deleted.status].sort()).toEqual([200, 400])
})
