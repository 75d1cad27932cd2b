import { expect, test } from 'vitest'
import { hours } from '../../foundation/clock.ts'
import { createTestServer, type Person, type TestServer, testStart } from '../../testing.ts'
import { createJoinByDomainHandler } from './join-by-domain.service.ts'
import {
  admissionOf,
  arrived,
  context,
  expectNoCircle,
  founded,
  join,
  joined,
  linkOf,
  membersOf,
  proved,
  refusal,
  verify,
} from './testing/joining.ts'

const approve = (person: Person, requestId: string) => person.post('/organization/approve-join-request', { requestId })
const deny = (person: Person, requestId: string) => person.post('/organization/deny-join-request', { requestId })
const requests = async (person: Person) => (await person.get('/organization/list-join-requests')).body
const setRole = (server: TestServer, userId: string, role: string) =>
  context(server).transaction((tx) => tx.updateTable('member').set({ role }).where('userId', '=', userId).execute())

/** Mails about organizations, newest first. */
const mailsAbout = async (server: TestServer, email: string) =>
  (await server.mailsTo(email)).filter(({ links }) => links[0]?.includes('/org/'))

/** An organization, and a user who has asked to join by a link with these options. */
async function asked(server: TestServer, options: Record<string, unknown> = {}) {
  const { id, owner } = await founded(server)
  const { token } = await linkOf(owner, { requiresApproval: true, ...options })
  const ada = await arrived(server, 'ada@home.example')
  const answer = await join(ada, token)
  const [request] = await requests(owner)
  return { id, owner, token, ada, answer, requestId: request.id as string }
}

test('a link that wants approval makes a request, which is listed and mailed to who may answer it', async () => {
  await using server = await createTestServer()
  const { id, owner, ada, token, answer, requestId } = await asked(server)

  expect(answer.body).toEqual({ status: 'requested', organizationId: id, member: null })
  expect(await requests(owner)).toEqual([
    {
      id: requestId,
      organizationId: id,
      userId: ada.id,
      user: { id: ada.id, name: 'ada', email: ada.email, image: null },
      role: 'member',
      source: 'link',
      status: 'pending',
      createdAt: testStart.toISOString(),
    },
  ])
  expect(await membersOf(server, id)).not.toHaveProperty(ada.id)
  expect((await ada.get('/get-session')).body.organization).toBeNull()
  const [mail] = await mailsAbout(server, owner.email)
  expect(mail?.text).toContain('ACME')
  expect(mail?.links[0]).toBe('http://localhost:3000/org/acme/invitations')
  expect(await server.events('join_request.created')).toEqual([
    { actorId: ada.id, userId: ada.id, data: { requestId, role: 'member', by: 'link' } },
  ])
  expect(refusal(await join(ada, token))).toEqual([400, 'YOU_HAVE_ALREADY_ASKED_TO_JOIN_THIS_ORGANIZATION'])
})

test('only members who may approve get the mail about a request, and twenty of them at most', async () => {
  await using server = await createTestServer({
    organization: { roles: { porter: { member: ['create'] }, clerk: { invitation: ['create'] } } },
  })
  const { id, owner } = await founded(server)
  const told = [owner.email]
  for (let at = 0; at < 20; at += 1) {
    const person = await joined(server, id, `porter${at}@acme.example`, at % 2 === 0 ? 'member,porter' : 'admin')
    server.clock.advance(1)
    told.push(person.email)
  }
  const clerk = await joined(server, id, 'clerk@acme.example', 'clerk')
  const { token } = await linkOf(owner, { requiresApproval: true })

  await join(await arrived(server, 'ada@home.example'), token)

  const mailed = await Promise.all(told.map(async (email) => (await mailsAbout(server, email)).length))
  expect(mailed).toEqual([...Array(20).fill(1), 0])
  expect(await mailsAbout(server, clerk.email)).toEqual([])
})

test('no request is mailed to an unproven address', async () => {
  await using server = await createTestServer()
  const { id, owner } = await founded(server)
  const admin = await joined(server, id, 'admin@acme.example', 'admin')
  await verify(server, admin.id, false)
  const { token } = await linkOf(owner, { requiresApproval: true })

  await join(await arrived(server, 'ada@home.example'), token)

  expect(await mailsAbout(server, owner.email)).toHaveLength(1)
  expect(await mailsAbout(server, admin.email)).toEqual([])
})

