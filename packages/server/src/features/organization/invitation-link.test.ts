import { expect, test } from 'vitest'
import { days, hours, seconds } from '../../foundation/clock.ts'
import { sha256 } from '../../foundation/token.ts'
import { createTestServer, testStart, type Visitor } from '../../testing.ts'
import {
  admissionOf,
  admit,
  arrived,
  context,
  expectNoCircle,
  founded,
  join,
  joined,
  linkOf,
  membersOf,
  refusal,
  verify,
} from './testing/joining.ts'

const create = '/organization/create-invitation-link'

test('an owner creates a link, which is stored sealed and shown again to members who may invite', async () => {
  await using server = await createTestServer()
  const { id, owner } = await founded(server)
  const options = { maxUses: 3, expiresIn: 3600, emailDomains: [' Acme.Example', 'acme.example', 'müller.example'] }

  const { token, body } = await linkOf(owner, options)

  expect(token).toMatch(/^[A-Za-z]{32}$/)
  expect(body).toEqual({
    id: expect.any(String),
    organizationId: id,
    role: 'member',
    teamId: null,
    maxUses: 3,
    uses: 0,
    emailDomains: ['acme.example', 'xn--mller-kva.example'],
    requiresApproval: false,
    creatorId: owner.id,
    expiresAt: new Date(testStart.getTime() + hours(1)).toISOString(),
    createdAt: testStart.toISOString(),
    url: `http://localhost:3000/join/${token}`,
  })
  const [row] = await context(server).db.selectFrom('invitationLink').selectAll().execute()
  expect(row?.tokenHash).toBe(sha256(token))
  expect(JSON.stringify(row)).not.toContain(token)
  expect((await owner.get('/organization/list-invitation-links')).body).toEqual([body])
  expect(await server.events('invitation_link.created')).toEqual([
    {
      actorId: owner.id,
      userId: null,
      data: { linkId: body.id, role: 'member', maxUses: 3, requiresApproval: false },
    },
  ])
})

test('a user who has the link sees where it leads, and nothing of the members', async () => {
  await using server = await createTestServer()
  const { id, owner } = await founded(server)
  const { token } = await linkOf(owner, { requiresApproval: true })

  const { status, body } = await server.visitor().get(`/organization/get-invitation-link?token=${token}`)

  expect(status).toBe(200)
  expect(body).toEqual({
    organizationId: id,
    organizationName: 'ACME',
    organizationSlug: 'acme',
    organizationLogo: null,
    role: 'member',
    requiresApproval: true,
    emailDomains: [],
    expiresAt: null,
  })
})

test('who joins is a member at once, in the organization, which is active in this session only', async () => {
  const added: unknown[] = []
  await using server = await createTestServer({
    session: { cookieCache: { enabled: true } },
    hooks: { onMemberAdded: (member) => void added.push(member) },
  })
  const { id, owner } = await founded(server)
  const { token } = await linkOf(owner)
  const ada = await arrived(server, 'ada@home.example')
  const elsewhere = server.visitor()
  await elsewhere.post('/sign-in/email', { email: ada.email, password: ada.password })

  const { status, body } = await join(ada, token)

  expect(status).toBe(200)
  expect(body).toEqual({
    status: 'joined',
    organizationId: id,
    member: {
      id: expect.any(String),
      organizationId: id,
      userId: ada.id,
      role: 'member',
      createdAt: testStart.toISOString(),
    },
  })
  expect((await ada.get('/get-session')).body.session.activeOrganizationId).toBe(id)
  expect((await ada.get('/get-session?disableCookieCache=true')).body.organization).toMatchObject({
    id,
    roles: ['member'],
  })
  expect((await elsewhere.get('/get-session')).body.session.activeOrganizationId).toBeNull()
  expect(await admissionOf(server, ada.id)).toEqual({
    actorId: ada.id,
    userId: ada.id,
    data: { role: 'member', by: 'link' },
  })
  await context(server).settled()
  expect(added.at(-1)).toMatchObject({ organizationId: id, userId: ada.id, role: 'member' })
  expect(refusal(await join(ada, token))).toEqual([400, 'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION'])
  expect((await owner.get('/organization/list-invitation-links')).body[0].uses).toBe(1)
})

