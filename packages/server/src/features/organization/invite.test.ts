import { expect, test } from 'vitest'
import { days, hours, minutes, seconds } from '../../foundation/clock.ts'
import { sha256 } from '../../foundation/token.ts'
import { beforeNextTransaction, createTestServer, type Person, testStart } from '../../testing.ts'
import { founded, invitationRows, invited, joined, proofTo, verified } from './testing/invitations.ts'

const invite = '/organization/invite-member'
const withTeams = { organization: { teams: { enabled: true } } }
const bob = 'bob@example.com'

/** Status and code of a refusal; only the status of a success. */
const told = async (person: Pick<Person, 'post'>, body: unknown) => {
  const { status, body: answer } = await person.post(invite, body)
  return status === 200 ? 200 : [status, answer.code]
}
const in2Days = new Date(testStart.getTime() + days(2)).toISOString()

test('a member invites an address by mail, for two days, whatever its letter case', async () => {
  await using server = await createTestServer()
  const { owner, organizationId } = await founded(server)

  const { status, body } = await owner.post(invite, { email: ' Bob@Example.COM', role: 'admin' })

  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    organizationId,
    email: bob,
    role: 'admin',
    status: 'pending',
    teamId: null,
    inviterId: owner.id,
    expiresAt: in2Days,
    createdAt: testStart.toISOString(),
  })
  expect(await server.linkTo(bob)).toMatch(new RegExp(`^/accept-invitation/${body.id}\\?proof=[A-Za-z]{32}$`))
  expect(await server.events('invitation.created')).toEqual([
    { actorId: owner.id, userId: null, data: { invitationId: body.id, email: bob, role: 'admin' } },
  ])
})

test('the secret of the mail is stored as a hash only', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)

  const { proof } = await invited(server, owner, bob)

  const [row] = await invitationRows(server)
  expect(row?.proofHash).toBe(sha256(proof))
  expect(JSON.stringify(row)).not.toContain(proof)
})

test('the mail names the inviter, the organization, the role and the lifetime, in the language of the inviter', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)

  await owner.post(invite, { email: bob, role: 'admin' }, { 'accept-language': 'de-AT,en;q=0.5' })

  const [mail] = await server.mailsTo(bob)
  expect(mail?.subject).toContain('Einladung')
  for (const words of [`Ada (${owner.email}) lädt Sie`, 'acme Ltd', 'Rolle dort: admin', 'Gültigkeit: 2 Tage'])
    expect(mail?.text).toContain(words)
})

test('no user is introduced by an address, or greeted by a name, that belongs to an unverified account', async () => {
  await using server = await createTestServer()
  const mallory = await server.signedUp('Mallory')
  await mallory.post('/organization/create', { name: 'Acme', slug: 'acme' })
  const squatter = await server.signedUp('Prize')

  await mallory.post(invite, { email: squatter.email, role: 'member' })

  const mail = (await server.mailsTo(squatter.email)).find(({ text }) => text.includes('accept-invitation'))
  expect(mail?.text).toContain('Mallory invites you')
  expect(mail?.text).not.toContain(mallory.email)
  expect(mail?.text).not.toContain('Prize')
})

test('a user with a verified address is greeted by name', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const eve = await verified(server, 'Eve')

  await invited(server, owner, eve.email)

  expect((await server.mailsTo(eve.email))[0]?.text).toMatch(/^Hello Eve,/)
})

test.each([
  ['admin', 'admin'],
  ['admin, member,admin', 'admin,member'],
  [['member', 'admin'], 'member,admin'],
])('roles %j are stored as %s', async (role, stored) => {
  await using server = await createTestServer()
  const { owner } = await founded(server)

  expect((await owner.post(invite, { email: bob, role })).body.role).toBe(stored)
})

