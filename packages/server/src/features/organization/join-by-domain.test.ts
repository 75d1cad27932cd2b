import { expect, test } from 'vitest'
import { createTestServer, type TestServer, testStart } from '../../testing.ts'
import { createSocialServer, signIn } from '../social/testing/flow.ts'
import { createJoinByDomainHandler } from './join-by-domain.service.ts'
import { admissionOf, admit, arrived, context, founded, membersOf, proved, refusal, verify } from './testing/joining.ts'

const joinable = '/organization/list-joinable'
const domain = 'staff.example'

/** An organization that accepts members of a domain. */
async function open(server: TestServer, joinMode: string) {
  const organization = await founded(server)
  const domainId = await proved(server, { organization, domain, joinMode })
  return { ...organization, domainId }
}

const userOf = (server: TestServer, email: string) =>
  context(server).db.selectFrom('user').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

test('a user who verifies an address of the domain is admitted, and the application gets the event', async () => {
  const added: { userId: string }[] = []
  await using server = await createTestServer({ hooks: { onMemberAdded: (member) => void added.push(member) } })
  const { id } = await open(server, 'auto')
  const ada = await arrived(server, `ada@${domain}`, { verified: false })
  await context(server).jobs.runDue()
  expect(await membersOf(server, id)).not.toHaveProperty(ada.id)

  await server.visitor().request('GET', await server.linkTo(ada.email))
  await context(server).jobs.runDue()
  await context(server).settled()

  expect(await membersOf(server, id)).toMatchObject({ [ada.id]: 'member' })
  expect(await admissionOf(server, ada.id)).toEqual({
    actorId: null,
    userId: ada.id,
    data: { role: 'member', by: 'domain' },
  })
  expect(added.at(-1)).toMatchObject({ userId: ada.id, organizationId: id })
  // It becomes active only when the user chooses it.
  expect((await ada.get('/get-session')).body.organization).toBeNull()
})

test('so is a user who signs in by a magic link, or proves the address by a new password', async () => {
  await using server = await createTestServer()
  const { id } = await open(server, 'auto')
  const ada = `ada@${domain}`
  await server.visitor().post('/sign-in/magic-link', { email: ada })
  const token = new URL(await server.linkTo(ada), server.baseURL).searchParams.get('token')
  await server.visitor().get(`/magic-link/verify?token=${token}`)
  const bea = await arrived(server, `bea@${domain}`, { verified: false })
  await server.visitor().post('/forget-password', { email: bea.email, redirectTo: '/reset-password' })
  const links = (await server.mailsTo(bea.email)).flatMap((mail) => mail.links)
  const reset = links.flatMap((link) => /\/reset-password\/(\w+)/.exec(link)?.[1] ?? [])[0]
  const answer = await server.visitor().post('/reset-password', { token: reset, newPassword: 'another long password' })
  expect([answer.status, answer.text]).toEqual([200, answer.text])

  await context(server).jobs.runDue()

  expect(await membersOf(server, id)).toMatchObject({ [(await userOf(server, ada)).id]: 'member', [bea.id]: 'member' })
})

test.each([true, false])(
  'a provider’s user is admitted if the provider vouches for the address: %j',
  async (vouches) => {
    await using server = await createSocialServer(['google'])
    const { id } = await open(server, 'auto')
    const standIn = server.at('google')
    const claims = { ...standIn.person.claims, email: `ada@${domain}`, email_verified: vouches }
    standIn.person = { ...standIn.person, claims }
    await signIn(server, server.visitor(), 'google')

    await context(server).jobs.runDue()

    const ada = await userOf(server, `ada@${domain}`)
    expect(Object.hasOwn(await membersOf(server, id), ada.id)).toBe(vouches)
    expect(await server.events('user.email_verified')).toHaveLength(vouches ? 1 : 0)
  },
)

