import { expect, test } from 'vitest'
import { days } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type TestAnswer, type TestServer, type Visitor } from '../../testing.ts'
import { founded, invited, proofTo, verified } from '../organization/testing/invitations.ts'

const email = 'bob@example.com'
const password = 'another good password'
const mustVerify: TollgateConfig = { emailAndPassword: { requireEmailVerification: true } }

const signUp = (visitor: Visitor, more: object = {}) =>
  visitor.post('/sign-up/email', { name: 'Bob', email, password, ...more })

/** An invited person without an account. */
async function withGuest(config: TollgateConfig = {}) {
  const server = await createTestServer(config)
  const { owner } = await founded(server)
  const { invitationId, proof } = await invited(server, owner, email)
  return { server, owner, guest: { invitationId, invitationProof: proof } }
}

const users = (server: TestServer) =>
  server.tollgate.internals.ctx.db.selectFrom('user').selectAll().where('email', '=', email).execute()
const subjects = async (server: TestServer, to = email) => (await server.mailsTo(to)).map(({ subject }) => subject)
const isSignedIn = async (visitor: Visitor) => (await visitor.get('/get-session')).body !== null

/** Asserts that a sign-up went as if it had no proof. */
async function expectUnproved(server: TestServer, visitor: Visitor, { status, body }: TestAnswer) {
  expect([status, body.token, body.user.emailVerified]).toEqual([200, null, false])
  expect(await isSignedIn(visitor)).toBe(false)
  expect((await users(server)).map(({ emailVerified }) => emailVerified)).toEqual([false])
}

test('with the mail of an invitation the address counts as verified, and its owner is signed in', async () => {
  const { server, guest } = await withGuest(mustVerify)
  await using _server = server
  const bob = server.visitor()

  const { status, body } = await signUp(bob, guest)

  expect([status, body.user.emailVerified, typeof body.token]).toEqual([200, true, 'string'])
  expect(await isSignedIn(bob)).toBe(true)
  expect(await subjects(server)).toEqual(['You are invited to an organization at Tollgate'])
  expect(await server.events('user.email_verified')).toMatchObject([{ actorId: body.user.id, userId: body.user.id }])
  // Signing up does not consume the invitation; answering it does.
  expect((await bob.post('/organization/accept-invitation', { invitationId: guest.invitationId })).status).toBe(200)
})

test('the address of the form may be in other letters than that of the invitation', async () => {
  const { server, guest } = await withGuest(mustVerify)
  await using _server = server

  expect((await signUp(server.visitor(), { ...guest, email: 'BOB@Example.com' })).body.user.emailVerified).toBe(true)
})

test('also where no user has to verify, the address counts as verified', async () => {
  const { server, guest } = await withGuest()
  await using _server = server

  expect((await signUp(server.visitor(), guest)).body.user.emailVerified).toBe(true)
})

test.each([
  ['a wrong proof', { invitationProof: 'x'.repeat(32) }],
  ['an empty proof', { invitationProof: '' }],
  ['no proof', { invitationProof: undefined }],
  ['no invitation', { invitationId: undefined }],
  ['an unknown invitation', { invitationId: 'unknown' }],
])('%s is as none at all', async (_what, change) => {
  const { server, guest } = await withGuest(mustVerify)
  await using _server = server
  const bob = server.visitor()

  const answer = await signUp(bob, { ...guest, ...change })

  await expectUnproved(server, bob, answer)
  expect(await subjects(server)).toContain('Confirm your email address for Tollgate')
})

test('the mail of another address proves nothing', async () => {
  const { server, owner } = await withGuest(mustVerify)
  await using _server = server
  const eve = await invited(server, owner, 'eve@example.com')
  const bob = server.visitor()

  await expectUnproved(server, bob, await signUp(bob, { invitationId: eve.invitationId, invitationProof: eve.proof }))
})

test.each([
  ['has run out', async ({ server }: Awaited<ReturnType<typeof withGuest>>) => server.clock.advance(days(2))],
  [
    'was canceled',
    async ({ owner, guest: { invitationId } }: Awaited<ReturnType<typeof withGuest>>) =>
      owner.post('/organization/cancel-invitation', { invitationId }),
  ],
  [
    'was mailed anew',
    async ({ server, owner }: Awaited<ReturnType<typeof withGuest>>) => {
      server.clock.advance(1000)
      await owner.post('/organization/invite-member', { email, role: 'member', resend: true })
    },
  ],
])('the mail of an invitation that %s proves nothing', async (_what, end) => {
  const given = await withGuest(mustVerify)
  await using server = given.server
  await end(given)
  const bob = server.visitor()

  await expectUnproved(server, bob, await signUp(bob, given.guest))
})

test('the newest mail of an invitation proves the address', async () => {
  const { server, owner, guest } = await withGuest(mustVerify)
  await using _server = server
  server.clock.advance(1000)
  await owner.post('/organization/invite-member', { email, role: 'member', resend: true })

  const { body } = await signUp(server.visitor(), { ...guest, invitationProof: await proofTo(server, email) })

  expect(body.user.emailVerified).toBe(true)
})

