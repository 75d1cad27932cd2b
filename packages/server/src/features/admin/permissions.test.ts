import { expect, test } from 'vitest'
import { createTestServer, type Person } from '../../testing.ts'

/** Each call, its input, and its refusal for users who are not administrators. */
const guarded = [
  ['GET', '/admin/list-users', undefined, 'list users'],
  ['GET', '/admin/get-user?id=ID', undefined, 'get user'],
  ['GET', '/admin/list-user-accounts?userId=ID', undefined, 'get user'],
  ['GET', '/admin/list-events', undefined, 'list events'],
  ['POST', '/admin/create-user', { email: 'new@example.com', name: 'New' }, 'create users'],
  ['POST', '/admin/update-user', { userId: 'ID', data: { name: 'New' } }, 'update users'],
  ['POST', '/admin/set-role', { userId: 'ID', role: 'admin' }, 'change users role'],
  ['POST', '/admin/set-user-password', { userId: 'ID', newPassword: 'another good one' }, 'set users password'],
  ['POST', '/admin/ban-user', { userId: 'ID' }, 'ban users'],
  ['POST', '/admin/unban-user', { userId: 'ID' }, 'ban users'],
  ['POST', '/admin/remove-user', { userId: 'ID' }, 'delete users'],
  ['POST', '/admin/impersonate-user', { userId: 'ID' }, 'impersonate users'],
  ['POST', '/admin/list-user-sessions', { userId: 'ID' }, 'list users sessions'],
  ['POST', '/admin/revoke-user-session', { sessionToken: 'ID' }, 'revoke users sessions'],
  ['POST', '/admin/revoke-user-sessions', { userId: 'ID' }, 'revoke users sessions'],
] as const

type Guarded = (typeof guarded)[number]

const send = (person: Pick<Person, 'request'>, [method, path, body]: Guarded, id: string) =>
  person.request(method, `/api/auth${path.replace('ID', id)}`, {
    ...(body && { body: JSON.parse(JSON.stringify(body).replace('ID', id)) }),
  })

test('each call refuses a user who does not administer with its own error, whatever user it is about', async () => {
  await using server = await createTestServer()
  const eve = await server.signedUp('Eve')
  const ada = await server.signedUp('Ada')
  const { ctx } = server.tollgate.internals
  const before = await ctx.db.selectFrom('user').selectAll().orderBy('id').execute()

  for (const call of guarded) {
    const message = `You are not allowed to ${call[3]}`
    const code = message.toUpperCase().replaceAll(' ', '_')
    for (const id of [ada.id, eve.id, 'nobody']) {
      const { status, body } = await send(eve, call, id)
      expect([call[1], status, body]).toEqual([call[1], 403, { code, message }])
    }
  }
  expect(await ctx.db.selectFrom('user').selectAll().orderBy('id').execute()).toEqual(before)
})

test('without a session each call is refused, that of an administrator who was signed out too', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  await root.post('/revoke-sessions')

  for (const call of [...guarded, ['POST', '/admin/has-permission', { permissions: {} }, ''] as unknown as Guarded])
    for (const person of [server.visitor(), root]) expect((await send(person, call, 'nobody')).status).toBe(401)
  expect((await root.post('/admin/stop-impersonating')).status).toBe(401)
})

test('a cached copy of the session makes no user an administrator who is none any more', async () => {
  await using server = await createTestServer({ session: { cookieCache: { enabled: true } } })
  const root = await server.administrator()
  const other = await server.administrator()
  expect((await root.get('/get-session?disableCookieCache=true')).body.user.role).toBe('admin')
  await other.post('/admin/set-role', { userId: root.id, role: 'user' })

  expect((await root.get('/get-session')).body.user.role).toBe('admin')
  expect((await root.get('/admin/list-users')).status).toBe(403)
})

test('users named in the configuration administer whatever their role; so do all roles that it names', async () => {
  await using first = await createTestServer({ admin: { adminRoles: ['support', 'operator'] } })
  const operator = await first.signedUp()
  const support = await first.administrator()
  expect((await support.post('/admin/set-role', { userId: operator.id, role: ['user', 'operator'] })).status).toBe(200)

  expect((await operator.get('/admin/list-users')).status).toBe(200)
  expect((await operator.post('/admin/set-role', { userId: support.id, role: 'admin' })).body.code).toBe(
    'YOU_ARE_NOT_ALLOWED_TO_SET_A_NONEXISTENT_ROLE_VALUE',
  )
})

test('a user named by id in the configuration administers without a role, and keeps it when the role is taken', async () => {
  await using server = await createTestServer()
  const named = await server.signedUp('Named')
  // Ids exist only after sign-up, so this edits the configuration as a later start would have it.
  server.tollgate.internals.ctx.config.admin.adminUserIds.push(named.id)

  expect((await named.get('/admin/list-users')).status).toBe(200)
  expect((await named.post('/admin/set-role', { userId: named.id, role: 'user' })).status).toBe(200)
  expect((await named.get('/admin/list-users')).status).toBe(200)
})

test('has-permission answers for the caller, by both names of the member', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const eve = await server.signedUp('Eve')
  const ask = async (person: Person, body: unknown) => (await person.post('/admin/has-permission', body)).body

  for (const member of ['permissions', 'permission']) {
    expect(await ask(root, { [member]: { user: ['ban', 'list'] } })).toEqual({ error: null, success: true })
    expect(await ask(root, { [member]: { user: ['fly'] } })).toEqual({ error: null, success: false })
    expect(await ask(eve, { [member]: { user: ['list'] } })).toEqual({ error: null, success: false })
  }
  expect(await ask(eve, {})).toEqual({ code: 'VALIDATION_ERROR', message: 'Invalid body parameters' })
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`resource-${at}`, []]))
  expect((await ask(root, { permissions: many })).code).toBe('VALIDATION_ERROR')
})

test('has-permission asks about others, or about a role, for server code only', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const eve = await server.signedUp('Eve')
  const permissions = { session: ['revoke'] }
  const ofEve = { cookie: [...eve.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
  const byCode = async (about: { userId?: string; role?: string }) =>
    (await server.tollgate.api.adminHasPermission({ headers: ofEve, body: { permissions, ...about } })).success

  for (const about of [{ userId: root.id }, { role: 'admin' }]) {
    const { body } = await eve.post('/admin/has-permission', { permissions, ...about })
    expect(body.success).toBe(false)
    expect(await byCode(about)).toBe(true)
  }
  expect(await byCode({})).toBe(false)
  expect(await byCode({ role: 'user' })).toBe(false)
  expect(await byCode({ userId: eve.id })).toBe(false)
  expect(await byCode({ userId: 'nobody' })).toBe(false)
})