test('and whom an administrator makes with a verified address, or verifies later', async () => {
  await using server = await createTestServer()
  const { id } = await open(server, 'auto')
  const root = await server.administrator()
  const create = async (name: string, data: Record<string, unknown>) =>
    (await root.post('/admin/create-user', { name, email: `${name}@${domain}`, data })).body.user.id as string
  const ada = await create('ada', { emailVerified: true })
  const bea = await create('bea', {})
  await context(server).jobs.runDue()
  expect(Object.keys(await membersOf(server, id))).toContain(ada)
  expect(Object.keys(await membersOf(server, id))).not.toContain(bea)

  await root.post('/admin/update-user', { userId: bea, data: { emailVerified: true } })
  await context(server).jobs.runDue()

  expect(Object.keys(await membersOf(server, id))).toContain(bea)
  await root.post('/admin/update-user', { userId: bea, data: { emailVerified: true, name: 'Bea' } })
  const verified = await server.events('user.email_verified')
  expect(verified.map(({ userId }) => userId).sort()).toEqual([ada, bea].sort())
  expect(verified.map(({ actorId }) => actorId)).toEqual([root.id, root.id])
})

test('a job that runs twice, or at the same moment, makes one member', async () => {
  await using server = await createTestServer()
  const { id } = await open(server, 'auto')
  const ada = await arrived(server, `ada@${domain}`)
  const handler = createJoinByDomainHandler(context(server))
  const job = { id: 'job', kind: 'join-by-domain', payload: ada.id, attempts: 1 } as const

  await Promise.all([handler(job), handler(job)])
  await handler(job)

  expect(Object.keys(await membersOf(server, id))).toHaveLength(2)
  expect((await server.events('member.added')).filter(({ userId }) => userId === ada.id)).toHaveLength(1)
})

test.each(['request', 'off'])('no user is admitted where the domain is %s', async (joinMode) => {
  await using server = await createTestServer()
  const { id } = await open(server, joinMode)
  const ada = await arrived(server, `ada@${domain}`, { verified: false })

  await server.visitor().request('GET', await server.linkTo(ada.email))
  await context(server).jobs.runDue()

  expect(await membersOf(server, id)).not.toHaveProperty(ada.id)
})

test('the job lets no user in who is banned, gone or unverified, nor by a like domain, nor one that is not proved', async () => {
  await using server = await createTestServer()
  const { id, owner, domainId } = await open(server, 'auto')
  const handler = createJoinByDomainHandler(context(server))
  const run = (payload: string) => handler({ id: 'job', kind: 'join-by-domain', payload, attempts: 1 })
  const root = await server.administrator()
  const banned = await arrived(server, `banned@${domain}`)
  await root.post('/admin/ban-user', { userId: banned.id })
  const unverified = await arrived(server, `unverified@${domain}`, { verified: false })
  const like = await arrived(server, `like@not${domain}`)
  const below = await arrived(server, `below@mail.${domain}`)

  for (const payload of [banned.id, unverified.id, like.id, below.id, 'there-is-none']) await run(payload)
  expect(Object.keys(await membersOf(server, id))).toEqual([owner.id])

  const ada = await arrived(server, `ada@${domain}`)
  await context(server).transaction((tx) =>
    tx.updateTable('organizationDomain').set({ verifiedAt: null }).where('id', '=', domainId).execute(),
  )
  await run(ada.id)
  expect(Object.keys(await membersOf(server, id))).toEqual([owner.id])
})

test('a full organization stays unchanged, and the log records it', async () => {
  await using server = await createTestServer({ organization: { membershipLimit: 1 } })
  const { id } = await open(server, 'auto')
  const ada = await arrived(server, `ada@${domain}`, { verified: false })

  await server.visitor().request('GET', await server.linkTo(ada.email))
  await context(server).jobs.runDue()

  expect(await membersOf(server, id)).not.toHaveProperty(ada.id)
  expect(server.logs.find((line) => line.includes('Join by domain refused'))).toContain('MEMBERSHIP_LIMIT_REACHED')
  // The job is done, not retried.
  const jobs = await context(server).db.selectFrom('job').select('kind').where('kind', '=', 'join-by-domain').execute()
  expect(jobs).toEqual([])
})

