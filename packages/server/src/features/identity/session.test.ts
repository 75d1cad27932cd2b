import { expect, test } from 'vitest'
import { days, hours, seconds } from '../../foundation/clock.ts'
import { createTestServer, type TestServer, testStart } from '../../testing.ts'

const sessionCookie = 'better-auth.session_token'
const cleared = (name: string) => `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`
const allCleared = [
  cleared('better-auth.dont_remember'),
  cleared('better-auth.session_data'),
  cleared('better-auth.session_token'),
]

const isoAfter = (milliseconds: number) => new Date(testStart.getTime() + milliseconds).toISOString()
const storedSessions = ({ tollgate }: TestServer) =>
  tollgate.internals.ctx.db.selectFrom('session').selectAll().execute()

/** The session events, oldest first. */
async function revocations({ tollgate }: TestServer) {
  const { db } = tollgate.internals.ctx
  const rows = await db.selectFrom('event').selectAll().where('type', '=', 'session.revoked').orderBy('id').execute()
  return rows.map(({ actorId, userId, data }) => ({ actorId, userId, data }))
}

/** A second device of the same person. */
async function secondDevice(server: TestServer, { email, password }: { email: string; password: string }) {
  const device = server.visitor()
  const { status } = await device.post('/sign-in/email', { email, password })
  expect(status).toBe(200)
  return device
}

const tokenOf = async (person: Awaited<ReturnType<typeof secondDevice>>): Promise<string> =>
  (await person.get('/get-session')).body.session.token

test('get-session answers the session and its user, all members of both', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada', { headers: { 'user-agent': 'Test browser' }, address: '192.0.2.7' })

  const { status, body, headers } = await ada.get('/get-session')

  const id = expect.stringMatching(/^[A-Za-z0-9]{32}$/)
  expect(status).toBe(200)
  expect(body).toEqual({
    session: {
      id,
      userId: body.user.id,
      token: id,
      expiresAt: isoAfter(days(7)),
      createdAt: testStart.toISOString(),
      updatedAt: testStart.toISOString(),
      ipAddress: '192.0.2.7',
      userAgent: 'Test browser',
      activeOrganizationId: null,
      activeTeamId: null,
      impersonatedBy: null,
    },
    user: {
      id,
      email: ada.email,
      name: 'Ada',
      image: null,
      emailVerified: false,
      createdAt: testStart.toISOString(),
      updatedAt: testStart.toISOString(),
      role: null,
      banned: false,
      banReason: null,
      banExpires: null,
      username: null,
      displayUsername: null,
    },
    organization: null,
  })
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.getSetCookie()).toEqual([])
})

test('get-session answers null to strangers, and touches no cookie of theirs', async () => {
  await using server = await createTestServer()

  const { status, text, headers } = await server.visitor().get('/get-session')

  expect([status, text, headers.getSetCookie()]).toEqual([200, 'null', []])
})

test('a cookie with a foreign signature identifies no user, and stays as it is', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const genuine = ada.cookies.get(sessionCookie)!
  const flipped = genuine.replace(/(.{10})$/, (end) => (end.startsWith('A') ? 'B' : 'A') + end.slice(1))
  const [token = ''] = decodeURIComponent(genuine).split('.')

  for (const forged of [
    flipped,
    token,
    `${token}.`,
    `${token}.${'A'.repeat(43)}%3D`,
    `.${'A'.repeat(44)}`,
    '%',
    '%ff',
  ]) {
    const { text, headers } = await server.visitor().get('/get-session', { cookie: `${sessionCookie}=${forged}` })

    expect([forged, text, headers.getSetCookie()]).toEqual([forged, 'null', []])
  }
})

test('a signed cookie of a session that is gone is answered null and all cookies are cleared', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await ada.post('/revoke-sessions')

  const { text, headers } = await ada.get('/get-session')

  expect(text).toBe('null')
  expect(headers.getSetCookie().sort()).toEqual(allCleared)
})

test('a session ends to the millisecond; the expired one is deleted and its cookies are cleared', async () => {
  await using server = await createTestServer({ session: { disableSessionRefresh: true } })
  const ada = await server.signedUp()
  server.clock.advance(days(7) - 1)
  expect((await ada.get('/get-session')).body.user.email).toBe(ada.email)

  server.clock.advance(1)
  const { text, headers } = await ada.get('/get-session')

  expect(text).toBe('null')
  expect(headers.getSetCookie().sort()).toEqual(allCleared)
  expect(await storedSessions(server)).toEqual([])
})

