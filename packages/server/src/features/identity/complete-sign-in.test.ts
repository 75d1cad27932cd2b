import { expect, test } from 'vitest'
import { minutes } from '../../foundation/clock.ts'
import { createTestServer, type TestServer, type Visitor } from '../../testing.ts'
import { createSocialServer, signIn } from '../social/testing/flow.ts'

const context = ({ tollgate }: TestServer) => tollgate.internals.ctx

/** The methods that began the visitor's session, as its row stores them. */
async function methodsOf(server: TestServer, visitor: Visitor): Promise<string | undefined> {
  const token = (await visitor.get('/get-session')).body?.session.token ?? ''
  return (await context(server).database.findSessionRow(token))?.session.methods
}

/** A mailed sign-in: the link's token and the code beside it. */
async function mailedSignIn(server: TestServer, email: string) {
  server.clock.advance(minutes(1))
  await server.visitor().post('/sign-in/magic-link', { email })
  const mail = (await server.mailsTo(email)).find(({ links }) => links[0]?.includes('/magic-link'))
  const token = new URL(mail!.links[0]!).searchParams.get('token')!
  return { token, otp: /^\d{6}$/m.exec(mail!.text)![0] }
}

test('a session keeps the method that it was begun by', async () => {
  await using server = await createSocialServer(['google'], {
    emailVerification: { autoSignInAfterVerification: true },
  })
  const [email, password] = ['ada@example.com', 'correct horse battery']
  const ada = server.visitor()
  await ada.post('/sign-up/email', { name: 'Ada', email, password, username: 'ada' })
  const link = await server.linkTo(email)
  const visit = async (begin: (visitor: Visitor) => Promise<unknown>) => {
    const visitor = server.visitor()
    await begin(visitor)
    return methodsOf(server, visitor)
  }

  expect(await methodsOf(server, ada)).toBe('password')
  expect(await visit((one) => one.request('GET', link))).toBe('verification-link')
  expect(await visit((one) => one.post('/sign-in/email', { email, password }))).toBe('password')
  expect(await visit((one) => one.post('/sign-in/username', { username: 'ada', password }))).toBe('password')
  const { token } = await mailedSignIn(server, email)
  expect(await visit((one) => one.get(`/magic-link/verify?token=${token}`))).toBe('magic-link')
  const { otp } = await mailedSignIn(server, email)
  expect(await visit((one) => one.post('/sign-in/email-otp', { email, otp }))).toBe('otp-email')
  server.at('google').person = { claims: { sub: 'google-1', name: 'Ada', email, email_verified: true } }
  expect(await visit((one) => signIn(server, one, 'google'))).toBe('social:google')
})

test('an impersonation session records that the user did not prove their identity', async () => {
  await using server = await createTestServer()
  const root = await server.administrator('Root')
  const ada = await server.signedUp('Ada')

  await root.post('/admin/impersonate-user', { userId: ada.id })

  expect(await methodsOf(server, root)).toBe('impersonation')
})

test('the session that replaces another keeps how that one was begun', async () => {
  await using server = await createTestServer()
  const { email, password } = await server.signedUp('Ada')
  const phone = server.visitor()
  await phone.request('GET', await server.linkTo(email))
  const { token } = await mailedSignIn(server, email)
  await phone.get(`/magic-link/verify?token=${token}`)

  const body = { currentPassword: password, newPassword: 'another password', revokeOtherSessions: true }
  const { status } = await phone.post('/change-password', body)

  expect(status).toBe(200)
  expect(await methodsOf(server, phone)).toBe('magic-link,password')
})

test('a password changed after the address was moved keeps its session where passwords need a verified address', async () => {
  await using server = await createTestServer({ emailAndPassword: { requireEmailVerification: true } })
  const [email, password] = ['ada@example.com', 'correct horse battery']
  const ada = server.visitor()
  await ada.post('/sign-up/email', { name: 'Ada', email, password })
  await ada.request('GET', await server.linkTo(email))
  await ada.post('/sign-in/email', { email, password })
  await context(server).transaction((tx) => tx.updateTable('user').set({ emailVerified: false }).execute())

  const body = { currentPassword: password, newPassword: 'another password', revokeOtherSessions: true }
  const { status } = await ada.post('/change-password', body)

  expect([status, await methodsOf(server, ada)]).toEqual([200, 'password'])
})

test('a challenge uses nothing up: the link of a banned user signs in once the ban is lifted', async () => {
  await using server = await createTestServer()
  const root = await server.administrator('Root')
  const ada = await server.signedUp('Ada')
  const { token } = await mailedSignIn(server, ada.email)
  await root.post('/admin/ban-user', { userId: ada.id })
  const phone = server.visitor()

  const refused = await phone.get(`/magic-link/verify?token=${token}`)
  await root.post('/admin/unban-user', { userId: ada.id })
  const allowed = await phone.get(`/magic-link/verify?token=${token}`)

  expect([refused.status, refused.body.code]).toEqual([403, 'BANNED_USER'])
  expect(allowed.status).toBe(200)
})

test('of two challenges the address comes first, and neither begins a session', async () => {
  await using server = await createTestServer({ emailAndPassword: { requireEmailVerification: true } })
  const [email, password] = ['ada@example.com', 'correct horse battery']
  const ada = server.visitor()
  await ada.post('/sign-up/email', { name: 'Ada', email, password })
  const change = (changes: { banned?: boolean; emailVerified?: boolean }) =>
    context(server).transaction((tx) => tx.updateTable('user').set(changes).execute())
  await change({ banned: true })

  const unverified = await ada.post('/sign-in/email', { email, password })
  await change({ emailVerified: true })
  const banned = await ada.post('/sign-in/email', { email, password })

  expect([unverified.body.code, banned.body.code]).toEqual(['EMAIL_NOT_VERIFIED', 'BANNED_USER'])
  expect(await context(server).db.selectFrom('session').select('id').execute()).toEqual([])
})
