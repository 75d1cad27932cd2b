import { expect, test, vi } from 'vitest'
import { days, hours, seconds } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type TestServer } from '../../testing.ts'

const deleted = { success: true, message: 'User deleted' }
const mailed = { success: true, message: 'Verification email sent' }
const invalidToken = { code: 'INVALID_TOKEN', message: 'invalid token' }
const noMails: TollgateConfig = { user: { deleteUser: { sendVerification: false } } }
const callback = '/api/auth/delete-user/callback'
const cleared = ['session_token', 'session_data', 'dont_remember'].map(
  (name) => `better-auth.${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`,
)

const context = ({ tollgate }: TestServer) => tollgate.internals.ctx

/** How many rows of users, passwords, sessions and links remain. */
async function left(server: TestServer) {
  const { db } = context(server)
  const rows = await Promise.all([
    db.selectFrom('user').select('id').execute(),
    db.selectFrom('account').select('id').execute(),
    db.selectFrom('session').select('id').execute(),
    db.selectFrom('verification').select('id').execute(),
  ])
  return rows.map(({ length }) => length)
}
const nobody = [0, 0, 0, 0]

type Person = Awaited<ReturnType<TestServer['signedUp']>>

/** Requests the mail and returns its link. */
async function deletionLink(server: TestServer, person: Person, callbackURL?: string): Promise<string> {
  await context(server).jobs.runDue()
  server.clock.advance(1) // So that the next mail is the newest.
  const { status, body } = await person.post('/delete-user', callbackURL === undefined ? {} : { callbackURL })
  expect([status, body]).toEqual([200, mailed])
  return server.linkTo(person.email)
}

const tokenIn = (link: string): string => new URL(link, 'http://localhost').searchParams.get('token') ?? ''

test.each(['always', true] as const)(
  'where mails confirm every deletion (%s), so does the right password',
  async (mode) => {
    await using server = await createTestServer({ user: { deleteUser: { sendVerification: mode } } })
    const ada = await server.signedUp('Ada')
    await context(server).jobs.runDue()
    server.clock.advance(1)

    const wrong = await ada.post('/delete-user', { password: 'not it' })
    const right = await ada.post('/delete-user', { password: ada.password })

    expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_PASSWORD'])
    expect([right.status, right.body]).toEqual([200, mailed])
    expect((await left(server))[0]).toBe(1)
    await ada.request('GET', await server.linkTo(ada.email))
    expect(await left(server)).toEqual(nobody)
  },
)

test('with the password an account is deleted at once, with everything that belongs to it', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const { user } = (await ada.get('/get-session')).body
  const phone = server.visitor()
  await phone.post('/sign-in/email', ada)
  await server.visitor().post('/request-password-reset', { email: ada.email })
  await context(server).jobs.runDue()

  const { status, body, headers } = await ada.post('/delete-user', { password: ada.password })

  expect([status, body]).toEqual([200, deleted])
  expect(headers.getSetCookie().sort()).toEqual([...cleared].sort())
  expect(await left(server)).toEqual(nobody)
  expect((await phone.get('/get-session')).body).toBeNull()
  expect((await server.visitor().post('/sign-in/email', ada)).status).toBe(401)
  expect(await server.events('user.deleted')).toEqual([{ actorId: user.id, userId: user.id, data: null }])
})

test('deleting an account leaves every other user alone', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const eve = await server.signedUp('Eve')

  await ada.post('/delete-user', { password: ada.password })

  expect((await eve.get('/get-session')).body.user.email).toBe(eve.email)
  expect(await left(server)).toEqual([1, 1, 1, 1])
})

test('the address is free after a deletion, and an old link is of no use to who takes it', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const old = await server.linkTo(ada.email)
  await ada.post('/delete-user', { password: ada.password })

  const again = await server.visitor().post('/sign-up/email', { name: 'Ada', email: ada.email, password: ada.password })

  expect(again.status).toBe(200)
  expect((await server.visitor().request('GET', old)).headers.get('location')).toBe('/?error=invalid_token')
})

test('without a password a link is mailed, which deletes the account in its session', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()

  const link = await deletionLink(server, ada, '/bye?why=moved')

  const [mail] = await server.mailsTo(ada.email)
  expect(mail?.subject).toBe('Confirm the deletion of your Tollgate account')
  const url = new URL(link, server.baseURL)
  expect(url.pathname).toBe(callback)
  expect([...url.searchParams]).toEqual([
    ['token', expect.stringMatching(/^[0-9a-z]{32}$/)],
    ['callbackURL', '/bye?why=moved'],
  ])
  expect(await left(server)).toEqual([1, 1, 1, 2])

  const followed = await ada.request('GET', link)

  expect([followed.status, followed.headers.get('location'), followed.text]).toEqual([302, '/bye?why=moved', ''])
  expect(followed.headers.getSetCookie().sort()).toEqual([...cleared].sort())
  expect(await left(server)).toEqual(nobody)
  expect(await server.events('user.deleted')).toHaveLength(1)
})

