import { expect, test } from 'vitest'
import { seconds } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { beforeNextTransaction, createTestServer, type Person, type TestAnswer } from '../../testing.ts'
import { type Company, foundedCompany, verified } from './testing/company.ts'

type Teams = NonNullable<Exclude<NonNullable<TollgateConfig['organization']>, false>['teams']>

const withTeams = (teams: Teams = {}) => createTestServer({ organization: { teams: { enabled: true, ...teams } } })
const codeOf = ({ status, body }: TestAnswer) => [status, body?.code]
const namesOf = ({ body }: TestAnswer) => body.map(({ name }: { name: string }) => name)

async function createdTeam({ owner }: Company, name = 'Ships'): Promise<string> {
  return (await owner.post('/organization/create-team', { name })).body.id
}

test('where teams are off there are no such calls', async () => {
  await using server = await createTestServer()
  const { owner } = await foundedCompany(server)

  for (const path of [
    'create-team',
    'update-team',
    'remove-team',
    'set-active-team',
    'add-team-member',
    'remove-team-member',
  ])
    expect((await owner.post(`/organization/${path}`)).status).toBe(404)
  for (const path of ['list-teams', 'list-user-teams', 'list-team-members'])
    expect((await owner.get(`/organization/${path}`)).status).toBe(404)
})

test('a team is created, renamed and listed in the order of creation', async () => {
  await using server = await withTeams()
  const acme = await foundedCompany(server)
  const max = await acme.member()
  server.clock.advance(seconds(1))

  const created = await acme.owner.post('/organization/create-team', { name: ' Ships ' })
  const team = created.body
  expect(team).toEqual({
    id: team.id,
    name: 'Ships',
    organizationId: acme.id,
    createdAt: '2026-03-01T12:00:01.000Z',
    updatedAt: '2026-03-01T12:00:01.000Z',
  })
  server.clock.advance(seconds(1))
  const data = { name: 'Boats', id: 'other', createdAt: 'never' }
  const renamed = await acme.owner.post('/organization/update-team', { teamId: team.id, data })

  expect(renamed.body).toEqual({ ...team, name: 'Boats', updatedAt: '2026-03-01T12:00:02.000Z' })
  expect((await acme.owner.post('/organization/update-team', { teamId: team.id, data: {} })).body).toEqual(renamed.body)
  expect(namesOf(await max.get('/organization/list-teams'))).toEqual(['acme', 'Boats'])
  expect(namesOf(await max.get('/organization/list-teams?limit=1&offset=1'))).toEqual(['Boats'])
  expect(await server.events('team.updated')).toEqual([
    { actorId: acme.owner.id, userId: null, data: { teamId: team.id, name: 'Boats', before: 'Ships' } },
  ])
})

test('a name of a team has to be one', async () => {
  await using server = await withTeams()
  const acme = await foundedCompany(server)
  const teamId = await createdTeam(acme)

  for (const [name, code] of [
    ['', 'VALIDATION_ERROR'],
    ['  ', 'INVALID_NAME'],
    ['x'.repeat(101), 'INVALID_NAME'],
    ['half\ud800', 'VALIDATION_ERROR'],
  ]) {
    expect(codeOf(await acme.owner.post('/organization/create-team', { name }))).toEqual([400, code])
    expect(codeOf(await acme.owner.post('/organization/update-team', { teamId, data: { name } }))).toEqual([400, code])
  }
})