test('only members who may invite make, see and revoke links', async () => {
  await using server = await createTestServer()
  const { id, owner } = await founded(server)
  const other = await founded(server, 'other')
  const member = await joined(server, id, 'member@acme.example', 'member')
  const outsider = await arrived(server, 'out@home.example')
  const link = await linkOf(owner)
  const list = `/organization/list-invitation-links?organizationId=${id}`
  const revoke = '/organization/revoke-invitation-link'

  for (const visitor of [server.visitor()]) {
    expect(refusal(await visitor.post(create, { organizationId: id }))).toEqual([401, 'UNAUTHORIZED'])
    expect(refusal(await visitor.get(list))).toEqual([401, 'UNAUTHORIZED'])
    expect(refusal(await visitor.post(revoke, { linkId: link.id, organizationId: id }))).toEqual([401, 'UNAUTHORIZED'])
    expect(refusal(await visitor.post('/organization/join-by-link', { token: link.token }))).toEqual([
      401,
      'UNAUTHORIZED',
    ])
  }
  for (const person of [outsider, other.owner]) {
    const stranger = [403, 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION']
    expect(refusal(await person.post(create, { organizationId: id }))).toEqual(stranger)
    expect(refusal(await person.get(list))).toEqual(stranger)
    expect(refusal(await person.post(revoke, { linkId: link.id, organizationId: id }))).toEqual(stranger)
    const nowhere = await person.post(create, { organizationId: 'there-is-none' })
    expect(refusal(nowhere)).toEqual(stranger)
  }
  expect(refusal(await outsider.post(create))).toEqual([400, 'NO_ACTIVE_ORGANIZATION'])
  expect(refusal(await member.post(create))).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION'])
  expect(refusal(await member.get(list))).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION'])
  expect(refusal(await member.post(revoke, { linkId: link.id }))).toEqual([
    403,
    'YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION',
  ])
  // A link of another organization looks unknown.
  expect(refusal(await other.owner.post(revoke, { linkId: link.id }))).toEqual([400, 'INVITATION_LINK_NOT_FOUND'])
  expect((await owner.get(list)).body).toHaveLength(1)
})

test('a link gives at most member, unless an owner makes it, and never an owner’s role', async () => {
  await using server = await createTestServer({ organization: { roles: { clerk: { invitation: ['create'] } } } })
  const { id, owner } = await founded(server)
  const admin = await joined(server, id, 'admin@acme.example', 'admin')
  const notAllowed = [403, 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE']

  expect((await linkOf(admin)).body.role).toBe('member')
  for (const role of ['admin', 'clerk', 'member,admin', 'owner'])
    expect(refusal(await admin.post(create, { role }))).toEqual(notAllowed)
  expect((await linkOf(owner, { role: ['clerk', 'member'] })).body.role).toBe('clerk,member')
  for (const role of ['owner', 'member,owner']) expect(refusal(await owner.post(create, { role }))).toEqual(notAllowed)
  for (const role of ['nobody', ',', 'member,nobody'])
    expect(refusal(await owner.post(create, { role }))).toEqual([400, 'ROLE_NOT_FOUND'])
})

test('the address of a link is shown only to who may give its role', async () => {
  await using server = await createTestServer({
    organization: { roles: { clerk: { invitation: ['create', 'cancel'] } } },
  })
  const { id, owner } = await founded(server)
  const admin = await joined(server, id, 'admin@acme.example', 'admin')
  const clerk = await joined(server, id, 'clerk@acme.example', 'member,clerk')
  const forAdmins = (await linkOf(owner, { role: 'admin' })).body
  server.clock.advance(1)
  const forMembers = (await linkOf(owner)).body
  const urls = async (person: Visitor) =>
    (await person.get('/organization/list-invitation-links')).body.map(({ url }: { url: string | null }) => url)

  expect(await urls(owner)).toEqual([forMembers.url, forAdmins.url])
  expect(await urls(admin)).toEqual([forMembers.url, forAdmins.url])
  expect(await urls(clerk)).toEqual([forMembers.url, null])
})

test('domains and teams that are none are refused', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)

  for (const domain of ['localhost', '192.0.2.1', 'a b.example', 'x@y.example', '-.example', 'a..b'])
    expect(refusal(await owner.post(create, { emailDomains: [domain] }))).toEqual([400, 'INVALID_DOMAIN'])
  expect(refusal(await owner.post(create, { teamId: 'there-is-none' }))).toEqual([400, 'TEAM_NOT_FOUND'])
  for (const body of [{ maxUses: 0 }, { maxUses: 1.5 }, { expiresIn: 0 }, { role: '' }, { emailDomains: 'a.example' }])
    expect(refusal(await owner.post(create, body))).toEqual([400, 'VALIDATION_ERROR'])
})

