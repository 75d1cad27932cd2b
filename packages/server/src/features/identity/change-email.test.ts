import { expect, test } from 'vitest'
import { hours } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type TestServer } from '../../testing.ts'

const newEmail = 'new@example.com'
const inUse = { code: 'COULDNT_UPDATE_YOUR_EMAIL', message: "Couldn't update your email" }
const validation = { code: 'VALIDATION_ERROR', message: 'Invalid body parameters' }

const context = ({ tollgate }: TestServer) => tollgate.internals.ctx
const addresses = async (server: TestServer) =>
  (await context(server).db.selectFrom('user').select('email').orderBy('email').execute()).map(({ email }) => email)

/** Sends queued mail and advances the clock, so that the next mail is the newest. */
async function sendMails(server: TestServer): Promise<void> {
  await context(server).jobs.runDue()
  server.clock.advance(1)
}

/** A signed-in person whose address is verified. */
async function verified(server: TestServer, name = 'Ada') {
  const person = await server.signedUp(name)
  await server.visitor().request('GET', await server.linkTo(person.email))
  await sendMails(server)
  return person
}

/** Requests a change and returns the link mailed to the current address. */
async function approvalLink(server: TestServer, person: Awaited<ReturnType<typeof verified>>, callbackURL?: string) {
  const { status, body } = await person.post('/change-email', { newEmail, ...(callbackURL && { callbackURL }) })
  expect([status, body]).toEqual([200, { status: true }])
  const link = await server.linkTo(person.email)
  await sendMails(server)
  return link
}

test('an unverified address is changed at once, and the new one is mailed', async () => {
  await using server = await createTestServer({ session: { cookieCache: { enabled: true } } })
  const ada = await server.signedUp()
  const { user } = (await ada.get('/get-session')).body
  await sendMails(server)

  const { status, body, headers } = await ada.post('/change-email', {
    newEmail: ' NEW@example.com',
    callbackURL: '/done',
  })

  expect([status, body]).toEqual([200, { status: true }])
  expect(headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual([
    'better-auth.session_token',
    'better-auth.session_data',
  ])
  expect((await ada.get('/get-session')).body.user).toMatchObject({
    id: user.id,
    email: newEmail,
    emailVerified: false,
  })
  expect(await server.events('user.email_changed')).toEqual([{ actorId: user.id, userId: user.id, data: null }])
  const subjects = (await server.mailsTo(newEmail)).map(({ subject }) => subject)
  expect(subjects).toEqual(['Confirm your email address for Tollgate'])

  const followed = await ada.request('GET', await server.linkTo(newEmail))
  expect(followed.headers.get('location')).toBe('/done')
  expect((await ada.get('/get-session')).body.user.emailVerified).toBe(true)
})

test('after the change one signs in with the new address, and the old one is free', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await ada.post('/change-email', { newEmail })
  const signIn = (email: string) => server.visitor().post('/sign-in/email', { email, password: ada.password })

  expect((await signIn(newEmail)).status).toBe(200)
  expect((await signIn(ada.email)).status).toBe(401)
  const eve = await server
    .visitor()
    .post('/sign-up/email', { name: 'Eve', email: ada.email, password: 'password of eve' })
  expect(eve.status).toBe(200)
})

test('the link to the former address verifies nothing any more', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const link = await server.linkTo(ada.email)
  await ada.post('/change-email', { newEmail })

  expect((await ada.request('GET', link)).headers.get('location')).toBe('/?error=user_not_found')
  expect((await ada.get('/get-session')).body.user.emailVerified).toBe(false)
})

test('a verified address changes only after its owner has approved by mail', async () => {
  await using server = await createTestServer()
  const ada = await verified(server)

  const link = await approvalLink(server, ada, '/account?saved=1')

  const [mail] = await server.mailsTo(ada.email)
  expect(mail?.subject).toBe('Approve the new email address of your Tollgate account')
  expect(mail?.text).toContain(newEmail)
  expect(await server.mailsTo(newEmail)).toEqual([])
  expect((await ada.get('/get-session')).body.user).toMatchObject({ email: ada.email, emailVerified: true })

  const followed = await ada.request('GET', link)

  expect([followed.status, followed.headers.get('location')]).toEqual([302, '/account?saved=1'])
  expect(followed.headers.getSetCookie()).toHaveLength(1)
  const { user } = (await ada.get('/get-session')).body
  expect(user).toMatchObject({ email: newEmail, emailVerified: false })
  expect(await server.events('user.email_changed')).toEqual([{ actorId: user.id, userId: user.id, data: null }])
  expect((await server.mailsTo(newEmail)).map(({ subject }) => subject)).toEqual([
    'Confirm your new email address for Tollgate',
  ])
  const notice = (await server.mailsTo(ada.email))[0]
  expect(notice?.subject).toBe('The email address of your Tollgate account was changed')
  expect(notice?.text).toContain(newEmail)

  await server.visitor().request('GET', await server.linkTo(newEmail))
  expect((await ada.get('/get-session')).body.user).toMatchObject({ email: newEmail, emailVerified: true })
})