test('where organizations are off, nothing is left to do', async () => {
  await using server = await createTestServer({ organization: false })
  const ada = await arrived(server, `ada@${domain}`, { verified: false })

  await server.visitor().request('GET', await server.linkTo(ada.email))
  await context(server).jobs.runDue()

  const jobs = await context(server).db.selectFrom('job').select('kind').where('kind', '=', 'join-by-domain').execute()
  expect(jobs).toEqual([])
})

test('a user who has verified their address sees the organization of its domain, until they are a member', async () => {
  await using server = await createTestServer()
  const { id, owner, domainId } = await open(server, 'request')
  await founded(server, 'other')
  const ada = await arrived(server, `ada@${domain}`, { verified: false })
  const bob = await arrived(server, 'bob@home.example')
  const listed = async () => (await ada.get(joinable)).body

  expect(await listed()).toEqual([])
  await verify(server, ada.id)
  const shown = { id, name: 'ACME', slug: 'acme', logo: null, joinMode: 'request', requested: false }
  expect(await listed()).toEqual([shown])
  expect((await bob.get(joinable)).body).toEqual([])
  await ada.post('/organization/join', { organizationId: id })
  expect(await listed()).toEqual([{ ...shown, requested: true }])
  await owner.post('/organization/update-domain', { domainId, joinMode: 'off' })
  expect(await listed()).toEqual([])
  await owner.post('/organization/update-domain', { domainId, joinMode: 'auto' })
  expect(await listed()).toEqual([{ ...shown, joinMode: 'auto', requested: true }])
  await admit(server, id, ada.id)
  expect(await listed()).toEqual([])
  expect(refusal(await server.visitor().get(joinable))).toEqual([401, 'UNAUTHORIZED'])
})

test('where every user of the domain is taken, who asks to join is in, and the organization is active', async () => {
  await using server = await createTestServer()
  const { id } = await open(server, 'auto')
  const ada = await arrived(server, `ada@${domain}`)

  const { status, body } = await ada.post('/organization/join', { organizationId: id })

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
  expect((await ada.get('/get-session')).body.organization).toMatchObject({ id, roles: ['member'] })
  expect(refusal(await ada.post('/organization/join', { organizationId: id }))).toEqual([
    400,
    'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION',
  ])
  expect(await admissionOf(server, ada.id)).toEqual({
    actorId: ada.id,
    userId: ada.id,
    data: { role: 'member', by: 'domain' },
  })
})

