import { organizationStatements } from '@tollgate/contract/calls'
import { expect, test } from 'vitest'
import { seconds } from '../../foundation/clock.ts'
import { createTestServer, type Person, type TestAnswer } from '../../testing.ts'
import { foundedCompany, verified } from './testing/company.ts'

const withTeams = { organization: { teams: { enabled: true } } }
const codeOf = ({ status, body }: TestAnswer) => [status, body?.code]
const roleOf = async (person: Person) => (await person.get('/organization/get-active-member-role')).body.role

test('the active member is the caller with their address, their first team and their permissions', async () => {
  await using server = await createTestServer(withTeams)
  const acme = await foundedCompany(server)
  const max = await acme.member('member')
  const [team] = (await max.get('/organization/list-teams')).body

  const { body } = await acme.owner.get('/organization/get-active-member')

  expect(body).toEqual({
    id: acme.owner.memberId,
    organizationId: acme.id,
    userId: acme.owner.id,
    role: 'owner',
    teamId: team.id,
    createdAt: '2026-03-01T12:00:00.000Z',
    user: { id: acme.owner.id, name: 'Olga', email: acme.owner.email, image: null },
    permissions: organizationStatements,
  })
  expect((await max.get('/organization/get-active-member')).body).toMatchObject({
    role: 'member',
    teamId: null,
    permissions: { ac: ['read'] },
  })
})

test('without teams no member has a team', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)

  expect((await acme.owner.get('/organization/get-active-member')).body).not.toHaveProperty('teamId')
  expect((await acme.owner.get('/organization/list-members')).body.members[0]).not.toHaveProperty('teamId')
})

test('a user who acts in no organization, or is no member any more, has no active membership', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const eve = await server.signedUp('Eve')
  const { ctx } = server.tollgate.internals
  expect(codeOf(await eve.get('/organization/get-active-member'))).toEqual([400, 'NO_ACTIVE_ORGANIZATION'])
  expect(codeOf(await eve.get('/organization/get-active-member-role'))).toEqual([400, 'NO_ACTIVE_ORGANIZATION'])
  expect(codeOf(await eve.get('/organization/list-members'))).toEqual([400, 'NO_ACTIVE_ORGANIZATION'])
  expect((await server.visitor().get('/organization/get-active-member')).status).toBe(401)

  await ctx.transaction((tx) =>
    tx.updateTable('session').set({ activeOrganizationId: acme.id }).where('userId', '=', eve.id).execute(),
  )

  expect(codeOf(await eve.get('/organization/get-active-member'))).toEqual([400, 'MEMBER_NOT_FOUND'])
  expect(codeOf(await eve.get('/organization/get-active-member-role'))).toEqual([
    403,
    'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION',
  ])
  expect(codeOf(await eve.get('/organization/list-members'))).toEqual([
    403,
    'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION',
  ])
})