test('get-session extends a session from the moment its update age has passed, not before', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  server.clock.advance(days(1) - 1)
  const before = await ada.get('/get-session')
  expect([before.body.session.expiresAt, before.headers.getSetCookie()]).toEqual([isoAfter(days(7)), []])

  server.clock.advance(1)
  const { body, headers } = await ada.get('/get-session')

  expect(body.session).toMatchObject({ expiresAt: isoAfter(days(8)), updatedAt: isoAfter(days(1)) })
  expect(headers.getSetCookie()).toEqual([
    `${sessionCookie}=${ada.cookies.get(sessionCookie)}; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax`,
  ])
  expect((await storedSessions(server))[0]?.expiresAt.toISOString()).toBe(isoAfter(days(8)))
})

test('a session in use never ends; one that rests for a week does', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  for (let day = 0; day < 30; day += 1) {
    server.clock.advance(days(1))
    expect((await ada.get('/get-session')).body.session.expiresAt).toBe(isoAfter(days(day + 8)))
  }

  server.clock.advance(days(7))

  expect((await ada.get('/get-session')).body).toBeNull()
})

test('disableRefresh leaves the session as it is', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  server.clock.advance(days(2))

  const { body, headers } = await ada.get('/get-session?disableRefresh=true')

  expect([body.session.expiresAt, headers.getSetCookie()]).toEqual([isoAfter(days(7)), []])
})

test('with disableSessionRefresh no session is ever extended', async () => {
  await using server = await createTestServer({ session: { disableSessionRefresh: true } })
  const ada = await server.signedUp()
  server.clock.advance(days(6))

  expect((await ada.get('/get-session')).body.session.expiresAt).toBe(isoAfter(days(7)))
})

test('life and update age are those of the configuration', async () => {
  await using server = await createTestServer({ session: { expiresIn: 100, updateAge: 10 } })
  const ada = await server.signedUp()
  expect((await ada.get('/get-session')).body.session.expiresAt).toBe(isoAfter(seconds(100)))

  server.clock.advance(seconds(10))
  expect((await ada.get('/get-session')).body.session.expiresAt).toBe(isoAfter(seconds(110)))
})

test('an update age of 0 extends a session at every look', async () => {
  await using server = await createTestServer({ session: { updateAge: 0 } })
  const ada = await server.signedUp()

  server.clock.advance(1)

  expect((await ada.get('/get-session')).body.session.expiresAt).toBe(isoAfter(days(7) + 1))
})

test('F-race-refresh: requests at the same moment extend a session to one time, and sign no user out', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  server.clock.advance(days(1))

  const answers = await Promise.all(Array.from({ length: 20 }, () => ada.get('/get-session')))

  expect(new Set(answers.map(({ body }) => body.session.expiresAt))).toEqual(new Set([isoAfter(days(8))]))
  expect(ada.cookies.has(sessionCookie)).toBe(true)
  expect(await storedSessions(server)).toHaveLength(1)
})

test('a session that is extended and revoked at the same moment stays revoked', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const phone = await secondDevice(server, ada)
  server.clock.advance(days(1))

  await Promise.all([ada.post('/revoke-other-sessions'), ...Array.from({ length: 5 }, () => phone.get('/get-session'))])

  expect((await phone.get('/get-session')).body).toBeNull()
  expect(await storedSessions(server)).toHaveLength(1)
})

test('a query that is no flag is refused', async () => {
  await using server = await createTestServer()

  for (const query of ['disableRefresh=perhaps', 'disableCookieCache=', 'disableRefresh=true&disableRefresh=true']) {
    const { status, body } = await server.visitor().get(`/get-session?${query}`)

    expect([query, status, body]).toEqual([
      query,
      400,
      { code: 'VALIDATION_ERROR', message: 'Invalid query parameters' },
    ])
  }
})