test('fifty links at most can be used at the same time, also when they are made at the same moment', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  for (let made = 0; made < 45; made += 1) await linkOf(owner, { expiresIn: 60 })

  const answers = await Promise.all(Array.from({ length: 10 }, () => owner.post(create, {})))

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(answers.filter(({ status }) => status === 403).map(refusal)).toEqual(
    Array(5).fill([403, 'INVITATION_LINK_LIMIT_REACHED']),
  )
  server.clock.advance(seconds(60))
  await linkOf(owner)
})

test('a link that is revoked, expired, used up or made up leads nowhere, for the same reason', async () => {
  await using server = await createTestServer()
  const { id, owner } = await founded(server)
  const ada = await arrived(server, 'ada@home.example')
  const revoked = await linkOf(owner)
  const expired = await linkOf(owner, { expiresIn: 60 })
  const usedUp = await linkOf(owner, { maxUses: 1 })
  await join(await arrived(server, 'first@home.example'), usedUp.token)
  const { status, body } = await owner.post('/organization/revoke-invitation-link', { linkId: revoked.id })
  expect([status, body.id]).toEqual([200, revoked.id])
  server.clock.advance(seconds(60))

  const gone = [400, 'INVITATION_LINK_NOT_FOUND']
  for (const token of [revoked.token, expired.token, usedUp.token, 'x'.repeat(32), 'é', '']) {
    expect(refusal(await join(ada, token))).toEqual(gone)
    const looked = await server.visitor().get(`/organization/get-invitation-link?token=${encodeURIComponent(token)}`)
    expect(refusal(looked)).toEqual(gone)
  }
  expect(refusal(await owner.post('/organization/revoke-invitation-link', { linkId: revoked.id }))).toEqual(gone)
  expect((await owner.get('/organization/list-invitation-links')).body).toEqual([])
  expect(await membersOf(server, id)).not.toHaveProperty(ada.id)
  expect(await server.events('invitation_link.revoked')).toEqual([
    { actorId: owner.id, userId: null, data: { linkId: revoked.id } },
  ])
})

test('a link does not work while its creator is banned, or may not act in the organization', async () => {
  await using server = await createTestServer()
  const { id, owner } = await founded(server)
  const max = await joined(server, id, 'max@home.example', 'admin')
  const { token } = await linkOf(max)
  const look = () => server.visitor().get(`/organization/get-invitation-link?token=${token}`)
  const root = await server.administrator()
  const gone = [400, 'INVITATION_LINK_NOT_FOUND']

  await root.post('/admin/ban-user', { userId: max.id })
  expect(refusal(await join(await arrived(server, 'ada@home.example'), token))).toEqual(gone)
  await root.post('/admin/unban-user', { userId: max.id })
  expect((await look()).status).toBe(200)
  await owner.post('/organization/update', { data: { requireVerifiedEmail: true } })
  await verify(server, max.id, false)
  expect(refusal(await look())).toEqual(gone)
})

test('fifty people at once come in by ten uses as ten members', async () => {
  await using server = await createTestServer()
  const { id, owner } = await founded(server)
  const { token } = await linkOf(owner, { maxUses: 10 })
  const people = await Promise.all(Array.from({ length: 50 }, (_, at) => arrived(server, `p${at}@home.example`)))

  const answers = await Promise.all(people.map((person) => join(person, token)))

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(answers.filter(({ status }) => status !== 200).map(refusal)).toEqual(
    Array(40).fill([400, 'INVITATION_LINK_NOT_FOUND']),
  )
  expect(Object.keys(await membersOf(server, id))).toHaveLength(11)
  const row = await context(server).db.selectFrom('invitationLink').select('uses').executeTakeFirst()
  expect(row?.uses).toBe(10)
})

test('one person who joins twice at the same moment is one member by one use', async () => {
  await using server = await createTestServer()
  const { id, owner } = await founded(server)
  const { token } = await linkOf(owner, { maxUses: 5 })
  const ada = await arrived(server, 'ada@home.example')

  const answers = await Promise.all([join(ada, token), join(ada, token), join(ada, token)])

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  expect(Object.keys(await membersOf(server, id))).toHaveLength(2)
  expect((await owner.get('/organization/list-invitation-links')).body[0].uses).toBe(1)
})