test('without a callbackURL the link leads to the root, and the call answers with JSON', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const link = await deletionLink(server, ada)
  expect(new URL(link, server.baseURL).searchParams.get('callbackURL')).toBe('/')

  const { status, body } = await ada.request('GET', `${callback}?token=${tokenIn(link)}`)

  expect([status, body]).toEqual([200, deleted])
})

test('the mailed token may be posted instead', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const token = tokenIn(await deletionLink(server, ada))

  const { status, body } = await ada.post('/delete-user', { token })

  expect([status, body]).toEqual([200, deleted])
  expect(await left(server)).toEqual(nobody)
})

test('the link is of no use without the session of its user', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const eve = await server.signedUp('Eve')
  const link = await deletionLink(server, ada)

  const stranger = await server.visitor().request('GET', link)
  expect([stranger.status, stranger.body]).toEqual([
    404,
    { code: 'FAILED_TO_GET_USER_INFO', message: 'Failed to get user info' },
  ])
  const other = await eve.request('GET', link)
  expect([other.status, other.body]).toEqual([404, invalidToken])
  const posted = await eve.post('/delete-user', { token: tokenIn(link) })
  expect([posted.status, posted.body]).toEqual([404, invalidToken])

  expect((await left(server))[0]).toBe(2)
  expect((await ada.request('GET', link)).status).toBe(302)
})

test('the link works for a day, and a new one ends the one before', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const first = await deletionLink(server, ada)
  const second = await deletionLink(server, ada)
  expect((await ada.request('GET', first)).body).toEqual(invalidToken)

  server.clock.advance(days(1))
  expect((await ada.request('GET', second)).body).toEqual(invalidToken)
  const third = await deletionLink(server, ada)
  server.clock.advance(days(1) - seconds(1))
  expect((await ada.request('GET', third)).status).toBe(302)
})

test('of several concurrent deletions one sends an event', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()

  const answers = await Promise.all([1, 2, 3].map(() => ada.post('/delete-user', { password: ada.password })))

  expect(answers.some(({ status }) => status === 200)).toBe(true)
  // The later request has no session or no password left.
  for (const { status, body } of answers)
    if (status !== 200)
      expect(['UNAUTHORIZED', 'CREDENTIAL_ACCOUNT_NOT_FOUND', 'INVALID_PASSWORD']).toContain(body.code)
  expect(await left(server)).toEqual(nobody)
  expect(await server.events('user.deleted')).toHaveLength(1)
})

test('of two visits of the link at the same moment one deletes', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const link = await deletionLink(server, ada)

  const answers = await Promise.all([1, 2].map(() => ada.request('GET', link)))

  expect(answers.map(({ status }) => status).sort()).toEqual([302, 404])
  expect(await server.events('user.deleted')).toHaveLength(1)
})

test('where no mails are sent a fresh session deletes at once', async () => {
  await using server = await createTestServer(noMails)
  const ada = await server.signedUp()
  server.clock.advance(days(1) - seconds(1))

  const { status, body } = await ada.post('/delete-user', {})

  expect([status, body]).toEqual([200, deleted])
})

test('where no mails are sent a session older than a day must prove the password again', async () => {
  await using server = await createTestServer(noMails)
  const ada = await server.signedUp()
  server.clock.advance(days(1) + hours(1))
  // Use extends the session, which proves nothing about who uses it.
  await ada.get('/get-session')

  const { status, body } = await ada.post('/delete-user', {})

  expect([status, body]).toEqual([
    400,
    {
      code: 'SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION',
      message: 'Session expired. Re-authenticate to perform this action.',
    },
  ])
  await ada.post('/verify-password', { password: ada.password })
  expect((await ada.post('/delete-user', {})).body).toEqual(deleted)
})

test('freshness 0 asks for nothing', async () => {
  await using server = await createTestServer({ ...noMails, session: { freshAge: 0 } })
  const ada = await server.signedUp()
  server.clock.advance(days(6))

  expect((await ada.post('/delete-user', {})).body).toEqual(deleted)
})

test.each<[string, unknown, number, unknown]>([
  [
    'the password is wrong',
    { password: 'wrong horse battery' },
    400,
    { code: 'INVALID_PASSWORD', message: 'Invalid password' },
  ],
  ['the password is empty', { password: '' }, 400, { code: 'INVALID_PASSWORD', message: 'Invalid password' }],
  ['the token is unknown', { token: 'x'.repeat(32) }, 404, invalidToken],
  ['the token is wrong and the password right', { token: 'x', password: 'correct horse battery' }, 404, invalidToken],
  ['the password is no text', { password: 1 }, 400, { code: 'VALIDATION_ERROR', message: 'Invalid body parameters' }],
  [
    'the callbackURL leads elsewhere',
    { callbackURL: 'https://evil.example' },
    403,
    { code: 'INVALID_CALLBACKURL', message: 'Invalid callbackURL' },
  ],
])('delete-user is refused when %s', async (_, given, expectedStatus, expected) => {
  await using server = await createTestServer()
  const ada = await server.signedUp()

  const { status, body, headers } = await ada.post('/delete-user', given)

  expect([status, body, headers.getSetCookie()]).toEqual([expectedStatus, expected, []])
  expect((await ada.get('/get-session')).body.user.email).toBe(ada.email)
  expect(await server.events('user.deleted')).toEqual([])
})