test.each([
  ['owner', [403, 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE']],
  ['admin,owner', [403, 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE']],
  [
    ['member', 'owner'],
    [403, 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE'],
  ],
  ['wizard', [400, 'ROLE_NOT_FOUND']],
  [' , ', [400, 'ROLE_NOT_FOUND']],
  ['', [400, 'VALIDATION_ERROR']],
  ['admin', 200],
])('an admin who invites as %j is answered %j', async (role, expected) => {
  await using server = await createTestServer()
  const { owner, organizationId } = await founded(server)
  const admin = await joined(server, owner, 'Cleo', 'admin')

  expect(await told(admin, { email: bob, role, organizationId })).toEqual(expected)
})

test('only owners invite owners', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)

  expect(await told(owner, { email: bob, role: 'owner' })).toBe(200)
})

test('a user who is no member, or may not invite, is refused, and learns of no organization', async () => {
  await using server = await createTestServer()
  const { owner, organizationId } = await founded(server)
  const member = await joined(server, owner, 'Mia')
  const outsider = await verified(server, 'Otto')
  const ask = { email: bob, role: 'member' }

  expect(await told(server.visitor(), { ...ask, organizationId })).toEqual([401, 'UNAUTHORIZED'])
  expect(await told(outsider, ask)).toEqual([400, 'ORGANIZATION_NOT_FOUND'])
  for (const id of [organizationId, 'unknown'])
    expect(await told(outsider, { ...ask, organizationId: id })).toEqual([400, 'MEMBER_NOT_FOUND'])
  // The other errors are not checked.
  expect(await told(outsider, { email: owner.email, role: 'wizard', organizationId, teamId: 'x' })).toEqual([
    400,
    'MEMBER_NOT_FOUND',
  ])
  expect(await told(member, { email: owner.email, role: 'wizard' })).toEqual([
    403,
    'YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION',
  ])
  expect(await server.mailsTo(bob)).toEqual([])
})

test('an organization that is named counts before the active one', async () => {
  await using server = await createTestServer()
  const { owner, organizationId } = await founded(server)
  await owner.post('/organization/create', { name: 'Second', slug: 'second' })

  const { body } = await owner.post(invite, { email: bob, role: 'member', organizationId })

  expect(body.organizationId).toBe(organizationId)
})

test('members, invited users and invalid addresses are not invited', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const member = await joined(server, owner, 'Mia')
  await invited(server, owner, bob)

  expect(await told(owner, { email: member.email.toUpperCase(), role: 'member' })).toEqual([
    400,
    'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION',
  ])
  expect(await told(owner, { email: 'BOB@example.com', role: 'member' })).toEqual([
    400,
    'USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION',
  ])
  for (const email of ['bob', 'bob@', 'a@b.c, d@e.f', 'someone@provider.invalid'])
    expect(await told(owner, { email, role: 'member' })).toEqual([400, 'INVALID_EMAIL'])
})

test('one address may be invited to two organizations', async () => {
  await using server = await createTestServer()
  const acme = await founded(server)
  const other = await founded(server, 'Zoe', 'zoo')
  await invited(server, acme.owner, bob)

  expect(await told(other.owner, { email: bob, role: 'member' })).toBe(200)
})

test('without organizations there is no such call', async () => {
  await using server = await createTestServer({ organization: false })
  const ada = await server.signedUp('Ada')

  expect((await ada.post(invite, { email: bob, role: 'member' })).status).toBe(404)
})

test('an invitation names teams of its own organization only', async () => {
  await using server = await createTestServer(withTeams)
  const { owner, organizationId } = await founded(server)
  const [{ id: first }] = (await owner.get('/organization/list-teams')).body
  const second = (await owner.post('/organization/create-team', { name: 'Second' })).body.id
  const other = await founded(server, 'Zoe', 'zoo')
  const [{ id: foreign }] = (await other.owner.get('/organization/list-teams')).body

  const both = await owner.post(invite, { email: bob, role: 'member', teamId: [second, first, second] })

  expect(both.body.teamId).toBe(`${second},${first}`)
  expect((await owner.post(invite, { email: 'a@example.com', role: 'member', teamId: second })).body.teamId).toBe(
    second,
  )
  expect((await owner.post(invite, { email: 'b@example.com', role: 'member', teamId: '' })).body.teamId).toBeNull()
  for (const teamId of [foreign, 'unknown', [first, foreign], 'a,b'])
    expect(await told(owner, { email: 'c@example.com', role: 'member', organizationId, teamId })).toEqual([
      400,
      'TEAM_NOT_FOUND',
    ])
})

test('where teams are off, none can be named', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)

  expect(await told(owner, { email: bob, role: 'member', teamId: 'any' })).toEqual([400, 'TEAM_NOT_FOUND'])
})

