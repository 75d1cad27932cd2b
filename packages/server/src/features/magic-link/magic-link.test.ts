import { expect, test } from 'vitest'
import { days, minutes, seconds } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createSecrets, sha256 } from '../../foundation/token.ts'
import { createTestServer, type TestAnswer, type TestServer, type Visitor } from '../../testing.ts'
import { createMagicLinkHandler } from './magic-link.service.ts'

const email = 'grace@example.com'
const context = ({ tollgate }: TestServer) => tollgate.internals.ctx
const production = {
  env: { TOLLGATE_MODE: 'production', BASE_URL: 'https://accounts.example.com', SECRET: 'x'.repeat(40) },
}
const cookieName = 'better-auth.session_token'

type Mailed = { readonly link: URL; readonly token: string; readonly code: string }

/** Requests a link and reads the mail. */
async function mailed(server: TestServer, body: Record<string, unknown> = {}): Promise<Mailed> {
  server.clock.advance(1)
  const to = typeof body.email === 'string' ? body.email : email
  const { status } = await server.visitor().post('/sign-in/magic-link', { email: to, ...body })
  expect(status).toBe(200)
  return newestMail(server, to.trim().toLowerCase())
}

async function newestMail(server: TestServer, to = email): Promise<Mailed> {
  const mail = (await server.mailsTo(to)).find(({ links }) => links[0]?.includes('/magic-link'))
  const link = new URL(mail!.links[0]!)
  return { link, token: link.searchParams.get('token')!, code: /^\d{6}$/m.exec(mail!.text)![0] }
}

const verify = (visitor: Visitor, query: Record<string, string>): Promise<TestAnswer> =>
  visitor.get(`/magic-link/verify?${new URLSearchParams(query)}`)

const location = ({ headers }: TestAnswer) => headers.get('location')

const refusal = ({ status, body }: TestAnswer) => [status, body.code]

const eventTypes = async (server: TestServer, userId: string) =>
  (
    await context(server).db.selectFrom('event').select('type').where('userId', '=', userId).orderBy('id').execute()
  ).map(({ type }) => type)

const userOf = (server: TestServer, address = email) =>
  context(server).db.selectFrom('user').selectAll().where('email', '=', address).executeTakeFirst()

const linksLeft = async (server: TestServer) =>
  (await context(server).db.selectFrom('magicLink').select('mailbox').execute()).length

test('a new user signs in by the link: the server creates a verified user and sends the event', async () => {
  const created: unknown[] = []
  await using server = await createTestServer({ hooks: { onUserCreated: (user) => void created.push(user) } })
  const grace = server.visitor()

  const { token } = await mailed(server, { email: ' Grace@Example.com', name: ' Grace Hopper ' })
  const { status, body } = await verify(grace, { token })

  expect(token).toMatch(/^[A-Za-z]{32}$/)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    token: expect.stringMatching(/^\w{32}$/),
    user: { email, name: 'Grace Hopper', emailVerified: true, image: null, role: null, banned: false },
  })
  const session = (await grace.get('/get-session')).body
  expect(session).toMatchObject({ session: { token: body.token }, user: { id: body.user.id } })
  const types = await eventTypes(server, body.user.id)
  expect(types.sort()).toEqual(['session.created', 'user.created', 'user.email_verified'])
  expect(await server.events('user.created')).toEqual([
    { actorId: body.user.id, userId: body.user.id, data: { method: 'magic-link' } },
  ])
  await context(server).settled()
  expect(created).toEqual([{ id: body.user.id, email, name: 'Grace Hopper' }])
})

test('without a name a new user has none', async () => {
  await using server = await createTestServer()

  const { token } = await mailed(server)

  expect((await verify(server.visitor(), { token })).body.user.name).toBe('')
})