test('without remember-me the cookies end with the browser, and the session after a day, however much it is used', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const device = server.visitor()

  const { headers } = await device.post('/sign-in/email', {
    email: ada.email,
    password: ada.password,
    rememberMe: false,
  })

  const attributes = 'Path=/; HttpOnly; SameSite=Lax'
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(new RegExp(`^better-auth\\.session_token=[A-Za-z0-9]{32}\\.[\\w%]+; ${attributes}$`)),
    expect.stringMatching(new RegExp(`^better-auth\\.dont_remember=true\\.[\\w%]+; ${attributes}$`)),
  ])
  server.clock.advance(hours(24) - 1)
  expect((await device.get('/get-session')).body.session.expiresAt).toBe(isoAfter(days(1)))
  server.clock.advance(1)
  expect((await device.get('/get-session')).body).toBeNull()
  expect([...device.cookies.keys()]).toEqual([])
})

test('a session that is not remembered knows it by itself: its cookie alone neither extends it nor makes it outlive the browser', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const device = server.visitor()
  await device.post('/sign-in/email', { email: ada.email, password: ada.password, rememberMe: false })
  const alone = { cookie: `${sessionCookie}=${device.cookies.get(sessionCookie)}` }
  const visitor = server.visitor()

  for (const later of [0, hours(1), hours(23) - 1]) {
    server.clock.advance(later)
    const { body, headers } = await visitor.get('/get-session', alone)
    expect([later, body.session.expiresAt, headers.getSetCookie()]).toEqual([later, isoAfter(days(1)), []])
    const byServer = await server.tollgate.api.getSession({ headers: alone })
    expect([later, byServer?.session.expiresAt]).toEqual([later, isoAfter(days(1))])
  }
  const endsWithBrowser = [
    expect.stringMatching(/^better-auth\.session_token=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^better-auth\.dont_remember=true\.[^;]+; Path=\/; HttpOnly; SameSite=Lax$/),
  ]
  expect((await visitor.post('/update-session', {}, alone)).headers.getSetCookie()).toEqual(endsWithBrowser)
  const { status, headers } = await visitor.post(
    '/change-password',
    { currentPassword: ada.password, newPassword: 'another password', revokeOtherSessions: true },
    alone,
  )
  expect([status, headers.getSetCookie()]).toEqual([200, endsWithBrowser])
  expect((await storedSessions(server)).map((session) => session.expiresAt.toISOString())).toEqual([
    isoAfter(days(2) - 1),
  ])
})

test('the life without remember-me is that of the configuration, at sign-up too', async () => {
  await using server = await createTestServer({ session: { expiresInWithoutRememberMe: 60 } })
  const visitor = server.visitor()

  await visitor.post('/sign-up/email', { name: 'Ada', email: 'a@example.com', password: '12345678', rememberMe: false })

  expect([...visitor.cookies.keys()]).toEqual([sessionCookie, 'better-auth.dont_remember'])
  expect((await visitor.get('/get-session')).body.session.expiresAt).toBe(isoAfter(seconds(60)))
})

test('signing in with remember-me takes an earlier opt-out back', async () => {
  await using server = await createTestServer()
  const { email, password } = await server.signedUp()
  const device = server.visitor()
  await device.post('/sign-in/email', { email, password, rememberMe: false })

  const { headers } = await device.post('/sign-in/email', { email, password })

  expect(headers.getSetCookie()).toContain(cleared('better-auth.dont_remember'))
  server.clock.advance(days(1))
  expect((await device.get('/get-session')).body.session.expiresAt).toBe(isoAfter(days(8)))
})

test('an opt-out cookie that we did not sign counts for nothing', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  ada.cookies.set('better-auth.dont_remember', 'true')
  server.clock.advance(days(1))

  expect((await ada.get('/get-session')).body.session.expiresAt).toBe(isoAfter(days(8)))
})

test('list-sessions names the unexpired sessions of the caller alone, newest first', async () => {
  await using server = await createTestServer({ session: { expiresIn: 100 } })
  const ada = await server.signedUp('Ada')
  await server.signedUp('Grace')
  server.clock.advance(seconds(60))
  const tablet = await secondDevice(server, ada)
  server.clock.advance(seconds(20))
  const phone = await secondDevice(server, ada)
  const known = [await tokenOf(phone), await tokenOf(tablet), await tokenOf(ada)]

  const all = await phone.get('/list-sessions')
  server.clock.advance(seconds(20))
  const unexpired = await phone.get('/list-sessions')

  expect(all.body.map(({ token }: { token: string }) => token)).toEqual(known)
  expect(unexpired.body.map(({ token }: { token: string }) => token)).toEqual(known.slice(0, 2))
})