test('members may query each other’s role, by organization or slug; others may not', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const other = await foundedCompany(server, 'other')
  const max = await acme.member('admin,member')
  const ask = (person: Person, query: string) => person.get(`/organization/get-active-member-role?${query}`)

  expect((await ask(max, '')).body).toEqual({ role: 'admin,member' })
  expect((await ask(max, `userId=${acme.owner.id}`)).body).toEqual({ role: 'owner' })
  for (const slug of ['acme', 'ACME', ''])
    expect((await ask(acme.owner, `userId=${max.id}&organizationSlug=${slug}`)).body).toEqual({ role: 'admin,member' })
  for (const query of [`organizationId=${acme.id}`, 'organizationSlug=acme', 'organizationSlug=nothing'])
    expect(codeOf(await ask(other.owner, query))).toEqual([403, 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION'])
  expect(codeOf(await ask(max, `userId=${other.owner.id}`))).toEqual([403, 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION'])
})

test('members are listed by page, in every order, with their number', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  for (const [name, role] of [
    ['carl', 'member'],
    ['Bea', 'admin'],
    ['Dan', 'member,admin'],
  ] as const) {
    server.clock.advance(seconds(1))
    await acme.member(role, name)
  }
  const list = async (query: string) => {
    const { body } = await acme.owner.get(`/organization/list-members?${query}`)
    return [body.members.map(({ user }: { user: { name: string } }) => user.name).join(' '), body.total]
  }

  expect(await list('')).toEqual(['Olga carl Bea Dan', 4])
  expect(await list('limit=2&offset=1')).toEqual(['carl Bea', 4])
  expect(await list('limit=2&offset=4')).toEqual(['', 4])
  expect(await list('sortBy=createdAt&sortDirection=desc')).toEqual(['Dan Bea carl Olga', 4])
  expect(await list('sortBy=name')).toEqual(['Bea carl Dan Olga', 4])
  expect(await list('sortBy=email&sortDirection=desc')).toEqual(['Olga Dan carl Bea', 4])
  expect(await list('sortBy=role&sortDirection=desc')).toEqual(['Olga Dan carl Bea', 4])
})

test('members are searched by part of name or address, whatever characters it contains', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  await acme.member('member', 'Ann_a 100%')
  server.clock.advance(seconds(1))
  await acme.member('member', 'Annxa')
  const search = async (text: string) =>
    (await acme.owner.get(`/organization/list-members?search=${encodeURIComponent(text)}`)).body.members.map(
      ({ user }: { user: { name: string } }) => user.name,
    )

  expect(await search('ANN')).toEqual(['Ann_a 100%', 'Annxa'])
  expect(await search('nn_a')).toEqual(['Ann_a 100%'])
  expect(await search('0%')).toEqual(['Ann_a 100%'])
  expect(await search('\\')).toEqual([])
  expect(await search(acme.owner.email.toUpperCase())).toEqual(['Olga'])
  expect(await search("' or 1=1 --")).toEqual([])
})

test.each([
  ['filterField=role&filterValue=admin', 'Bea Dan'],
  ['filterField=role&filterValue=admin&filterOperator=ne', 'Olga Carl'],
  ['filterField=role&filterValue=adm', ''],
  ['filterField=role&filterValue=adm&filterOperator=contains', 'Bea Dan'],
  ['filterField=role&filterValue=%25', ''],
  ['filterField=role&filterValue=owner&filterValue=member&filterOperator=in', 'Olga Carl Dan'],
  ['filterField=role&filterValue=owner&filterValue=member&filterOperator=not_in', 'Bea'],
  ['filterField=role&filterValue=adm&filterOperator=starts_with', 'Bea'],
  ['filterField=role&filterValue=min&filterOperator=ends_with', 'Bea Dan'],
  ['filterField=createdAt&filterValue=2026-03-01T12:00:01.000Z&filterOperator=gt', 'Bea Dan'],
  ['filterField=createdAt&filterValue=2026-03-01T12:00:01.000Z', 'Carl'],
  ['filterField=createdAt&filterValue=2026-03-02&filterOperator=gte', ''],
  ['filterField=userId&filterValue=CARL', 'Carl'],
  ['filterField=userId&filterValue=CARL&filterOperator=ne', 'Olga Bea Dan'],
  ['filterField=userId&filterValue=CARL&filterOperator=in', 'Carl'],
  ['filterField=userId&filterValue=CARL&filterValue=x&filterOperator=not_in', 'Olga Bea Dan'],
  ['filterField=userId&filterValue=CARL&filterOperator=starts_with', 'Carl'],
  ['filterField=id&filterValue=CARL', ''],
  ['filterField=id&filterValue=_&filterOperator=contains', ''],
  ['filterField=role', 'Olga Carl Bea Dan'],
])('members where %s: %s', async (query, names) => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const ids: string[] = []
  for (const [name, role] of [
    ['Carl', 'member'],
    ['Bea', 'admin'],
    ['Dan', 'member,admin'],
  ] as const) {
    server.clock.advance(seconds(1))
    ids.push((await acme.member(role, name)).id)
  }

  const { body } = await acme.owner.get(`/organization/list-members?${query.replace('CARL', ids[0]!)}`)

  expect(body.members.map(({ user }: { user: { name: string } }) => user.name).join(' ')).toBe(names)
  expect(body.total).toBe(body.members.length)
})

test.each([
  'filterField=createdAt&filterValue=yesterday',
  'filterField=createdAt&filterValue=2026-03-01&filterOperator=contains',
  'filterField=createdAt&filterValue=2026-03-01&filterOperator=in',
  'filterField=role&filterValue=admin&filterOperator=lt',
  'filterField=role&filterValue=admin&filterValue=owner',
  'filterField=password&filterValue=x',
  'sortBy=password',
  'limit=501',
  'offset=-1',
])('a list of members where %s is refused', async (query) => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)

  expect(codeOf(await acme.owner.get(`/organization/list-members?${query}`))).toEqual([400, 'VALIDATION_ERROR'])
})