test('an organization that does not take the caller is like one that there is not', async () => {
  await using server = await createTestServer({ organization: { membershipLimit: 2 } })
  const { id, owner, domainId } = await open(server, 'off')
  const ada = await arrived(server, `ada@${domain}`)
  const bob = await arrived(server, 'bob@home.example')
  const eve = await arrived(server, `eve@${domain}`, { verified: false })
  const notAllowed = [403, 'YOU_ARE_NOT_ALLOWED_TO_JOIN_THIS_ORGANIZATION']
  const join = (person: typeof ada, organizationId: string) => person.post('/organization/join', { organizationId })

  for (const organizationId of [id, 'there-is-none', '']) {
    expect(refusal(await join(ada, organizationId))).toEqual(notAllowed)
    expect(refusal(await join(bob, organizationId))).toEqual(notAllowed)
    expect(refusal(await join(eve, organizationId))).toEqual([403, 'EMAIL_VERIFICATION_REQUIRED'])
  }
  await owner.post('/organization/update-domain', { domainId, joinMode: 'auto' })
  expect(refusal(await join(bob, id))).toEqual(notAllowed)
  const cid = await arrived(server, `cid@${domain}`)
  const answers = await Promise.all([join(ada, id), join(cid, id)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
  expect(answers.filter(({ status }) => status === 403).map(refusal)).toEqual([
    [403, 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED'],
  ])
  expect(refusal(await server.visitor().post('/organization/join', { organizationId: id }))).toEqual([
    401,
    'UNAUTHORIZED',
  ])
})

test('no user joins an organization as another user', async () => {
  await using server = await createTestServer()
  const { id } = await open(server, 'auto')
  const ada = await arrived(server, `ada@${domain}`)
  const root = await server.administrator()
  await root.post('/admin/impersonate-user', { userId: ada.id })

  expect(refusal(await root.post('/organization/join', { organizationId: id }))).toEqual([
    403,
    'NOT_ALLOWED_WHILE_IMPERSONATING',
  ])
})

test('a user who is denied waits a day before they ask by the domain again', async () => {
  await using server = await createTestServer()
  const { id, owner } = await open(server, 'request')
  const ada = await arrived(server, `ada@${domain}`)
  const ask = () => ada.post('/organization/join', { organizationId: id })
  await ask()
  expect(refusal(await ask())).toEqual([400, 'YOU_HAVE_ALREADY_ASKED_TO_JOIN_THIS_ORGANIZATION'])
  const [request] = (await owner.get('/organization/list-join-requests')).body
  await owner.post('/organization/deny-join-request', { requestId: request.id })

  expect(refusal(await ask())).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_JOIN_THIS_ORGANIZATION'])
  server.clock.advance(86_400_000)
  expect((await ask()).body.status).toBe('requested')
})

test('a user who was removed comes back by the domain when a user lets them in, and by no other way', async () => {
  await using server = await createTestServer()
  const { id, owner } = await open(server, 'auto')
  const ada = await arrived(server, `ada@${domain}`)
  const ask = () => ada.post('/organization/join', { organizationId: id })
  expect((await ask()).body.status).toBe('joined')
  await owner.post('/organization/remove-member', { memberIdOrEmail: ada.email })

  const letIn = createJoinByDomainHandler(context(server))
  await letIn({ id: 'job', kind: 'join-by-domain', payload: ada.id, attempts: 1 })
  expect(await membersOf(server, id)).not.toHaveProperty(ada.id)
  expect((await ada.get(joinable)).body).toMatchObject([{ id, joinMode: 'request', requested: false }])
  expect((await ask()).body).toEqual({ status: 'requested', organizationId: id, member: null })
  expect(await membersOf(server, id)).not.toHaveProperty(ada.id)
  const mails = (await server.mailsTo(owner.email)).flatMap(({ links }) => links)
  expect(mails).toContain('http://localhost:3000/org/acme/invitations')

  const [request] = (await owner.get('/organization/list-join-requests')).body
  await owner.post('/organization/approve-join-request', { requestId: request.id })
  expect(await membersOf(server, id)).toHaveProperty(ada.id)

  // Members who leave by themselves may join again directly.
  server.clock.advance(1)
  await ada.post('/organization/leave', { organizationId: id })
  expect((await ada.get(joinable)).body).toMatchObject([{ id, joinMode: 'auto' }])
  expect((await ask()).body.status).toBe('joined')
})

test('a removal keeps no other user out, and no user out of another organization', async () => {
  await using server = await createTestServer()
  const { id, owner } = await open(server, 'auto')
  const other = await founded(server, 'other')
  const [ada, bob] = [await arrived(server, `ada@${domain}`), await arrived(server, `bob@${domain}`)]
  await admit(server, other.id, ada.id)
  await other.owner.post('/organization/remove-member', { memberIdOrEmail: ada.email })
  await admit(server, id, bob.id)
  await owner.post('/organization/remove-member', { memberIdOrEmail: bob.email })

  expect((await ada.post('/organization/join', { organizationId: id })).body.status).toBe('joined')
})

test('an invitation or server code readmits a removed user', async () => {
  await using server = await createTestServer()
  const { id, owner } = await open(server, 'auto')
  const [ada, bob] = [await arrived(server, `ada@${domain}`), await arrived(server, `bob@${domain}`)]
  for (const { id: userId, email } of [ada, bob]) {
    await admit(server, id, userId)
    await owner.post('/organization/remove-member', { memberIdOrEmail: email })
  }

  const invitation = await owner.post('/organization/invite-member', { email: ada.email, role: 'member' })
  await ada.post('/organization/accept-invitation', { invitationId: invitation.body.id })
  await server.tollgate.api.addMember({ body: { organizationId: id, userId: bob.id, role: 'member' } })

  expect(await membersOf(server, id)).toMatchObject({ [ada.id]: 'member', [bob.id]: 'member' })
})
