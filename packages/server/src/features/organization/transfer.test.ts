import { expect, test } from 'vitest'
import { days, seconds } from '../../foundation/clock.ts'
import { beforeNextTransaction, createTestServer, type Person, type TestServer } from '../../testing.ts'
import { created, joined, verified } from './testing/organizations.ts'

const transfer = '/organization/transfer-ownership'
const notAllowed = {
  code: 'YOU_ARE_NOT_ALLOWED_TO_TRANSFER_THIS_ORGANIZATION',
  message: 'You are not allowed to transfer this organization',
}
const notFound = { code: 'MEMBER_NOT_FOUND', message: 'Member not found' }

/** Roles by the person's name. */
async function rolesIn(person: Person): Promise<Record<string, string>> {
  const { members } = (await person.get('/organization/get-full-organization')).body
  return Object.fromEntries(
    members.map(({ user, role }: { user: { name: string }; role: string }) => [user.name, role]),
  )
}

/** Ada's organization, with Ben as a member. */
async function withBen(server: TestServer, { owner = 'owner', role = 'member' } = {}) {
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const made = await created(ada)
  const own = made.members[0]!
  if (owner !== 'owner') await ada.post('/organization/update-member-role', { memberId: own.id, role: owner })
  return { ada, ben, made, own, member: await joined(server, made, ben, role) }
}

test('another member becomes the owner, and the owner one of those that administer it', async () => {
  await using server = await createTestServer({ appName: 'Tollgate' })
  const { ada, ben, made, own, member } = await withBen(server)
  await server.mailsTo(ben.email)
  server.clock.advance(1) // so that the next mail is the newest

  const { status, body } = await ada.post(transfer, { memberId: member.id })

  expect([status, body]).toEqual([
    200,
    { member: { ...member, role: 'owner', createdAt: expect.any(String) }, previousOwner: { ...own, role: 'admin' } },
  ])
  expect(await rolesIn(ada)).toEqual({ Ada: 'admin', Ben: 'owner' })
  expect(await server.events('organization.transferred')).toEqual([
    { actorId: ada.id, userId: ben.id, data: { memberId: member.id, previousOwnerId: ada.id } },
  ])
  const [mail] = await server.mailsTo(ben.email)
  expect(mail?.subject).toBe('You now own an organization at Tollgate')
  expect(mail?.text).toContain('Ada')
  expect(mail?.links).toContain('http://localhost:3000/org/acme')
  expect(await ada.post(transfer, { memberId: member.id })).toMatchObject({ status: 403, body: notAllowed })
  expect((await ada.post('/organization/delete', { organizationId: made.id })).status).toBe(403)
  expect((await ben.post('/organization/delete', { organizationId: made.id })).status).toBe(200)
})

test('the organization may be named, and with teams enabled the members carry theirs', async () => {
  await using server = await createTestServer({ organization: { teams: { enabled: true } } })
  const { ada, made, own, member } = await withBen(server)
  await created(ada, 'other')

  expect(await ada.post(transfer, { memberId: member.id })).toMatchObject({ status: 400, body: notFound })
  const { body } = await ada.post(transfer, { memberId: member.id, organizationId: made.id })

  expect([body.member.teamId, body.previousOwner.teamId]).toEqual([null, own.teamId])
})

test.each([
  ['owner,inviter', 'inviter', 'owner', 'admin,inviter'],
  ['owner,admin', 'admin', 'owner', 'admin'],
])('from %s to %s: the roles are %s and %s afterwards', async (owner, role, received, kept) => {
  await using server = await createTestServer({ organization: { roles: { inviter: { invitation: ['create'] } } } })
  const { ada, member } = await withBen(server, { owner, role })

  const { body } = await ada.post(transfer, { memberId: member.id })

  expect([body.member.role, body.previousOwner.role]).toEqual([received, kept])
})

test('where those who administer are the owners, the previous one is a plain member', async () => {
  await using server = await createTestServer({ organization: { creatorRole: 'admin' } })
  const { ada, member } = await withBen(server)

  const { body } = await ada.post(transfer, { memberId: member.id })

  expect([body.member.role, body.previousOwner.role]).toEqual(['admin', 'member'])
})

test('only an owner hands it over, and only to another member', async () => {
  await using server = await createTestServer()
  const { ada, ben, made, own, member } = await withBen(server, { role: 'admin' })
  const eve = await server.signedUp('Eve')
  const foreign = await created(eve, 'other')
  const organizationId = made.id

  for (const person of [ben, eve])
    expect(await person.post(transfer, { organizationId, memberId: member.id })).toMatchObject({
      status: 403,
      body: notAllowed,
    })
  expect(await eve.post(transfer, { organizationId: 'no such', memberId: member.id })).toMatchObject({
    status: 403,
    body: notAllowed,
  })
  expect(await ada.post(transfer, { memberId: own.id })).toMatchObject({ status: 403, body: notAllowed })
  for (const memberId of [foreign.members[0]!.id, ben.id, 'no such'])
    expect(await ada.post(transfer, { memberId })).toMatchObject({ status: 400, body: notFound })
  expect(await server.visitor().post(transfer, { memberId: member.id })).toMatchObject({ status: 401 })
  expect(await ben.post(transfer, { memberId: member.id })).toMatchObject({
    status: 400,
    body: { code: 'NO_ACTIVE_ORGANIZATION', message: 'No active organization' },
  })
  expect(await rolesIn(ada)).toEqual({ Ada: 'owner', Ben: 'admin' })
})

