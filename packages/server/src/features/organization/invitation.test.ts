import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { days } from '../../foundation/clock.ts'
import { beforeNextTransaction, createTestServer, type Person, type TestServer, type Visitor } from '../../testing.ts'
import { founded, invitationRows, invited, joined, memberRows, proofTo, verified } from './testing/invitations.ts'

const accept = '/organization/accept-invitation'
const reject = '/organization/reject-invitation'
const cancel = '/organization/cancel-invitation'
const notFound = [400, 'INVITATION_NOT_FOUND', 'Invitation not found']
const gone = [400, 'INVITATION_NOT_FOUND', 'Invitation not found!']
const notTheRecipient = [
  403,
  'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION',
  'You are not the recipient of the invitation',
]
const inviterGone = [
  400,
  'INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION',
  'Inviter is no longer a member of the organization',
]
const notAuthenticated = [401, 'NOT_AUTHENTICATED', 'Not authenticated']

/** Status, code and message of a refusal; only the status of a success. */
const told = async (person: Pick<Visitor, 'post'>, path: string, body: unknown) => {
  const { status, body: answer } = await person.post(path, body)
  return status === 200 ? 200 : [status, answer.code, answer.message]
}
const seen = async (person: Pick<Visitor, 'get'>, path: string) => {
  const { status, body } = await person.get(path)
  return status === 200 ? 200 : [status, body.code, body.message]
}
const look = (id: string, proof?: string) =>
  `/organization/get-invitation?id=${id}${proof === undefined ? '' : `&proof=${proof}`}`

const statusOf = async (server: TestServer, id: string) =>
  (await invitationRows(server)).find((row) => row.id === id)?.status
const memberIdOf = async (server: TestServer, person: Person) =>
  (await memberRows(server)).find(({ userId }) => userId === person.id)?.id

/** An organization, and an invited user with a verified address. */
async function withInvitation(
  config: Parameters<typeof createTestServer>[0] = {},
  offer: Record<string, unknown> = {},
) {
  const server = await createTestServer(config)
  const { owner, organizationId } = await founded(server)
  const bob = await verified(server, 'Bob')
  const invitation = await invited(server, owner, bob.email, offer)
  return { server, owner, organizationId, bob, ...invitation }
}

test('who is invited becomes a member with the role of the invitation, and the organization their active one', async () => {
  const { server, owner, organizationId, bob, invitationId } = await withInvitation({}, { role: 'admin,member' })
  await using _server = server

  const { status, body } = await bob.post(accept, { invitationId })

  expect(status).toBe(200)
  expect(body.invitation).toMatchObject({ id: invitationId, status: 'accepted', email: bob.email, inviterId: owner.id })
  expect(body.member).toEqual({
    id: expect.any(String),
    organizationId,
    userId: bob.id,
    role: 'admin,member',
    createdAt: expect.any(String),
  })
  const session = (await bob.get('/get-session')).body
  expect(session.session.activeOrganizationId).toBe(organizationId)
  expect(session.organization).toMatchObject({ id: organizationId, roles: ['admin', 'member'] })
  expect((await bob.get('/organization/list')).body).toHaveLength(1)
  expect(await server.events('invitation.accepted')).toMatchObject([{ actorId: bob.id, userId: bob.id }])
  expect(await server.events('member.added')).toHaveLength(2)
})

test('the session copy in the cookie shows at once which organization is active', async () => {
  const { server, organizationId, bob, invitationId } = await withInvitation({
    session: { cookieCache: { enabled: true } },
  })
  await using _server = server
  expect((await bob.get('/get-session')).body.session.activeOrganizationId).toBeNull()

  await bob.post(accept, { invitationId })

  expect((await bob.get('/get-session')).body.session.activeOrganizationId).toBe(organizationId)
})

test('the application gets the event of the new member', async () => {
  const added: unknown[] = []
  const { server, bob, organizationId, invitationId } = await withInvitation({
    hooks: { onMemberAdded: (member) => added.push(member) },
  })
  await using _server = server

  await bob.post(accept, { invitationId })
  await server.tollgate.internals.ctx.settled()

  expect(added.at(-1)).toEqual({ id: expect.any(String), organizationId, userId: bob.id, role: 'member' })
})