test('who has an account is signed in to it, and it stays as it is', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await ada.request('GET', await server.linkTo(ada.email))
  const before = await eventTypes(server, (await ada.get('/get-session')).body.user.id)
  const phone = server.visitor()

  const { token } = await mailed(server, { email: ada.email, name: 'Another name' })
  const { body } = await verify(phone, { token })

  expect(body.user).toMatchObject({ email: ada.email, name: 'Ada', emailVerified: true })
  expect((await ada.get('/list-sessions')).body).toHaveLength(2)
  expect((await eventTypes(server, body.user.id)).slice(before.length)).toEqual(['session.created'])
  const again = await server.visitor().post('/sign-in/email', { email: ada.email, password: ada.password })
  expect(again.status).toBe(200)
})

test('the mail leads to a confirmation page, or to the call where configured so, with the whole query', async () => {
  const targets = { callbackURL: '/inside?x=1', newUserCallbackURL: '/welcome', errorCallbackURL: '/again' }
  await using server = await createTestServer()
  await using direct = await createTestServer({ magicLink: { confirmPage: false } })

  const [asking, acting, plain] = [await mailed(server, targets), await mailed(direct, targets), await mailed(server)]

  expect(asking.link.pathname).toBe('/magic-link')
  expect(acting.link.pathname).toBe('/api/auth/magic-link/verify')
  for (const { link, token } of [asking, acting])
    expect(Object.fromEntries(link.searchParams)).toEqual({ token, ...targets })
  expect(Object.fromEntries(plain.link.searchParams)).toEqual({ token: plain.token, callbackURL: '/' })
})

test('the browser is sent on: to one place when new, to another one when known', async () => {
  await using server = await createTestServer()
  const targets = { callbackURL: '/inside', newUserCallbackURL: '/welcome' }
  const visitor = server.visitor()

  const first = await verify(visitor, { token: (await mailed(server)).token, ...targets })
  const second = await verify(server.visitor(), { token: (await mailed(server)).token, ...targets })
  const third = await verify(server.visitor(), { token: (await mailed(server)).token, callbackURL: '/inside' })

  expect([first.status, location(first)]).toEqual([302, '/welcome'])
  expect(visitor.cookies.has(cookieName)).toBe(true)
  expect(first.headers.get('referrer-policy')).toBe('no-referrer')
  expect([second.status, location(second)]).toEqual([302, '/inside'])
  expect(location(third)).toBe('/inside')
})

test('a new user without a place of their own goes where all go', async () => {
  await using server = await createTestServer()

  const answer = await verify(server.visitor(), { token: (await mailed(server)).token, callbackURL: '/inside' })

  expect(location(answer)).toBe('/inside')
})

test('a link works once', async () => {
  await using server = await createTestServer()
  const { token, code } = await mailed(server)
  await verify(server.visitor(), { token })
  const late = server.visitor()

  const again = await verify(late, { token })
  const redirected = await verify(late, { token, callbackURL: '/inside?x=1' })
  const byCode = await late.post('/sign-in/email-otp', { email, otp: code })

  expect(refusal(again)).toEqual([401, 'INVALID_TOKEN'])
  expect([redirected.status, location(redirected)]).toEqual([302, '/inside?x=1&error=INVALID_TOKEN'])
  expect(refusal(byCode)).toEqual([400, 'INVALID_OTP'])
  expect(late.cookies.size).toBe(0)
})

test('of calls at the same moment, with link and code, one signs in', async () => {
  await using server = await createTestServer()
  const { token, code } = await mailed(server)

  const byLink = Array.from({ length: 4 }, () => verify(server.visitor(), { token }))
  const byCode = Array.from({ length: 4 }, () => server.visitor().post('/sign-in/email-otp', { email, otp: code }))
  const statuses = async (answers: typeof byLink) => (await Promise.all(answers)).map(({ status }) => status).sort()

  // Either kind may be first.
  expect([
    [[200, 401, 401, 401], Array(4).fill(400)],
    [Array(4).fill(401), [200, 400, 400, 400]],
  ]).toContainEqual([await statuses(byLink), await statuses(byCode)])
  expect(await server.events('session.created')).toHaveLength(1)
  expect(await server.events('user.created')).toHaveLength(1)
})