test('members are narrowed to a team; a team of another organization has none of them', async () => {
  await using server = await createTestServer(withTeams)
  const acme = await foundedCompany(server)
  const other = await foundedCompany(server, 'other')
  await acme.member()
  const [team] = (await acme.owner.get('/organization/list-teams')).body
  const [foreign] = (await other.owner.get('/organization/list-teams')).body
  const list = async (teamId: string) => (await acme.owner.get(`/organization/list-members?teamId=${teamId}`)).body

  expect(await list(team.id)).toMatchObject({ members: [{ userId: acme.owner.id, teamId: team.id }], total: 1 })
  expect(await list(foreign.id)).toEqual({ members: [], total: 0 })
})

test('server code makes a user a member of any organization', async () => {
  await using server = await createTestServer(withTeams)
  const acme = await foundedCompany(server)
  const eve = await server.signedUp('Eve')
  const { api } = server.tollgate
  const [team] = (await acme.owner.get('/organization/list-teams')).body

  const member = await api.addMember({
    body: { userId: eve.id, role: ['member', 'admin'], organizationId: acme.id, teamId: team.id },
  })

  expect(member).toMatchObject({ userId: eve.id, organizationId: acme.id, role: 'member,admin', teamId: team.id })
  expect(await server.events('member.added')).toContainEqual({
    actorId: null,
    userId: eve.id,
    data: { role: 'member,admin', by: 'server' },
  })
  expect((await eve.post('/organization/add-member', { userId: eve.id, role: 'owner' })).status).toBe(404)
})

test('server code that names no organization means the one of the session it calls with', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const eve = await server.signedUp('Eve')
  const { api } = server.tollgate
  const cookie = [...acme.owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  await expect(api.addMember({ body: { userId: eve.id, role: 'member' } })).rejects.toMatchObject({
    code: 'NO_ACTIVE_ORGANIZATION',
  })
  expect(await api.addMember({ headers: { cookie }, body: { userId: eve.id, role: 'member' } })).toMatchObject({
    organizationId: acme.id,
    userId: eve.id,
  })
})

test('server code cannot make invalid changes', async () => {
  await using server = await createTestServer({ organization: { membershipLimit: 2 } })
  const acme = await foundedCompany(server)
  const eve = await server.signedUp('Eve')
  const ida = await server.signedUp('Ida')
  const add = async (over: object) => {
    const body = { userId: eve.id, role: 'member', organizationId: acme.id, ...over }
    return server.tollgate.api.addMember({ body }).catch(({ code }) => code)
  }

  expect(await add({ organizationId: 'nothing' })).toBe('ORGANIZATION_NOT_FOUND')
  expect(await add({ userId: 'nobody' })).toBe('USER_NOT_FOUND')
  expect(await add({ role: 'member,wizard' })).toBe('ROLE_NOT_FOUND')
  expect(await add({ role: ',' })).toBe('ROLE_NOT_FOUND')
  expect(await add({ teamId: 'nothing' })).toBe('TEAM_NOT_FOUND')
  expect(await add({})).toMatchObject({ userId: eve.id })
  expect(await add({})).toBe('USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION')
  expect(await add({ userId: ida.id })).toBe('ORGANIZATION_MEMBERSHIP_LIMIT_REACHED')
})

test('where an organization wants verified addresses no user without one is added, acts or is kept from leaving', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const max = await acme.member('admin')
  const eve = await server.signedUp('Eve')
  await verified(server, acme.owner)
  await acme.owner.post('/organization/update', { data: { requireVerifiedEmail: true } })
  const refused = [403, 'EMAIL_VERIFICATION_REQUIRED']

  const add = { body: { userId: eve.id, role: 'member', organizationId: acme.id } }
  await expect(server.tollgate.api.addMember(add)).rejects.toMatchObject({ code: 'EMAIL_VERIFICATION_REQUIRED' })
  for (const path of ['get-active-member', 'get-active-member-role', 'list-members', 'list-roles'])
    expect(codeOf(await max.get(`/organization/${path}`))).toEqual(refused)
  const role = { memberId: max.memberId, role: 'member' }
  expect(codeOf(await max.post('/organization/update-member-role', role))).toEqual(refused)
  expect(codeOf(await max.post('/organization/remove-member', { memberIdOrEmail: max.memberId }))).toEqual(refused)
  expect(codeOf(await max.post('/organization/has-permission', { permissions: { ac: ['read'] } }))).toEqual(refused)
  expect((await max.post('/organization/leave', { organizationId: acme.id })).status).toBe(200)
})

