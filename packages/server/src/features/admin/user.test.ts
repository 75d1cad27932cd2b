import { expect, test, vi } from 'vitest'
import { createTestServer, type Person, type TestServer } from '../../testing.ts'

const password = 'correct horse battery'
const notFound = [404, { code: 'USER_NOT_FOUND', message: 'User not found' }]

const signIn = async (server: TestServer, email: string, given = password) => {
  const visitor = server.visitor()
  const { status, body } = await visitor.post('/sign-in/email', { email, password: given })
  return { visitor, status, code: body.code }
}
const idOf = async (person: Person) => (await person.get('/get-session')).body?.user.id ?? null
const roles = ({ tollgate }: TestServer) =>
  tollgate.internals.ctx.db
    .selectFrom('user')
    .select(['id', 'role'])
    .where('role', 'is not', null)
    .execute()
    .then((rows) => rows.map(({ role }) => role).toSorted())

/** Makes a call; returns status and answer. */
const told = async (person: Person, path: string, body: unknown) => {
  const answer = await person.post(path, body)
  return [answer.status, answer.body]
}

test('creates a user who signs in with the password', async () => {
  const onUserCreated = vi.fn()
  await using server = await createTestServer({ hooks: { onUserCreated } })
  const root = await server.administrator()
  const given = {
    email: 'Ada@Example.COM',
    name: ' Ada ',
    password,
    role: ['user', 'admin'],
    data: { emailVerified: true, image: 'https://example.com/ada.png', username: 'Ada_L', id: 'mine', banned: true },
  }

  const { status, body } = await root.post('/admin/create-user', given)

  expect(status).toBe(200)
  expect(body.user).toMatchObject({
    id: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    email: 'ada@example.com',
    name: 'Ada',
    role: 'user,admin',
    emailVerified: true,
    image: 'https://example.com/ada.png',
    username: 'ada_l',
    displayUsername: 'Ada_L',
    banned: false,
  })
  expect((await signIn(server, 'ada@example.com')).status).toBe(200)
  expect(await server.events('user.created')).toContainEqual({
    actorId: root.id,
    userId: body.user.id,
    data: { method: 'admin' },
  })
  expect(onUserCreated.mock.calls).toContainEqual([{ id: body.user.id, email: 'ada@example.com', name: 'Ada' }])
})

test('a user created without a password signs in with none, and chooses one by mail', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()

  const { body } = await root.post('/admin/create-user', { email: 'ada@example.com', name: 'Ada' })

  expect(body.user).toMatchObject({ role: null, emailVerified: false, username: null })
  expect((await signIn(server, 'ada@example.com', '')).status).toBe(401)
  expect((await root.get(`/admin/list-user-accounts?userId=${body.user.id}`)).body).toEqual({ accounts: [] })
  await server.visitor().post('/request-password-reset', { email: 'ada@example.com' })
  expect(await server.linkTo('ada@example.com')).toContain('/reset-password/')
})

test('refuses to create an invalid user', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  await root.post('/admin/create-user', { email: 'ada@example.com', name: 'Ada', data: { username: 'ada' } })
  const good = { email: 'new@example.com', name: 'New' }
  const refused = async (changes: object) => {
    const { status, body } = await root.post('/admin/create-user', { ...good, ...changes })
    return [status, body.code]
  }

  expect(await refused({ email: 'ADA@example.com' })).toEqual([400, 'USER_ALREADY_EXISTS'])
  expect(await refused({ email: 'nobody' })).toEqual([400, 'INVALID_EMAIL'])
  expect(await refused({ email: 'somebody@reddit.invalid' })).toEqual([400, 'INVALID_EMAIL'])
  expect(await refused({ name: 'a\u202eb' })).toEqual([400, 'INVALID_NAME'])
  expect(await refused({ role: 'owner' })).toEqual([400, 'YOU_ARE_NOT_ALLOWED_TO_SET_A_NONEXISTENT_ROLE_VALUE'])
  expect(await refused({ role: [] })).toEqual([400, 'VALIDATION_ERROR'])
  expect(await refused({ password: 'short' })).toEqual([400, 'PASSWORD_TOO_SHORT'])
  expect(await refused({ password: 'x'.repeat(129) })).toEqual([400, 'PASSWORD_TOO_LONG'])
  expect(await refused({ data: { image: 'javascript:alert(1)' } })).toEqual([400, 'INVALID_IMAGE'])
  expect(await refused({ data: { username: 'Ada' } })).toEqual([422, 'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER'])
  expect(await refused({ data: { username: 'x' } })).toEqual([422, 'USERNAME_IS_TOO_SHORT'])
  expect((await root.get('/admin/list-users')).body.total).toBe(2)
  // An unknown user gives a 404, like an unknown page.
  expect((await root.get('/admin/get-user?id=nobody')).body.code).toBe('USER_NOT_FOUND')
})

test('of two who create a user of one address at the same moment, one does', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const create = () => root.post('/admin/create-user', { email: 'ada@example.com', name: 'Ada' })

  const answers = await Promise.all([create(), create(), create()])

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
  expect(await server.events('user.created')).toHaveLength(2)
})