test('however many combinations of roles there are, the earliest members get the mail about a request', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  await using server = await createTestServer({
    organization: {
      membershipLimit: 1000,
      roles: Object.fromEntries(names.map((name) => [name, { team: ['create'] }])),
    },
  })
  const { id, owner } = await founded(server)
  const { token } = await linkOf(owner, { requiresApproval: true })
  server.clock.advance(1)
  const createdAt = server.clock.now()
  const people = Array.from({ length: 250 }, (_, at) => ({
    id: `member-${at}`,
    role: names.filter((_name, bit) => ((at + 1) >> bit) % 2 === 1).join(),
  }))
  await context(server).transaction(async (tx) => {
    for (const { id: userId, role } of people) {
      const user = { name: userId, email: `${userId}@acme.example`, emailVerified: true, banned: false }
      await tx
        .insertInto('user')
        .values({ ...user, id: userId, createdAt, updatedAt: createdAt })
        .execute()
      await tx.insertInto('member').values({ id: userId, organizationId: id, userId, role, createdAt }).execute()
    }
  })

  await join(await arrived(server, 'ada@home.example'), token)

  expect(await mailsAbout(server, owner.email)).toHaveLength(1)
})

test('many who ask at once are all listed, and few of them mailed', async () => {
  const rateLimit = { enabled: true, max: 1000, customRules: { '/sign-up/email': false as const } }
  await using server = await createTestServer({ rateLimit })
  const { owner } = await founded(server)
  const { token } = await linkOf(owner, { requiresApproval: true })
  const ada = await arrived(server, 'ada@home.example')
  // Refused requests do not count.
  for (let tried = 0; tried < 6; tried += 1) await join(ada, token)
  for (let at = 0; at < 6; at += 1) await join(await arrived(server, `p${at}@home.example`), token)

  expect(await requests(owner)).toHaveLength(7)
  expect(await mailsAbout(server, owner.email)).toHaveLength(5)
})

test('a request survives its user’s concurrent deletion without a fault', async () => {
  await using server = await createTestServer()
  const { owner, id, ada, requestId } = await asked(server)

  const answers = await Promise.all([approve(owner, requestId), ada.post('/delete-user', { password: ada.password })])

  for (const { status, text } of answers) expect([status < 500, text]).toEqual([true, text])
  expect(answers[1].status).toBe(200)
  expect(await membersOf(server, id)).not.toHaveProperty(ada.id)
  expectNoCircle(server)
})

test('approval creates a member with the requested role, counts a use, and informs them', async () => {
  await using server = await createTestServer()
  const { id, owner, ada, requestId } = await asked(server, { maxUses: 2, role: 'admin' })
  expect((await owner.get('/organization/list-invitation-links')).body[0].uses).toBe(0)

  const { status, body } = await approve(owner, requestId)

  expect(status).toBe(200)
  expect(body).toEqual({
    request: expect.objectContaining({ id: requestId, status: 'approved', userId: ada.id }),
    member: expect.objectContaining({ organizationId: id, userId: ada.id, role: 'admin' }),
  })
  expect(await membersOf(server, id)).toMatchObject({ [ada.id]: 'admin' })
  expect(await requests(owner)).toEqual([])
  expect((await owner.get('/organization/list-invitation-links')).body[0].uses).toBe(1)
  const [mail] = await mailsAbout(server, ada.email)
  expect(mail?.links[0]).toBe('http://localhost:3000/org/acme')
  expect(await admissionOf(server, ada.id)).toEqual({
    actorId: owner.id,
    userId: ada.id,
    data: { role: 'admin', by: 'request' },
  })
  expect(await server.events('join_request.approved')).toEqual([
    { actorId: owner.id, userId: ada.id, data: { requestId, role: 'admin' } },
  ])
  expect(refusal(await approve(owner, requestId))).toEqual([400, 'JOIN_REQUEST_NOT_FOUND'])
  expect(refusal(await deny(owner, requestId))).toEqual([400, 'JOIN_REQUEST_NOT_FOUND'])
})

test('a user who is denied may ask again a day later', async () => {
  await using server = await createTestServer()
  const { owner, ada, token, requestId } = await asked(server)

  const { status, body } = await deny(owner, requestId)

  expect([status, body.request.status]).toEqual([200, 'denied'])
  expect(await server.events('join_request.denied')).toMatchObject([{ actorId: owner.id, userId: ada.id }])
  expect(refusal(await join(ada, token))).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_JOIN_THIS_ORGANIZATION'])
  server.clock.advance(hours(24) - 1)
  expect((await join(ada, token)).status).toBe(403)
  server.clock.advance(1)
  expect((await join(ada, token)).body.status).toBe('requested')
  expect(await requests(owner)).toHaveLength(1)
})