test('an administrator of the organization changes roles below their own, and the next request knows', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const admin = await acme.member('admin')
  const max = await acme.member()
  const change = (role: unknown) => admin.post('/organization/update-member-role', { memberId: max.memberId, role })

  expect((await change(['admin', 'member', 'admin'])).body).toMatchObject({
    id: max.memberId,
    userId: max.id,
    role: 'admin,member',
  })
  expect((await max.get('/get-session')).body.organization.roles).toEqual(['admin', 'member'])
  server.clock.advance(seconds(1))
  expect((await change(' member ')).body.role).toBe('member')
  expect(await roleOf(max)).toBe('member')
  // A repetition changes nothing.
  expect((await change('member')).status).toBe(200)
  expect(await server.events('member.role_changed')).toEqual([
    { actorId: admin.id, userId: max.id, data: { before: 'member', after: 'admin,member' } },
    { actorId: admin.id, userId: max.id, data: { before: 'admin,member', after: 'member' } },
  ])
})

test('a user creates or changes only roles below their own, and only owners make owners', async () => {
  await using server = await createTestServer({
    organization: { roles: { helper: { member: ['update'] }, spy: { audit: ['read'] } } },
  })
  const acme = await foundedCompany(server)
  const admin = await acme.member('admin')
  const helper = await acme.member('helper')
  const spy = await acme.member('spy')
  const max = await acme.member()
  const change = async (by: Person, memberId: string, role: unknown) =>
    codeOf(await by.post('/organization/update-member-role', { memberId, role }))
  const refused = [403, 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER']

  for (const role of ['owner', 'admin,owner', ['member', 'owner']])
    expect(await change(admin, max.memberId, role)).toEqual(refused)
  expect(await change(admin, acme.owner.memberId, 'member')).toEqual(refused)
  expect(await change(admin, admin.memberId, 'owner')).toEqual(refused)
  expect(await change(helper, max.memberId, 'admin')).toEqual(refused)
  expect(await change(helper, helper.memberId, 'helper,admin')).toEqual(refused)
  expect(await change(helper, spy.memberId, 'helper')).toEqual(refused)
  expect(await change(spy, max.memberId, 'spy')).toEqual(refused)
  expect(await change(max, max.memberId, 'admin')).toEqual(refused)
  expect(await change(acme.owner, max.memberId, 'owner')).toEqual([200, undefined])
  expect(await roleOf(max)).toBe('owner')
})

test('a role is changed in the organization that is named, and refused where it makes no sense', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const other = await foundedCompany(server, 'other')
  const max = await acme.member()
  const foreign = await other.member()
  const change = async (by: Person, body: object) => codeOf(await by.post('/organization/update-member-role', body))

  expect(await change(acme.owner, { memberId: foreign.memberId, role: 'admin' })).toEqual([400, 'MEMBER_NOT_FOUND'])
  expect(await change(acme.owner, { memberId: 'nobody', role: 'admin' })).toEqual([400, 'MEMBER_NOT_FOUND'])
  for (const organizationId of [acme.id, 'nothing'])
    expect(await change(other.owner, { memberId: max.memberId, role: 'admin', organizationId })).toEqual([
      400,
      'MEMBER_NOT_FOUND',
    ])
  expect(await change(acme.owner, { memberId: max.memberId, role: 'wizard' })).toEqual([400, 'ROLE_NOT_FOUND'])
  expect(await change(acme.owner, { memberId: max.memberId, role: ' , ' })).toEqual([400, 'ROLE_NOT_FOUND'])
  expect(await change(acme.owner, { memberId: max.memberId, role: '' })).toEqual([400, 'VALIDATION_ERROR'])
  expect(await change(await server.signedUp(), { memberId: max.memberId, role: 'admin' })).toEqual([
    400,
    'NO_ACTIVE_ORGANIZATION',
  ])
  expect((await server.visitor().post('/organization/update-member-role', { memberId: 'x', role: 'y' })).status).toBe(
    401,
  )
  expect(await roleOf(max)).toBe('member')
})