test('each call refuses outsiders, members without its permission, and teams of others, with its own error', async () => {
  await using server = await withTeams()
  const acme = await foundedCompany(server)
  const other = await foundedCompany(server, 'other')
  const max = await acme.member()
  const teamId = await createdTeam(acme)
  const foreign = await createdTeam(other)
  type Call = (by: Pick<Person, 'get' | 'post'>, teamId: string, organizationId?: string) => Promise<TestAnswer>
  const calls: { call: Call; outsider: unknown; unable: unknown; absent: unknown }[] = [
    {
      call: (by, _, organizationId) => by.post('/organization/create-team', { name: 'New', organizationId }),
      outsider: [403, 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION'],
      unable: [403, 'YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION'],
      absent: [200, undefined],
    },
    {
      call: (by, teamId, organizationId) =>
        by.post('/organization/update-team', { teamId, data: { name: 'New', organizationId } }),
      outsider: [403, 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM'],
      unable: [403, 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM'],
      absent: [400, 'TEAM_NOT_FOUND'],
    },
    {
      call: (by, teamId, organizationId) => by.post('/organization/remove-team', { teamId, organizationId }),
      outsider: [403, 'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM'],
      unable: [403, 'YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION'],
      absent: [400, 'TEAM_NOT_FOUND'],
    },
    {
      call: (by, teamId, organizationId) =>
        by.post('/organization/add-team-member', { teamId, userId: acme.owner.id, organizationId }),
      outsider: [403, 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION'],
      unable: [403, 'YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER'],
      absent: [400, 'TEAM_NOT_FOUND'],
    },
    {
      call: (by, teamId, organizationId) =>
        by.post('/organization/remove-team-member', { teamId, userId: acme.owner.id, organizationId }),
      outsider: [403, 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION'],
      unable: [403, 'YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER'],
      absent: [400, 'TEAM_NOT_FOUND'],
    },
    {
      call: (by, _, id) => by.get(`/organization/list-teams${id ? `?organizationId=${id}` : ''}`),
      outsider: [403, 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION'],
      unable: [200, undefined],
      absent: [200, undefined],
    },
  ]

  for (const { call, outsider, unable, absent } of calls) {
    for (const organizationId of [acme.id, 'nothing'])
      expect(codeOf(await call(other.owner, teamId, organizationId))).toEqual(outsider)
    expect(codeOf(await call(max, teamId))).toEqual(unable)
    for (const id of [foreign, 'nothing']) expect(codeOf(await call(acme.owner, id))).toEqual(absent)
    expect(codeOf(await call(await server.signedUp(), teamId))).toEqual([400, 'NO_ACTIVE_ORGANIZATION'])
    expect((await call(server.visitor(), teamId)).status).toBe(401)
  }
  expect(namesOf(await other.owner.get('/organization/list-teams')).sort()).toEqual(['Ships', 'other'])
})

test('an organization has as many teams as are allowed, also of two that are made at the same moment', async () => {
  await using server = await withTeams({ maximumTeams: 3 })
  const acme = await foundedCompany(server)
  await createdTeam(acme)
  const create = () => acme.owner.post('/organization/create-team', { name: 'New' })

  const answers = await Promise.all([create(), create()])

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(codeOf(await create())).toEqual([400, 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS'])
  expect((await acme.owner.get('/organization/list-teams')).body).toHaveLength(3)
})

test('a removed team takes every user’s place in it along, in sessions, invitations and links too', async () => {
  await using server = await withTeams()
  const acme = await foundedCompany(server)
  const max = await acme.member()
  const [home] = (await acme.owner.get('/organization/list-teams')).body
  const teamId = await createdTeam(acme)
  await acme.owner.post('/organization/add-team-member', { teamId, userId: max.id })
  await max.post('/organization/set-active-team', { teamId })
  const invite = (email: string, teams: unknown) =>
    acme.owner.post('/organization/invite-member', { email, role: 'member', teamId: teams })
  await invite('both@example.com', [teamId, home.id])
  await invite('one@example.com', teamId)
  await acme.owner.post('/organization/create-invitation-link', { teamId })

  const removed = await acme.owner.post('/organization/remove-team', { teamId })

  expect(removed.body).toEqual({ message: 'Team removed successfully.' })
  expect((await max.get('/get-session')).body.session).toMatchObject({
    activeOrganizationId: acme.id,
    activeTeamId: null,
  })
  expect((await max.get('/organization/get-active-member')).body.teamId).toBe(null)
  const invitations = (await acme.owner.get('/organization/list-invitations')).body
  expect(invitations.map(({ teamId }: { teamId: string }) => teamId).toSorted()).toEqual([home.id, null].toSorted())
  expect((await acme.owner.get('/organization/list-invitation-links')).body[0].teamId).toBe(null)
  expect(await server.events('team.removed')).toEqual([
    { actorId: acme.owner.id, userId: null, data: { teamId, name: 'Ships' } },
  ])
  expect(codeOf(await acme.owner.post('/organization/remove-team', { teamId }))).toEqual([400, 'TEAM_NOT_FOUND'])
})

test('no user removes a team that they are in, not even an owner', async () => {
  await using server = await withTeams()
  const acme = await foundedCompany(server)
  const teamId = await createdTeam(acme)
  const max = await acme.member()
  for (const userId of [acme.owner.id, max.id])
    await acme.owner.post('/organization/add-team-member', { teamId, userId })

  for (const person of [acme.owner, max])
    expect(codeOf(await person.post('/organization/remove-team', { teamId }))).toEqual([
      403,
      'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM',
    ])
})

test('the last team stays, unless the configuration lets it go', async () => {
  for (const allowRemovingAllTeams of [false, true]) {
    await using server = await withTeams({ allowRemovingAllTeams })
    const acme = await foundedCompany(server)
    const admin = await acme.member('admin')
    const [{ id: teamId }] = (await acme.owner.get('/organization/list-teams')).body

    const { status, body } = await admin.post('/organization/remove-team', { teamId })

    expect([status, body.code]).toEqual(allowRemovingAllTeams ? [200, undefined] : [400, 'UNABLE_TO_REMOVE_LAST_TEAM'])
  }
})

test('of the last two teams that are removed at the same moment one stays', async () => {
  await using server = await withTeams({ defaultTeam: { enabled: false } })
  const acme = await foundedCompany(server)
  const ids = [await createdTeam(acme), await createdTeam(acme)]

  const answers = await Promise.all(ids.map((teamId) => acme.owner.post('/organization/remove-team', { teamId })))

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('a member is put into a team, once, and taken out of it, once', async () => {
  await using server = await withTeams()
  const acme = await foundedCompany(server)
  const max = await acme.member()
  const teamId = await createdTeam(acme)
  const place = { teamId, userId: max.id }

  const added = await acme.owner.post('/organization/add-team-member', place)
  const again = await acme.owner.post('/organization/add-team-member', place)

  expect(added.body).toMatchObject({ teamId, userId: max.id, createdAt: '2026-03-01T12:00:00.000Z' })
  expect(again.body).toEqual(added.body)
  expect((await max.get(`/organization/list-team-members?teamId=${teamId}`)).body).toEqual([added.body])
  expect((await max.get('/organization/get-active-member')).body.teamId).toBe(teamId)
  const removed = await acme.owner.post('/organization/remove-team-member', place)
  expect(removed.body).toEqual({ message: 'Team member removed successfully.' })
  expect(codeOf(await acme.owner.post('/organization/remove-team-member', place))).toEqual([
    400,
    'USER_IS_NOT_A_MEMBER_OF_THE_TEAM',
  ])
  const told = { actorId: acme.owner.id, userId: max.id, data: { teamId, name: 'Ships' } }
  expect(await server.events('team_member.added')).toContainEqual(told)
  expect(await server.events('team_member.removed')).toEqual([told])
})

test('only members of the organization are put into its teams', async () => {
  await using server = await withTeams()
  const acme = await foundedCompany(server)
  const other = await foundedCompany(server, 'other')
  const teamId = await createdTeam(acme)

  for (const userId of [other.owner.id, 'nobody'])
    expect(codeOf(await acme.owner.post('/organization/add-team-member', { teamId, userId }))).toEqual([
      400,
      'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
    ])
})

test('a team holds its limit, also with two concurrent additions, by any path', async () => {
  await using server = await withTeams({ maximumMembersPerTeam: 1 })
  const acme = await foundedCompany(server)
  const people = [await acme.member(), await acme.member()]
  const teamId = await createdTeam(acme)
  const eve = await server.signedUp('Eve')
  const add = ({ id: userId }: Person) => acme.owner.post('/organization/add-team-member', { teamId, userId })

  const answers = await Promise.all(people.map(add))

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
  expect(codeOf(answers.find(({ status }) => status === 403)!)).toEqual([403, 'TEAM_MEMBER_LIMIT_REACHED'])
  const body = { userId: eve.id, role: 'member', organizationId: acme.id, teamId }
  await expect(server.tollgate.api.addMember({ body })).rejects.toMatchObject({ code: 'TEAM_MEMBER_LIMIT_REACHED' })
  // The whole call is refused: they are not a member either.
  expect((await acme.owner.get('/organization/list-members')).body.total).toBe(3)
})

test('a team of another organization, or none, lets no user in who is added', async () => {
  await using server = await withTeams()
  const acme = await foundedCompany(server)
  const other = await foundedCompany(server, 'other')
  const eve = await server.signedUp('Eve')

  for (const teamId of [await createdTeam(other), 'nothing']) {
    const body = { userId: eve.id, role: 'member', organizationId: acme.id, teamId }
    await expect(server.tollgate.api.addMember({ body })).rejects.toMatchObject({ code: 'TEAM_NOT_FOUND' })
  }
})

test('a session acts for a team of one’s own, for none again, and not for one that has been left', async () => {
  await using server = await createTestServer({
    organization: { teams: { enabled: true } },
    session: { cookieCache: { enabled: true } },
  })
  const acme = await foundedCompany(server)
  const admin = await acme.member('admin')
  const teamId = await createdTeam(acme)
  await acme.owner.post('/organization/add-team-member', { teamId, userId: admin.id })
  const activate = (body: object) => admin.post('/organization/set-active-team', body)
  const active = async () => (await admin.get('/get-session')).body.session.activeTeamId

  expect((await activate({})).text).toBe('null')
  expect((await activate({ teamId })).body).toMatchObject({ id: teamId, name: 'Ships' })
  expect(await active()).toBe(teamId)
  expect((await activate({})).body).toMatchObject({ id: teamId })
  expect((await admin.get('/organization/list-team-members')).body).toMatchObject([{ userId: admin.id }])
  expect((await activate({ teamId: null })).text).toBe('null')
  expect(await active()).toBe(null)
  expect((await activate({ teamId: null })).text).toBe('null')

  await activate({ teamId })
  await admin.post('/organization/remove-team-member', { teamId, userId: admin.id })
  expect(await active()).toBe(null)
  expect((await admin.get('/get-session?disableCookieCache=true')).body.session.activeTeamId).toBe(null)
})

test('a team that is not one’s own is not acted for', async () => {
  await using server = await withTeams()
  const acme = await foundedCompany(server)
  const other = await foundedCompany(server, 'other')
  const teamId = await createdTeam(acme)
  const foreign = (await other.owner.get('/organization/list-teams')).body[0].id
  const activate = async (by: Person, teamId: string) =>
    codeOf(await by.post('/organization/set-active-team', { teamId }))

  expect(await activate(acme.owner, teamId)).toEqual([400, 'USER_IS_NOT_A_MEMBER_OF_THE_TEAM'])
  for (const id of [foreign, 'nothing']) expect(await activate(acme.owner, id)).toEqual([400, 'TEAM_NOT_FOUND'])
  expect(await activate(await server.signedUp(), teamId)).toEqual([400, 'NO_ACTIVE_ORGANIZATION'])
  expect((await server.visitor().post('/organization/set-active-team', { teamId })).status).toBe(401)
})

test('members of a team see its members, and so do members who may change teams', async () => {
  await using server = await withTeams()
  const acme = await foundedCompany(server)
  const other = await foundedCompany(server, 'other')
  const max = await acme.member()
  const mia = await acme.member()
  const teamId = await createdTeam(acme)
  for (const userId of [max.id, acme.owner.id])
    await acme.owner.post('/organization/add-team-member', { teamId, userId })
  await acme.owner.post('/organization/remove-team-member', { teamId, userId: acme.owner.id })
  const list = (by: Person, query: string) => by.get(`/organization/list-team-members?${query}`)

  for (const person of [acme.owner, max])
    expect((await list(person, `teamId=${teamId}`)).body).toMatchObject([{ teamId, userId: max.id }])
  expect((await list(max, `teamId=${teamId}&offset=1`)).body).toEqual([])
  expect(codeOf(await list(mia, `teamId=${teamId}`))).toEqual([400, 'USER_IS_NOT_A_MEMBER_OF_THE_TEAM'])
  for (const id of [teamId, 'nothing'])
    expect(codeOf(await list(other.owner, `teamId=${id}`))).toEqual([400, 'TEAM_NOT_FOUND'])
  expect(codeOf(await list(max, ''))).toEqual([400, 'YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM'])
})

test('people see the teams that they are in, of every organization or of one', async () => {
  await using server = await withTeams()
  const acme = await foundedCompany(server)
  const other = await foundedCompany(server, 'other')
  server.clock.advance(seconds(1))
  await server.tollgate.api.addMember({
    body: {
      userId: acme.owner.id,
      role: 'member',
      organizationId: other.id,
      teamId: (await other.owner.get('/organization/list-teams')).body[0].id,
    },
  })
  const list = async (by: Person, query = '') => namesOf(await by.get(`/organization/list-user-teams?${query}`))

  expect(await list(acme.owner)).toEqual(['acme', 'other'])
  expect(await list(acme.owner, 'limit=1&offset=1')).toEqual(['other'])
  expect(await list(acme.owner, `organizationId=${other.id}`)).toEqual(['other'])
  expect(await list(await server.signedUp())).toEqual([])
  expect(codeOf(await other.owner.get(`/organization/list-user-teams?organizationId=${acme.id}`))).toEqual([
    403,
    'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION',
  ])
  // Unverified members see nothing of an organization that requires verification.
  await verified(server, other.owner)
  await other.owner.post('/organization/update', { data: { requireVerifiedEmail: true } })
  expect(await list(acme.owner)).toEqual(['acme'])
  await verified(server, acme.owner)
  expect(await list(acme.owner)).toEqual(['acme', 'other'])
})

test('a member who may change members sees another user’s teams, and of their organization only', async () => {
  await using server = await withTeams()
  const acme = await foundedCompany(server)
  const other = await foundedCompany(server, 'other')
  const admin = await acme.member('admin')
  const max = await acme.member()
  await server.tollgate.api.addMember({
    body: { userId: acme.owner.id, role: 'member', organizationId: other.id },
  })
  const list = (by: Person, userId: string, query = '') =>
    by.get(`/organization/list-user-teams?userId=${userId}&${query}`)

  expect(namesOf(await list(admin, acme.owner.id))).toEqual(['acme'])
  for (const userId of [other.owner.id, 'nobody']) expect((await list(admin, userId)).body).toEqual([])
  expect(codeOf(await list(max, acme.owner.id))).toEqual([403, 'YOU_CAN_NOT_ACCESS_THE_MEMBERS_OF_THIS_TEAM'])
  for (const query of [`organizationId=${other.id}`, 'organizationId=nothing'])
    expect(codeOf(await list(admin, acme.owner.id, query))).toEqual([403, 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION'])
  expect(codeOf(await list(await server.signedUp(), acme.owner.id))).toEqual([
    403,
    'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION',
  ])
})

test('a user who is removed while they put their team down acts in the organization no more', async () => {
  await using server = await withTeams()
  const acme = await foundedCompany(server)
  const max = await acme.member()
  const teamId = await createdTeam(acme)
  await acme.owner.post('/organization/add-team-member', { teamId, userId: max.id })
  await max.post('/organization/set-active-team', { teamId })
  await beforeNextTransaction(server, () =>
    acme.owner.post('/organization/remove-member', { memberIdOrEmail: max.memberId }),
  )

  await max.post('/organization/set-active-team', { teamId: null })

  const { session } = (await max.get('/get-session')).body
  expect([session.activeOrganizationId, session.activeTeamId]).toEqual([null, null])
})
