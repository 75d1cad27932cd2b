import { expect, test } from 'vitest'
import { hours, seconds } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type TestServer, testStart, type Visitor } from '../../testing.ts'

const newPassword = 'a brand new password'
const invalidToken = { code: 'INVALID_TOKEN', message: 'invalid token' }
const validation = { code: 'VALIDATION_ERROR', message: 'Invalid body parameters' }
const tooShort = { code: 'PASSWORD_TOO_SHORT', message: 'Password too short' }
const tooLong = { code: 'PASSWORD_TOO_LONG', message: 'Password too long' }
const resetAnswer = {
  status: true,
  message: 'If this email exists in our system, check your email for the reset link',
}

const context = ({ tollgate }: TestServer) => tollgate.internals.ctx
const sessionCount = async (server: TestServer) =>
  (await context(server).db.selectFrom('session').select('id').execute()).length
const subjectsTo = async (server: TestServer, email: string) =>
  (await server.mailsTo(email)).map(({ subject }) => subject)
const isSignedIn = async (visitor: Visitor) => (await visitor.get('/get-session')).body !== null
const removePassword = (server: TestServer) => context(server).transaction((tx) => tx.deleteFrom('account').execute())
const signInStatus = async (server: TestServer, email: string, password: string) =>
  (await server.visitor().post('/sign-in/email', { email, password })).status

/** Sends queued mail and advances the clock, so that the next mail is the newest. */
async function sendMails(server: TestServer): Promise<void> {
  await context(server).jobs.runDue()
  server.clock.advance(1)
}

/** Requests a reset and reads the token from the mail. */
async function resetToken(server: TestServer, email: string): Promise<string> {
  await sendMails(server)
  const { status } = await server.visitor().post('/request-password-reset', { email })
  expect(status).toBe(200)
  return /\/reset-password\/(\w+)/.exec(await server.linkTo(email))?.[1] ?? ''
}

test.each(['/forget-password', '/request-password-reset'])(
  '%s mails a link that leads to the page asked for',
  async (path) => {
    await using server = await createTestServer()
    const ada = await server.signedUp()
    await sendMails(server)

    const { status, body } = await server
      .visitor()
      .post(path, { email: ada.email.toUpperCase(), redirectTo: '/choose?from=mail' })

    expect([status, body]).toEqual([200, resetAnswer])
    const link = new URL(await server.linkTo(ada.email), server.baseURL)
    expect(link.pathname).toMatch(/^\/api\/auth\/reset-password\/[A-Za-z0-9]{24}$/)
    expect([...link.searchParams]).toEqual([['callbackURL', '/choose?from=mail']])
    const token = link.pathname.split('/').at(-1)
    const followed = await server.visitor().request('GET', link.pathname + link.search)
    expect([followed.status, followed.text]).toEqual([302, ''])
    expect(followed.headers.get('location')).toBe(`http://localhost:3000/choose?from=mail&token=${token}`)
    expect(followed.headers.get('referrer-policy')).toBe('no-referrer')
    expect(followed.headers.get('cache-control')).toBe('no-store')
  },
)

test('without redirectTo the link leads to the hosted page', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await sendMails(server)
  await server.visitor().post('/request-password-reset', { email: ada.email })

  const { headers } = await server.visitor().request('GET', await server.linkTo(ada.email))

  expect(headers.get('location')).toMatch(/^http:\/\/localhost:3000\/reset-password\?token=\w{24}$/)
})

test('following the link does not use the token up', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const token = await resetToken(server, ada.email)
  const link = `/api/auth/reset-password/${token}?callbackURL=/choose`

  await server.visitor().request('GET', link)
  await server.visitor().request('GET', link)

  expect((await server.visitor().post('/reset-password', { token, newPassword })).status).toBe(200)
})

test('the token is put before the fragment of an address', async () => {
  await using server = await createTestServer({ trustedOrigins: ['https://app.example'] })
  const ada = await server.signedUp()
  const token = await resetToken(server, ada.email)

  const callbackURL = encodeURIComponent('https://app.example/reset?a=b#form')
  const { headers } = await server
    .visitor()
    .request('GET', `/api/auth/reset-password/${token}?callbackURL=${callbackURL}`)

  expect(headers.get('location')).toBe(`https://app.example/reset?a=b&token=${token}#form`)
})