test('a link can be used while the organization has room, and a refused join uses nothing', async () => {
  await using server = await createTestServer({ organization: { membershipLimit: 2 } })
  const { owner } = await founded(server)
  const { token } = await linkOf(owner)
  await join(await arrived(server, 'first@home.example'), token)

  const answer = await join(await arrived(server, 'second@home.example'), token)

  expect(refusal(answer)).toEqual([403, 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED'])
  expect((await owner.get('/organization/list-invitation-links')).body[0].uses).toBe(1)
})

test('an address that is not verified joins only where nothing is to be proved by it', async () => {
  await using server = await createTestServer({ organization: { requireEmailVerificationOnInvitation: false } })
  const { id, owner } = await founded(server)
  const eve = await arrived(server, 'eve@acme.example', { verified: false })
  const open = await linkOf(owner)
  const wanted = [403, 'EMAIL_VERIFICATION_REQUIRED']

  for (const options of [{ emailDomains: ['acme.example'] }, { requiresApproval: true }])
    expect(refusal(await join(eve, (await linkOf(owner, options)).token))).toEqual(wanted)
  await owner.post('/organization/update', { data: { requireVerifiedEmail: true } })
  expect(refusal(await join(eve, open.token))).toEqual(wanted)
  await owner.post('/organization/update', { data: { requireVerifiedEmail: false } })
  expect((await join(eve, open.token)).body.status).toBe('joined')
  expect(await membersOf(server, id)).toHaveProperty(eve.id)
})

test('by default only a verified address joins by a link', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const { token } = await linkOf(owner)
  const eve = await arrived(server, 'eve@acme.example', { verified: false })

  expect(refusal(await join(eve, token))).toEqual([403, 'EMAIL_VERIFICATION_REQUIRED'])
  await verify(server, eve.id)
  expect((await join(eve, token)).status).toBe(200)
})

test('a link for some domains takes addresses of exactly those', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const { token } = await linkOf(owner, { emailDomains: ['acme.example', 'xn--mller-kva.example'] })

  for (const email of ['a@evil-acme.example', 'b@mail.acme.example', 'c@acme.example.org'])
    expect(refusal(await join(await arrived(server, email), token))).toEqual([
      403,
      'YOUR_EMAIL_ADDRESS_IS_NOT_OF_A_DOMAIN_THAT_MAY_JOIN',
    ])
  for (const email of ['d@ACME.example', 'e@müller.example'])
    expect((await join(await arrived(server, email), token)).status).toBe(200)
})

test('a link ends when its creator leaves, or may no longer give its role', async () => {
  await using server = await createTestServer()
  const { id, owner } = await founded(server)
  const second = await joined(server, id, 'second@acme.example', 'owner')
  const admin = await joined(server, id, 'admin@acme.example', 'admin')
  const byOwner = await linkOf(second, { role: 'admin' })
  const byAdmin = await linkOf(admin)
  const ada = await arrived(server, 'ada@home.example')
  const setRole = (userId: string, role: string) =>
    context(server).transaction((tx) =>
      tx.updateTable('member').set({ role }).where('userId', '=', userId).where('organizationId', '=', id).execute(),
    )
  const gone = [400, 'INVITATION_LINK_NOT_FOUND']

  // Still allowed to invite, but only as members.
  await setRole(second.id, 'admin')
  expect(refusal(await join(ada, byOwner.token))).toEqual(gone)
  await setRole(admin.id, 'member')
  expect(refusal(await join(ada, byAdmin.token))).toEqual(gone)
  expect(refusal(await ada.get(`/organization/get-invitation-link?token=${byAdmin.token}`))).toEqual(gone)
  await setRole(admin.id, 'admin')
  expect((await ada.get(`/organization/get-invitation-link?token=${byAdmin.token}`)).status).toBe(200)
  await context(server).transaction((tx) => tx.deleteFrom('member').where('userId', '=', admin.id).execute())
  expect(refusal(await join(ada, byAdmin.token))).toEqual(gone)
  expect((await owner.get('/organization/list-invitation-links')).body).toHaveLength(2)
})

test('a link leads into its team, and where that is gone into the organization alone', async () => {
  await using server = await createTestServer({ organization: { teams: { enabled: true } } })
  const { id, owner } = await founded(server)
  const teamId = 'team-of-links'
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) =>
    tx
      .insertInto('team')
      .values({ id: teamId, organizationId: id, name: 'Links', createdAt: ctx.clock.now() })
      .execute(),
  )
  const { token } = await linkOf(owner, { teamId })
  const other = await founded(server, 'other')
  expect(refusal(await other.owner.post(create, { teamId }))).toEqual([400, 'TEAM_NOT_FOUND'])

  const first = await join(await arrived(server, 'first@home.example'), token)
  await ctx.transaction((tx) => tx.deleteFrom('team').where('id', '=', teamId).execute())
  const second = await join(await arrived(server, 'second@home.example'), token)

  expect(first.body.member.teamId).toBe(teamId)
  expect(second.body.member.teamId).toBeNull()
})