test('sent again, an invitation keeps its id and gets another end, role and link; the link before ends', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const { invitationId, proof } = await invited(server, owner, bob)
  server.clock.advance(hours(5))

  const { status, body } = await owner.post(invite, { email: bob, role: 'admin', resend: true })

  expect([status, body.id, body.role]).toEqual([200, invitationId, 'admin'])
  expect(body.expiresAt).toBe(new Date(testStart.getTime() + hours(5) + days(2)).toISOString())
  expect(await invitationRows(server)).toHaveLength(1)
  expect(await server.mailsTo(bob)).toHaveLength(2)
  const read = (secret: string) =>
    server.visitor().get(`/organization/get-invitation?id=${invitationId}&proof=${secret}`)
  expect((await read(proof)).status).toBe(401)
  expect((await read(await proofTo(server, bob))).status).toBe(200)
  expect(await server.events('invitation.renewed')).toHaveLength(1)
})

test.each([
  ['sent again', {}, { resend: true }],
  ['made anew', { cancelPendingInvitationsOnReInvite: true }, {}],
])('an invitation as more than one may give is not %s as less', async (_what, organization, more) => {
  await using server = await createTestServer({ organization })
  const { owner } = await founded(server)
  const admin = await joined(server, owner, 'Cleo', 'admin')
  await invited(server, owner, bob, { role: 'owner' })

  expect(await told(admin, { email: bob, role: 'member', ...more })).toEqual([
    403,
    'YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE',
  ])
  const row = (await invitationRows(server)).find(({ email }) => email === bob)
  expect([row?.role, row?.status, row?.inviterId]).toEqual(['owner', 'pending', owner.id])
})

test('sent again, an invitation stays for its teams unless others are named', async () => {
  await using server = await createTestServer(withTeams)
  const { owner } = await founded(server)
  const [{ id: first }] = (await owner.get('/organization/list-teams')).body
  const second = (await owner.post('/organization/create-team', { name: 'Second' })).body.id
  await invited(server, owner, bob, { teamId: first })
  const again = async (more: object) =>
    (await owner.post(invite, { email: bob, role: 'member', resend: true, ...more })).body.teamId

  expect(await again({})).toBe(first)
  expect(await again({ teamId: second })).toBe(second)
  expect(await again({ teamId: [] })).toBeNull()
})

test('an invitation that has run out is renewed by inviting again', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const { invitationId } = await invited(server, owner, bob)
  server.clock.advance(days(2) - 1)
  expect(await told(owner, { email: bob, role: 'member' })).toEqual([
    400,
    'USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION',
  ])
  server.clock.advance(1)

  const { status, body } = await owner.post(invite, { email: bob, role: 'admin' })

  expect([status, body.id, body.role, body.status]).toEqual([200, invitationId, 'admin', 'pending'])
})

test('where it is configured, a new invitation cancels the one before', async () => {
  await using server = await createTestServer({ organization: { cancelPendingInvitationsOnReInvite: true } })
  const { owner } = await founded(server)
  const { invitationId } = await invited(server, owner, bob)
  server.clock.advance(seconds(1))

  const { status, body } = await owner.post(invite, { email: bob, role: 'admin' })

  expect(status).toBe(200)
  expect(body.id).not.toBe(invitationId)
  expect((await invitationRows(server)).map(({ id, status }) => [id, status])).toEqual([
    [invitationId, 'canceled'],
    [body.id, 'pending'],
  ])
  expect(await server.events('invitation.canceled')).toHaveLength(1)
})