test('an invitation to an address in other letters is to the same person', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const bob = await verified(server, 'Bob')
  const { body } = await owner.post('/organization/invite-member', { email: bob.email.toUpperCase(), role: 'member' })

  expect(await told(bob, accept, { invitationId: body.id })).toBe(200)
})

test('an address that is not verified accepts, declines and reads nothing, without the proof of the mail', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const bob = await server.signedUp('Bob')
  const { invitationId, proof } = await invited(server, owner, bob.email)
  const wrong = `${proof.slice(0, -1)}${proof.endsWith('a') ? 'b' : 'a'}`

  for (const path of [accept, reject]) {
    expect(await told(bob, path, { invitationId })).toEqual(notTheRecipient)
    expect(await told(bob, path, { invitationId, proof: wrong })).toEqual(notTheRecipient)
    expect(await told(bob, path, { invitationId, proof: '' })).toEqual(notTheRecipient)
  }
  expect(await seen(bob, look(invitationId))).toEqual(notTheRecipient)
  expect(await seen(bob, look(invitationId, wrong))).toEqual(notTheRecipient)
  expect(await statusOf(server, invitationId)).toBe('pending')
})

test('with the mail’s proof the signed-in user’s address is verified, and the account keeps everything', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const bob = await server.signedUp('Bob')
  const { invitationId, proof } = await invited(server, owner, bob.email)

  expect(await seen(bob, look(invitationId, proof))).toBe(200)
  expect(await told(bob, accept, { invitationId, proof })).toBe(200)

  const { user } = (await bob.get('/get-session')).body
  expect([user.id, user.emailVerified]).toEqual([bob.id, true])
  expect(await server.events('user.email_verified')).toEqual([{ actorId: bob.id, userId: bob.id, data: null }])
  const { email, password } = bob
  expect((await server.visitor().post('/sign-in/email', { email, password })).status).toBe(200)
})

test('where addresses need not be verified, an unverified one accepts, and stays as it is', async () => {
  await using server = await createTestServer({ organization: { requireEmailVerificationOnInvitation: false } })
  const { owner } = await founded(server)
  const bob = await server.signedUp('Bob')
  const { invitationId } = await invited(server, owner, bob.email)

  expect(await seen(bob, look(invitationId))).toBe(200)
  expect((await bob.get('/organization/list-user-invitations')).body).toHaveLength(1)
  expect(await told(bob, accept, { invitationId })).toBe(200)
  expect((await bob.get('/get-session')).body.user.emailVerified).toBe(false)
})

test('an organization for verified addresses takes no other, but for the proof of the mail', async () => {
  await using server = await createTestServer({ organization: { requireEmailVerificationOnInvitation: false } })
  const { owner } = await founded(server)
  await owner.post('/organization/update', { data: { requireVerifiedEmail: true } })
  const bob = await server.signedUp('Bob')
  const { invitationId, proof } = await invited(server, owner, bob.email)

  expect((await bob.post(accept, { invitationId })).body.code).toBe('EMAIL_VERIFICATION_REQUIRED')
  expect(await statusOf(server, invitationId)).toBe('pending')
  expect(await told(bob, accept, { invitationId, proof })).toBe(200)
})

test('no user answers the invitation of another user, not even with the mail', async () => {
  const { server, owner, bob, invitationId, proof } = await withInvitation()
  await using _server = server
  const eve = await verified(server, 'Eve')

  for (const path of [accept, reject]) {
    expect(await told(eve, path, { invitationId })).toEqual(notTheRecipient)
    expect(await told(eve, path, { invitationId, proof })).toEqual(notTheRecipient)
    expect(await told(owner, path, { invitationId })).toEqual(notTheRecipient)
    expect((await server.visitor().post(path, { invitationId, proof })).status).toBe(401)
  }
  expect(await told(bob, accept, { invitationId })).toBe(200)
})

test('a user who has changed to another address is not invited any more', async () => {
  const { server, bob, invitationId } = await withInvitation()
  await using _server = server
  const { ctx } = server.tollgate.internals
  await beforeNextTransaction(server, () =>
    ctx.transaction((tx) =>
      tx.updateTable('user').set({ email: 'moved@example.com' }).where('id', '=', bob.id).execute(),
    ),
  )

  expect(await told(bob, accept, { invitationId })).toEqual(notTheRecipient)
})