test('requests are for members who may let people in', async () => {
  await using server = await createTestServer()
  const { id, requestId, ada } = await asked(server)
  const other = await founded(server, 'other')
  const member = await joined(server, id, 'member@acme.example', 'member')
  const calls = (person: Person, organizationId?: string) => [
    person.get(`/organization/list-join-requests${organizationId ? `?organizationId=${organizationId}` : ''}`),
    person.post('/organization/approve-join-request', { requestId, organizationId }),
    person.post('/organization/deny-join-request', { requestId, organizationId }),
  ]
  const answersOf = async (person: Person, organizationId?: string) =>
    (await Promise.all(calls(person, organizationId))).map(refusal)

  expect(await answersOf(member)).toEqual(Array(3).fill([403, 'YOU_ARE_NOT_ALLOWED_TO_ANSWER_REQUESTS_TO_JOIN']))
  for (const stranger of [ada, other.owner])
    expect(await answersOf(stranger, id)).toEqual(Array(3).fill([403, 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION']))
  expect(await answersOf(ada)).toEqual(Array(3).fill([400, 'NO_ACTIVE_ORGANIZATION']))
  // A request of another organization looks unknown.
  expect((await answersOf(other.owner)).slice(1)).toEqual(Array(2).fill([400, 'JOIN_REQUEST_NOT_FOUND']))
  const visitor = server.visitor() as Person
  expect(await answersOf(visitor, id)).toEqual(Array(3).fill([401, 'UNAUTHORIZED']))
})

test('no user approves a role above their own', async () => {
  await using server = await createTestServer({ organization: { roles: { porter: { member: ['create'] } } } })
  const { id, requestId } = await asked(server, { role: 'admin' })
  const porter = await joined(server, id, 'porter@acme.example', 'porter,member')
  const admin = await joined(server, id, 'admin@acme.example', 'admin')

  expect(refusal(await approve(porter, requestId))).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE'])
  expect((await approve(admin, requestId)).status).toBe(200)
})

test('a user who was demoted a moment ago answers nothing', async () => {
  await using server = await createTestServer()
  const { id, requestId } = await asked(server)
  const admin = await joined(server, id, 'admin@acme.example', 'admin')

  await setRole(server, admin.id, 'member')

  expect(refusal(await approve(admin, requestId))).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_ANSWER_REQUESTS_TO_JOIN'])
})

test('of several answers at the same moment one decides', async () => {
  await using server = await createTestServer()
  const { id, owner, ada, requestId } = await asked(server)
  const admin = await joined(server, id, 'admin@acme.example', 'admin')

  const answers = await Promise.all([
    approve(owner, requestId),
    deny(admin, requestId),
    approve(admin, requestId),
    deny(owner, requestId),
  ])

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status !== 200).map(refusal)).toEqual(
    Array(3).fill([400, 'JOIN_REQUEST_NOT_FOUND']),
  )
  const decided = [...(await server.events('join_request.approved')), ...(await server.events('join_request.denied'))]
  expect(decided).toHaveLength(1)
  const isMember = Object.hasOwn(await membersOf(server, id), ada.id)
  expect(isMember).toBe((await server.events('join_request.approved')).length === 1)
})

test('one person asks once, however often at the same moment', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const { token } = await linkOf(owner, { requiresApproval: true })
  const ada = await arrived(server, 'ada@home.example')

  const answers = await Promise.all(Array.from({ length: 5 }, () => join(ada, token)))

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
  expect(await requests(owner)).toHaveLength(1)
})