test('list-sessions is current after each sign-in and sign-out of the same user', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const count = async () => (await ada.get('/list-sessions')).body.length
  expect([await count(), await count()]).toEqual([1, 1])

  const phone = await secondDevice(server, ada)
  expect([await count(), await count()]).toEqual([2, 2])
  await phone.post('/sign-out')
  expect(await count()).toBe(1)

  const { api } = server.tollgate
  const headers = { cookie: [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
  const list = await api.listSessions({ headers })
  list.length = 0
  expect(await count()).toBe(1)
})

const guarded = [
  ['GET', '/list-sessions'],
  ['POST', '/revoke-session'],
  ['POST', '/revoke-sessions'],
  ['POST', '/update-session'],
  ['POST', '/revoke-other-sessions'],
] as const

test.each(guarded)('%s %s wants a session', async (method, path) => {
  await using server = await createTestServer()
  const visitor = server.visitor()

  const { status, body } = method === 'GET' ? await visitor.get(path) : await visitor.post(path, { token: 'any' })

  expect([status, body]).toEqual([401, { code: 'UNAUTHORIZED', message: 'Unauthorized' }])
})

test.each(guarded)('%s %s does not believe an expired session', async (method, path) => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  server.clock.advance(days(7))

  const { status } = method === 'GET' ? await ada.get(path) : await ada.post(path, { token: 'any' })

  expect(status).toBe(401)
})

test('revoke-session ends the named session and no other', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const phone = await secondDevice(server, ada)
  const { session, user } = (await phone.get('/get-session')).body

  const { status, body, headers } = await ada.post('/revoke-session', { token: session.token })

  expect([status, body, headers.getSetCookie()]).toEqual([200, { status: true }, []])
  expect((await phone.get('/get-session')).body).toBeNull()
  expect((await ada.get('/get-session')).body.user.id).toBe(user.id)
  expect(await revocations(server)).toEqual([{ actorId: user.id, userId: user.id, data: { sessionId: session.id } }])
})

test('revoke-session refuses an unknown token, one that was revoked before, and none', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const token = await tokenOf(await secondDevice(server, ada))
  await ada.post('/revoke-session', { token })

  for (const each of [token, '', 'x'.repeat(32), "' or 1=1 --"]) {
    const { status, body } = await ada.post('/revoke-session', { token: each })
    expect([each, status, body]).toEqual([each, 400, { code: 'SESSION_NOT_FOUND', message: 'Session not found' }])
  }
  for (const wrong of [{}, { token: null }, { token: 1 }, { token: ['x'] }, { token: 'nul\u0000byte' }, []]) {
    const { status, body } = await ada.post('/revoke-session', wrong)
    expect([status, body]).toEqual([400, { code: 'VALIDATION_ERROR', message: 'Invalid body parameters' }])
  }
  expect(await revocations(server)).toHaveLength(1)
})

test("revoke-session does not end another person's session", async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const eve = await server.signedUp('Eve')

  const { status, body } = await eve.post('/revoke-session', { token: await tokenOf(ada) })

  expect([status, body]).toEqual([401, { code: 'UNAUTHORIZED', message: 'Unauthorized' }])
  expect((await ada.get('/get-session')).body.user.email).toBe(ada.email)
  expect(await revocations(server)).toEqual([])
})

test('revoking one session twice at the same moment ends it once', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const token = await tokenOf(await secondDevice(server, ada))

  const answers = await Promise.all([
    ada.post('/revoke-session', { token }),
    ada.post('/revoke-session', { token }),
    ada.post('/revoke-session', { token }),
  ])

  for (const { status, body } of answers)
    expect([200, 400]).toContain(status === 400 ? (body.code === 'SESSION_NOT_FOUND' ? 400 : body) : status)
  expect(answers.some(({ status }) => status === 200)).toBe(true)
  expect(await revocations(server)).toHaveLength(1)
})