test('a squatter’s additions to the account end when the invited person arrives', async () => {
  const { server, guest } = await withGuest({ username: {} })
  await using _server = server
  const squatter = server.visitor()
  const squatted = await signUp(squatter, { name: 'Mallory', password: 'the squatter’s own', username: 'bobby' })
  await server.visitor().post('/request-password-reset', { email })
  await server.mailsTo(email)
  const bob = server.visitor()

  const { status, body } = await signUp(bob, guest)

  expect(status).toBe(200)
  expect(body.user).toMatchObject({ id: squatted.body.user.id, name: 'Bob', emailVerified: true })
  expect([await isSignedIn(bob), await isSignedIn(squatter)]).toEqual([true, false])
  const signIn = (secret: string) => server.visitor().post('/sign-in/email', { email, password: secret })
  expect((await signIn('the squatter’s own')).status).toBe(401)
  expect((await signIn(password)).status).toBe(200)
  expect((await users(server)).map(({ username }) => username)).toEqual([null])
  const { db } = server.tollgate.internals.ctx
  expect(await db.selectFrom('verification').select('id').where('value', '=', body.user.id).execute()).toEqual([])
  expect(await server.events('user.password_changed')).toMatchObject([{ userId: body.user.id }])
})

test('without the proof a squatter’s account is as taken as any other', async () => {
  const { server, guest } = await withGuest()
  await using _server = server
  const squatter = server.visitor()
  await signUp(squatter, { name: 'Mallory' })

  const { status, body } = await signUp(server.visitor(), { ...guest, invitationProof: 'x'.repeat(32) })

  expect([status, body.code]).toEqual([422, 'USER_ALREADY_EXISTS'])
  expect(await isSignedIn(squatter)).toBe(true)
})

test.each([
  ['is asked for', mustVerify],
  ['is not asked for', {}],
])('where verification %s, a verified account is taken, and stays as it is', async (_what, config) => {
  const { server, owner } = await withGuest(config)
  await using _server = server
  const eve = await verified(server, 'Eve')
  const { invitationId, proof } = await invited(server, owner, eve.email)

  const { status, body } = await signUp(server.visitor(), {
    email: eve.email,
    invitationId,
    invitationProof: proof,
  })

  expect([status, body.code]).toEqual([422, 'USER_ALREADY_EXISTS'])
  expect((await eve.get('/get-session')).body.user.name).toBe('Eve')
  expect((await server.visitor().post('/sign-in/email', { email: eve.email, password: eve.password })).status).toBe(200)
  expect(await subjects(server, eve.email)).not.toContain('You already have an account at Tollgate')
})

test('a banned account is not handed over', async () => {
  const { server, guest } = await withGuest()
  await using _server = server
  await signUp(server.visitor(), { name: 'Mallory' })
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) => tx.updateTable('user').set({ banned: true }).where('email', '=', email).execute())

  const { status, body } = await signUp(server.visitor(), guest)

  expect([status, body.code]).toEqual([422, 'USER_ALREADY_EXISTS'])
  expect((await users(server)).map(({ name, emailVerified }) => [name, emailVerified])).toEqual([['Mallory', false]])
})

test('of two who arrive with the mail at the same moment, one gets the account', async () => {
  const { server, guest } = await withGuest()
  await using _server = server
  await signUp(server.visitor(), { name: 'Mallory' })
  const visitors = [server.visitor(), server.visitor()]

  const answers = await Promise.all(visitors.map((visitor) => signUp(visitor, guest)))

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  expect((await Promise.all(visitors.map(isSignedIn))).sort()).toEqual([false, true])
})

test('where no user signs up, no user does with an invitation', async () => {
  const { server, guest } = await withGuest()
  await using _server = server
  Object.assign(server.tollgate.internals.ctx.config.emailAndPassword, { disableSignUp: true })

  expect((await signUp(server.visitor(), guest)).status).toBe(400)
  expect(await users(server)).toEqual([])
})

test('where organizations are switched off, their mails prove nothing', async () => {
  const { server, guest } = await withGuest(mustVerify)
  await using _server = server
  Object.assign(server.tollgate.internals.ctx.config, { organization: false })
  const bob = server.visitor()

  await expectUnproved(server, bob, await signUp(bob, guest))
})

test('a wrong proof does not reveal which addresses are taken', async () => {
  const { server, guest } = await withGuest(mustVerify)
  await using _server = server
  await signUp(server.visitor())
  const wrong = { ...guest, invitationProof: 'x'.repeat(32) }
  const shape = ({ status, body }: TestAnswer) => [status, body.token, Object.keys(body.user), body.user.emailVerified]

  const taken = await signUp(server.visitor(), wrong)
  const free = await signUp(server.visitor(), { ...wrong, email: 'free@example.com' })

  expect(shape(taken)).toEqual(shape(free))
})
