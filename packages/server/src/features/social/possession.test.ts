import { expect, test } from 'vitest'
import { seconds } from '../../foundation/clock.ts'
import { beforeNextTransaction, type TestServer, type Visitor } from '../../testing.ts'
import { createAdminByEmail } from '../identity/first-admin.service.ts'
import { begin, beginLink, createSocialServer, errorPage, finish, link, signIn, target, whoIs } from './testing/flow.ts'

const ownPassword = 'the password of its owner'

const context = ({ tollgate }: TestServer) => tollgate.internals.ctx

/** Sends queued mail and advances the clock, so that the next mail is newer. */
async function afterMails(server: TestServer): Promise<void> {
  await context(server).jobs.runDue()
  server.clock.advance(seconds(1))
}

/** A user who signed up with another person's address, and whose rightful owner has an account at google. */
async function squatted() {
  const account = { accountLinking: { trustedProviders: ['reddit'] } }
  const server = await createSocialServer(['reddit', 'google'], { account })
  const squatter = await server.signedUp('Mallory')
  const { email } = squatter
  server.at('google').person = { claims: { sub: 'google-1', name: 'Ada', email, email_verified: true } }
  await afterMails(server)
  return { server, squatter, owner: server.visitor(), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

async function resetToken(server: TestServer, visitor: Visitor, email: string): Promise<string | null> {
  await visitor.post('/forget-password', { email, redirectTo: '/reset' })
  const to = target(await visitor.request('GET', await server.linkTo(email)))
  return new URL(to, 'http://localhost').searchParams.get('token')
}

const providersOf = async (visitor: Visitor): Promise<string[]> =>
  (await visitor.get('/list-accounts')).body.map(({ provider }: { provider: string }) => provider).toSorted()

test('a completed reset ends the accounts that a squatter has linked', async () => {
  await using scene = await squatted()
  const { server, squatter, owner } = scene
  expect(await link(server, squatter, 'reddit', { callbackURL: '/linked' })).toBe('/linked')
  await afterMails(server)

  const token = await resetToken(server, owner, squatter.email)
  expect((await owner.post('/reset-password', { token, newPassword: ownPassword })).status).toBe(200)

  expect(await whoIs(squatter)).toBeNull()
  const thief = server.visitor()
  await signIn(server, thief, 'reddit')
  expect((await whoIs(thief)).id).not.toBe(squatter.id)
  await owner.post('/sign-in/email', { email: squatter.email, password: ownPassword })
  expect(await whoIs(owner)).toMatchObject({ id: squatter.id, emailVerified: true })
  expect(await providersOf(owner)).toEqual(['credential'])
})

test('who has proved the address keeps linked accounts in a reset', async () => {
  await using scene = await squatted()
  const { server, squatter: ada, owner: phone } = scene
  await ada.request('GET', await server.linkTo(ada.email))
  await link(server, ada, 'reddit')
  await afterMails(server)

  const token = await resetToken(server, phone, ada.email)
  await phone.post('/reset-password', { token, newPassword: ownPassword })

  await signIn(server, phone, 'reddit')
  expect((await whoIs(phone)).id).toBe(ada.id)
})

test('a user who is made an administrator by an unproved address keeps no account that was linked before', async () => {
  await using scene = await squatted()
  const { server, squatter, owner } = scene
  await link(server, squatter, 'reddit')
  await afterMails(server)
  const token = await resetToken(server, squatter, squatter.email)

  const { link: mailed } = await createAdminByEmail(context(server), squatter.email)

  expect(await whoIs(squatter)).toBeNull()
  const thief = server.visitor()
  await signIn(server, thief, 'reddit')
  expect(await whoIs(thief)).not.toMatchObject({ id: squatter.id })
  expect((await thief.get('/admin/list-users')).status).toBe(403)
  expect((await squatter.post('/reset-password', { token, newPassword: 'of the squatter' })).status).toBe(400)
  const given = new URL(mailed ?? '').searchParams.get('token')
  expect((await owner.post('/reset-password', { token: given, newPassword: ownPassword })).status).toBe(200)
  await owner.post('/sign-in/email', { email: squatter.email, password: ownPassword })
  expect((await owner.get('/admin/list-users')).status).toBe(200)
})

test('a squatter who links an account while the owner arrives comes too late', async () => {
  await using scene = await squatted()
  const { server, squatter, owner } = scene
  const linking = await beginLink(squatter, 'reddit', { callbackURL: '/linked' })
  const arriving = await begin(owner, 'google')
  // After the state is consumed and the session found.
  await beforeNextTransaction(
    server,
    async () => await beforeNextTransaction(server, () => finish(server, owner, server.at('google'), arriving)),
  )

  const to = target(await finish(server, squatter, server.at('reddit'), linking))

  expect(to).toBe(errorPage('please_restart_the_process'))
  expect((await whoIs(owner)).id).toBe(squatter.id)
  expect(await providersOf(owner)).toEqual(['google'])
  const thief = server.visitor()
  await signIn(server, thief, 'reddit')
  expect((await whoIs(thief)).id).not.toBe(squatter.id)
})

test('nothing is linked to a user whose address has changed since it was compared', async () => {
  await using scene = await squatted()
  const { server, squatter: ada } = scene
  const linking = await beginLink(ada, 'google')
  await beforeNextTransaction(
    server,
    async () =>
      await beforeNextTransaction(server, async () => {
        expect((await ada.post('/change-email', { newEmail: 'ada.new@example.com' })).status).toBe(200)
      }),
  )

  expect(target(await finish(server, ada, server.at('google'), linking))).toBe(errorPage('please_restart_the_process'))

  expect(await providersOf(ada)).toEqual(['credential'])
})

test('a squatter who moves the account to another address while the owner arrives comes too late', async () => {
  await using scene = await squatted()
  const { server, squatter, owner } = scene
  const arriving = await begin(owner, 'google')
  await beforeNextTransaction(server, () => finish(server, owner, server.at('google'), arriving))

  const { status } = await squatter.post('/change-email', { newEmail: 'mallory@evil.example' })

  expect(status).toBe(401)
  expect(await whoIs(owner)).toMatchObject({ id: squatter.id, email: squatter.email, emailVerified: true })
  expect(await server.mailsTo('mallory@evil.example')).toEqual([])
})

test('an address that was verified at this moment is not changed without its owner’s approval', async () => {
  await using scene = await squatted()
  const { server, squatter: ada } = scene
  const verification = await server.linkTo(ada.email)
  await beforeNextTransaction(server, () => server.visitor().request('GET', verification))

  const { status, body } = await ada.post('/change-email', { newEmail: 'ada.new@example.com' })

  expect([status, body.code]).toEqual([400, 'COULDNT_UPDATE_YOUR_EMAIL'])
  expect(await whoIs(ada)).toMatchObject({ email: ada.email, emailVerified: true })
})

test('an address that a provider makes up is none', async () => {
  await using server = await createSocialServer(['reddit', 'spotify'])
  const ada = server.visitor()
  await signIn(server, ada, 'reddit')
  const { email } = await whoIs(ada)
  expect(email).toMatch(/@reddit\.invalid$/)
  const { profile } = server.at('spotify').person
  for (const madeUp of [email, 'nobody@reddit.invalid', 'Nobody@Reddit.INVALID']) {
    server.at('spotify').person = { profile: { ...(profile as object), email: madeUp } }
    const stranger = server.visitor()

    expect(await signIn(server, stranger, 'spotify')).toBe(errorPage('email_not_found'))

    expect(await whoIs(stranger)).toBeNull()
  }
})

test.each([
  ['an address in letters that we fold', (email: string) => `\uff56${email.slice(1)}`],
  ['a host in letters that we fold', (email: string) => email.replace('example', '\uff45xample')],
  ['a letter whose small form is another one', (email: string) => email.replace('k', '\u212a')],
])('no provider leads to a user by %s', async (_, written) => {
  await using server = await createSocialServer(['google'])
  const victim = server.visitor()
  const person = { email: 'vicky@example.com', name: 'Vicky', password: 'correct horse battery' }
  await victim.post('/sign-up/email', person)
  await victim.request('GET', await server.linkTo(person.email))
  const email = written(person.email)
  server.at('google').person = { claims: { sub: 'google-2', name: 'Mallory', email, email_verified: true } }
  const thief = server.visitor()

  expect(await signIn(server, thief, 'google')).toBe(errorPage('account_not_linked'))

  expect(await whoIs(thief)).toBeNull()
  expect(await providersOf(victim)).toEqual(['credential'])
})