test('a link lasts five minutes, or as long as configured', async () => {
  await using server = await createTestServer()
  await using patient = await createTestServer({ magicLink: { expiresIn: 3600 } })
  const { token } = await mailed(server)
  const { token: lasting } = await mailed(patient)

  server.clock.advance(minutes(5) - 1)
  const inTime = await mailed(server, { email: 'other@example.com' })
  expect((await verify(server.visitor(), { token: inTime.token })).status).toBe(200)
  server.clock.advance(1)
  patient.clock.advance(minutes(59))

  const late = await verify(server.visitor(), { token })
  expect(refusal(late)).toEqual([401, 'EXPIRED_TOKEN'])
  const redirected = await verify(server.visitor(), { token, callbackURL: '/inside', errorCallbackURL: '/again' })
  expect(location(redirected)).toBe('/again?error=EXPIRED_TOKEN')
  expect((await verify(patient.visitor(), { token: lasting })).status).toBe(200)
  expect(await userOf(server)).toBeUndefined()
})

test('a moment before it expires a link still works', async () => {
  await using server = await createTestServer()
  const { token } = await mailed(server)

  server.clock.advance(minutes(5) - 1)

  expect((await verify(server.visitor(), { token })).status).toBe(200)
})

test('a new link ends the older ones, with their codes', async () => {
  await using server = await createTestServer()
  const older = await mailed(server)
  let newer = await mailed(server)
  while (newer.code === older.code) newer = await mailed(server)

  const byLink = await verify(server.visitor(), { token: older.token })
  const byCode = await server.visitor().post('/sign-in/email-otp', { email, otp: older.code })

  expect(refusal(byLink)).toEqual([401, 'INVALID_TOKEN'])
  expect(refusal(byCode)).toEqual([400, 'INVALID_OTP'])
  expect((await verify(server.visitor(), { token: newer.token })).status).toBe(200)
})

test.each([
  ['nothing like a token', 'nonsense'],
  ['a letter too many', `${'x'.repeat(32)}x`],
  ['no characters at all', ''],
])('a token that is none is refused: %s', async (_, token) => {
  await using server = await createTestServer()
  await mailed(server)

  expect(refusal(await verify(server.visitor(), { token }))).toEqual([401, 'INVALID_TOKEN'])
})

test('a call without a token, or with two, is refused', async () => {
  await using server = await createTestServer()

  expect(refusal(await server.visitor().get('/magic-link/verify'))).toEqual([400, 'VALIDATION_ERROR'])
  expect(refusal(await server.visitor().get('/magic-link/verify?token=a&token=b'))).toEqual([400, 'VALIDATION_ERROR'])
})

test('looking at a link with HEAD uses nothing up', async () => {
  await using server = await createTestServer()
  const { token } = await mailed(server)
  const scanner = server.visitor()

  const looked = await scanner.request('HEAD', `/api/auth/magic-link/verify?token=${token}&callbackURL=/inside`)

  expect([looked.status, looked.headers.get('location'), scanner.cookies.size]).toEqual([200, null, 0])
  expect((await verify(server.visitor(), { token })).status).toBe(200)
})

test.each([
  ['callbackURL', 'INVALID_CALLBACKURL'],
  ['newUserCallbackURL', 'INVALID_NEWUSERCALLBACKURL'],
  ['errorCallbackURL', 'INVALID_ERRORCALLBACKURL'],
])('no user is led away by %s, neither in the request nor in its use', async (member, code) => {
  await using server = await createTestServer()
  const { token } = await mailed(server)

  for (const target of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    const asked = await server.visitor().post('/sign-in/magic-link', { email, [member]: target })
    expect(refusal(asked)).toEqual([403, code])
    const used = await verify(server.visitor(), { token, callbackURL: '/inside', [member]: target })
    expect([used.status, used.body.code, location(used)]).toEqual([403, code, null])
  }
  expect((await verify(server.visitor(), { token })).status).toBe(200)
})