test('no user joins as another user', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const { token } = await linkOf(owner)
  const ada = await arrived(server, 'ada@home.example')
  const root = await server.administrator()
  await root.post('/admin/impersonate-user', { userId: ada.id })

  expect(refusal(await join(root, token))).toEqual([403, 'NOT_ALLOWED_WHILE_IMPERSONATING'])
})

test('a link of which the secret is gone can be used and revoked, and is shown without its address', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const { token, id } = await linkOf(owner)
  await context(server).transaction((tx) =>
    tx.updateTable('invitationLink').set({ sealedToken: 'deadbeef.AAAA' }).where('id', '=', id).execute(),
  )

  expect((await owner.get('/organization/list-invitation-links')).body).toMatchObject([{ id, url: null }])
  expect((await join(await arrived(server, 'ada@home.example'), token)).status).toBe(200)
  expect((await owner.post('/organization/revoke-invitation-link', { linkId: id })).body.url).toBeNull()
})

test('a join and a concurrent revocation have an order, and both answers agree', async () => {
  await using server = await createTestServer()
  const { id, owner } = await founded(server)
  for (let round = 0; round < 5; round += 1) {
    const link = await linkOf(owner)
    const person = await arrived(server, `p${round}@home.example`)

    const [entered, revoked] = await Promise.all([
      join(person, link.token),
      owner.post('/organization/revoke-invitation-link', { linkId: link.id }),
    ])

    expect(revoked.status).toBe(200)
    const isMember = Object.hasOwn(await membersOf(server, id), person.id)
    expect(isMember).toBe(entered.status === 200)
    expect(revoked.body.uses).toBe(isMember ? 1 : 0)
  }
})

test('a join meets the end of the organization, or of the user, at the same moment without a fault', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  for (let round = 0; round < 4; round += 1) {
    const { id, owner } = await founded(server, `acme${round}`)
    const { token } = await linkOf(owner)
    const ada = await arrived(server, `ada${round}@home.example`)
    const bea = await arrived(server, `bea${round}@home.example`)

    const answers = await Promise.all([
      join(ada, token),
      root.post('/admin/remove-user', { userId: ada.id }),
      join(bea, token),
      round % 2 === 0 ? owner.post('/organization/delete', { organizationId: id }) : bea.post('/sign-out'),
    ])

    for (const { status, text } of answers) expect([status < 500, text]).toEqual([true, text])
    expect(answers[1].status).toBe(200)
    expect(await membersOf(server, id)).not.toHaveProperty(ada.id)
  }
  expectNoCircle(server)
})

test('a user who was removed asks by a link that lets every other user in', async () => {
  await using server = await createTestServer({ organization: { requireEmailVerificationOnInvitation: false } })
  const { id, owner } = await founded(server)
  const { token } = await linkOf(owner, { maxUses: 5 })
  const ada = await arrived(server, 'ada@home.example')
  expect((await join(ada, token)).body.status).toBe('joined')
  await owner.post('/organization/remove-member', { memberIdOrEmail: ada.email })
  const usesOf = async () => (await owner.get('/organization/list-invitation-links')).body[0].uses

  await verify(server, ada.id, false)
  expect(refusal(await join(ada, token))).toEqual([403, 'EMAIL_VERIFICATION_REQUIRED'])
  await verify(server, ada.id)
  expect((await join(ada, token)).body).toEqual({ status: 'requested', organizationId: id, member: null })

  expect(await membersOf(server, id)).not.toHaveProperty(ada.id)
  expect(await usesOf()).toBe(1)
  const [request] = (await owner.get('/organization/list-join-requests')).body
  expect(request).toMatchObject({ userId: ada.id, source: 'link' })
  await owner.post('/organization/approve-join-request', { requestId: request.id })
  expect(await membersOf(server, id)).toHaveProperty(ada.id)
  expect(await usesOf()).toBe(2)
})

test('an organization that is deleted takes its links along', async () => {
  await using server = await createTestServer()
  const { id, owner } = await founded(server)
  const { token } = await linkOf(owner)
  const ada = await arrived(server, 'ada@home.example')
  await admit(server, id, (await arrived(server, 'b@home.example')).id)
  server.clock.advance(days(1))

  expect((await owner.post('/organization/delete', { organizationId: id })).status).toBe(200)

  expect(refusal(await join(ada, token))).toEqual([400, 'INVITATION_LINK_NOT_FOUND'])
})