test('gets one user and their accounts, without secrets', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')

  const { body: user } = await root.get(`/admin/get-user?id=${ada.id}`)
  const { body, text } = await root.get(`/admin/list-user-accounts?userId=${ada.id}`)

  expect(user).toMatchObject({ id: ada.id, email: ada.email, role: null, banned: false })
  expect(body.accounts).toEqual([
    expect.objectContaining({ providerId: 'credential', provider: 'credential', accountId: ada.id, scopes: [] }),
  ])
  expect(text).not.toContain('argon2')
  for (const path of ['/admin/get-user?id=nobody', '/admin/list-user-accounts?userId=nobody']) {
    const answer = await root.get(path)
    expect([answer.status, answer.body]).toEqual(notFound)
  }
})

test('changes the profile of a user, and whether the address counts as verified', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')
  const data = { name: 'Countess', username: 'Countess', emailVerified: true, role: 'admin', email: 'x@example.com' }

  const { status, body } = await root.post('/admin/update-user', { userId: ada.id, data })

  expect(status).toBe(200)
  const changed = {
    id: ada.id,
    name: 'Countess',
    username: 'countess',
    emailVerified: true,
    role: null,
    email: ada.email,
  }
  expect(body).toMatchObject(changed)
  expect((await ada.get('/get-session')).body.user).toMatchObject(changed)
  expect(await server.events('user.updated')).toEqual([
    { actorId: root.id, userId: ada.id, data: { fields: 'name,username,displayUsername,emailVerified' } },
  ])
})

test('nothing to change is no failure, and no event', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')

  const { body } = await root.post('/admin/update-user', { userId: ada.id, data: {} })

  expect(body).toMatchObject({ id: ada.id, name: 'Ada' })
  expect(await server.events('user.updated')).toEqual([])
})

test('refuses changes that no profile takes, and users who are not there', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')
  await root.post('/admin/update-user', { userId: root.id, data: { username: 'root' } })
  const refused = async (data: object, userId = ada.id) => {
    const { status, body } = await root.post('/admin/update-user', { userId, data })
    return [status, body.code]
  }

  expect(await refused({ name: '\u0007' })).toEqual([400, 'INVALID_NAME'])
  expect(await refused({ image: 'data:text/html,x' })).toEqual([400, 'INVALID_IMAGE'])
  expect(await refused({ username: 'ROOT' })).toEqual([422, 'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER'])
  expect(await refused({ username: 'a b c' })).toEqual([422, 'USERNAME_IS_INVALID'])
  expect(await refused({ name: 'Ada' }, 'nobody')).toEqual([404, 'USER_NOT_FOUND'])
  expect((await ada.get('/get-session')).body.user).toMatchObject({ name: 'Ada', username: null })
})

test('gives and takes roles', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')

  const { status, body } = await root.post('/admin/set-role', { userId: ada.id, role: 'admin' })

  expect([status, body.user]).toEqual([200, expect.objectContaining({ id: ada.id, role: 'admin' })])
  expect((await ada.get('/admin/list-users')).status).toBe(200)
  await ada.post('/admin/set-role', { userId: root.id, role: 'user' })
  expect((await root.get('/admin/list-users')).status).toBe(403)
  expect(await server.events('user.role_changed')).toEqual(
    expect.arrayContaining([
      { actorId: root.id, userId: ada.id, data: { role: 'admin' } },
      { actorId: ada.id, userId: root.id, data: { role: 'user' } },
    ]),
  )
})

test('refuses unknown roles and unknown users', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const unknown = 'You are not allowed to set a non-existent role value'

  for (const role of ['owner', 'admin,owner', ['user', 'owner'], ' ', ','])
    expect(await told(root, '/admin/set-role', { userId: root.id, role })).toEqual([
      400,
      { code: 'YOU_ARE_NOT_ALLOWED_TO_SET_A_NONEXISTENT_ROLE_VALUE', message: unknown },
    ])
  expect(await told(root, '/admin/set-role', { userId: 'nobody', role: 'user' })).toEqual(notFound)
})

test('the last administrator stays one', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const other = await server.administrator('Other')
  // A banned administrator does not count as a remaining one.
  await root.post('/admin/ban-user', { userId: other.id })

  expect(await told(root, '/admin/set-role', { userId: root.id, role: 'user' })).toEqual([
    400,
    { code: 'THE_LAST_ADMINISTRATOR_CANNOT_BE_REMOVED', message: 'The last administrator cannot be removed' },
  ])
  expect((await root.get('/admin/list-users')).status).toBe(200)
  await root.post('/admin/unban-user', { userId: other.id })
  expect((await root.post('/admin/set-role', { userId: root.id, role: 'user' })).status).toBe(200)
})