test('any text in a link’s token leads on with INVALID_TOKEN', async () => {
  await using server = await createTestServer()

  for (const token of ['nul%00', '%ed%a0%80', '%', '%2e%2e%2f', 'x'.repeat(4000), encodeURIComponent('…')]) {
    const path = `/api/auth/reset-password/${token}?callbackURL=/choose`
    const { status, headers } = await server.visitor().request('GET', path)
    const location = headers.get('location')
    expect([token, status, location]).toEqual([token, 302, 'http://localhost:3000/choose?error=INVALID_TOKEN'])
  }
})

test('a link that is unknown, or an hour old, leads on with INVALID_TOKEN', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const token = await resetToken(server, ada.email)
  const locationOf = async (given: string) =>
    (await server.visitor().request('GET', `/api/auth/reset-password/${given}?callbackURL=/choose`)).headers.get(
      'location',
    )
  const refused = 'http://localhost:3000/choose?error=INVALID_TOKEN'

  expect(await locationOf('x'.repeat(24))).toBe(refused)
  expect(await locationOf('%27%20or%201=1%20--')).toBe(refused)
  server.clock.advance(hours(1) - seconds(1))
  expect(await locationOf(token)).toBe(`http://localhost:3000/choose?token=${token}`)
  server.clock.advance(seconds(1))
  expect(await locationOf(token)).toBe(refused)
})

test('a link without a callbackURL, or with one that leads elsewhere, is refused', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const token = await resetToken(server, ada.email)
  const follow = (query: string) => server.visitor().request('GET', `/api/auth/reset-password/${token}${query}`)

  const none = await follow('')
  expect([none.status, none.body]).toEqual([
    400,
    { code: 'CALLBACKURL_IS_REQUIRED', message: 'callbackURL is required' },
  ])
  for (const target of ['https://evil.example', '//evil.example', '/%5Cevil.example']) {
    const away = await follow(`?callbackURL=${encodeURIComponent(target)}`)
    expect([away.status, away.body]).toEqual([403, { code: 'INVALID_CALLBACKURL', message: 'Invalid callbackURL' }])
    expect(away.text).not.toContain(token)
  }
})

test('reset-password sets the password, ends every session, verifies the address and informs its owner', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const token = await resetToken(server, ada.email)

  const { status, body, headers } = await server.visitor().post('/reset-password', { token, newPassword })

  expect([status, body, headers.getSetCookie()]).toEqual([200, { status: true }, []])
  expect(await isSignedIn(ada)).toBe(false)
  expect(await signInStatus(server, ada.email, ada.password)).toBe(401)
  expect(await signInStatus(server, ada.email, newPassword)).toBe(200)
  const user = await context(server).db.selectFrom('user').selectAll().executeTakeFirstOrThrow()
  expect(user.emailVerified).toBe(true)
  const event = { actorId: user.id, userId: user.id, data: null }
  expect(await server.events('user.password_reset')).toEqual([event])
  expect(await server.events('user.email_verified')).toEqual([event])
  expect(await subjectsTo(server, ada.email)).toContain('Your Tollgate password was changed')
})

test('the token may stand in the query', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const token = await resetToken(server, ada.email)

  const { status } = await server.visitor().post(`/reset-password?token=${token}`, { newPassword })

  expect(status).toBe(200)
  expect(await signInStatus(server, ada.email, newPassword)).toBe(200)
})

test('a user who had no password has one after a reset', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await removePassword(server)
  const token = await resetToken(server, ada.email)

  expect((await server.visitor().post('/reset-password', { token, newPassword })).status).toBe(200)

  expect(await signInStatus(server, ada.email, newPassword)).toBe(200)
})

test('a token works once', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const token = await resetToken(server, ada.email)
  await server.visitor().post('/reset-password', { token, newPassword })

  const { status, body } = await server.visitor().post('/reset-password', { token, newPassword: 'another password' })

  expect([status, body]).toEqual([400, invalidToken])
  expect(await signInStatus(server, ada.email, newPassword)).toBe(200)
})