test('an invitation holds for 172,800 seconds and not a millisecond longer', async () => {
  const { server, owner, bob, invitationId, proof } = await withInvitation()
  await using _server = server
  server.clock.advance(days(2) - 1)
  expect(await seen(bob, look(invitationId))).toBe(200)
  expect(await seen(server.visitor(), look(invitationId, proof))).toBe(200)

  server.clock.advance(1)

  expect(await told(bob, accept, { invitationId })).toEqual(notFound)
  expect(await told(bob, reject, { invitationId })).toEqual(gone)
  expect(await told(owner, cancel, { invitationId })).toEqual(notFound)
  expect(await seen(bob, look(invitationId))).toEqual(gone)
  expect(await seen(server.visitor(), look(invitationId, proof))).toEqual(notAuthenticated)
  expect((await bob.get('/organization/list-user-invitations')).body).toEqual([])
})

test('in its last millisecond an invitation can be accepted', async () => {
  const { server, bob, invitationId } = await withInvitation({ organization: { invitationExpiresIn: 60 } })
  await using _server = server
  server.clock.advance(59_999)

  expect(await told(bob, accept, { invitationId })).toBe(200)
})

test.each([
  ['accepted', async (bob: Person, _owner: Person, body: unknown) => bob.post(accept, body)],
  ['rejected', async (bob: Person, _owner: Person, body: unknown) => bob.post(reject, body)],
  ['canceled', async (_bob: Person, owner: Person, body: unknown) => owner.post(cancel, body)],
])('once it is %s no user acts on an invitation any more', async (status, answer) => {
  const { server, owner, bob, invitationId, proof } = await withInvitation()
  await using _server = server
  expect((await answer(bob, owner, { invitationId })).status).toBe(200)

  expect(await told(bob, accept, { invitationId, proof })).toEqual(notFound)
  expect(await told(bob, reject, { invitationId, proof })).toEqual(gone)
  expect(await told(owner, cancel, { invitationId })).toEqual(notFound)
  expect(await seen(bob, look(invitationId, proof))).toEqual(gone)
  expect(await seen(server.visitor(), look(invitationId, proof))).toEqual(notAuthenticated)
  expect(await statusOf(server, invitationId)).toBe(status)
})

test('a user who declined or was canceled can be invited again', async () => {
  const { server, owner, bob, invitationId } = await withInvitation()
  await using _server = server
  await bob.post(reject, { invitationId })

  const again = await invited(server, owner, bob.email)

  expect(again.invitationId).not.toBe(invitationId)
  expect(await told(bob, accept, { invitationId: again.invitationId })).toBe(200)
})

test('an unknown invitation is refused as the contract defines', async () => {
  await using server = await createTestServer()
  const bob = await verified(server, 'Bob')

  for (const invitationId of ['unknown', '', 'x'.repeat(64)]) {
    expect(await told(bob, accept, { invitationId })).toEqual(notFound)
    expect(await told(bob, reject, { invitationId })).toEqual(gone)
    expect(await told(bob, cancel, { invitationId })).toEqual(notFound)
    expect(await seen(bob, look(invitationId))).toEqual(gone)
  }
})

test.each([
  [
    'has left',
    async (server: TestServer, owner: Person, inviter: Person) =>
      owner.post('/organization/remove-member', { memberIdOrEmail: await memberIdOf(server, inviter) }),
  ],
  [
    'may not invite any more',
    async (server: TestServer, owner: Person, inviter: Person) =>
      owner.post('/organization/update-member-role', { memberId: await memberIdOf(server, inviter), role: 'member' }),
  ],
  [
    'may not give that role any more',
    async (server: TestServer, owner: Person, inviter: Person) =>
      owner.post('/organization/update-member-role', {
        memberId: await memberIdOf(server, inviter),
        role: 'recruiter',
      }),
  ],
])('an invitation of a user who %s lets no user in', async (what, lose) => {
  await using server = await createTestServer({ organization: { roles: { recruiter: { invitation: ['create'] } } } })
  const { owner } = await founded(server)
  const admin = await joined(server, owner, 'Cleo', 'admin')
  const bob = await verified(server, 'Bob')
  const { invitationId, proof } = await invited(server, admin, bob.email, { role: 'admin' })

  expect((await lose(server, owner, admin)).status).toBe(200)

  expect(await told(bob, accept, { invitationId })).toEqual(inviterGone)
  expect(await seen(bob, look(invitationId))).toEqual(inviterGone)
  expect(await seen(server.visitor(), look(invitationId, proof))).toEqual(inviterGone)
  expect(await memberRows(server)).toHaveLength(what === 'has left' ? 1 : 2)
})