test('open invitations are limited; expired ones and ones for a member do not count', async () => {
  await using server = await createTestServer({ organization: { invitationLimit: 2 } })
  const { owner } = await founded(server)
  const ask = (name: string, more: object = {}) =>
    told(owner, { email: `${name}@example.com`, role: 'member', ...more })
  const tooMany = [403, 'INVITATION_LIMIT_REACHED']

  expect([await ask('a'), await ask('b'), await ask('c')]).toEqual([200, 200, tooMany])
  expect(await ask('a', { resend: true })).toBe(200)
  server.clock.advance(days(2))
  expect([await ask('c'), await ask('a'), await ask('b')]).toEqual([200, 200, tooMany])
})

test('invitations at the same moment do not exceed the limit together', async () => {
  await using server = await createTestServer({ organization: { invitationLimit: 3 } })
  const { owner } = await founded(server)

  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => told(owner, { email: `p${index}@example.com`, role: 'member' })),
  )

  expect(answers.filter((answer) => answer === 200)).toHaveLength(3)
  expect(await invitationRows(server)).toHaveLength(3)
})

test('of invitations of one address at the same moment one is made, and one mail sent', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)

  const answers = await Promise.all(Array.from({ length: 6 }, () => told(owner, { email: bob, role: 'member' })))

  expect(answers.filter((answer) => answer === 200)).toHaveLength(1)
  expect(answers.filter((answer) => answer !== 200)).toEqual(
    Array(5).fill([400, 'USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION']),
  )
  expect(await server.mailsTo(bob)).toHaveLength(1)
})

test('who loses the right at that very moment invites no user', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const admin = await joined(server, owner, 'Cleo', 'admin')
  const { db } = server.tollgate.internals.ctx
  const { id: memberId } = await db
    .selectFrom('member')
    .select('id')
    .where('userId', '=', admin.id)
    .executeTakeFirstOrThrow()
  await beforeNextTransaction(server, () =>
    owner.post('/organization/update-member-role', { memberId, role: 'member' }),
  )

  expect(await told(admin, { email: bob, role: 'member' })).toEqual([
    403,
    'YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION',
  ])
})

test('an organization that is deleted at that very moment invites no user', async () => {
  await using server = await createTestServer()
  const { owner, organizationId } = await founded(server)
  await beforeNextTransaction(server, () => owner.post('/organization/delete', { organizationId }))

  expect(await told(owner, { email: bob, role: 'member' })).toEqual([400, 'ORGANIZATION_NOT_FOUND'])
})

test('where only verified members may act, an unverified one does not invite', async () => {
  await using server = await createTestServer()
  const { owner, organizationId } = await founded(server)
  await owner.post('/organization/update', { data: { requireVerifiedEmail: true } })
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) =>
    tx.updateTable('user').set({ emailVerified: false }).where('id', '=', owner.id).execute(),
  )

  expect(await told(owner, { email: bob, role: 'member', organizationId })).toEqual([
    403,
    'EMAIL_VERIFICATION_REQUIRED',
  ])
})

test('several are invited at once, each with a result of its own, an address named twice once', async () => {
  await using server = await createTestServer({ organization: { invitationLimit: 2 } })
  const { owner } = await founded(server)

  const { status, body } = await owner.post('/organization/invite-members', {
    emails: ['One@example.com', 'nonsense', owner.email, 'one@EXAMPLE.com', 'two@example.com', 'three@example.com'],
    role: 'member',
  })

  expect(status).toBe(200)
  expect(
    body.results.map((result: { email: string; invitation: object | null; error: { code: string } | null }) => [
      result.email,
      result.invitation !== null,
      result.error?.code,
    ]),
  ).toEqual([
    ['one@example.com', true, undefined],
    ['nonsense', false, 'INVALID_EMAIL'],
    [owner.email, false, 'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION'],
    ['two@example.com', true, undefined],
    ['three@example.com', false, 'INVITATION_LIMIT_REACHED'],
  ])
  expect(await invitationRows(server)).toHaveLength(2)
  for (const name of ['one', 'two']) expect(await server.mailsTo(`${name}@example.com`)).toHaveLength(1)
  expect(await server.mailsTo('three@example.com')).toEqual([])
})