test('without a callbackURL the approval answers the user', async () => {
  await using server = await createTestServer()
  const ada = await verified(server)
  const link = new URL(await approvalLink(server, ada), server.baseURL)
  expect(link.searchParams.get('callbackURL')).toBe('/')
  link.searchParams.delete('callbackURL')

  const { status, body } = await ada.request('GET', link.pathname + link.search)

  expect([status, body]).toEqual([
    200,
    { status: true, user: expect.objectContaining({ email: newEmail, emailVerified: false }) },
  ])
})

test('the approval works in a session of that user only', async () => {
  await using server = await createTestServer()
  const ada = await verified(server)
  const eve = await verified(server, 'Eve')
  const link = await approvalLink(server, ada)

  for (const visitor of [server.visitor(), eve])
    expect((await visitor.request('GET', link)).headers.get('location')).toBe('/?error=unauthorized')
  const plain = new URL(link, server.baseURL)
  plain.searchParams.delete('callbackURL')
  const refused = await eve.request('GET', plain.pathname + plain.search)
  expect([refused.status, refused.body]).toEqual([401, { code: 'UNAUTHORIZED', message: 'unauthorized' }])
  expect(await addresses(server)).toEqual([ada.email, eve.email])

  // The refused visits have not consumed the link.
  expect((await ada.request('GET', link)).headers.get('location')).toBe('/')
})

test('an approval works once, and not after an hour', async () => {
  await using server = await createTestServer()
  const ada = await verified(server)
  const first = await approvalLink(server, ada)
  await ada.request('GET', first)
  expect((await ada.request('GET', first)).headers.get('location')).toBe('/?error=user_not_found')

  const eve = await verified(server, 'Eve')
  await eve.post('/change-email', { newEmail: 'eve.new@example.com' })
  const second = await server.linkTo(eve.email)
  server.clock.advance(hours(1))
  expect((await eve.request('GET', second)).headers.get('location')).toBe('/?error=token_expired')
  expect(await addresses(server)).toContain(eve.email)
})

test('a new request ends the approval before it', async () => {
  await using server = await createTestServer()
  const ada = await verified(server)
  const first = await approvalLink(server, ada)
  await ada.post('/change-email', { newEmail: 'newer@example.com' })
  const second = await server.linkTo(ada.email)

  expect((await ada.request('GET', first)).headers.get('location')).toBe('/?error=invalid_token')
  expect((await ada.request('GET', second)).headers.get('location')).toBe('/')
  expect(await addresses(server)).toEqual(['newer@example.com'])
})

test('of two approvals at the same moment one changes the address', async () => {
  await using server = await createTestServer()
  const ada = await verified(server)
  const link = await approvalLink(server, ada)

  const answers = await Promise.all([1, 2].map(() => ada.request('GET', link)))

  const locations = answers.map(({ headers }) => headers.get('location'))
  expect(locations.filter((location) => location === '/')).toHaveLength(1)
  expect(await server.events('user.email_changed')).toHaveLength(1)
  expect(await server.mailsTo(newEmail)).toHaveLength(1)
})

test('an approval is refused when the address has been taken meanwhile', async () => {
  await using server = await createTestServer()
  const ada = await verified(server)
  const link = await approvalLink(server, ada)
  await server.visitor().post('/sign-up/email', { name: 'Eve', email: newEmail, password: 'password of eve' })

  expect((await ada.request('GET', link)).headers.get('location')).toBe('/?error=invalid_token')

  expect((await ada.get('/get-session')).body.user).toMatchObject({ email: ada.email, emailVerified: true })
  expect(await server.events('user.email_changed')).toEqual([])
})

test('an address in use is refused before the mail for approval', async () => {
  await using server = await createTestServer()
  const ada = await verified(server)
  const eve = await server.signedUp('Eve')
  const before = (await server.mailsTo(ada.email)).length

  const { status, body } = await ada.post('/change-email', { newEmail: eve.email })

  expect([status, body]).toEqual([400, inUse])
  expect(await server.mailsTo(ada.email)).toHaveLength(before)
})

