import { authCalls, type Call } from '@tollgate/contract/calls'
import { expect, test } from 'vitest'
import { days, hours, minutes, seconds } from '../../foundation/clock.ts'
import { createTestServer, type Person, type TestServer, testStart } from '../../testing.ts'

const sessionCookie = 'better-auth.session_token'
const whileImpersonating = [
  403,
  { code: 'NOT_ALLOWED_WHILE_IMPERSONATING', message: 'Not allowed while impersonating' },
]

const known = async (person: Pick<Person, 'get'>) => {
  const answer = (await person.get('/get-session')).body
  return answer && [answer.user.id, answer.session.impersonatedBy]
}
const told = async (person: Pick<Person, 'post'>, path: string, body: unknown = {}) => {
  const answer = await person.post(path, body)
  return [answer.status, answer.body]
}
const storedSessions = ({ tollgate }: TestServer) =>
  tollgate.internals.ctx.db.selectFrom('session').selectAll().orderBy('createdAt').execute()
/** Events about a user since a moment, with their actors. */
const eventsOf = async ({ tollgate }: TestServer, userId: string, from: Date) => {
  const { db } = tollgate.internals.ctx
  const rows = await db
    .selectFrom('event')
    .select(['type', 'actorId'])
    .where('userId', '=', userId)
    .where('createdAt', '>', from)
    .execute()
  return rows.map(({ type, actorId }) => `${type} ${actorId}`).toSorted()
}

/** An administrator who impersonates Ada. */
async function impersonating(server: TestServer, options: { rememberMe?: boolean } = {}) {
  const root = await server.administrator('Root')
  if (options.rememberMe === false) await root.post('/sign-in/email', { ...root, rememberMe: false })
  const ada = await server.signedUp('Ada')
  server.clock.advance(minutes(1))
  const own = root.cookies.get(sessionCookie)
  const answer = await root.post('/admin/impersonate-user', { userId: ada.id, reason: 'asked for help' })
  expect(answer.status).toBe(200)
  return { root, ada, own, answer }
}

test('an administrator impersonates a user for an hour, and the session shows who and why', async () => {
  await using server = await createTestServer()

  const { root, ada, answer } = await impersonating(server)

  const now = testStart.getTime() + minutes(1)
  expect(answer.body).toEqual({
    session: expect.objectContaining({
      userId: ada.id,
      impersonatedBy: root.id,
      expiresAt: new Date(now + hours(1)).toISOString(),
    }),
    user: expect.objectContaining({ id: ada.id, email: ada.email }),
  })
  expect(await known(root)).toEqual([ada.id, root.id])
  expect((await storedSessions(server)).at(-1)).toMatchObject({ impersonationReason: 'asked for help' })
  const { id: sessionId } = answer.body.session
  expect(await server.events('impersonation.started')).toEqual([
    { actorId: root.id, userId: ada.id, data: { sessionId, reason: 'asked for help' } },
  ])
  // Ada's list neither gains nor loses a session.
  expect((await ada.get('/list-sessions')).body).toHaveLength(1)
  expect(await known(ada)).toEqual([ada.id, null])
})

test('the cookies are those of the ecosystem: the own session put aside, the other one ending with the browser', async () => {
  await using server = await createTestServer({ baseURL: 'https://accounts.example.com' })
  const root = await server.administrator('Root')
  const ada = await server.signedUp('Ada')
  const { token } = (await root.get('/get-session')).body.session

  const { headers } = await root.post('/admin/impersonate-user', { userId: ada.id })

  const cookies = headers.getSetCookie()
  const attributes = '; Path=/; HttpOnly; SameSite=Lax; Secure'
  expect(cookies.map((line) => line.replace(/=[^;]*/, ''))).toEqual([
    `admin_session${attributes}`,
    `__Secure-better-auth.session_token${attributes}`,
    `__Secure-better-auth.dont_remember${attributes}`,
  ])
  expect(decodeURIComponent(cookies[0]!)).toMatch(new RegExp(`^admin_session=${token}:\\.[A-Za-z0-9+/]{43}=;`))
})