test('of several resets with one token at the same moment one wins', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const token = await resetToken(server, ada.email)
  const passwords = ['first password', 'second password', 'third password']

  const answers = await Promise.all(
    passwords.map((each) => server.visitor().post('/reset-password', { token, newPassword: each })),
  )

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  const winner = answers.findIndex(({ status }) => status === 200)
  for (const [index, each] of passwords.entries())
    expect(await signInStatus(server, ada.email, each)).toBe(index === winner ? 200 : 401)
  expect(await server.events('user.password_reset')).toHaveLength(1)
})

test('a new link ends the one before, and a finished reset ends all', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const first = await resetToken(server, ada.email)
  const second = await resetToken(server, ada.email)

  expect((await server.visitor().post('/reset-password', { token: first, newPassword })).body).toEqual(invalidToken)
  expect((await server.visitor().post('/reset-password', { token: second, newPassword })).status).toBe(200)
})

test('a token is of no use after an hour, nor after the configured life', async () => {
  await using server = await createTestServer({ emailAndPassword: { resetPasswordTokenExpiresIn: 60 } })
  const ada = await server.signedUp()
  const token = await resetToken(server, ada.email)

  server.clock.advance(seconds(60))

  expect((await server.visitor().post('/reset-password', { token, newPassword })).body).toEqual(invalidToken)
  expect(await signInStatus(server, ada.email, ada.password)).toBe(200)
})

test('a refused password leaves the token as it is', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const token = await resetToken(server, ada.email)
  const reset = (password: string) => server.visitor().post('/reset-password', { token, newPassword: password })

  expect((await reset('1234567')).body).toEqual(tooShort)
  expect((await reset('x'.repeat(129))).body).toEqual(tooLong)
  expect((await reset(newPassword)).status).toBe(200)
})

test.each<[string, unknown, unknown]>([
  ['no token is given', { newPassword }, invalidToken],
  ['the token is empty', { newPassword, token: '' }, invalidToken],
  ['the token is unknown', { newPassword, token: 'x'.repeat(24) }, invalidToken],
  ['the token is no text', { newPassword, token: 1 }, validation],
  ['there is no password', { token: 'x'.repeat(24) }, validation],
  ['the password is an object', { token: 'x', newPassword: { length: 12 } }, validation],
])('reset-password is refused when %s', async (_, given, expected) => {
  await using server = await createTestServer()

  const { status, body } = await server.visitor().post('/reset-password', given)

  expect([status, body]).toEqual([400, expected])
})

test('a token for one purpose is none for another', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await sendMails(server)
  await ada.post('/delete-user', {})
  const deletion = new URL(await server.linkTo(ada.email), server.baseURL).searchParams.get('token')
  const reset = await resetToken(server, ada.email)

  expect((await server.visitor().post('/reset-password', { token: deletion, newPassword })).body).toEqual(invalidToken)
  expect((await ada.post('/delete-user', { token: reset })).body).toEqual(invalidToken)
  expect(await isSignedIn(ada)).toBe(true)
})

const sessionsStay: TollgateConfig = { emailAndPassword: { revokeSessionsOnPasswordReset: false } }

test('sessions stay after a reset where that is configured', async () => {
  await using server = await createTestServer(sessionsStay)
  const ada = await server.signedUp()
  await ada.request('GET', await server.linkTo(ada.email))
  const token = await resetToken(server, ada.email)

  await server.visitor().post('/reset-password', { token, newPassword })

  expect(await isSignedIn(ada)).toBe(true)
})

test('a user who signed up with an address of another user is signed out when its owner resets the password', async () => {
  await using server = await createTestServer(sessionsStay)
  const squatter = await server.signedUp()
  const token = await resetToken(server, squatter.email)

  await server.visitor().post('/reset-password', { token, newPassword })

  expect(await isSignedIn(squatter)).toBe(false)
  expect(await signInStatus(server, squatter.email, squatter.password)).toBe(401)
})

test.each<TollgateConfig>([{ emailAndPassword: { resetPassword: false } }, { emailAndPassword: { enabled: false } }])(
  'nothing is reset where that is switched off: %j',
  async (config) => {
    await using server = await createTestServer(config)
    const refused = { code: 'RESET_PASSWORD_ISNT_ENABLED', message: "Reset password isn't enabled" }

    for (const path of ['/forget-password', '/request-password-reset']) {
      const { status, body } = await server.visitor().post(path, { email: 'ada@example.com' })
      expect([status, body]).toEqual([400, refused])
    }
    const { status, body } = await server.visitor().post('/reset-password', { token: 'x', newPassword })
    expect([status, body]).toEqual([400, refused])
  },
)

