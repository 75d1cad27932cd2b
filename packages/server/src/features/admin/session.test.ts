import { expect, test } from 'vitest'
import { days } from '../../foundation/clock.ts'
import { createTestServer, type Person } from '../../testing.ts'

const sessionOf = async (person: Pick<Person, 'get'>) => (await person.get('/get-session')).body?.session ?? null

test('lists the unexpired sessions of a user, those of administrators who act as them among them', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')
  server.clock.advance(days(3))
  const phone = server.visitor({ headers: { 'user-agent': 'Phone' } })
  await phone.post('/sign-in/email', ada)
  server.clock.advance(1)
  const again = await server.administrator('Again')
  await again.post('/admin/impersonate-user', { userId: ada.id, reason: 'asked for help' })

  const { status, body } = await root.post('/admin/list-user-sessions', { userId: ada.id })

  expect(status).toBe(200)
  expect(body.sessions.map(({ impersonatedBy }: { impersonatedBy: string | null }) => impersonatedBy)).toEqual([
    again.id,
    null,
    null,
  ])
  expect(body.sessions[1]).toEqual(await sessionOf(phone))
  // The owner sees their own sessions only.
  expect((await ada.get('/list-sessions')).body).toHaveLength(2)
  server.clock.advance(days(4))
  expect((await (await server.administrator()).post('/admin/list-user-sessions', { userId: ada.id })).body).toEqual({
    sessions: [expect.objectContaining({ userAgent: 'Phone' })],
  })
})

test('ends one session of a user, by its token', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')
  const phone = server.visitor()
  await phone.post('/sign-in/email', ada)
  const { id, token: sessionToken } = await sessionOf(phone)

  const { status, body } = await root.post('/admin/revoke-user-session', { sessionToken })

  expect([status, body]).toEqual([200, { success: true }])
  expect([await sessionOf(phone), (await sessionOf(ada)).userId]).toEqual([null, ada.id])
  expect(await server.events('session.revoked')).toEqual([
    { actorId: root.id, userId: ada.id, data: { sessionId: id } },
  ])
  const again = await root.post('/admin/revoke-user-session', { sessionToken })
  expect([again.status, again.body.code]).toEqual([400, 'SESSION_NOT_FOUND'])
})

test('ends every session of a user, and no other user’s', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')
  const phone = server.visitor()
  await phone.post('/sign-in/email', ada)

  const { status, body } = await root.post('/admin/revoke-user-sessions', { userId: ada.id })
  await root.post('/admin/revoke-user-sessions', { userId: ada.id })

  expect([status, body]).toEqual([200, { success: true }])
  expect([await sessionOf(ada), await sessionOf(phone)]).toEqual([null, null])
  expect((await sessionOf(root)).userId).toBe(root.id)
  // The second call ends nothing and emits nothing.
  expect(await server.events('session.revoked')).toEqual([{ actorId: root.id, userId: ada.id, data: { count: 2 } }])
})

test('sessions of users who are not there are refused', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()

  for (const path of ['/admin/list-user-sessions', '/admin/revoke-user-sessions']) {
    const { status, body } = await root.post(path, { userId: 'nobody' })
    expect([path, status, body.code]).toEqual([path, 404, 'USER_NOT_FOUND'])
  }
  const { body } = await root.post('/admin/revoke-user-session', { sessionToken: 'nobody' })
  expect(body).toEqual({ code: 'SESSION_NOT_FOUND', message: 'Session not found' })
})
