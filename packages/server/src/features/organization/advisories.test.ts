import { expect, test } from 'vitest'
import { days } from '../../foundation/clock.ts'
import {
  beforeNextTransaction,
  createTestServer,
  type Person,
  type TestAnswer,
  type TestServer,
} from '../../testing.ts'
import { admit, arrived, linkOf, membersOf, nameServers } from './testing/joining.ts'
import { created, joined } from './testing/organizations.ts'

/** Attacks from published advisories about organizations (security, §1, by number): all fail here. */

const withTeams = () => createTestServer({ organization: { teams: { enabled: true } } })
const told = ({ status, text }: TestAnswer) => [status, text]

/** Two owners, each with an organization. */
async function neighbours(server: TestServer) {
  const ada = await arrived(server, 'ada@acme.example')
  const eve = await arrived(server, 'eve@evil.example')
  return { ada, eve, acme: await created(ada, 'acme'), evil: await created(eve, 'evil') }
}

test('15, GHSA-fmh4-wcc4-5jm3: a user who registers the invited address without proving it gains nothing from the invitation', async () => {
  await using server = await createTestServer()
  const { ada, acme } = await neighbours(server)
  const invitation = await ada.post('/organization/invite-member', { email: 'new@acme.example', role: 'admin' })
  const invitationId: string = invitation.body.id
  const thief = await arrived(server, 'new@acme.example', { verified: false })

  const answers = [
    await thief.post('/organization/accept-invitation', { invitationId }),
    await thief.post('/organization/accept-invitation', { invitationId, proof: 'guessed' }),
    await thief.post('/organization/accept-invitation', { invitationId, proof: '' }),
    await thief.post('/organization/reject-invitation', { invitationId }),
    await thief.get(`/organization/get-invitation?id=${invitationId}`),
    await thief.get(`/organization/get-invitation?id=${invitationId}&proof=guessed`),
  ]

  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
    answers.map(() => [403, 'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION']),
  )
  expect((await thief.get('/organization/list-user-invitations')).body).toEqual([])
  expect(await membersOf(server, acme.id)).toEqual({ [ada.id]: 'owner' })
})