test('an invitation as a role that is gone lets no user in', async () => {
  const { server, bob, invitationId } = await withInvitation()
  await using _server = server
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) => tx.updateTable('invitation').set({ role: 'vanished' }).execute())

  expect(await told(bob, accept, { invitationId })).toEqual(inviterGone)
})

test('who has become a member by other means cannot accept', async () => {
  const { server, organizationId, bob, invitationId } = await withInvitation()
  await using _server = server
  await server.tollgate.api.addMember({ body: { userId: bob.id, role: 'member', organizationId } })

  expect(await told(bob, accept, { invitationId })).toEqual([
    400,
    'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION',
    'User is already a member of this organization',
  ])
  expect(await statusOf(server, invitationId)).toBe('pending')
})

test('of two who would both be the last member that fits, one gets in', async () => {
  await using server = await createTestServer({ organization: { membershipLimit: 3 } })
  const { owner } = await founded(server)
  await joined(server, owner, 'Mia')
  for (let round = 0; round < 5; round += 1) {
    const people = [await verified(server, `Bob ${round}`), await verified(server, `Eve ${round}`)]
    const invitations = [await invited(server, owner, people[0]!.email), await invited(server, owner, people[1]!.email)]

    const answers = await Promise.all(
      people.map((person, index) => told(person, accept, { invitationId: invitations[index]!.invitationId })),
    )

    expect(answers.filter((answer) => answer === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer !== 200)).toEqual([
      [403, 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED', 'Organization membership limit reached'],
    ])
    const members = await memberRows(server)
    expect(members).toHaveLength(3)
    // Frees the place for the next round.
    const last = members.find(({ userId }) => people.some(({ id }) => id === userId))
    expect((await owner.post('/organization/remove-member', { memberIdOrEmail: last?.id })).status).toBe(200)
  }
})

test('the hundredth member is the last one by default', async () => {
  const { server, organizationId, bob, invitationId } = await withInvitation()
  await using _server = server
  const { ctx } = server.tollgate.internals
  const now = ctx.clock.now()
  const names = Array.from({ length: 98 }, (_, index) => `p${index}`)
  await ctx.transaction(async (tx) => {
    const times = { createdAt: now, updatedAt: now }
    const users = names.map((id) => ({ id, email: `${id}@example.net`, emailVerified: true, name: id, banned: false }))
    await tx
      .insertInto('user')
      .values(users.map((user) => ({ ...user, ...times })))
      .execute()
    await tx
      .insertInto('member')
      .values(names.map((id) => ({ id, organizationId, userId: id, role: 'member', createdAt: now })))
      .execute()
  })
  const eve = await verified(server, 'Eve')
  await server.tollgate.api.addMember({ body: { userId: eve.id, role: 'member', organizationId } })
  expect(await memberRows(server)).toHaveLength(100)

  expect((await bob.post(accept, { invitationId })).body.code).toBe('ORGANIZATION_MEMBERSHIP_LIMIT_REACHED')
  expect(await statusOf(server, invitationId)).toBe('pending')
})

test('accepted several times at the same moment, an invitation makes one member', async () => {
  const { server, bob, invitationId } = await withInvitation()
  await using _server = server

  const answers = await Promise.all(Array.from({ length: 5 }, () => told(bob, accept, { invitationId })))

  expect(answers.filter((answer) => answer === 200)).toHaveLength(1)
  expect(answers.filter((answer) => answer !== 200)).toEqual(Array(4).fill(notFound))
  expect(await memberRows(server)).toHaveLength(2)
  expect(await server.events('invitation.accepted')).toHaveLength(1)
})

test.each([
  ['canceled', cancel],
  ['rejected', reject],
])('of an acceptance and a concurrent change that makes it %s, one succeeds', async (otherwise, path) => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  for (let round = 0; round < 6; round += 1) {
    const bob = await verified(server, `Bob ${round}`)
    const { invitationId } = await invited(server, owner, bob.email)
    const accepting = () => told(bob, accept, { invitationId })
    const ending = () => told(path === cancel ? owner : bob, path, { invitationId })

    // Each of the two starts first in half of the rounds.
    const [first, second] = await Promise.all(round % 2 ? [accepting(), ending()] : [ending(), accepting()])
    const [accepted, ended] = round % 2 ? [first, second] : [second, first]

    expect([accepted, ended].filter((answer) => answer === 200)).toHaveLength(1)
    expect(await statusOf(server, invitationId)).toBe(accepted === 200 ? 'accepted' : otherwise)
    expect((await memberIdOf(server, bob)) !== undefined).toBe(accepted === 200)
  }
})