test('stopping ends the session as the user, and goes on with the own one', async () => {
  await using server = await createTestServer()
  const { root, ada, own, answer } = await impersonating(server)

  const stopped = await root.post('/admin/stop-impersonating')

  expect(stopped.status).toBe(200)
  expect(stopped.body).toEqual({
    session: expect.objectContaining({ userId: root.id, impersonatedBy: null }),
    user: expect.objectContaining({ id: root.id, role: 'admin' }),
  })
  expect([...root.cookies.keys()]).toEqual([sessionCookie])
  expect(root.cookies.get(sessionCookie)).toBe(own)
  expect(stopped.headers.getSetCookie().find((line) => line.startsWith(sessionCookie))).toContain('Max-Age=')
  expect(await known(root)).toEqual([root.id, null])
  expect(await storedSessions(server)).toHaveLength(2)
  const { id: sessionId } = answer.body.session
  expect(await server.events('impersonation.stopped')).toEqual([
    { actorId: root.id, userId: ada.id, data: { sessionId, reason: 'asked for help' } },
  ])
  expect(await told(root, '/admin/stop-impersonating')).toEqual([
    400,
    { code: 'YOU_ARE_NOT_IMPERSONATING_ANYONE', message: 'You are not impersonating anyone' },
  ])
})

test('an own session that was to end with the browser still does', async () => {
  await using server = await createTestServer()
  const { root } = await impersonating(server, { rememberMe: false })

  const { headers } = await root.post('/admin/stop-impersonating')

  expect(headers.getSetCookie().find((line) => line.startsWith(sessionCookie))).not.toContain('Max-Age')
  expect(root.cookies.has('better-auth.dont_remember')).toBe(true)
})

test('stopping twice at the same moment ends the session once, and both go on', async () => {
  await using server = await createTestServer()
  const { root } = await impersonating(server)

  const answers = await Promise.all([root.post('/admin/stop-impersonating'), root.post('/admin/stop-impersonating')])

  for (const { status } of answers) expect([200, 401]).toContain(status)
  expect(answers.some(({ status }) => status === 200)).toBe(true)
  expect(await server.events('impersonation.stopped')).toHaveLength(1)
  expect(await known(root)).toEqual([root.id, null])
})

test('where the own session has run out meanwhile, stopping ends both', async () => {
  await using server = await createTestServer()
  const { root } = await impersonating(server)
  const { ctx } = server.tollgate.internals
  const expiresAt = server.clock.now()
  await ctx.transaction((tx) => tx.updateTable('session').set({ expiresAt }).where('userId', '=', root.id).execute())

  expect((await root.post('/admin/stop-impersonating')).status).toBe(401)

  expect(await known(root)).toBeNull()
  expect(root.cookies.size).toBe(0)
  expect((await storedSessions(server)).map(({ impersonatedBy }) => impersonatedBy)).toEqual([null, null])
  expect(await server.events('impersonation.stopped')).toHaveLength(1)
})

test('no cookie of another user leads into their session', async () => {
  await using server = await createTestServer()
  const { root } = await impersonating(server)
  const eve = await server.administrator('Eve')
  const bob = await server.signedUp('Bob')
  await eve.post('/admin/impersonate-user', { userId: bob.id })
  const foreign = root.cookies.get('admin_session') ?? ''

  // Not valid as admin cookies: a session cookie's signed text, an unsigned one, another administrator's.
  for (const value of [foreign, eve.cookies.get(sessionCookie) ?? '', 'x:', '']) {
    const thief = server.visitor()
    await eve.post('/admin/stop-impersonating')
    await eve.post('/admin/impersonate-user', { userId: bob.id })
    for (const [name, given] of eve.cookies) thief.cookies.set(name, given)
    thief.cookies.set('admin_session', value)
    expect((await thief.post('/admin/stop-impersonating')).status).toBe(401)
    expect(await known(thief)).toBeNull()
    await eve.post('/sign-in/email', eve)
  }
  expect(await known(root)).not.toBeNull()
})

test('a cookie that puts a session aside is no session cookie', async () => {
  await using server = await createTestServer()
  const { root } = await impersonating(server)
  const thief = server.visitor()
  thief.cookies.set(sessionCookie, root.cookies.get('admin_session') ?? '')

  expect(await known(thief)).toBeNull()
})