test.each<[string, unknown, number, unknown]>([
  ['there is no address', {}, 400, validation],
  ['the address is none', { email: 'ada' }, 400, validation],
  ['the address hides a second one', { email: 'ada@example.com,eve@example.com' }, 400, validation],
  [
    'redirectTo leads elsewhere',
    { email: 'ada@example.com', redirectTo: 'https://evil.example/' },
    403,
    { code: 'INVALID_REDIRECTURL', message: 'Invalid redirectURL' },
  ],
])('a reset link is refused when %s', async (_, given, expectedStatus, expected) => {
  await using server = await createTestServer()

  for (const path of ['/forget-password', '/request-password-reset']) {
    const { status, body } = await server.visitor().post(path, given)
    expect([status, body]).toEqual([expectedStatus, expected])
  }
})

test('change-password changes the password and leaves sessions as they are', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const phone = server.visitor()
  await phone.post('/sign-in/email', ada)

  const { status, body, headers } = await ada.post('/change-password', { currentPassword: ada.password, newPassword })

  const { user } = (await ada.get('/get-session')).body
  const { id, email, name, image, emailVerified, createdAt, updatedAt } = user
  expect([status, body]).toEqual([
    200,
    { token: null, user: { id, email, name, image, emailVerified, createdAt, updatedAt } },
  ])
  expect(headers.getSetCookie()).toEqual([])
  expect(await isSignedIn(phone)).toBe(true)
  expect(await signInStatus(server, ada.email, ada.password)).toBe(401)
  expect(await signInStatus(server, ada.email, newPassword)).toBe(200)
  expect(await server.events('user.password_changed')).toEqual([{ actorId: id, userId: id, data: null }])
  expect(await subjectsTo(server, ada.email)).toContain('Your Tollgate password was changed')
})

test('with revokeOtherSessions every session ends and a new one begins', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const old = new Map(ada.cookies)
  const phone = server.visitor()
  await phone.post('/sign-in/email', ada)

  const { body } = await ada.post('/change-password', {
    currentPassword: ada.password,
    newPassword,
    revokeOtherSessions: true,
  })

  expect(body.token).toMatch(/^[A-Za-z0-9]{32}$/)
  expect((await ada.get('/get-session')).body.session.token).toBe(body.token)
  expect(await isSignedIn(phone)).toBe(false)
  expect(await sessionCount(server)).toBe(1)
  const thief = server.visitor()
  for (const [name, value] of old) thief.cookies.set(name, value)
  expect(await isSignedIn(thief)).toBe(false)
})

test('the new session is as short as the old one', async () => {
  await using server = await createTestServer()
  const { email, password } = await server.signedUp()
  const ada = server.visitor()
  await ada.post('/sign-in/email', { email, password, rememberMe: false })

  const { headers } = await ada.post('/change-password', {
    currentPassword: password,
    newPassword,
    revokeOtherSessions: true,
  })

  expect(headers.getSetCookie().filter((cookie) => /Max-Age|Expires/.test(cookie))).toEqual([])
  expect([...ada.cookies.keys()].sort()).toEqual(['better-auth.dont_remember', 'better-auth.session_token'])
})

test('a changed password ends reset links', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const token = await resetToken(server, ada.email)
  await ada.post('/change-password', { currentPassword: ada.password, newPassword })

  expect((await server.visitor().post('/reset-password', { token, newPassword })).body).toEqual(invalidToken)
})

test('of two changes of password at the same moment one wins', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const passwords = ['first password', 'second password']

  const answers = await Promise.all(
    passwords.map((each) => ada.post('/change-password', { currentPassword: ada.password, newPassword: each })),
  )

  expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([200, 'INVALID_PASSWORD'])
  const winner = answers.findIndex(({ status }) => status === 200)
  expect(await signInStatus(server, ada.email, passwords[winner]!)).toBe(200)
  expect(await server.events('user.password_changed')).toHaveLength(1)
})