test.each([
  [{ email: 'nobody' }, 'INVALID_EMAIL'],
  [{ email: 'a@example.com, b@example.com' }, 'INVALID_EMAIL'],
  [{ email: '"a@evil.example"@example.com' }, 'INVALID_EMAIL'],
  [{ email: '' }, 'INVALID_EMAIL'],
  [{ email: '1@Reddit.invalid' }, 'INVALID_EMAIL'],
  [{}, 'VALIDATION_ERROR'],
  [{ email: ['a@example.com'] }, 'VALIDATION_ERROR'],
  [{ email, name: 'x'.repeat(101) }, 'VALIDATION_ERROR'],
  [{ email, name: 'Grace\nHopper' }, 'VALIDATION_ERROR'],
])('an invalid address or name is refused: %j', async (body, code) => {
  await using server = await createTestServer()

  expect(refusal(await server.visitor().post('/sign-in/magic-link', body))).toEqual([400, code])

  expect(await linksLeft(server)).toBe(0)
})

test('where no new user may come in, a stranger gets the same answer and no mail', async () => {
  await using server = await createTestServer({ magicLink: { disableSignUp: true } })
  const ada = await server.signedUp()
  const ask = async (address: string) => {
    const { status, text, headers } = await server.visitor().post('/sign-in/magic-link', { email: address })
    return { status, text, headers: [...headers].filter(([name]) => name !== 'x-request-id') }
  }

  expect(await ask(email)).toEqual(await ask(ada.email))

  expect(await server.mailsTo(email)).toEqual([])
  expect((await verify(server.visitor(), { token: (await newestMail(server, ada.email)).token })).status).toBe(200)
})

test('a user who is gone when the link is followed is not made again where no new user may come in', async () => {
  await using server = await createTestServer({ magicLink: { disableSignUp: true } })
  const ada = await server.signedUp()
  const { token } = await mailed(server, { email: ada.email })
  await context(server).transaction((tx) => tx.deleteFrom('user').where('email', '=', ada.email).execute())

  const plain = await verify(server.visitor(), { token })
  const redirected = await verify(server.visitor(), { token, callbackURL: '/inside' })

  expect(refusal(plain)).toEqual([401, 'failed_to_create_user'])
  expect(location(redirected)).toBe('/inside?error=failed_to_create_user')
  expect(await userOf(server, ada.email)).toBeUndefined()
})

test('a user who is banned is not signed in, and nothing else happens either', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const { token, code } = await mailed(server, { email: ada.email })
  await context(server).transaction((tx) => tx.updateTable('user').set({ banned: true }).execute())
  const visitor = server.visitor()

  const plain = await verify(visitor, { token })
  const redirected = await verify(visitor, { token, callbackURL: '/inside' })
  const byCode = await visitor.post('/sign-in/email-otp', { email: ada.email, otp: code })

  expect(refusal(plain)).toEqual([403, 'BANNED_USER'])
  expect(location(redirected)).toBe('/inside?error=banned')
  expect(refusal(byCode)).toEqual([403, 'BANNED_USER'])
  expect(visitor.cookies.size).toBe(0)
  expect(await userOf(server, ada.email)).toMatchObject({ emailVerified: false })
  expect(await server.events('user.email_verified')).toEqual([])
})

test.each(['link', 'code'])(
  'a squatter’s additions to an account end when its owner arrives by the %s',
  async (way) => {
    await using server = await createTestServer()
    const squatter = server.visitor()
    const squat = { name: 'Squatter', email, password: 'password of the squatter' }
    await squatter.post('/sign-up/email', squat)
    const trap = await server.linkTo(email)
    const { db } = context(server)
    const user = (await userOf(server))!
    const now = server.clock.now()
    await context(server).transaction((tx) =>
      tx
        .insertInto('account')
        .values({ id: 'x', providerId: 'github', accountId: '1', userId: user.id, createdAt: now, updatedAt: now })
        .execute(),
    )
    const { token, code } = await mailed(server)
    const owner = server.visitor()

    const { status, body } =
      way === 'link' ? await verify(owner, { token }) : await owner.post('/sign-in/email-otp', { email, otp: code })

    expect(status).toBe(200)
    expect(body.user).toMatchObject({ id: user.id, emailVerified: true })
    expect((await squatter.get('/get-session')).body).toBeNull()
    expect(refusal(await server.visitor().post('/sign-in/email', squat))).toEqual([401, 'INVALID_EMAIL_OR_PASSWORD'])
    expect(await db.selectFrom('account').select('id').execute()).toEqual([])
    expect(await db.selectFrom('verification').select('id').where('value', '=', user.id).execute()).toEqual([])
    await squatter.request('GET', trap)
    expect((await squatter.get('/get-session')).body).toBeNull()
    expect((await owner.get('/get-session')).body.user.id).toBe(user.id)
    expect(await server.events('user.email_verified')).toHaveLength(1)
  },
)