test('the session has to be fresh', async () => {
  await using server = await createTestServer()
  const { ada, member } = await withBen(server)
  server.clock.advance(days(1))

  expect(await ada.post(transfer, { memberId: member.id })).toMatchObject({
    status: 403,
    body: { code: 'SESSION_IS_NOT_FRESH', message: 'Session is not fresh' },
  })
  await ada.post('/verify-password', { password: ada.password })
  expect((await ada.post(transfer, { memberId: member.id })).status).toBe(200)
})

test('no user hands it over while acting as its owner', async () => {
  await using server = await createTestServer()
  const { ada, made, member } = await withBen(server)
  const root = await server.administrator()
  await root.post('/admin/impersonate-user', { userId: ada.id })

  const { status, body } = await root.post(transfer, { organizationId: made.id, memberId: member.id })

  expect([status, body.code]).toEqual([403, 'NOT_ALLOWED_WHILE_IMPERSONATING'])
})

test('nor by making themselves or others an owner, nor by removing the owner under their own name', async () => {
  await using server = await createTestServer()
  const { ada, made, member } = await withBen(server)
  await ada.post('/organization/update-member-role', { memberId: member.id, role: 'owner' })
  const root = await server.administrator()
  const { id: own } = await joined(server, made, root)
  await root.post('/admin/impersonate-user', { userId: ada.id })
  const tries: [call: string, body: object][] = [
    ['update-member-role', { memberId: own, role: ['member', 'owner'] }],
    ['invite-member', { email: 'friend@example.com', role: 'owner' }],
    ['invite-members', { emails: ['friend@example.com'], role: 'owner' }],
    ['remove-member', { memberIdOrEmail: ada.email }],
    ['remove-member', { memberIdOrEmail: made.members[0]!.id }],
  ]

  for (const [call, body] of tries) {
    const answer = await root.post(`/organization/${call}`, { organizationId: made.id, ...body })
    expect([call, answer.status, answer.body?.code]).toEqual([call, 403, 'NOT_ALLOWED_WHILE_IMPERSONATING'])
  }

  const { members } = (await ada.get('/organization/list-members')).body
  expect(members.map(({ role }: { role: string }) => role).sort()).toEqual(['member', 'owner', 'owner'])
  // An impersonator may do what is not reserved to the owner.
  const answer = await root.post('/organization/update-member-role', {
    organizationId: made.id,
    memberId: own,
    role: 'admin',
  })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
})

test('an organization for people with a verified address is not handed to whom it would shut out', async () => {
  await using server = await createTestServer()
  const { ada, ben, member } = await withBen(server)
  await verified(server, ada)
  await ada.post('/organization/update', { data: { requireVerifiedEmail: true } })

  expect(await ada.post(transfer, { memberId: member.id })).toMatchObject({
    status: 403,
    body: { code: 'EMAIL_VERIFICATION_REQUIRED' },
  })
  await verified(server, ben)
  expect((await ada.post(transfer, { memberId: member.id })).status).toBe(200)
})

test('nothing is handed to a user who is banned', async () => {
  await using server = await createTestServer()
  const { ada, ben, member } = await withBen(server)
  const root = await server.administrator()
  await root.post('/admin/ban-user', { userId: ben.id })

  expect(await ada.post(transfer, { memberId: member.id })).toMatchObject({
    status: 403,
    body: { code: 'YOU_ARE_NOT_ALLOWED_TO_TRANSFER_THIS_ORGANIZATION' },
  })
  expect(Object.values(await rolesIn(ada))).toContain('owner')
})

test('of two transfers at the same moment, one happens', async () => {
  await using server = await createTestServer()
  const { ada, made, member } = await withBen(server)
  const other = await joined(server, made, await server.signedUp('Max'))

  const answers = await Promise.all([
    ada.post(transfer, { memberId: member.id }),
    ada.post(transfer, { memberId: other.id }),
  ])

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
  expect(Object.values(await rolesIn(ada)).toSorted()).toEqual(['admin', 'member', 'owner'])
})

test('two owners who hand it to each other at the same moment leave an owner', async () => {
  await using server = await createTestServer()
  const { ada, ben, made, own, member } = await withBen(server, { role: 'owner' })
  const organizationId = made.id

  const answers = await Promise.all([
    ada.post(transfer, { organizationId, memberId: member.id }),
    ben.post(transfer, { organizationId, memberId: own.id }),
  ])

  expect(answers.map(({ status }) => status)).toContain(200)
  expect(Object.values(await rolesIn(ada))).toContain('owner')
})

test('a user who leaves at this moment does not become the owner', async () => {
  await using server = await createTestServer()
  const { ada, ben, made, member } = await withBen(server)
  server.clock.advance(seconds(1))
  await beforeNextTransaction(server, () => ben.post('/organization/leave', { organizationId: made.id }))

  expect(await ada.post(transfer, { memberId: member.id })).toMatchObject({ status: 400, body: notFound })

  expect(await rolesIn(ada)).toEqual({ Ada: 'owner' })
})