test('a member who may not invite is refused for all addresses together, and fifty are the most', async () => {
  await using server = await createTestServer()
  const { owner } = await founded(server)
  const member = await joined(server, owner, 'Mia')
  const emails = Array.from({ length: 51 }, (_, index) => `p${index}@example.com`)
  const many = (person: Person, body: object) => person.post('/organization/invite-members', body)

  expect((await many(member, { emails: [bob], role: 'member' })).status).toBe(403)
  expect((await many(owner, { emails: [bob], role: 'wizard' })).body.code).toBe('ROLE_NOT_FOUND')
  expect((await many(owner, { emails, role: 'member' })).body.code).toBe('VALIDATION_ERROR')
  expect((await many(owner, { emails: emails.slice(1), role: 'member' })).body.results).toHaveLength(50)
})

test('a mailbox gets five invitations of an organization in ten minutes; refused ones do not count', async () => {
  await using server = await createTestServer({ rateLimit: { enabled: true } })
  const { owner } = await founded(server)
  await invited(server, owner, bob)
  const again = () => owner.post(invite, { email: bob, role: 'member', resend: true })
  for (let time = 0; time < 6; time += 1) await owner.post(invite, { email: bob, role: 'member' })
  for (let time = 0; time < 4; time += 1) expect((await again()).status).toBe(200)

  const { status, body, headers } = await again()

  expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'TOO_MANY_REQUESTS', '600'])
  expect(await server.mailsTo(bob)).toHaveLength(5)
  server.clock.advance(minutes(10))
  expect((await again()).status).toBe(200)
})

test('one organization’s mails to a mailbox leave others’ quota, until twenty have come in an hour', async () => {
  await using server = await createTestServer({
    rateLimit: { enabled: true, customRules: { '/sign-up/email': false } },
  })
  const codes: string[][] = []
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    const { owner } = await founded(server, name, name)
    const sent: string[] = []
    for (let time = 0; time < 6; time += 1)
      sent.push((await owner.post(invite, { email: bob, role: 'member', resend: true })).body.code ?? 'sent')
    codes.push(sent)
  }

  const five = [...Array(5).fill('sent'), 'TOO_MANY_REQUESTS']
  expect(codes).toEqual([five, five, five, five, Array(6).fill('TOO_MANY_REQUESTS')])
  expect(await server.mailsTo(bob)).toHaveLength(20)
})

test('who has not proved their own address sends ten invitations in an hour', async () => {
  await using server = await createTestServer({ rateLimit: { enabled: true } })
  const ada = await server.signedUp('Ada')
  await ada.post('/organization/create', { name: 'ACME', slug: 'acme' })
  const sent: unknown[] = []
  const send = async (time: number) => {
    const { status, headers } = await ada.post(invite, { email: `p${time}@example.com`, role: 'member' })
    sent.push(status === 200 ? 200 : [status, headers.get('retry-after')])
  }
  for (let time = 0; time < 11; time += 1) await send(time)

  expect(sent).toEqual([...Array(10).fill(200), [429, '3600']])
  await server.tollgate.internals.ctx.transaction((tx) =>
    tx.updateTable('user').set({ emailVerified: true }).where('id', '=', ada.id).execute(),
  )
  await send(12)
  expect(sent.at(-1)).toBe(200)
})

test('one person with a proved address sends a hundred invitations in an hour', async () => {
  await using server = await createTestServer({
    rateLimit: { enabled: true },
    organization: { invitationLimit: 1000 },
  })
  const { owner } = await founded(server)
  const batch = async (name: string, count: number): Promise<(string | undefined)[]> => {
    const emails = Array.from({ length: count }, (_, index) => `${name}${index}@example.com`)
    const { body } = await owner.post('/organization/invite-members', { emails, role: 'member' })
    return body.results.map(({ error }: { error: { code: string } | null }) => error?.code)
  }
  const fine = Array(50).fill(undefined)

  expect(await batch('a', 50)).toEqual(fine)
  expect(await batch('b', 49)).toEqual(fine.slice(1))
  expect(await batch('c', 2)).toEqual([undefined, 'TOO_MANY_REQUESTS'])
  server.clock.advance(hours(1))
  expect(await batch('c', 2)).toEqual(['USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION', undefined])
})