test('18, GHSA-h3rm-78g3-j7cp: the server checks the same organization that it uses, wherever the request names one', async () => {
  await using server = await withTeams()
  const { ada, eve, acme, evil } = await neighbours(server)
  const { id: team } = (await ada.post('/organization/create-team', { name: 'Ships' })).body
  const data = { name: 'Taken over' }

  // The query names the caller's own, the body another's.
  const mixed = await eve.post(`/organization/update?organizationId=${evil.id}`, { organizationId: acme.id, data })
  expect([mixed.status, mixed.body.code]).toEqual([400, 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION'])
  // The query names another's, the body none: the call uses the active one.
  const queried = await eve.post(`/organization/update?organizationId=${acme.id}`, { data: { name: 'Mine' } })
  expect(queried.body).toMatchObject({ id: evil.id, name: 'Mine' })
  // The same name twice in a query.
  const twice = `organizationId=${evil.id}&organizationId=${acme.id}`
  expect((await eve.get(`/organization/get-organization?${twice}`)).text).not.toContain(acme.id)
  // If id and slug differ, one of them counts for both the check and the answer.
  const named = await eve.post('/organization/set-active', { organizationId: acme.id, organizationSlug: 'evil' })
  expect(named.body.id).toBe(evil.id)
  const slug = await eve.get(`/organization/list-members?organizationId=${evil.id}&organizationSlug=acme`)
  expect([slug.status, slug.body.code]).toEqual([403, 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION'])
  // A team of another organization, passed off as one's own.
  const moved = await eve.post('/organization/update-team', {
    teamId: team,
    data: { organizationId: evil.id, ...data },
  })
  expect([moved.status, moved.body.code]).toEqual([400, 'TEAM_NOT_FOUND'])
  const full = (await ada.get('/organization/get-full-organization')).body
  expect([full.name, full.teams.map(({ name }: { name: string }) => name).sort()]).toEqual(['acme', ['Ships', 'acme']])
})

test('27, GHSA-gv74-j8m3-fg5f: only users who may change the organization decide how people join', async () => {
  const dns = nameServers()
  await using server = await createTestServer({}, { resolveTxt: dns.resolveTxt })
  const { ada, acme } = await neighbours(server)
  const bob = await arrived(server, 'bob@acme.example')
  await joined(server, acme, bob)
  const organizationId = acme.id
  const { body: domain } = await ada.post('/organization/add-domain', { domain: 'acme.example' })
  dns.records.set(domain.record.name, [[domain.record.value]])

  const tries: [string, object][] = [
    ['add-domain', { domain: 'bob.example', joinMode: 'auto' }],
    ['verify-domain', { domainId: domain.id }],
    ['update-domain', { domainId: domain.id, joinMode: 'auto' }],
    ['remove-domain', { domainId: domain.id }],
    ['create-role', { role: 'door', permission: {} }],
    ['create-invitation-link', {}],
    ['update', { data: { requireVerifiedEmail: true } }],
  ]
  for (const [path, body] of tries)
    expect([path, (await bob.post(`/organization/${path}`, { organizationId, ...body })).status]).toEqual([path, 403])

  expect((await ada.get('/organization/list-domains')).body).toEqual([domain])
  expect(dns.asked).toEqual([])
})

test('32, commit 12a9de0: an object of another organization answers like a missing one, and stays unchanged', async () => {
  await using server = await withTeams()
  const { ada, eve, acme } = await neighbours(server)
  const bob = await arrived(server, 'bob@acme.example')
  const bobs = await joined(server, acme, bob)
  const made = async (path: string, body: object) => (await ada.post(`/organization/${path}`, body)).body
  const team = await made('create-team', { name: 'Ships' })
  const role = (await made('create-role', { role: 'sailor', permission: {} })).roleData
  const link = await linkOf(ada)
  const invitation = await made('invite-member', { email: 'new@acme.example', role: 'member' })
  const domain = await made('add-domain', { domain: 'acme.example' })
  const asking = await linkOf(ada, { requiresApproval: true })
  await (await arrived(server, 'cleo@acme.example')).post('/organization/join-by-link', { token: asking.token })
  const [request] = (await ada.get('/organization/list-join-requests')).body
  const before = (await ada.get('/organization/get-full-organization')).text

  const own = (await eve.get('/organization/get-active-member')).body
  const tries: [path: string, foreign: Record<string, unknown>, further?: Record<string, unknown>][] = [
    ['update-member-role', { memberId: bobs.id }, { role: 'member' }],
    ['remove-member', { memberIdOrEmail: bobs.id }],
    ['remove-member', { memberIdOrEmail: bob.email }],
    ['transfer-ownership', { memberId: bobs.id }],
    ['update-role', { roleId: role.id }, { data: { roleName: 'pirate' } }],
    ['delete-role', { roleId: role.id }],
    ['delete-role', { roleName: role.role }],
    ['update-team', { teamId: team.id }, { data: { name: 'Mine' } }],
    ['remove-team', { teamId: team.id }],
    ['set-active-team', { teamId: team.id }],
    ['add-team-member', { teamId: team.id }, { userId: own.userId }],
    ['add-team-member', { userId: bob.id }, { teamId: own.teamId }],
    ['remove-team-member', { teamId: team.id }, { userId: own.userId }],
    ['cancel-invitation', { invitationId: invitation.id }],
    ['revoke-invitation-link', { linkId: link.id }],
    ['approve-join-request', { requestId: request.id }],
    ['deny-join-request', { requestId: request.id }],
    ['verify-domain', { domainId: domain.id }],
    ['update-domain', { domainId: domain.id }, { joinMode: 'auto' }],
    ['remove-domain', { domainId: domain.id }],
    ['invite-member', { teamId: team.id }, { email: 'new@evil.example', role: 'member' }],
    ['invite-member', { role: role.role }, { email: 'new@evil.example' }],
    ['create-invitation-link', { teamId: team.id }],
    ['create-invitation-link', { role: role.role }],
  ]
  for (const [path, foreign, further] of tries) {
    const unknown = Object.fromEntries(Object.keys(foreign).map((name) => [name, 'x'.repeat(32)]))
    const answer = await eve.post(`/organization/${path}`, { ...foreign, ...further })
    const nowhere = await eve.post(`/organization/${path}`, { ...unknown, ...further })
    expect([path, answer.status, answer.text]).toEqual([path, 400, nowhere.text])
  }
  const reads: [path: string, name: string, foreign: string][] = [
    ['get-role', 'roleId', role.id],
    ['get-role', 'roleName', role.role],
    ['list-team-members', 'teamId', team.id],
    ['list-user-teams', 'userId', bob.id],
    ['list-members', 'teamId', team.id],
    ['get-active-member-role', 'userId', bob.id],
    ['list-events', 'actorId', ada.id],
  ]
  for (const [path, name, foreign] of reads) {
    const answer = await eve.get(`/organization/${path}?${name}=${foreign}`)
    const nowhere = await eve.get(`/organization/${path}?${name}=${'x'.repeat(32)}`)
    expect([path, ...told(answer)]).toEqual([path, ...told(nowhere)])
  }

  expect((await ada.get('/organization/get-full-organization')).text).toBe(before)
  expect((await ada.get('/organization/list-invitation-links')).body).toHaveLength(2)
  expect((await ada.get('/organization/list-join-requests')).body).toEqual([request])
  expect((await ada.get('/organization/list-domains')).body).toEqual([domain])
  expect((await ada.get('/organization/list-roles')).body).toEqual([role])
})

test('116, CVE-2026-33132: a permission in one organization gives none in another', async () => {
  await using server = await withTeams()
  const { ada, eve, acme, evil } = await neighbours(server)
  // Eve owns one organization; in the other she holds a role that is powerful only in her own.
  await eve.post('/organization/create-role', { role: 'captain', permission: { member: ['update', 'delete'] } })
  await ada.post('/organization/create-role', { role: 'captain', permission: {} })
  await admit(server, acme.id, eve.id, 'captain')
  const organizationId = acme.id
  const [adas] = (await ada.get('/organization/list-members')).body.members

  for (const active of [evil.id, acme.id]) {
    await eve.post('/organization/set-active', { organizationId: active })
    const permissions = { member: ['update'] }
    expect((await eve.post('/organization/has-permission', { organizationId, permissions })).body.success).toBe(false)
    const tries: [string, object][] = [
      ['update', { data: { name: 'Mine' } }],
      ['delete', {}],
      ['update-member-role', { memberId: adas.id, role: 'member' }],
      ['invite-member', { email: 'new@evil.example', role: 'member' }],
      ['create-team', { name: 'Mine' }],
      ['transfer-ownership', { memberId: adas.id }],
    ]
    for (const [path, body] of tries) {
      const answer = await eve.post(`/organization/${path}`, { organizationId, ...body })
      expect([path, answer.status]).toEqual([path, 403])
    }
  }
  expect(await membersOf(server, acme.id)).toEqual({ [ada.id]: 'owner', [eve.id]: 'captain' })

  // Without a name, calls use the active organization only.
  await eve.post('/organization/set-active', { organizationId: evil.id })
  for (const path of ['get-full-organization', 'list-members', 'list-teams', 'list-roles', 'list-events'])
    expect([path, (await eve.get(`/organization/${path}`)).text.includes(acme.id)]).toEqual([path, false])
})

test('116, CVE-2026-33132: a role that is taken away counts no more, nor does a membership that ends meanwhile', async () => {
  await using server = await createTestServer()
  const { ada, acme } = await neighbours(server)
  const bob: Person = await arrived(server, 'bob@acme.example')
  const member = await joined(server, acme, bob, 'admin')
  await bob.post('/organization/set-active', { organizationId: acme.id })
  const demote = () => ada.post('/organization/update-member-role', { memberId: member.id, role: 'member' })
  const promote = () => ada.post('/organization/update-member-role', { memberId: member.id, role: 'admin' })

  const tries: [string, object][] = [
    ['update', { data: { name: 'Mine' } }],
    ['invite-member', { email: 'new@acme.example', role: 'admin' }],
    ['create-invitation-link', {}],
    ['add-domain', { domain: 'bob.example' }],
    ['create-role', { role: 'mine', permission: {} }],
    ['update-member-role', { memberId: member.id, role: 'admin' }],
  ]
  for (const [path, body] of tries) {
    await promote()
    await beforeNextTransaction(server, demote)
    expect([path, (await bob.post(`/organization/${path}`, body)).status]).toEqual([path, 403])
  }
})

test('127, CVE-2025-64708: an invitation expires at its stated time, to the millisecond', async () => {
  await using server = await createTestServer({ session: { updateAge: 0 } })
  const { ada, acme } = await neighbours(server)
  const bob = await arrived(server, 'bob@acme.example')
  const { body } = await ada.post('/organization/invite-member', { email: bob.email, role: 'member' })
  const invitationId: string = body.id
  expect(body.expiresAt).toBe('2026-03-03T12:00:00.000Z')

  server.clock.advance(days(2) - 1)
  expect((await bob.get(`/organization/get-invitation?id=${invitationId}`)).status).toBe(200)
  expect((await bob.get('/organization/list-user-invitations')).body).toHaveLength(1)

  server.clock.advance(1)
  expect((await bob.get(`/organization/get-invitation?id=${invitationId}`)).body.message).toBe('Invitation not found!')
  expect((await bob.get('/organization/list-user-invitations')).body).toEqual([])
  expect((await bob.post('/organization/accept-invitation', { invitationId })).body.code).toBe('INVITATION_NOT_FOUND')
  expect((await bob.post('/organization/reject-invitation', { invitationId })).body.code).toBe('INVITATION_NOT_FOUND')
  expect(await membersOf(server, acme.id)).toEqual({ [ada.id]: 'owner' })
})