test('revoke-sessions ends every session of the caller, this one too, and no other user’s; the cookie stays', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const phone = await secondDevice(server, ada)
  const grace = await server.signedUp('Grace')

  const { status, body, headers } = await ada.post('/revoke-sessions')

  expect([status, body, headers.getSetCookie()]).toEqual([200, { status: true }, []])
  expect((await ada.get('/get-session')).body).toBeNull()
  expect((await phone.get('/get-session')).body).toBeNull()
  expect((await grace.get('/get-session')).body.user.email).toBe(grace.email)
  expect((await revocations(server)).map(({ data }) => data)).toEqual([{ count: 2 }])
})

test('revoke-other-sessions leaves the present one', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const phone = await secondDevice(server, ada)

  const { status, body } = await ada.post('/revoke-other-sessions')
  const again = await ada.post('/revoke-other-sessions')

  expect([status, body]).toEqual([200, { status: true }])
  expect([again.status, again.body]).toEqual([200, { status: true }])
  expect((await phone.get('/get-session')).body).toBeNull()
  expect((await ada.get('/get-session')).body.user.email).toBe(ada.email)
  // The second request had nothing to end and emits no event.
  expect((await revocations(server)).map(({ data }) => data)).toEqual([{ count: 1 }])
})

test('update-session answers the stored session and renews its cookies, and sets nothing that a body names', async () => {
  await using server = await createTestServer({ session: { cookieCache: { enabled: true } } })
  const ada = await server.signedUp('Ada')
  const before = (await ada.get('/get-session')).body.session
  server.clock.advance(hours(1))

  const given = { userId: 'somebody else', expiresAt: '2099-01-01T00:00:00.000Z', impersonatedBy: 'me' }
  const { status, body, headers } = await ada.post('/update-session', given)

  expect([status, body]).toEqual([200, { session: before }])
  expect(headers.getSetCookie().map((line) => line.replace(/=[^;]+/, ''))).toEqual([
    `better-auth.session_token; Max-Age=${7 * 86_400 - 3600}; Path=/; HttpOnly; SameSite=Lax`,
    'better-auth.session_data; Max-Age=300; Path=/; HttpOnly; SameSite=Lax',
  ])
  expect((await ada.get('/get-session?disableCookieCache=true')).body.session).toEqual(before)
})

test('sign-out ends the session and clears every cookie', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const copy = new Map(ada.cookies)
  const { session, user } = (await ada.get('/get-session')).body

  const { status, body, headers } = await ada.post('/sign-out')

  expect([status, body]).toEqual([200, { success: true }])
  expect(headers.getSetCookie().sort()).toEqual(allCleared)
  expect(await storedSessions(server)).toEqual([])
  expect(await revocations(server)).toEqual([
    { actorId: user.id, userId: user.id, data: { sessionId: session.id, signOut: true } },
  ])
  const thief = server.visitor()
  for (const [name, value] of copy) thief.cookies.set(name, value)
  expect((await thief.get('/get-session')).body).toBeNull()
})

test('sign-out without a session cookie, or with an unsigned one, is refused', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const token = await tokenOf(ada)

  for (const headers of [{}, { cookie: `${sessionCookie}=${token}` }] as Record<string, string>[]) {
    const { status, body } = await server.visitor().post('/sign-out', {}, headers)
    expect([status, body]).toEqual([400, { code: 'FAILED_TO_GET_SESSION', message: 'Failed to get session' }])
  }
  expect(await storedSessions(server)).toHaveLength(1)
})

test('signing out of an ended session succeeds and sends no event', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await ada.post('/revoke-sessions')

  const { status, body } = await ada.post('/sign-out')

  expect([status, body]).toEqual([200, { success: true }])
  expect(await revocations(server)).toHaveLength(1)
})

test('signing out twice at the same moment ends the session once', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()

  const answers = await Promise.all([ada.post('/sign-out'), ada.post('/sign-out'), ada.post('/sign-out')])

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await revocations(server)).toHaveLength(1)
})

test('expired sessions are swept away every hour', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  server.clock.advance(days(6))
  const grace = await server.signedUp('Grace')
  const { ctx } = server.tollgate.internals

  server.clock.advance(days(1))
  await ctx.jobs.runDue()

  const { user } = (await grace.get('/get-session')).body
  expect((await storedSessions(server)).map(({ userId }) => userId)).toEqual([user.id])
  expect((await ada.get('/get-session')).body).toBeNull()
})