test('an invitation that is accepted while the organization is deleted leaves nothing behind', async () => {
  await using server = await createTestServer()
  const bob = await verified(server, 'Bob')
  const owner = await verified(server, 'Ada')
  for (let round = 0; round < 6; round += 1) {
    const { body } = await owner.post('/organization/create', { name: 'Acme', slug: `acme-${round}` })
    const { invitationId } = await invited(server, owner, bob.email)
    const accepting = () => told(bob, accept, { invitationId })
    const deleting = () => told(owner, '/organization/delete', { organizationId: body.id })

    const [first, second] = await Promise.all(round % 2 ? [accepting(), deleting()] : [deleting(), accepting()])
    const [accepted, deleted] = round % 2 ? [first, second] : [second, first]

    expect(deleted).toBe(200)
    expect([200, notFound]).toContainEqual(accepted)
    expect(await memberRows(server)).toEqual([])
    expect((await bob.get('/get-session')).body.session.activeOrganizationId).toBeNull()
    server.clock.advance(1000) // the next round's mail is newer
  }
})

test('a user who signs out everywhere at that very moment does not join', async () => {
  const { server, bob, invitationId } = await withInvitation()
  await using _server = server
  await beforeNextTransaction(server, () => bob.post('/revoke-sessions'))

  expect((await bob.post(accept, { invitationId })).status).toBe(401)
  expect(await memberRows(server)).toHaveLength(1)
})

test('an invitation leads into its teams, as far as they are still there and have room', async () => {
  await using server = await createTestServer({
    organization: { teams: { enabled: true, maximumMembersPerTeam: 1 } },
  })
  const { owner } = await founded(server)
  const [{ id: full }] = (await owner.get('/organization/list-teams')).body // the owner is a member
  const make = async (name: string) => (await owner.post('/organization/create-team', { name })).body.id
  const [kept, removed] = [await make('Kept'), await make('Removed')]
  const [bob, eve] = [await verified(server, 'Bob'), await verified(server, 'Eve')]
  const toBob = await invited(server, owner, bob.email, { teamId: [removed, kept] })
  const toEve = await invited(server, owner, eve.email, { teamId: full })
  await owner.post('/organization/remove-team', { teamId: removed })

  const { status, body } = await bob.post(accept, { invitationId: toBob.invitationId })

  expect([status, body.member.teamId]).toEqual([200, kept])
  expect((await eve.post(accept, { invitationId: toEve.invitationId })).body.code).toBe('TEAM_MEMBER_LIMIT_REACHED')
  expect(await statusOf(server, toEve.invitationId)).toBe('pending')
  expect(await memberIdOf(server, eve)).toBeUndefined()
})