test('a user without a password has none to delete with', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await context(server).transaction((tx) => tx.deleteFrom('account').execute())

  const { status, body } = await ada.post('/delete-user', { password: ada.password })

  expect([status, body]).toEqual([
    400,
    { code: 'CREDENTIAL_ACCOUNT_NOT_FOUND', message: 'Credential account not found' },
  ])
})

test('the callback refuses a missing token and a callbackURL that leads elsewhere', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const token = tokenIn(await deletionLink(server, ada))

  const none = await ada.request('GET', callback)
  expect([none.status, none.body]).toEqual([400, { code: 'VALIDATION_ERROR', message: 'Invalid query parameters' }])
  const away = await ada.request('GET', `${callback}?token=${token}&callbackURL=//evil.example`)
  expect([away.status, away.body]).toEqual([403, { code: 'INVALID_CALLBACKURL', message: 'Invalid callbackURL' }])
  expect((await left(server))[0]).toBe(1)
})

test('where deletion is off neither call is there', async () => {
  await using server = await createTestServer({ user: { deleteUser: { enabled: false } } })
  const ada = await server.signedUp()
  const notFound = { code: 'NOT_FOUND', message: 'Not found' }

  const posted = await ada.post('/delete-user', { password: ada.password })
  expect([posted.status, posted.body]).toEqual([404, notFound])
  const followed = await ada.request('GET', `${callback}?token=x`)
  expect([followed.status, followed.body]).toEqual([404, notFound])
})

test('onUserDeleted is called once, after the commit', async () => {
  const onUserDeleted = vi.fn()
  await using server = await createTestServer({ hooks: { onUserDeleted } })
  const ada = await server.signedUp('Ada')
  const { user } = (await ada.get('/get-session')).body

  await ada.post('/delete-user', { password: 'wrong horse battery' })
  await ada.post('/delete-user', { password: ada.password })
  await context(server).settled()

  expect(onUserDeleted.mock.calls).toEqual([[{ id: user.id, email: ada.email, name: 'Ada' }]])
})

const lastAdministrator = {
  code: 'THE_LAST_ADMINISTRATOR_CANNOT_BE_REMOVED',
  message: 'The last administrator cannot be removed',
}

test('the last administrator is not deleted, by a password or by a link, which stays good', async () => {
  await using server = await createTestServer()
  const root = await server.administrator()
  const token = tokenIn(await deletionLink(server, root))

  for (const given of [{ password: root.password }, { token }]) {
    const { status, body } = await root.post('/delete-user', given)
    expect([status, body]).toEqual([400, lastAdministrator])
  }
  const followed = await root.request('GET', `${callback}?token=${token}`)

  expect([followed.status, followed.body]).toEqual([400, lastAdministrator])
  expect(await server.events('user.deleted')).toEqual([])
  await server.administrator('Other')
  expect((await root.post('/delete-user', { token })).body).toEqual(deleted)
})

test('a banned administrator does not count as one who is left', async () => {
  await using server = await createTestServer()
  const root = await server.administrator('Root')
  const other = await server.administrator('Other')
  await root.post('/admin/ban-user', { userId: other.id })

  expect((await root.post('/delete-user', { password: root.password })).body).toEqual(lastAdministrator)
})

test('of two administrators who delete themselves at the same moment one stays', async () => {
  await using server = await createTestServer()
  for (let round = 0; round < 5; round += 1) {
    const people = [await server.administrator('One'), await server.administrator('Two')]

    const answers = await Promise.all(
      people.map((person) => person.post('/delete-user', { password: person.password })),
    )

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    await context(server).transaction((tx) => tx.deleteFrom('user').execute())
  }
})

test('who is made an administrator and left alone while they delete themselves stays', async () => {
  await using server = await createTestServer()
  const root = await server.administrator('Root')
  const ada = await server.signedUp('Ada')
  const { passwords } = context(server)
  const { verify } = passwords
  const meanwhile: typeof verify = async (...given) => {
    Object.assign(passwords, { verify })
    await root.post('/admin/set-role', { userId: ada.id, role: 'admin' })
    expect((await root.post('/delete-user', { password: root.password })).body).toEqual(deleted)
    return verify(...given)
  }
  Object.assign(passwords, { verify: meanwhile })

  expect((await ada.post('/delete-user', { password: ada.password })).body).toEqual(lastAdministrator)
})