test.each<[string, unknown, unknown]>([
  [
    'the current password is wrong',
    { currentPassword: 'wrong horse battery', newPassword },
    { code: 'INVALID_PASSWORD', message: 'Invalid password' },
  ],
  ['the new one is too short', { currentPassword: 'correct horse battery', newPassword: '1234567' }, tooShort],
  ['the new one is too long', { currentPassword: 'correct horse battery', newPassword: 'x'.repeat(129) }, tooLong],
  ['the current one is missing', { newPassword }, validation],
  ['the new one is missing', { currentPassword: 'correct horse battery' }, validation],
  ['the new one is null', { currentPassword: 'correct horse battery', newPassword: null }, validation],
])('change-password is refused when %s', async (_, given, expected) => {
  await using server = await createTestServer()
  const ada = await server.signedUp()

  const { status, body } = await ada.post('/change-password', given)

  expect([status, body]).toEqual([400, expected])
  expect(await signInStatus(server, ada.email, ada.password)).toBe(200)
  expect(await server.events('user.password_changed')).toEqual([])
})

test('a user without a password has none to change', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await removePassword(server)

  const { status, body } = await ada.post('/change-password', { currentPassword: ada.password, newPassword })

  expect([status, body]).toEqual([
    400,
    { code: 'CREDENTIAL_ACCOUNT_NOT_FOUND', message: 'Credential account not found' },
  ])
})

test('verify-password answers whether the password is right', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()

  const right = await ada.post('/verify-password', { password: ada.password })
  const wrong = await ada.post('/verify-password', { password: 'wrong horse battery' })
  const none = await ada.post('/verify-password', {})

  expect([right.status, right.body]).toEqual([200, { status: true }])
  expect([wrong.status, wrong.body]).toEqual([400, { code: 'INVALID_PASSWORD', message: 'Invalid password' }])
  expect([none.status, none.body]).toEqual([400, validation])
})

test('a right password makes the session fresh again, a wrong one does not', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const freshSince = async () =>
    (await context(server).db.selectFrom('session').select('authenticatedAt').executeTakeFirstOrThrow()).authenticatedAt

  server.clock.advance(hours(5))
  await ada.post('/verify-password', { password: 'wrong horse battery' })
  expect(await freshSince()).toEqual(testStart)

  await ada.post('/verify-password', { password: ada.password })
  expect(await freshSince()).toEqual(server.clock.now())
})

test('a user without a password cannot verify one', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await removePassword(server)

  const { status, body } = await ada.post('/verify-password', { password: ada.password })

  expect([status, body]).toEqual([400, { code: 'INVALID_PASSWORD', message: 'Invalid password' }])
})

test.each(['/change-password', '/verify-password', '/update-user', '/change-email', '/delete-user'])(
  '%s wants a session, and a checked body first',
  async (path) => {
    await using server = await createTestServer()
    const body = { currentPassword: 'x', newPassword, password: 'x', newEmail: 'new@example.com' }

    const stranger = await server.visitor().post(path, body)
    const forged = server.visitor()
    forged.cookies.set('better-auth.session_token', encodeURIComponent(`${'x'.repeat(32)}.${'A'.repeat(43)}=`))
    const withForgedCookie = await forged.post(path, body)

    for (const { status, body: answer } of [stranger, withForgedCookie])
      expect([status, answer]).toEqual([401, { code: 'UNAUTHORIZED', message: 'Unauthorized' }])
  },
)

test('set-password is not there over HTTP, and gives a password to a user without one', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const headers = { cookie: [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
  const { api } = server.tollgate
  const setPassword = () => api.setPassword({ body: { newPassword }, headers })

  const overHttp = await ada.post('/set-password', { newPassword })
  expect([overHttp.status, overHttp.text]).toEqual([404, ''])
  await expect(setPassword()).rejects.toMatchObject({
    code: 'USER_ALREADY_HAS_A_PASSWORD',
    message: 'user already has a password',
  })
  await removePassword(server)
  await expect(api.setPassword({ body: { newPassword: 'short' }, headers })).rejects.toMatchObject({
    code: 'PASSWORD_TOO_SHORT',
  })
  await expect(api.setPassword({ body: { newPassword } })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })

  expect(await setPassword()).toEqual({ status: true })
  expect(await signInStatus(server, ada.email, newPassword)).toBe(200)
  expect(await server.events('user.password_changed')).toHaveLength(1)
})
