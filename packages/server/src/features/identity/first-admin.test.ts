import { expect, test } from 'vitest'
import { days, seconds } from '../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../testing.ts'
import { createAdminByEmail, createSetupLink, hasAdmin } from './first-admin.service.ts'

const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
const invalidToken = { code: 'INVALID_TOKEN', message: 'invalid token' }
const context = ({ tollgate }: TestServer) => tollgate.internals.ctx
const users = (server: TestServer) =>
  context(server).db.selectFrom('user').select(['email', 'role']).orderBy('email').execute()

async function setupToken(server: TestServer): Promise<string> {
  const link = new URL(await createSetupLink(context(server)))
  expect(link.origin + link.pathname).toBe('http://localhost:3000/sign-up')
  return link.searchParams.get('setupToken') ?? ''
}

test('a user who signs up by the set-up link administers the installation', async () => {
  await using server = await createTestServer()
  const token = await setupToken(server)
  expect(token).toMatch(/^[A-Za-z0-9]{24}$/)
  expect(await hasAdmin(context(server))).toBe(false)
  const visitor = server.visitor()

  const { status } = await visitor.post('/sign-up/email', { ...ada, setupToken: token })

  expect(status).toBe(200)
  expect((await visitor.get('/get-session')).body.user.role).toBe('admin')
  expect(await hasAdmin(context(server))).toBe(true)
})

test('no other user becomes an administrator by signing up', async () => {
  await using server = await createTestServer()
  await setupToken(server)

  await server.visitor().post('/sign-up/email', ada)

  expect(await users(server)).toEqual([{ email: ada.email, role: null }])
})

test('the set-up link works once', async () => {
  await using server = await createTestServer()
  const token = await setupToken(server)
  await server.visitor().post('/sign-up/email', { ...ada, setupToken: token })

  const eve = { ...ada, email: 'eve@example.com', setupToken: token }
  const { status, body } = await server.visitor().post('/sign-up/email', eve)

  expect([status, body]).toEqual([400, invalidToken])
  expect(await users(server)).toEqual([{ email: ada.email, role: 'admin' }])
})

test('of two sign-ups by one link at the same moment one makes the administrator, and the other none', async () => {
  await using server = await createTestServer()
  const token = await setupToken(server)

  const answers = await Promise.all(
    ['ada@example.com', 'eve@example.com'].map((email) =>
      server.visitor().post('/sign-up/email', { ...ada, email, setupToken: token }),
    ),
  )

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  expect((await users(server)).map(({ role }) => role)).toEqual(['admin'])
})

test('a new set-up link ends the one before, and each works for a day', async () => {
  await using server = await createTestServer()
  const first = await setupToken(server)
  const second = await setupToken(server)
  const signUp = (email: string, token: string) =>
    server.visitor().post('/sign-up/email', { ...ada, email, setupToken: token })

  expect((await signUp('a@example.com', first)).body).toEqual(invalidToken)
  server.clock.advance(days(1) - seconds(1))
  expect((await signUp('b@example.com', second)).status).toBe(200)
  const third = await setupToken(server)
  server.clock.advance(days(1))
  expect((await signUp('c@example.com', third)).body).toEqual(invalidToken)
})

test('a refused sign-up leaves the link as it is', async () => {
  await using server = await createTestServer()
  const eve = await server.signedUp('Eve')
  const token = await setupToken(server)
  const signUp = (changes: Partial<typeof ada>) =>
    server.visitor().post('/sign-up/email', { ...ada, ...changes, setupToken: token })

  expect((await signUp({ password: 'short' })).status).toBe(400)
  expect((await signUp({ email: eve.email })).status).toBe(422)
  expect((await signUp({})).status).toBe(200)
  expect(await users(server)).toEqual([
    { email: ada.email, role: 'admin' },
    { email: eve.email, role: null },
  ])
})

test('a link for another purpose makes no administrator', async () => {
  await using server = await createTestServer()
  const eve = await server.signedUp('Eve')
  await context(server).jobs.runDue()
  server.clock.advance(1)
  await server.visitor().post('/request-password-reset', { email: eve.email })
  const reset = /reset-password\/(\w+)/.exec(await server.linkTo(eve.email))?.[1]

  const { body } = await server.visitor().post('/sign-up/email', { ...ada, setupToken: reset })

  expect(body).toEqual(invalidToken)
  expect(await hasAdmin(context(server))).toBe(false)
})

test('a user who has proved their address is made an administrator, and sees it in the session at hand', async () => {
  await using server = await createTestServer()
  const person = await server.signedUp()
  await person.request('GET', await server.linkTo(person.email))

  expect(await createAdminByEmail(context(server), person.email)).toEqual({ created: false, link: null })

  const { user } = (await person.get('/get-session')).body
  expect(user.role).toBe('admin')
  expect(await server.events('user.updated')).toEqual([{ actorId: null, userId: user.id, data: { fields: 'role' } }])
})

test('for an unknown address an administrator is created who chooses a password by a link, once', async () => {
  await using server = await createTestServer()

  const { created, link } = await createAdminByEmail(context(server), ada.email)

  expect(created).toBe(true)
  expect(link).toMatch(/^http:\/\/localhost:3000\/reset-password\?token=\w{24}$/)
  const token = new URL(link ?? '').searchParams.get('token')
  expect((await server.visitor().post('/sign-in/email', ada)).status).toBe(401)
  const choose = () => server.visitor().post('/reset-password', { token, newPassword: ada.password })
  expect((await choose()).status).toBe(200)
  expect((await choose()).body).toEqual(invalidToken)
  const visitor = server.visitor()
  await visitor.post('/sign-in/email', ada)
  expect((await visitor.get('/get-session')).body.user).toMatchObject({
    role: 'admin',
    emailVerified: true,
    name: 'ada',
  })
  expect(await server.events('user.created')).toEqual([
    { actorId: null, userId: expect.any(String), data: { method: 'admin create' } },
  ])
})

test('a user who holds an address without having proved it is signed out, and loses the password, before it administers', async () => {
  await using server = await createTestServer()
  const squatter = await server.signedUp()

  const { created, link } = await createAdminByEmail(context(server), squatter.email)

  expect(created).toBe(false)
  expect((await squatter.get('/get-session')).body).toBe(null)
  const { email, password } = squatter
  expect((await server.visitor().post('/sign-in/email', { email, password })).status).toBe(401)
  const token = new URL(link ?? '').searchParams.get('token')
  expect((await server.visitor().post('/reset-password', { token, newPassword: 'the owner chose it' })).status).toBe(
    200,
  )
  const owner = server.visitor()
  await owner.post('/sign-in/email', { email, password: 'the owner chose it' })
  expect((await owner.get('/get-session')).body.user).toMatchObject({ role: 'admin', emailVerified: true })
})