test('of two people who want one address at the same moment one gets it', async () => {
  await using server = await createTestServer()
  const people = [await server.signedUp('Ada'), await server.signedUp('Eve')]

  const answers = await Promise.all(people.map((person) => person.post('/change-email', { newEmail })))

  expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([200, 'COULDNT_UPDATE_YOUR_EMAIL'])
  expect((await addresses(server)).filter((email) => email === newEmail)).toHaveLength(1)
})

test('of two changes by one person at the same moment at least one holds, and neither is lost half-way', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const wanted = ['first@example.com', 'second@example.com']

  const answers = await Promise.all(wanted.map((each) => ada.post('/change-email', { newEmail: each })))

  const changed = answers.filter(({ status }) => status === 200)
  expect(await server.events('user.email_changed')).toHaveLength(changed.length)
  expect(changed.length).toBeGreaterThan(0)
  for (const { status, body } of answers) if (status !== 200) expect([status, body]).toEqual([400, inUse])
  expect(wanted).toContain((await addresses(server))[0])
})

test('a changed address ends reset links', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await sendMails(server)
  await server.visitor().post('/request-password-reset', { email: ada.email })
  const token = /reset-password\/(\w+)/.exec(await server.linkTo(ada.email))?.[1]
  await ada.post('/change-email', { newEmail })

  const { body } = await server.visitor().post('/reset-password', { token, newPassword: 'a brand new password' })

  expect(body).toEqual({ code: 'INVALID_TOKEN', message: 'invalid token' })
})

test.each<{ name: string; given: unknown; status: number; expected: unknown; config?: TollgateConfig }>([
  { name: 'no address is given', given: {}, status: 400, expected: validation },
  { name: 'the address is none', given: { newEmail: 'new' }, status: 400, expected: validation },
  {
    name: 'the address has a line break',
    given: { newEmail: 'new@example.com\nx' },
    status: 400,
    expected: validation,
  },
  {
    name: 'the address is the same',
    given: { newEmail: 'ADA1@example.com ' },
    status: 400,
    expected: { code: 'EMAIL_IS_THE_SAME', message: 'Email is the same' },
  },
  { name: 'the address is in use', given: { newEmail: 'EVE2@example.com' }, status: 400, expected: inUse },
  {
    name: 'the callbackURL leads elsewhere',
    given: { newEmail, callbackURL: '/\\evil.example' },
    status: 403,
    expected: { code: 'INVALID_CALLBACKURL', message: 'Invalid callbackURL' },
  },
  {
    name: 'changing is off',
    given: { newEmail },
    config: { user: { changeEmail: { enabled: false } } },
    status: 400,
    expected: { code: 'CHANGE_EMAIL_IS_DISABLED', message: 'Change email is disabled' },
  },
  {
    name: 'verification is off',
    given: { newEmail },
    config: { emailVerification: { enabled: false } },
    status: 400,
    expected: { code: 'VERIFICATION_EMAIL_ISNT_ENABLED', message: "Verification email isn't enabled" },
  },
])('change-email is refused when $name', async ({ given, status: expectedStatus, expected, config }) => {
  await using server = await createTestServer(config)
  const ada = await server.signedUp('Ada')
  const eve = await server.signedUp('Eve')

  const { status, body } = await ada.post('/change-email', given)

  expect([status, body]).toEqual([expectedStatus, expected])
  expect(await addresses(server)).toEqual([ada.email, eve.email])
  expect(await server.mailsTo(newEmail)).toEqual([])
})

test('an address that would not fit into the session cookie is refused', async () => {
  await using server = await createTestServer({ session: { cookieCache: { enabled: true } } })
  const ada = await server.signedUp()
  await ada.post('/update-user', { name: '𝒜'.repeat(100) })
  const pictureOf = async (length: number) =>
    (await ada.post('/update-user', { image: `https://pictures.example/${'a'.repeat(length)}` })).status
  // The longest picture address that fits, to within a few characters.
  let length = 2000
  while ((await pictureOf(length)) !== 200) length -= 10

  const { status, body } = await ada.post('/change-email', {
    newEmail: `${'n'.repeat(64)}@${'x'.repeat(60)}.${'y'.repeat(60)}.example.com`,
  })

  expect([status, body]).toEqual([400, { code: 'SESSION_DATA_TOO_LARGE', message: 'Session data is too large' }])
  expect(await addresses(server)).toEqual([ada.email])
})