test('an owner steps down when there is another one, and not as the only one', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const second = await acme.member('admin,owner')
  const stepDown = (person: Person & { memberId: string }) =>
    person.post('/organization/update-member-role', { memberId: person.memberId, role: 'member' })

  expect((await stepDown(acme.owner)).body.role).toBe('member')
  expect(codeOf(await stepDown(second))).toEqual([400, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER'])
  expect(await roleOf(second)).toBe('admin,owner')
})

test('a member is removed by id or by address in any case, and acts there no more', async () => {
  await using server = await createTestServer({ ...withTeams, session: { cookieCache: { enabled: true } } })
  const acme = await foundedCompany(server)
  const admin = await acme.member('admin')
  const max = await acme.member()
  const mia = await acme.member()
  const [team] = (await acme.owner.get('/organization/list-teams')).body
  await acme.owner.post('/organization/add-team-member', { teamId: team.id, userId: max.id })

  const removed = await admin.post('/organization/remove-member', { memberIdOrEmail: max.email.toUpperCase() })

  expect(removed.body.member).toMatchObject({
    id: max.memberId,
    userId: max.id,
    role: 'member',
    teamId: team.id,
    user: { email: max.email },
  })
  server.clock.advance(seconds(1))
  expect((await admin.post('/organization/remove-member', { memberIdOrEmail: mia.memberId })).status).toBe(200)
  expect((await max.get('/get-session?disableCookieCache=true')).body).toMatchObject({
    session: { activeOrganizationId: null, activeTeamId: null },
    organization: null,
  })
  expect(await server.events('member.removed')).toEqual([
    { actorId: admin.id, userId: max.id, data: { role: 'member', left: false } },
    { actorId: admin.id, userId: mia.id, data: { role: 'member', left: false } },
  ])
  expect((await acme.owner.get('/organization/list-members')).body.total).toBe(2)
  // The second call finds no member.
  expect(codeOf(await admin.post('/organization/remove-member', { memberIdOrEmail: max.email }))).toEqual([
    400,
    'MEMBER_NOT_FOUND',
  ])
})

test('a user who is removed does not come back by an invitation that they left open, nor with its role', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const max = await server.signedUp('Max')
  await verified(server, max)
  const { body: invitation } = await acme.owner.post('/organization/invite-member', { email: max.email, role: 'admin' })
  await server.tollgate.api.addMember({ body: { userId: max.id, role: 'member', organizationId: acme.id } })
  // Their membership of another organization does not end.
  const other = await foundedCompany(server, 'other')
  await other.owner.post('/organization/invite-member', { email: max.email, role: 'member' })

  await acme.owner.post('/organization/remove-member', { memberIdOrEmail: max.email })

  const invitationId: string = invitation.id
  expect(codeOf(await max.post('/organization/accept-invitation', { invitationId }))).toEqual([
    400,
    'INVITATION_NOT_FOUND',
  ])
  expect((await acme.owner.get('/organization/list-invitations')).body).toMatchObject([{ status: 'canceled' }])
  expect(await server.events('invitation.canceled')).toEqual([
    { actorId: acme.owner.id, userId: null, data: { invitationId, email: max.email, role: 'admin' } },
  ])
  expect((await max.get('/organization/list-user-invitations')).body).toHaveLength(1)
})