test.each([{}, { session: { cookieCache: { enabled: true } } }])(
  'the session as a user ends after its hour, however much it is used; configured: %o',
  async (config) => {
    await using server = await createTestServer(config)
    const { root, ada } = await impersonating(server)
    // Without the dont_remember cookie too: the server decides, not the browser.
    root.cookies.delete('better-auth.dont_remember')

    for (let minute = 0; minute < 59; minute += 7) {
      server.clock.advance(minutes(7))
      if (minute < 49) expect((await root.get('/get-session?disableCookieCache=true')).body.user.id).toBe(ada.id)
    }
    expect(await known(root)).toBeNull()
    expect((await root.post('/admin/stop-impersonating')).status).toBe(401)
    expect(root.cookies.has('admin_session')).toBe(false)
  },
)

test('the configured time counts', async () => {
  await using server = await createTestServer({ admin: { impersonationSessionDuration: 60 } })
  const { root, ada } = await impersonating(server)

  server.clock.advance(minutes(1) - seconds(1))
  expect(await known(root)).toEqual([ada.id, root.id])
  server.clock.advance(seconds(1))
  expect(await known(root)).toBeNull()
})

test('no user acts as an administrator, as themselves, as a banned user, or as an unknown user', async () => {
  await using server = await createTestServer()
  const root = await server.administrator('Root')
  const other = await server.administrator('Other')
  const ada = await server.signedUp('Ada')
  await root.post('/admin/ban-user', { userId: ada.id })
  const refused = async (userId: string, reason?: string) => {
    const { status, body, headers } = await root.post('/admin/impersonate-user', { userId, reason })
    expect(headers.getSetCookie()).toEqual([])
    return [status, body.code]
  }

  expect(await refused(other.id)).toEqual([403, 'YOU_CANNOT_IMPERSONATE_ADMINS'])
  expect(await refused(root.id)).toEqual([403, 'YOU_CANNOT_IMPERSONATE_ADMINS'])
  expect(await refused(ada.id)).toEqual([403, 'BANNED_USER'])
  expect(await refused('nobody')).toEqual([404, 'USER_NOT_FOUND'])
  expect(await refused(ada.id, 'x'.repeat(501))).toEqual([400, 'VALIDATION_ERROR'])
  expect(await server.events('impersonation.started')).toEqual([])
})

test('acting as a user, no user administers: not even when that user has been made an administrator since', async () => {
  await using server = await createTestServer()
  const { root, ada } = await impersonating(server)
  const bob = await server.signedUp('Bob')

  const plain = await root.post('/admin/impersonate-user', { userId: bob.id })
  expect([plain.status, plain.body.code]).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS'])
  // In the database, because the call ends the session.
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) => tx.updateTable('user').set({ role: 'admin' }).where('id', '=', ada.id).execute())

  expect(await told(root, '/admin/impersonate-user', { userId: bob.id })).toEqual(whileImpersonating)
  expect(await told(root, '/admin/set-role', { userId: bob.id, role: 'admin' })).toEqual(whileImpersonating)
  expect((await root.get('/admin/list-users')).status).toBe(403)
  expect((await root.get('/admin/list-events')).status).toBe(403)
  expect((await root.post('/admin/has-permission', { permissions: { user: ['list'] } })).body.success).toBe(false)
})

test('a user who becomes an administrator cannot be impersonated any more', async () => {
  await using server = await createTestServer()
  const { root, ada } = await impersonating(server)
  const other = await server.administrator('Other')

  await other.post('/admin/set-role', { userId: ada.id, role: 'admin' })

  expect(await known(root)).toBeNull()
  expect(await known(ada)).toEqual([ada.id, null])
})

test.each([
  ['/admin/ban-user', (id: string) => ({ userId: id })],
  ['/admin/set-role', (id: string) => ({ userId: id, role: 'user' })],
  ['/admin/remove-user', (id: string) => ({ userId: id })],
  ['/admin/revoke-user-sessions', (id: string) => ({ userId: id })],
  ['/admin/set-user-password', (id: string) => ({ userId: id, newPassword: 'another good one' })],
])('%s of the administrator ends their impersonations', async (path, body) => {
  await using server = await createTestServer()
  const { root, ada } = await impersonating(server)
  const other = await server.administrator('Other')

  expect((await other.post(path, body(root.id))).status).toBe(200)

  expect(await known(root)).toBeNull()
  expect(await known(ada)).toEqual([ada.id, null])
})

