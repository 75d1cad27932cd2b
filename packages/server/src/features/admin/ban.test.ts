import { expect, test } from 'vitest'
import { hours, minutes, seconds } from '../../foundation/clock.ts'
import { createTestServer, type Person, type TestServer, testStart } from '../../testing.ts'

const bannedAnswer = {
  code: 'BANNED_USER',
  message: 'You have been banned from this application. Please contact support if you believe this is an error.',
}
const idOf = async (person: Pick<Person, 'get'>) => (await person.get('/get-session')).body?.user.id ?? null
const signIn = async (server: TestServer, { email, password }: { email: string; password: string }) => {
  const visitor = server.visitor()
  return { ...(await visitor.post('/sign-in/email', { email, password })), visitor }
}

test('a ban ends every session at once, and the right password meets it', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')
  const { visitor: phone } = await signIn(server, ada)

  const { status, body } = await root.post('/admin/ban-user', { userId: ada.id, banReason: 'spam' })

  expect([status, body.user]).toEqual([
    200,
    expect.objectContaining({ id: ada.id, banned: true, banReason: 'spam', banExpires: null }),
  ])
  expect([await idOf(ada), await idOf(phone)]).toEqual([null, null])
  const right = await signIn(server, ada)
  expect([right.status, right.body, right.headers.getSetCookie()]).toEqual([403, bannedAnswer, []])
  const wrong = await signIn(server, { ...ada, password: 'not the right one' })
  expect([wrong.status, wrong.body.code]).toEqual([401, 'INVALID_EMAIL_OR_PASSWORD'])
  expect(await server.events('user.banned')).toEqual([
    { actorId: root.id, userId: ada.id, data: { reason: 'spam', until: null } },
  ])
})

test('a ban that is lifted lets in again', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')
  await root.post('/admin/ban-user', { userId: ada.id, banReason: 'spam', banExpiresIn: 3600 })

  const { status, body } = await root.post('/admin/unban-user', { userId: ada.id })
  const again = await root.post('/admin/unban-user', { userId: ada.id })

  const free = { id: ada.id, banned: false, banReason: null, banExpires: null }
  expect([status, body.user]).toEqual([200, expect.objectContaining(free)])
  expect([again.status, again.body.user]).toEqual([200, expect.objectContaining(free)])
  expect((await signIn(server, ada)).status).toBe(200)
  // The second call lifts nothing and emits nothing.
  expect(await server.events('user.unbanned')).toEqual([{ actorId: root.id, userId: ada.id, data: null }])
})

test('a ban for a while holds until its last second, shows as none after it, and is gone after the next sign-in', async () => {
  await using server = await createTestServer({ session: { cookieCache: { enabled: true } } })
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')
  const stored = () =>
    server.tollgate.internals.ctx.db
      .selectFrom('user')
      .select(['banned', 'banReason', 'banExpires'])
      .where('id', '=', ada.id)
      .executeTakeFirst()

  const { body } = await root.post('/admin/ban-user', { userId: ada.id, banReason: 'spam', banExpiresIn: 3600 })
  expect(body.user.banExpires).toBe(new Date(testStart.getTime() + hours(1)).toISOString())
  server.clock.advance(hours(1) - seconds(1))
  expect((await signIn(server, ada)).status).toBe(403)
  server.clock.advance(seconds(1))

  const shown = (await root.get(`/admin/get-user?id=${ada.id}`)).body
  expect(shown).toMatchObject({ banned: false, banReason: null, banExpires: null })
  expect(await stored()).toMatchObject({ banned: true, banReason: 'spam' })
  const { status, visitor } = await signIn(server, ada)
  expect(status).toBe(200)
  expect((await visitor.get('/get-session')).body.user).toMatchObject({ banned: false, banReason: null })
  expect(await stored()).toEqual({ banned: false, banReason: null, banExpires: null })
  expect(await server.events('user.unbanned')).toEqual([{ actorId: null, userId: ada.id, data: { hasRunOut: true } }])
})

test('several sign-ins at the moment when a ban has run out all come in', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')
  await root.post('/admin/ban-user', { userId: ada.id, banExpiresIn: 60 })
  server.clock.advance(minutes(1))

  const answers = await Promise.all([signIn(server, ada), signIn(server, ada), signIn(server, ada)])

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await server.events('user.unbanned')).toHaveLength(1)
})

test('a sign-in at the moment of a ban comes to nothing, whichever is first', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  for (let round = 0; round < 3; round += 1) {
    const ada = await server.signedUp('Ada')

    const [{ visitor, status }, banned] = await Promise.all([
      signIn(server, ada),
      root.post('/admin/ban-user', { userId: ada.id }),
    ])

    expect([200, 403]).toContain(status)
    expect(banned.status).toBe(200)
    expect(await idOf(visitor)).toBeNull()
  }
})

test('a mailed link that would sign in meets the ban too', async () => {
  await using server = await createTestServer({ emailVerification: { autoSignInAfterVerification: true } })
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')
  const link = await server.linkTo(ada.email)
  await root.post('/admin/ban-user', { userId: ada.id })

  const answer = await server.visitor().request('GET', link.replace(/&callbackURL=.*/, ''))

  expect([answer.status, answer.body, answer.headers.getSetCookie()]).toEqual([403, bannedAnswer, []])
  const followed = await server.visitor().request('GET', link)
  expect([followed.status, followed.headers.get('location')]).toEqual([302, '/?error=banned'])
})

test('a password chosen by a mailed link signs no banned user in', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')
  await server.mailsTo(ada.email)
  server.clock.advance(1)
  await server.visitor().post('/request-password-reset', { email: ada.email })
  const token = /reset-password\/(\w+)/.exec(await server.linkTo(ada.email))?.[1]
  await root.post('/admin/ban-user', { userId: ada.id })

  const reset = await server.visitor().post('/reset-password', { token, newPassword: 'the new one' })

  expect([reset.status, reset.headers.getSetCookie()]).toEqual([200, []])
  expect((await signIn(server, { email: ada.email, password: 'the new one' })).body).toEqual(bannedAnswer)
})

test('no user bans themselves, nor a user who is not there, nor for a time that is none', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const ban = async (body: object) => {
    const answer = await root.post('/admin/ban-user', body)
    return [answer.status, answer.body.code]
  }

  expect(await ban({ userId: root.id })).toEqual([400, 'YOU_CANNOT_BAN_YOURSELF'])
  expect(await ban({ userId: 'nobody' })).toEqual([404, 'USER_NOT_FOUND'])
  expect((await root.post('/admin/unban-user', { userId: 'nobody' })).status).toBe(404)
  for (const banExpiresIn of [0, -1, 1.5, 1e300, '60'])
    expect(await ban({ userId: 'nobody', banExpiresIn })).toEqual([400, 'VALIDATION_ERROR'])
  expect(await ban({ userId: 'nobody', banReason: 'x'.repeat(501) })).toEqual([400, 'VALIDATION_ERROR'])
  expect(await idOf(root)).toBe(root.id)
})