test('"Failed to retrieve invitation": no request brings it about, a fault of the database does', async () => {
  const { server, bob, invitationId } = await withInvitation()
  await using _server = server
  const { ctx } = server.tollgate.internals
  const rename = (from: string, to: string) =>
    ctx.transaction((tx) =>
      sql`alter table invitation rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(tx.withoutPlugins()),
    )
  await rename('id', 'lost')
  // The next test may reuse the database.
  await using _fault = { [Symbol.asyncDispose]: async () => void (await rename('lost', 'id')) }

  expect(await told(bob, accept, { invitationId })).toEqual([
    400,
    'FAILED_TO_RETRIEVE_INVITATION',
    'Failed to retrieve invitation',
  ])
})

test('an administrator who acts as a user answers no invitations for them', async () => {
  const { server, bob, invitationId } = await withInvitation()
  await using _server = server
  const root = await server.administrator()
  await root.post('/admin/impersonate-user', { userId: bob.id })

  for (const path of [accept, reject])
    expect((await root.post(path, { invitationId })).body.code).toBe('NOT_ALLOWED_WHILE_IMPERSONATING')
})

test('an invitation is declined by whom it is to; with the proof also by who has not verified the address', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const bob = await server.signedUp('Bob')
  const { invitationId, proof } = await invited(server, owner, bob.email)

  const { status, body } = await bob.post(reject, { invitationId, proof })

  expect([status, body.member]).toEqual([200, null])
  expect(body.invitation).toMatchObject({ id: invitationId, status: 'rejected' })
  expect(await memberRows(server)).toHaveLength(1)
  expect(await server.events('invitation.rejected')).toMatchObject([{ actorId: bob.id, userId: bob.id }])
})

test('a user who may cancel takes an open invitation back', async () => {
  await using server = await createTestServer({
    organization: { roles: { janitor: { invitation: ['cancel'] }, recruiter: { invitation: ['create'] } } },
  })
  const { owner } = await founded(server)
  const janitor = await joined(server, owner, 'Jan', 'janitor')
  const others = [await joined(server, owner, 'Mia'), await joined(server, owner, 'Rex', 'recruiter')]
  const { invitationId } = await invited(server, owner, 'bob@example.com')

  for (const other of others)
    expect(await told(other, cancel, { invitationId })).toEqual([
      403,
      'YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION',
      'You are not allowed to cancel this invitation',
    ])
  const { status, body } = await janitor.post(cancel, { invitationId })

  expect([status, body.id, body.status]).toEqual([200, invitationId, 'canceled'])
  expect(await server.events('invitation.canceled')).toMatchObject([{ actorId: janitor.id, userId: null }])
})

test('to other organizations an invitation is one that does not exist', async () => {
  const { server, invitationId } = await withInvitation()
  await using _server = server
  const other = await founded(server, 'Zoe', 'zoo')

  expect(await told(other.owner, cancel, { invitationId })).toEqual(notFound)
  expect(await told(other.owner, cancel, { invitationId: 'unknown' })).toEqual(notFound)
  expect((await server.visitor().post(cancel, { invitationId })).status).toBe(401)
  expect(await statusOf(server, invitationId)).toBe('pending')
})

test.each([
  ['may not cancel any more', 'role', [403, 'YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION']],
  ['is no member any more', 'removal', [400, 'MEMBER_NOT_FOUND']],
])('who %s at that very moment cancels nothing', async (_what, change, refusal) => {
  const { server, owner, invitationId } = await withInvitation()
  await using _server = server
  const admin = await joined(server, owner, 'Cleo', 'admin')
  const memberId = await memberIdOf(server, admin)
  await beforeNextTransaction(server, () =>
    change === 'role'
      ? owner.post('/organization/update-member-role', { memberId, role: 'member' })
      : owner.post('/organization/remove-member', { memberIdOrEmail: memberId }),
  )

  const { status, body } = await admin.post(cancel, { invitationId })

  expect([status, body.code]).toEqual(refusal)
  expect(await statusOf(server, invitationId)).toBe('pending')
})

test('whom it is to reads an invitation with its organization and its inviter', async () => {
  const { server, owner, organizationId, bob, invitationId } = await withInvitation()
  await using _server = server

  const { status, body } = await bob.get(look(invitationId))

  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: invitationId,
    organizationId,
    email: bob.email,
    role: 'member',
    status: 'pending',
    organizationName: 'acme Ltd',
    organizationSlug: 'acme',
    organizationLogo: null,
    inviterEmail: owner.email,
    inviterName: 'Ada',
  })
  expect(JSON.stringify(body)).not.toContain('proof')
})

test('no other user reads it: not the inviter, not an outsider, and who is signed out learns nothing at all', async () => {
  const { server, owner, invitationId, proof } = await withInvitation()
  await using _server = server
  const outsider = await verified(server, 'Otto')
  const visitor = server.visitor()

  expect(await seen(owner, look(invitationId))).toEqual(notTheRecipient)
  expect(await seen(outsider, look(invitationId))).toEqual(notTheRecipient)
  for (const path of [look(invitationId), look('unknown'), look(invitationId, 'wrong'), look('unknown', proof)])
    expect(await seen(visitor, path)).toEqual(notAuthenticated)
})

test('the proof of the mail shows an invitation to visitors who are signed out, or signed in as another user', async () => {
  const { server, bob, invitationId, proof } = await withInvitation()
  await using _server = server
  const other = await verified(server, 'Otto')

  for (const person of [server.visitor(), other, bob]) {
    const { status, body } = await person.get(look(invitationId, proof))
    expect([status, body.email]).toEqual([200, bob.email])
  }
  const { headers } = await server.visitor().get(look(invitationId, proof))
  expect(headers.get('cache-control')).toContain('no-store')
})

test('the proof of one invitation is none of another', async () => {
  const { server, owner, invitationId, proof } = await withInvitation()
  await using _server = server
  const second = await invited(server, owner, 'eve@example.com')

  expect(await seen(server.visitor(), look(invitationId, second.proof))).toEqual(notAuthenticated)
  expect(await seen(server.visitor(), look(second.invitationId, proof))).toEqual(notAuthenticated)
})

test('members list the invitations of their organization in every state, newest first', async () => {
  await using server = await createTestServer()
  const { owner, organizationId } = await founded(server)
  const mia = await joined(server, owner, 'Mia')
  const outsider = await verified(server, 'Otto')
  for (const name of ['a', 'b', 'c']) {
    server.clock.advance(1000)
    await invited(server, owner, `${name}@example.com`)
  }
  const [, , { id }] = (await mia.get('/organization/list-invitations')).body
  await owner.post(cancel, { invitationId: id })
  const list = async (query = '') => {
    const { body } = await mia.get(`/organization/list-invitations${query}`)
    return body.map(({ email, status }: { email: string; status: string }) => `${email.split('@')[0]} ${status}`)
  }

  expect(await list()).toEqual(['c pending', 'b pending', 'a canceled', expect.stringMatching(/^mia\d accepted$/)])
  expect(await list('?status=pending')).toEqual(['c pending', 'b pending'])
  expect(await list('?limit=1&offset=1')).toEqual(['b pending'])
  expect(await list(`?organizationId=${organizationId}&status=rejected`)).toEqual([])
  const path = '/organization/list-invitations'
  expect(await seen(outsider, path)).toEqual([400, 'ORGANIZATION_ID_IS_REQUIRED', 'Organization ID is required'])
  for (const named of [organizationId, 'unknown'])
    expect(await seen(outsider, `${path}?organizationId=${named}`)).toEqual([
      403,
      'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION',
      'You are not a member of this organization',
    ])
  expect((await server.visitor().get(path)).status).toBe(401)
  expect((await mia.get(`${path}?status=lost`)).status).toBe(400)
})

test('people list the open invitations to their own verified address, and of no other user', async () => {
  const { server, bob, invitationId } = await withInvitation()
  await using _server = server
  const zoo = await founded(server, 'Zoe', 'zoo')
  server.clock.advance(1000)
  const second = await invited(server, zoo.owner, bob.email)
  const path = '/organization/list-user-invitations'
  const ids = async (person: Visitor, query = '') =>
    (await person.get(path + query)).body.map(({ id }: { id: string }) => id)

  expect(await ids(bob)).toEqual([second.invitationId, invitationId])
  expect(await ids(bob, '?limit=1&offset=1')).toEqual([invitationId])
  expect((await bob.get(path)).body[0]).toMatchObject({ organizationSlug: 'zoo', inviterEmail: zoo.owner.email })
  const eve = await server.signedUp('Eve')
  expect(await ids(eve, `?email=${encodeURIComponent(bob.email)}`)).toEqual([])
  await invited(server, zoo.owner, eve.email)
  expect(await ids(eve)).toEqual([])
  await bob.post(reject, { invitationId: second.invitationId })
  expect(await ids(bob)).toEqual([invitationId])
  expect((await server.visitor().get(path)).status).toBe(401)
})

test('server code lists the open invitations of any address', async () => {
  const { server, bob, invitationId } = await withInvitation()
  await using _server = server
  const { api } = server.tollgate

  expect(await api.listUserInvitations({ query: { email: bob.email.toUpperCase() } })).toMatchObject([
    { id: invitationId },
  ])
  expect(await api.listUserInvitations({ query: { email: 'nonsense' } })).toEqual([])
  await expect(api.listUserInvitations({ query: {} })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('whose inviter is banned leads nowhere, until they are not', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const admin = await joined(server, owner, 'Max', 'admin')
  const bob = await verified(server, 'Bob')
  const { invitationId } = await invited(server, admin, bob.email)
  const root = await server.administrator()

  await root.post('/admin/ban-user', { userId: admin.id })
  const { status, body } = await bob.post(accept, { invitationId })
  expect([status, body.code, body.message]).toEqual(inviterGone)
  await root.post('/admin/unban-user', { userId: admin.id })
  expect((await bob.post(accept, { invitationId })).status).toBe(200)
})

test('whose inviter has left is not listed', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const admin = await joined(server, owner, 'Cleo', 'admin')
  const bob = await verified(server, 'Bob')
  await invited(server, admin, bob.email)

  await owner.post('/organization/remove-member', { memberIdOrEmail: admin.email })

  expect((await bob.get('/organization/list-user-invitations')).body).toEqual([])
})

test('the newest mail of a renewed invitation is the one that proves', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const bob = await server.signedUp('Bob')
  const { invitationId, proof } = await invited(server, owner, bob.email)
  server.clock.advance(1000)
  await owner.post('/organization/invite-member', { email: bob.email, role: 'member', resend: true })

  expect(await told(bob, accept, { invitationId, proof })).toEqual(notTheRecipient)
  expect(await told(bob, accept, { invitationId, proof: await proofTo(server, bob.email) })).toBe(200)
})

// SQLite runs transactions serially, so this always holds there.
test.each<[string, (given: Meeting) => Promise<unknown>]>([
  [
    'server code adds them',
    ({ server, bob, organizationId }) =>
      server.tollgate.api
        .addMember({ body: { userId: bob.id, role: 'member', organizationId } })
        .catch((error) => expect(error.code).toBe('USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION')),
  ],
  ['they delete their account', ({ bob }) => bob.post('/delete-user', { password: bob.password })],
  ['they are banned', ({ root, bob }) => root.post('/admin/ban-user', { userId: bob.id })],
  ['they sign out everywhere', ({ bob }) => bob.post('/revoke-sessions')],
  ['they accept another one', ({ bob, second }) => bob.post(accept, { invitationId: second })],
  ['they are invited again', ({ owner, bob }) => owner.post('/organization/invite-member', again(bob))],
])('who accepts while %s does not wait in a circle', async (_what, meanwhile) => {
  await using server = await createTestServer()
  const { owner, organizationId } = await founded(server)
  const zoo = await founded(server, 'Zoe', 'zoo')
  const root = await server.administrator()
  for (let round = 0; round < 8; round += 1) {
    const bob = await verified(server, `Bob ${round}`)
    const { invitationId } = await invited(server, owner, bob.email)
    const { invitationId: second } = await invited(server, zoo.owner, bob.email)
    const accepting = () => bob.post(accept, { invitationId })
    const meeting = () => meanwhile({ server, root, owner, bob, organizationId, second })

    await Promise.all(round % 2 ? [accepting(), meeting()] : [meeting(), accepting()])
  }

  expect(server.logs.filter((line) => /serialization failure|deadlock|"level":"?(50|error)/.test(line))).toEqual([])
})

type Meeting = {
  readonly server: TestServer
  readonly root: Person
  readonly owner: Person
  readonly bob: Person
  readonly organizationId: string
  readonly second: string
}

const again = ({ email }: Person) => ({ email, role: 'member', resend: true })