test('an administrator who is banned at the moment of beginning to act as a user ends up signed out', async () => {
  await using server = await createTestServer()
  const other = await server.administrator('Other')
  for (let round = 0; round < 5; round += 1) {
    const root = await server.administrator('Root')
    const ada = await server.signedUp('Ada')

    const [begun, banned] = await Promise.all([
      root.post('/admin/impersonate-user', { userId: ada.id }),
      other.post('/admin/ban-user', { userId: root.id }),
    ])

    expect([200, 401, 403]).toContain(begun.status)
    expect(banned.status).toBe(200)
    expect(await known(root)).toBeNull()
  }
})

test('the user ends an administrator’s impersonation by ending their other sessions', async () => {
  await using server = await createTestServer()
  const { root, ada } = await impersonating(server)

  await ada.post('/revoke-other-sessions')

  expect(await known(root)).toBeNull()
  expect(await known(ada)).toEqual([ada.id, null])
})

/** An administrator's impersonation session on another device. */
async function onPhone(server: TestServer, root: Person) {
  const phone = server.visitor()
  await phone.post('/sign-in/email', root)
  return phone
}

test.each<[string, (server: TestServer, root: Person, token: string) => Promise<{ status: number }>]>([
  [
    'by revoking that one',
    async (server, root, token) => (await onPhone(server, root)).post('/revoke-session', { token }),
  ],
  ['by revoking all others', async (server, root) => (await onPhone(server, root)).post('/revoke-other-sessions')],
  ['by revoking all', async (server, root) => (await onPhone(server, root)).post('/revoke-sessions')],
  [
    'by another administrator',
    async (server, _, token) =>
      (await server.administrator('Other')).post('/admin/revoke-user-session', { sessionToken: token }),
  ],
])('an impersonation ends with the administrator’s own session, ended elsewhere %s', async (_, end) => {
  await using server = await createTestServer()
  const { root, ada, own } = await impersonating(server)

  const { status } = await end(server, root, decodeURIComponent(own!).split('.')[0]!)

  expect(status).toBe(200)
  expect(await known(root)).toBeNull()
  expect(await known(ada)).toEqual([ada.id, null])
})

test('an impersonation continues when the administrator’s session at another device ends', async () => {
  await using server = await createTestServer()
  const { root, ada } = await impersonating(server)
  const phone = await onPhone(server, root)

  await phone.post('/sign-out')

  expect(await known(root)).toEqual([ada.id, root.id])
})

test('signing out while acting as a user ends that and the own session, and forgets the cookies', async () => {
  await using server = await createTestServer()
  const { root, ada, own } = await impersonating(server)
  const phone = await onPhone(server, root)
  const { token } = (await phone.get('/get-session')).body.session

  expect((await root.post('/sign-out')).body).toEqual({ success: true })

  expect(root.cookies.size).toBe(0)
  expect((await storedSessions(server)).map(({ userId }) => userId).toSorted()).toEqual([root.id, ada.id].toSorted())
  expect((await storedSessions(server)).find(({ userId }) => userId === root.id)).toMatchObject({ token })
  expect(await server.events('impersonation.stopped')).toMatchObject([{ actorId: root.id, userId: ada.id }])
  expect(await server.events('session.revoked')).toMatchObject([
    { actorId: root.id, userId: root.id, data: { signOut: true } },
  ])
  root.cookies.set(sessionCookie, own ?? '')
  expect(await known(root)).toBeNull()
})

test('signing out twice at the same moment, while the own session is ended elsewhere, ends each session once', async () => {
  await using server = await createTestServer()
  const { root, own } = await impersonating(server)
  const phone = await onPhone(server, root)
  const token = decodeURIComponent(own!).split('.')[0]!

  const answers = await Promise.all([
    root.post('/sign-out'),
    phone.post('/revoke-session', { token }),
    root.post('/sign-out'),
  ])

  for (const { status } of answers) expect([200, 400, 404]).toContain(status)
  expect(await server.events('session.revoked')).toHaveLength(1)
  expect(await known(root)).toBeNull()
})