test('a finished reset, and a deletion, end the link and the code', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const first = await mailed(server, { email: ada.email })
  server.clock.advance(1)
  await server.visitor().post('/request-password-reset', { email: ada.email })
  const reset = /reset-password\/(\w+)/.exec(await server.linkTo(ada.email))![1]
  await server.visitor().post('/reset-password', { token: reset, newPassword: 'another good one' })

  expect(refusal(await verify(server.visitor(), { token: first.token }))).toEqual([401, 'INVALID_TOKEN'])

  await ada.post('/sign-in/email', { email: ada.email, password: 'another good one' })
  const second = await mailed(server, { email: ada.email })
  await ada.post('/delete-user', { password: 'another good one' })
  const byCode = await server.visitor().post('/sign-in/email-otp', { email: ada.email, otp: second.code })
  expect(refusal(byCode)).toEqual([400, 'INVALID_OTP'])
  expect(refusal(await verify(server.visitor(), { token: second.token }))).toEqual([401, 'INVALID_TOKEN'])
})

test('a sign-up with the address at the same moment leaves one user, who is the owner of the mailbox', async () => {
  await using server = await createTestServer()
  const { token } = await mailed(server)
  const squat = { name: 'Squatter', email, password: 'password of the squatter' }

  const [signedIn, signedUp] = await Promise.all([
    verify(server.visitor(), { token }),
    server.visitor().post('/sign-up/email', squat),
  ])

  expect(signedIn.status).toBe(200)
  expect([200, 422]).toContain(signedUp.status)
  expect(await userOf(server)).toMatchObject({ id: signedIn.body.user.id, emailVerified: true })
  expect(refusal(await server.visitor().post('/sign-in/email', squat))).toEqual([401, 'INVALID_EMAIL_OR_PASSWORD'])
})

test('no user keeps a session by signing in at the moment when the owner of the address arrives', async () => {
  await using server = await createTestServer()
  const squat = { name: 'Squatter', email, password: 'password of the squatter' }
  await server.visitor().post('/sign-up/email', squat)
  const { token } = await mailed(server)
  const squatters = Array.from({ length: 4 }, () => server.visitor())
  const owner = server.visitor()

  const [arrived] = await Promise.all([
    verify(owner, { token }),
    ...squatters.map((squatter) => squatter.post('/sign-in/email', squat)),
  ])

  expect(arrived.status).toBe(200)
  for (const squatter of squatters) expect((await squatter.get('/get-session')).body).toBeNull()
  expect((await owner.get('/list-sessions')).body).toHaveLength(1)
})

test('a reset and a sign-in by link at the same moment do not wait for each other', async () => {
  await using server = await createTestServer()
  await server.visitor().post('/sign-up/email', { name: 'Grace', email, password: 'correct horse battery' })
  await server.mailsTo(email)
  for (let round = 0; round < 3; round += 1) {
    const { token } = await mailed(server)
    server.clock.advance(1)
    await server.visitor().post('/request-password-reset', { email })
    const reset = /reset-password\/(\w+)/.exec(await server.linkTo(email))![1]

    const [signedIn, wasReset] = await Promise.all([
      verify(server.visitor(), { token }),
      server.visitor().post('/reset-password', { token: reset, newPassword: 'another good one' }),
    ])

    // The first one decides: a reset ends the link, and a first proof of the address ends the reset.
    expect([200, 401]).toContain(signedIn.status)
    expect([200, 400]).toContain(wasReset.status)
    expect([signedIn.status, wasReset.status]).toContain(200)
  }
})