test.each([
  ['/admin/set-role', { role: 'user' }],
  ['/admin/ban-user', {}],
  ['/admin/remove-user', {}],
])('of two administrators who end each other by %s at the same moment, one remains', async (path, body) => {
  await using server = await createTestServer()
  for (let round = 0; round < 5; round += 1) {
    const [one, two] = [await server.administrator('One'), await server.administrator('Two')]
    const administrators = [one, two]
    await server.tollgate.internals.ctx.db
      .updateTable('user')
      .set({ role: null })
      .where('id', 'not in', [one.id, two.id])
      .execute()

    const answers = await Promise.all([
      one.post(path, { userId: two.id, ...body }),
      two.post(path, { userId: one.id, ...body }),
    ])

    expect(answers.map(({ status }) => status).toSorted()[0]).toBe(200)
    expect([401, 403]).toContain(answers.map(({ status }) => status).toSorted()[1])
    const still = await Promise.all(administrators.map(async (each) => (await each.get('/admin/list-users')).status))
    expect(still.filter((status) => status === 200)).toHaveLength(1)
  }
})

test('of two administrators who each lay their role down at the same moment, one keeps it', async () => {
  await using server = await createTestServer()
  const [one, two] = [await server.administrator('One'), await server.administrator('Two')]

  const answers = await Promise.all(
    [one, two].map((each) => each.post('/admin/set-role', { userId: each.id, role: 'user' })),
  )

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect(await roles(server)).toEqual(['admin', 'user'])
})

test('sets a password: the sessions and reset links end, and the user gets a mail', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')
  await server.visitor().post('/request-password-reset', { email: ada.email })
  const reset = /reset-password\/(\w+)/.exec(await server.linkTo(ada.email))?.[1]
  server.clock.advance(1)

  const { status, body } = await root.post('/admin/set-user-password', { userId: ada.id, newPassword: 'the new one' })

  expect([status, body]).toEqual([200, { status: true }])
  expect(await idOf(ada)).toBeNull()
  expect((await signIn(server, ada.email)).status).toBe(401)
  expect((await signIn(server, ada.email, 'the new one')).status).toBe(200)
  const used = await server.visitor().post('/reset-password', { token: reset, newPassword: 'a third one' })
  expect(used.status).toBe(400)
  expect(await server.events('user.password_set')).toEqual([{ actorId: root.id, userId: ada.id, data: null }])
  expect((await server.mailsTo(ada.email))[0]?.subject).toMatch(/password/i)
})

test('gives a password to a user who had none', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const { body } = await root.post('/admin/create-user', { email: 'ada@example.com', name: 'Ada' })

  await root.post('/admin/set-user-password', { userId: body.user.id, newPassword: 'the new one' })

  expect((await signIn(server, 'ada@example.com', 'the new one')).status).toBe(200)
})

test('refuses passwords that no user may have, and users who are not there', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')
  const set = (newPassword: string, userId = ada.id) => told(root, '/admin/set-user-password', { userId, newPassword })

  expect(await set('short')).toEqual([400, { code: 'PASSWORD_TOO_SHORT', message: 'Password too short' }])
  expect(await set('x'.repeat(129))).toEqual([400, { code: 'PASSWORD_TOO_LONG', message: 'Password too long' }])
  expect(await set('the new one', 'nobody')).toEqual(notFound)
  expect((await signIn(server, ada.email)).status).toBe(200)
})

test('deletes a user with sessions, accounts and links; the audit log keeps the events', async () => {
  const onUserDeleted = vi.fn()
  await using server = await createTestServer({ hooks: { onUserDeleted } })
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')

  expect(await told(root, '/admin/remove-user', { userId: ada.id })).toEqual([200, { success: true }])

  expect(await idOf(ada)).toBeNull()
  expect((await signIn(server, ada.email)).status).toBe(401)
  const { db } = server.tollgate.internals.ctx
  for (const table of ['account', 'session'] as const)
    expect(await db.selectFrom(table).select('id').where('userId', '=', ada.id).execute()).toEqual([])
  expect(await db.selectFrom('verification').select('id').where('value', '=', ada.id).execute()).toEqual([])
  expect(await server.events('user.deleted')).toEqual([{ actorId: root.id, userId: ada.id, data: null }])
  expect(onUserDeleted.mock.calls).toEqual([[{ id: ada.id, email: ada.email, name: 'Ada' }]])
  expect(await told(root, '/admin/remove-user', { userId: ada.id })).toEqual(notFound)
})

test('no user deletes themselves by the call for others', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()

  expect(await told(root, '/admin/remove-user', { userId: root.id })).toEqual([
    400,
    { code: 'YOU_CANNOT_REMOVE_YOURSELF', message: 'You cannot remove yourself' },
  ])
  expect(await idOf(root)).toBe(root.id)
})

test('a user who signs in or changes the password at the moment of being deleted causes no failure', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  for (let round = 0; round < 3; round += 1) {
    const ada = await server.signedUp('Ada')
    const change = { currentPassword: password, newPassword: 'the new one', revokeOtherSessions: true }

    const answers = await Promise.all([
      signIn(server, ada.email),
      ada.post('/change-password', change),
      root.post('/admin/remove-user', { userId: ada.id }),
    ])

    for (const { status } of answers) expect(status).toBeLessThan(500)
    expect((await root.get(`/admin/get-user?id=${ada.id}`)).status).toBe(404)
  }
})