test('approvals keep to the uses of the link and to the room that there is', async () => {
  await using server = await createTestServer({ organization: { membershipLimit: 3 } })
  const { owner } = await founded(server)
  const few = await linkOf(owner, { requiresApproval: true, maxUses: 1 })
  const many = await linkOf(owner, { requiresApproval: true })
  const places = { ada: few, bea: few, cid: many, dan: many }
  for (const [name, { token }] of Object.entries(places)) {
    await join(await arrived(server, `${name}@home.example`), token)
    server.clock.advance(1)
  }
  const [ada, bea, cid, dan] = (await requests(owner)).map(({ id }: { id: string }) => id)

  const both = await Promise.all([approve(owner, ada), approve(owner, bea)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(both.filter(({ status }) => status === 400).map(refusal)).toEqual([[400, 'INVITATION_LINK_NOT_FOUND']])
  const last = await Promise.all([approve(owner, cid), approve(owner, dan)])
  expect(last.map(({ status }) => status).sort()).toEqual([200, 403])
  expect(last.filter(({ status }) => status === 403).map(refusal)).toEqual([
    [403, 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED'],
  ])
})

test('a request stands as long as its link was revoked only', async () => {
  await using server = await createTestServer()
  const { owner, requestId } = await asked(server)
  const [link] = (await owner.get('/organization/list-invitation-links')).body
  await owner.post('/organization/revoke-invitation-link', { linkId: link.id })

  expect((await approve(owner, requestId)).status).toBe(200)
})

test('a user who no longer has the address that let them ask is not let in', async () => {
  await using server = await createTestServer()
  const { id, owner, ada, requestId } = await asked(server, { emailDomains: ['home.example'] })
  const setEmail = (email: string) =>
    context(server).transaction((tx) => tx.updateTable('user').set({ email }).where('id', '=', ada.id).execute())

  await setEmail('ada@elsewhere.example')
  expect(refusal(await approve(owner, requestId))).toEqual([400, 'JOIN_REQUEST_NOT_FOUND'])
  await setEmail('ada@home.example')
  await verify(server, ada.id, false)
  expect(refusal(await approve(owner, requestId))).toEqual([400, 'JOIN_REQUEST_NOT_FOUND'])
  expect(await membersOf(server, id)).not.toHaveProperty(ada.id)
  await verify(server, ada.id)
  expect((await approve(owner, requestId)).status).toBe(200)
})

test('a role that is gone is not given', async () => {
  await using server = await createTestServer()
  const { owner, requestId } = await asked(server)
  await context(server).transaction((tx) =>
    tx.updateTable('joinRequest').set({ role: 'gone' }).where('id', '=', requestId).execute(),
  )

  expect(refusal(await approve(owner, requestId))).toEqual([400, 'ROLE_NOT_FOUND'])
})

test('a user who comes in by another way waits for no user any more', async () => {
  await using server = await createTestServer()
  const { owner, ada, requestId } = await asked(server)
  const { token } = await linkOf(owner)

  expect((await join(ada, token)).body.status).toBe('joined')

  expect(await requests(owner)).toEqual([])
  expect(refusal(await approve(owner, requestId))).toEqual([400, 'JOIN_REQUEST_NOT_FOUND'])
})

test.each(['server', 'domain'])('nor is a request left over that could bring them back: by the %s', async (way) => {
  await using server = await createTestServer()
  const { id, owner, ada, requestId } = await asked(server)
  if (way === 'server')
    await server.tollgate.api.addMember({ body: { organizationId: id, userId: ada.id, role: 'member' } })
  else {
    await proved(server, { organization: { owner }, domain: 'home.example', joinMode: 'auto' })
    const letIn = createJoinByDomainHandler(context(server))
    await letIn({ id: 'job', kind: 'join-by-domain', payload: ada.id, attempts: 1 })
  }
  expect(await membersOf(server, id)).toHaveProperty(ada.id)

  await owner.post('/organization/remove-member', { memberIdOrEmail: ada.email })

  expect(await requests(owner)).toEqual([])
  expect(refusal(await approve(owner, requestId))).toEqual([400, 'JOIN_REQUEST_NOT_FOUND'])
})

test('a user who is a member already is not made one again', async () => {
  await using server = await createTestServer()
  const { id, owner, ada, requestId } = await asked(server)
  await context(server).transaction((tx) =>
    tx
      .insertInto('member')
      .values({ id: 'by-invitation', organizationId: id, userId: ada.id, role: 'member', createdAt: testStart })
      .execute(),
  )

  expect(await requests(owner)).toEqual([])
  expect(refusal(await approve(owner, requestId))).toEqual([400, 'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION'])
})

test('a request by a domain is approved while the organization takes people by it', async () => {
  await using server = await createTestServer()
  const organization = await founded(server)
  const { owner, id } = organization
  const domainId = await proved(server, { organization, domain: 'staff.example', joinMode: 'request' })
  const ada = await arrived(server, 'ada@staff.example')

  expect((await ada.post('/organization/join', { organizationId: id })).body.status).toBe('requested')
  const [request] = await requests(owner)
  expect(request).toMatchObject({ source: 'domain', role: 'member', userId: ada.id })
  await owner.post('/organization/update-domain', { domainId, joinMode: 'off' })
  expect(refusal(await approve(owner, request.id))).toEqual([400, 'JOIN_REQUEST_NOT_FOUND'])
  await owner.post('/organization/update-domain', { domainId, joinMode: 'request' })
  expect((await approve(owner, request.id)).body.member.role).toBe('member')
})

test('a user who is deleted takes their requests along', async () => {
  await using server = await createTestServer()
  const { owner, ada, requestId } = await asked(server)

  expect((await ada.post('/delete-user', { password: ada.password })).status).toBe(200)

  expect(await requests(owner)).toEqual([])
  expect(refusal(await approve(owner, requestId))).toEqual([400, 'JOIN_REQUEST_NOT_FOUND'])
})