test('removing a user is refused in the order of the contract', async () => {
  await using server = await createTestServer({ organization: { roles: { janitor: { member: ['delete'] } } } })
  const acme = await foundedCompany(server)
  const other = await foundedCompany(server, 'other')
  const admin = await acme.member('admin')
  const janitor = await acme.member('janitor')
  const max = await acme.member()
  const remove = async (by: Person, memberIdOrEmail: string, organizationId?: string) =>
    codeOf(await by.post('/organization/remove-member', { memberIdOrEmail, organizationId }))
  const onlyOwner = [400, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER']

  expect(await remove(other.owner, max.memberId)).toEqual([400, 'MEMBER_NOT_FOUND'])
  expect(await remove(other.owner, max.email)).toEqual([400, 'MEMBER_NOT_FOUND'])
  expect(await remove(other.owner, max.memberId, acme.id)).toEqual([400, 'MEMBER_NOT_FOUND'])
  expect(await remove(acme.owner, 'not@an address')).toEqual([400, 'MEMBER_NOT_FOUND'])
  for (const person of [acme.owner, admin, max]) expect(await remove(person, acme.owner.email)).toEqual(onlyOwner)
  expect(await remove(max, admin.memberId)).toEqual([401, 'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER'])
  expect(await remove(max, max.memberId)).toEqual([401, 'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER'])
  expect(await remove(janitor, admin.memberId)).toEqual([401, 'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER'])
  expect(await remove(await server.signedUp(), max.memberId)).toEqual([400, 'NO_ACTIVE_ORGANIZATION'])
  expect((await acme.owner.get('/organization/list-members')).body.total).toBe(4)
})

test('a user who removes themselves, or leaves, acts in no organization from then on, in the cookie cache either', async () => {
  await using server = await createTestServer({ session: { cookieCache: { enabled: true } } })
  const acme = await foundedCompany(server)
  const admin = await acme.member('admin')
  const max = await acme.member()

  const removed = await admin.post('/organization/remove-member', { memberIdOrEmail: admin.email })
  server.clock.advance(seconds(1))
  const left = await max.post('/organization/leave', { organizationId: acme.id })

  expect(removed.body.member.userId).toBe(admin.id)
  expect(left.body).toMatchObject({ id: max.memberId, userId: max.id, role: 'member', user: { email: max.email } })
  for (const person of [admin, max]) {
    expect((await person.get('/get-session')).body.session.activeOrganizationId).toBe(null)
    expect(codeOf(await person.get('/organization/get-active-member'))).toEqual([400, 'NO_ACTIVE_ORGANIZATION'])
  }
  expect(await server.events('member.removed')).toEqual([
    { actorId: admin.id, userId: admin.id, data: { role: 'admin', left: true } },
    { actorId: max.id, userId: max.id, data: { role: 'member', left: true } },
  ])
})

test('leaving another organization than the active one leaves the active one as it is', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const other = await foundedCompany(server, 'other')
  const max = await acme.member()
  await server.tollgate.api.addMember({ body: { userId: max.id, role: 'member', organizationId: other.id } })

  expect((await max.post('/organization/leave', { organizationId: other.id })).status).toBe(200)

  expect((await max.get('/get-session')).body.session.activeOrganizationId).toBe(acme.id)
})

test('the only owner cannot leave, whatever other roles they have; a user leaves only their own organization, and once', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const second = await acme.member('owner')
  const max = await acme.member()
  const leave = async (person: Person) => codeOf(await person.post('/organization/leave', { organizationId: acme.id }))
  await second.post('/organization/update-member-role', { memberId: second.memberId, role: 'owner,admin' })

  expect(await leave(acme.owner)).toEqual([200, undefined])
  expect(await leave(second)).toEqual([400, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER'])
  expect(await leave(max)).toEqual([200, undefined])
  expect(await leave(max)).toEqual([400, 'MEMBER_NOT_FOUND'])
  expect(await leave(await server.signedUp())).toEqual([400, 'MEMBER_NOT_FOUND'])
  expect((await server.visitor().post('/organization/leave', { organizationId: acme.id })).status).toBe(401)
})

test('of two owners who leave at the same moment one stays', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const second = await acme.member('owner')

  const answers = await Promise.all(
    [acme.owner, second].map((each) => each.post('/organization/leave', { organizationId: acme.id })),
  )

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('of two owners who take each other’s role at the same moment one stays', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const second = await acme.member('owner')
  const demote = (by: Person, memberId: string) =>
    by.post('/organization/update-member-role', { memberId, role: 'member' })

  const answers = await Promise.all([demote(acme.owner, second.memberId), demote(second, acme.owner.memberId)])

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
  const { members } = (await acme.owner.get('/organization/list-members')).body
  expect(members.filter(({ role }: { role: string }) => role === 'owner')).toHaveLength(1)
})

test('a member who is removed twice at the same moment is removed once', async () => {
  await using server = await createTestServer()
  const acme = await foundedCompany(server)
  const admin = await acme.member('admin')
  const max = await acme.member()

  const answers = await Promise.all(
    [acme.owner, admin].map((by) => by.post('/organization/remove-member', { memberIdOrEmail: max.memberId })),
  )

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(await server.events('member.removed')).toHaveLength(1)
})