test('the table gives neither link, code nor address away', async () => {
  await using server = await createTestServer()
  const { token, code } = await mailed(server)

  const [row] = await context(server).db.selectFrom('magicLink').selectAll().execute()

  const stored = JSON.stringify(row)
  for (const plain of [token, code, email, sha256(code)]) expect(stored).not.toContain(plain)
  const hashed = [`magic link ${row!.mailbox} ${code}`, row!.codeHash] as const
  expect(context(server).secrets.hasKeyedHash(...hashed)).toBe(true)
  expect(createSecrets('another secret that is long enough to be one').hasKeyedHash(...hashed)).toBe(false)
})

test('a requested link is sealed, and its job is the same for known and unknown addresses', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await context(server).jobs.runDue()
  await context(server).jobs.stop()
  const jobs = () =>
    context(server)
      .db.selectFrom('job')
      .select(['kind', 'attempts', 'payload'])
      .where('kind', '=', 'magic-link')
      .execute()

  await server.visitor().post('/sign-in/magic-link', { email: ada.email })
  await server.visitor().post('/sign-in/magic-link', { email })

  const orders = await jobs()
  expect(orders.map(({ kind, attempts }) => [kind, attempts])).toEqual([
    ['magic-link', 0],
    ['magic-link', 0],
  ])
  expect(JSON.stringify(orders)).not.toMatch(/example\.com/)
  expect(await linksLeft(server)).toBe(0)
})

test('run twice, an order ends the first link and mails another', async () => {
  await using server = await createTestServer()
  const handle = createMagicLinkHandler(context(server))
  const payload = context(server).secrets.seal(JSON.stringify({ email, name: '', locale: 'en' }), 'magic link')
  const run = async () => {
    server.clock.advance(1)
    await handle({ id: 'the same job', kind: 'magic-link', payload, attempts: 1 })
    return newestMail(server)
  }

  const [first, second] = [await run(), await run()]

  expect(refusal(await verify(server.visitor(), { token: first.token }))).toEqual([401, 'INVALID_TOKEN'])
  expect((await verify(server.visitor(), { token: second.token })).status).toBe(200)
})

test('for an address that stands for none nothing is stored or ordered', async () => {
  await using server = await createTestServer()

  const { status } = await server.visitor().post('/sign-in/magic-link', { email: '1815-ada@reddit.invalid' })

  expect(status).toBe(400)
  await context(server).jobs.runDue()
  expect(await context(server).db.selectFrom('magicLink').select('mailbox').execute()).toEqual([])
  const jobs = await context(server).db.selectFrom('job').select('kind').execute()
  expect(jobs.map(({ kind }) => kind)).toEqual(['sweep'])
})

test('an order of a feature that has been switched off since is dropped', async () => {
  await using server = await createTestServer({ magicLink: false })
  const payload = context(server).secrets.seal(JSON.stringify({ email, name: '', locale: 'en' }), 'magic link')

  await createMagicLinkHandler(context(server))({ id: 'old', kind: 'magic-link', payload, attempts: 1 })

  expect(await server.mailsTo(email)).toEqual([])
})