/** Calls that only the user may make, with valid bodies. */
const bodies: Record<string, object> = {
  changePassword: { currentPassword: 'correct horse battery', newPassword: 'another good one' },
  changeEmail: { newEmail: 'new@example.com' },
  deleteUser: { password: 'correct horse battery' },
  linkSocial: { provider: 'github' },
  unlinkAccount: { providerId: 'credential' },
  setPassword: { newPassword: 'another good one' },
  verifyPassword: { password: 'correct horse battery' },
  createOrganization: { name: 'Acme', slug: 'acme' },
  deleteOrganization: { organizationId: 'x' },
  transferOwnership: { memberId: 'x' },
  leaveOrganization: { organizationId: 'x' },
  acceptInvitation: { invitationId: 'x' },
  rejectInvitation: { invitationId: 'x' },
  joinByLink: { token: 'x' },
  joinOrganization: { organizationId: 'x' },
}
const own = (Object.entries(authCalls) as [keyof typeof authCalls, Call][]).filter(([, call]) => call.own)

test.each(own.filter(([, call]) => !call.serverOnly))('%s is for the user alone', async (name, { method, path }) => {
  await using server = await createTestServer()
  const { root, ada } = await impersonating(server)

  const { status, body } =
    method === 'GET' ? await root.get(`${path}?token=x&accountId=x`) : await root.post(path, bodies[name] ?? {})

  expect([status, body]).toEqual(whileImpersonating)
  expect((await server.visitor().post('/sign-in/email', ada)).status).toBe(200)
  expect((await ada.get('/get-session')).body.user.email).toBe(ada.email)
})

test('a call of server code that only the user may cause is refused, too', async () => {
  await using server = await createTestServer()
  const { root } = await impersonating(server)
  const headers = { cookie: [...root.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }

  const refused = server.tollgate.api.setPassword({ headers, body: { newPassword: 'another good one' } })

  await expect(refused).rejects.toMatchObject({ error: 'NOT_ALLOWED_WHILE_IMPERSONATING' })
})

test('passwords, addresses, devices and the account itself are the user’s own affair', () => {
  const names = own.map(([name]) => name)

  expect(names).toEqual(expect.arrayContaining(['setPassword', 'changePassword', 'verifyPassword']))
  expect(names).toEqual(expect.arrayContaining(['changeEmail', 'deleteUser', 'deleteUserCallback']))
  expect(names).toEqual(expect.arrayContaining(['revokeSessions', 'revokeOtherSessions']))
})

test('a change of address is approved by its owner alone, however the link came by', async () => {
  await using server = await createTestServer()
  const root = await server.administrator('Root')
  const ada = await server.signedUp('Ada')
  await ada.request('GET', await server.linkTo(ada.email))
  server.clock.advance(1)
  await ada.post('/change-email', { newEmail: 'new@example.com' })
  const link = await server.linkTo(ada.email)
  await root.post('/admin/impersonate-user', { userId: ada.id })

  const followed = await root.request('GET', link)

  expect(followed.headers.get('location')).toBe('/?error=unauthorized')
  expect((await ada.request('GET', link)).headers.get('location')).toBe('/')
  expect((await ada.get('/get-session')).body.user.email).toBe('new@example.com')
})

test('everything done as a user names the administrator', async () => {
  await using server = await createTestServer()
  const { root, ada } = await impersonating(server)
  const verification = await server.linkTo(ada.email)
  const from = server.clock.now()
  server.clock.advance(1)
  const phone = server.visitor()
  await phone.post('/sign-in/email', ada)
  const { token } = (await phone.get('/get-session')).body.session

  await root.post('/update-user', { name: 'Countess' })
  await root.request('GET', verification)
  await root.post('/revoke-session', { token })

  expect(await eventsOf(server, ada.id, from)).toEqual(
    [
      `session.created ${ada.id}`,
      `user.updated ${root.id}`,
      `user.email_verified ${root.id}`,
      `session.revoked ${root.id}`,
    ].toSorted(),
  )
})

test('the cleanup removes an impersonation session like any other', async () => {
  await using server = await createTestServer()
  const { ada } = await impersonating(server)
  server.clock.advance(days(1))

  await server.tollgate.internals.ctx.jobs.runDue()

  expect((await storedSessions(server)).some(({ impersonatedBy }) => impersonatedBy !== null)).toBe(false)
  expect(await known(ada)).toEqual([ada.id, null])
})