test('switched off, the calls are not there', async () => {
  await using server = await createTestServer({ magicLink: false })
  const visitor = server.visitor()

  expect((await visitor.post('/sign-in/magic-link', { email })).status).toBe(404)
  expect((await visitor.post('/sign-in/email-otp', { email, otp: '000000' })).status).toBe(404)
  expect((await verify(visitor, { token: 'x' })).status).toBe(404)
  await expect(server.tollgate.api.signInMagicLink({ body: { email } })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a mailbox gets five links in ten minutes, known or not', async () => {
  await using server = await createTestServer({ baseURL: production.env.BASE_URL }, production)
  await server
    .visitor()
    .post('/sign-up/email', { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' })
  let requests = 0
  const ask = async (address: string) => {
    requests += 1
    const visitor = server.visitor({ address: `192.0.2.${requests}` })
    const { status, headers } = await visitor.post('/sign-in/magic-link', { email: address })
    return [status, headers.get('retry-after')]
  }

  for (const address of ['ada@example.com', email]) {
    const answers = []
    for (let index = 0; index < 6; index += 1) answers.push(await ask(address))
    expect(answers).toEqual([...Array.from({ length: 5 }, () => [200, null]), [429, '600']])
  }
  server.clock.advance(minutes(10))
  expect(await ask(email)).toEqual([200, null])
})

test('an address asks for five links in a minute', async () => {
  await using server = await createTestServer({ baseURL: production.env.BASE_URL }, production)
  const visitor = server.visitor()
  const statuses = []
  for (let index = 0; index < 6; index += 1)
    statuses.push((await visitor.post('/sign-in/magic-link', { email: `p${index}@example.com` })).status)

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  server.clock.advance(seconds(60))
  expect((await visitor.post('/sign-in/magic-link', { email })).status).toBe(200)
})

test('links that expired a day ago are removed; until then their error differs from that of unknown ones', async () => {
  await using server = await createTestServer()
  const { token } = await mailed(server)

  server.clock.advance(days(1))
  await context(server).jobs.runDue()
  expect(refusal(await verify(server.visitor(), { token }))).toEqual([401, 'EXPIRED_TOKEN'])

  server.clock.advance(minutes(70))
  await context(server).jobs.runDue()
  expect(await linksLeft(server)).toBe(0)
  expect(refusal(await verify(server.visitor(), { token }))).toEqual([401, 'INVALID_TOKEN'])
})

test('links stay good when the secret is replaced, as long as the old one is known', async () => {
  await using server = await createTestServer()
  const { code } = await mailed(server)
  const secrets = (current: string, previous: string[] = []) =>
    Object.assign(context(server), { secrets: createSecrets(current, previous) })
  const old = 'a secret of tests that is long enough to be one'
  const next = 'the next secret of tests, which is long enough'

  secrets(next)
  expect(refusal(await server.visitor().post('/sign-in/email-otp', { email, otp: code }))).toEqual([400, 'INVALID_OTP'])
  secrets(next, [old])
  expect((await server.visitor().post('/sign-in/email-otp', { email, otp: code })).status).toBe(200)
})

test('a link sealed with a secret that is gone is no link, and no fault', async () => {
  await using server = await createTestServer()
  const { token } = await mailed(server)
  Object.assign(context(server), { secrets: createSecrets('the next secret of tests, which is long enough') })

  expect(refusal(await verify(server.visitor(), { token }))).toEqual([401, 'INVALID_TOKEN'])
})

test('a failure half-way leaves the link as it was', async () => {
  await using server = await createTestServer()
  const { token } = await mailed(server)
  const rename = (from: 'session' | 'session_away', to: string) =>
    context(server).transaction((tx) => tx.schema.alterTable(from).renameTo(to).execute())
  await rename('session', 'session_away')

  const failed = await verify(server.visitor(), { token, callbackURL: '/inside' })

  expect([failed.status, failed.body.code, location(failed)]).toEqual([500, 'FAILED_TO_CREATE_SESSION', null])
  expect(await userOf(server)).toBeUndefined()
  await rename('session_away', 'session')
  expect((await verify(server.visitor(), { token })).status).toBe(200)
})

test.each<[string, TollgateConfig]>([
  ['on', { session: { cookieCache: { enabled: true } } }],
  ['off', {}],
])('signing in replaces the session that the browser had (cookie cache %s)', async (_, config) => {
  await using server = await createTestServer(config)
  const ada = await server.signedUp()
  await ada.get('/get-session')

  await verify(ada, { token: (await mailed(server)).token })

  expect((await ada.get('/get-session')).body.user.email).toBe(email)
})
