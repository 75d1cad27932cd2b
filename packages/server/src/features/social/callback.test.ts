import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { minutes, seconds } from '../../foundation/clock.ts'
import type { TestServer, Visitor } from '../../testing.ts'
import { begin, comeBack, createSocialServer, errorPage, finish, post, signIn, target, whoIs } from './testing/flow.ts'

/** Every stored user. */
const countUsers = async (server: TestServer): Promise<number> =>
  (await server.tollgate.internals.ctx.db.selectFrom('user').select('id').execute()).length

/** Writes rows that no call writes. */
const change = (server: TestServer, statement: ReturnType<typeof sql>): Promise<unknown> =>
  server.tollgate.internals.ctx.transaction((tx) => statement.execute(tx.withoutPlugins()))

/** Removes a column until the test ends, so that every statement on it fails. Later tests reuse the database. */
async function withoutColumn(server: TestServer, table: string, column: string): Promise<AsyncDisposable> {
  const rename = (from: string, to: string) =>
    change(server, sql`alter table ${sql.table(table)} rename column ${sql.ref(from)} to ${sql.ref(to)}`)
  await rename(column, 'lost')
  return { [Symbol.asyncDispose]: async () => void (await rename('lost', column)) }
}

test('a new user is sent to newUserCallbackURL, later to callbackURL, and by default to the base URL', async () => {
  await using server = await createSocialServer(['google'])
  const [first, second, third] = [server.visitor(), server.visitor(), server.visitor()]
  const body = { callbackURL: '/in?tab=1', newUserCallbackURL: 'http://localhost:3000/new' }

  expect(await signIn(server, first, 'google', body)).toBe('http://localhost:3000/new')
  expect(await signIn(server, second, 'google', body)).toBe('/in?tab=1')
  expect(await signIn(server, third, 'google')).toBe('http://localhost:3000')
  expect((await whoIs(third)).id).toBe((await whoIs(first)).id)
})

test('the session of a callback is like any other: cookie, address, browser, events', async () => {
  await using server = await createSocialServer(['google'])
  const ada = server.visitor({ address: '192.0.2.7', headers: { 'user-agent': 'Ada’s browser'.replace('’', '') } })

  const answer = await finish(server, ada, server.at('google'), await begin(ada, 'google'))

  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('better-auth.session_token='))
  expect(cookie).toMatch(/; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/)
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const { session, user } = (await ada.get('/get-session')).body
  expect(session).toMatchObject({ ipAddress: '192.0.2.7', userAgent: 'Adas browser', userId: user.id })
  expect(user).toMatchObject({ emailVerified: true, image: 'https://lh3.googleusercontent.com/a/ACg8ocExample=s96-c' })
  expect(await server.events('user.created')).toMatchObject([{ userId: user.id, data: { method: 'google' } }])
  expect(await server.events('account.linked')).toMatchObject([{ userId: user.id, data: { provider: 'google' } }])
  expect(await server.events('session.created')).toMatchObject([{ userId: user.id }])
})

test('name, picture and address stay as their owner has set them; tokens are new', async () => {
  await using server = await createSocialServer(['google'])
  const standIn = server.at('google')
  const ada = server.visitor()
  await signIn(server, ada, 'google')
  await ada.post('/update-user', { name: 'Ada King' })
  standIn.person = { claims: { ...standIn.person.claims, name: 'Other', email: 'other@example.com', picture: null } }

  await signIn(server, ada, 'google')

  expect(await whoIs(ada)).toMatchObject({ name: 'Ada King', email: 'ada@example.com', emailVerified: true })
  expect((await ada.post('/get-access-token', { providerId: 'google' })).body.accessToken).toMatch(/\.2$/)
})

test('an address that was not vouched for is mailed a link, and verified by it', async () => {
  await using server = await createSocialServer(['spotify'])
  const ada = server.visitor()
  await signIn(server, ada, 'spotify')
  expect((await whoIs(ada)).emailVerified).toBe(false)

  await ada.request('GET', await server.linkTo('ada@example.com'))

  expect((await whoIs(ada)).emailVerified).toBe(true)
})

test('no mail goes to an address that was made up for a user without one', async () => {
  await using server = await createSocialServer(['reddit'])
  const ada = server.visitor()

  await signIn(server, ada, 'reddit')

  expect(await server.mailsTo((await whoIs(ada)).email)).toEqual([])
  expect(
    await server.tollgate.internals.ctx.db.selectFrom('job').selectAll().where('kind', '=', 'mail').execute(),
  ).toEqual([])
})

test('no user can take the address beforehand that will be made up for a user', async () => {
  await using server = await createSocialServer(['reddit'])
  const squatter = server.visitor()
  const email = '1abcd2@reddit.invalid'
  const taken = await squatter.post('/sign-up/email', { name: 'M', email, password: 'a password of theirs' })
  expect(taken.body.code).toBe('INVALID_EMAIL')
  const mallory = await server.signedUp('mallory')
  expect((await mallory.post('/change-email', { newEmail: email })).status).toBe(400)
  const ada = server.visitor()

  expect(await signIn(server, ada, 'reddit', { callbackURL: '/in' })).toBe('/in')
})

test('hooks hear of a new user', async () => {
  const told: unknown[] = []
  await using server = await createSocialServer(['google'], { hooks: { onUserCreated: (user) => told.push(user) } })

  await signIn(server, server.visitor(), 'google')
  await signIn(server, server.visitor(), 'google')

  await server.tollgate.internals.ctx.settled()
  expect(told).toEqual([{ id: expect.any(String), email: 'ada@example.com', name: 'Ada Example' }])
})

test('before it is known which sign-in it is, every error leads to the error page', async () => {
  await using server = await createSocialServer(['google'])
  const visitor = server.visitor()
  const url = await begin(visitor, 'google', { errorCallbackURL: '/failed' })
  const state = new URL(url).searchParams.get('state') ?? ''
  const at = async (query: string) => target(await visitor.get(`/callback/google${query}`))

  expect(await at('')).toBe(errorPage('state_not_found'))
  expect(await at('?code=1')).toBe(errorPage('state_not_found'))
  expect(await at('?state=')).toBe(errorPage('state_not_found'))
  expect(await at('?code=1&state=unknown')).toBe(errorPage('please_restart_the_process'))
  expect(await at(`?code=1&code=2&state=${state}`)).toBe(errorPage('invalid_callback_request'))
  expect(await at(`?code=1&state=${state}&state=${state}`)).toBe(errorPage('invalid_callback_request'))
  expect(await at(`?code=${'1'.repeat(8193)}&state=${state}`)).toBe(errorPage('invalid_callback_request'))
  expect(await at('?code=1&state=%00')).toBe(errorPage('invalid_callback_request'))
  expect(await at('?error=access_denied&error_description=She%20said%20<no>')).toBe(
    `${errorPage('access_denied')}&error_description=She%20said%20%3Cno%3E`,
  )
  // None of this has consumed the state.
  expect(target(await comeBack(visitor, 'google', server.at('google').agree(url)))).toBe('http://localhost:3000')
})

test('from then on they lead to where that sign-in wants them', async () => {
  await using server = await createSocialServer(['google'])
  const visitor = server.visitor()
  const fail = async (errorCallbackURL: string, values: Record<string, string>) => {
    const url = await begin(visitor, 'google', { errorCallbackURL })
    const { state = '' } = server.at('google').agree(url)
    return target(await comeBack(visitor, 'google', { state, ...values }))
  }

  expect(await fail('/failed', {})).toBe('/failed?error=no_code')
  expect(await fail('/failed?from=google', {})).toBe('/failed?from=google&error=no_code')
  expect(await fail('http://localhost:3000/f#top', {})).toBe('http://localhost:3000/f?error=no_code#top')
  expect(await fail('/failed', { code: 'wrong' })).toBe('/failed?error=invalid_code')
  expect(await fail('/failed', { error: 'access_denied', error_description: 'no & no' })).toBe(
    '/failed?error=access_denied&error_description=no%20%26%20no',
  )
  expect(await fail('/failed', { error: 'e'.repeat(5000) })).toBe(`/failed?error=${'e'.repeat(200)}`)
  expect(await whoIs(visitor)).toBeNull()
})

test('a refusal of the person uses the state up', async () => {
  await using server = await createSocialServer(['google'])
  const visitor = server.visitor()
  const url = await begin(visitor, 'google')
  const values = server.at('google').agree(url)
  await comeBack(visitor, 'google', { state: values.state ?? '', error: 'access_denied' })

  expect(target(await comeBack(visitor, 'google', values))).toBe(errorPage('please_restart_the_process'))
})

test('a provider that was switched off meanwhile is not found', async () => {
  await using server = await createSocialServer(['google'])
  const { config } = server.tollgate.internals.ctx
  const visitor = server.visitor()
  const values = server.at('google').agree(await begin(visitor, 'google', { errorCallbackURL: '/failed' }))
  Object.assign(config, { socialProviders: {} })

  expect(target(await comeBack(visitor, 'google', values))).toBe('/failed?error=oauth_provider_not_found')
})

test('a user who is banned is refused with the reason, and is given nothing', async () => {
  await using server = await createSocialServer(['google'])
  await signIn(server, server.visitor(), 'google')
  const { db } = server.tollgate.internals.ctx
  const before = await db.selectFrom('account').selectAll().execute()
  await change(
    server,
    sql`update "user" set banned = ${server.tollgate.internals.ctx.database.dialect === 'sqlite' ? 1 : true}`,
  )
  const visitor = server.visitor()

  const to = await signIn(server, visitor, 'google', { errorCallbackURL: '/failed' })

  const { searchParams, pathname } = new URL(to, 'http://localhost')
  expect([pathname, searchParams.get('error')]).toEqual(['/failed', 'banned'])
  expect(searchParams.get('error_description')).toMatch(/^You have been banned/)
  expect(await whoIs(visitor)).toBeNull()
  expect(await db.selectFrom('account').selectAll().execute()).toEqual(before)
})

test('sign-up can be switched off, or wait for a request', async () => {
  await using closed = await createSocialServer(['google'], { further: { disableSignUp: true } })
  expect(await signIn(closed, closed.visitor(), 'google', { requestSignUp: true })).toBe(errorPage('signup_disabled'))
  expect(await countUsers(closed)).toBe(0)

  await using asked = await createSocialServer(['google'], { further: { disableImplicitSignUp: true } })
  expect(await signIn(asked, asked.visitor(), 'google')).toBe(errorPage('signup_disabled'))
  expect(await countUsers(asked)).toBe(0)
  expect(await signIn(asked, asked.visitor(), 'google', { requestSignUp: true })).toBe('http://localhost:3000')
  expect(await signIn(asked, asked.visitor(), 'google')).toBe('http://localhost:3000')
  expect(await countUsers(asked)).toBe(1)
})

test('a state is good once', async () => {
  await using server = await createSocialServer(['google'])
  const visitor = server.visitor()
  const values = server.at('google').agree(await begin(visitor, 'google'))
  expect(target(await comeBack(visitor, 'google', values))).toBe('http://localhost:3000')

  expect(target(await comeBack(visitor, 'google', values))).toBe(errorPage('please_restart_the_process'))
})

test('of two callbacks at the same moment one wins, and the code is exchanged once', async () => {
  await using server = await createSocialServer(['google'])
  const visitor = server.visitor()
  const values = server.at('google').agree(await begin(visitor, 'google'))

  const answers = await Promise.all(Array.from({ length: 5 }, () => comeBack(visitor, 'google', values)))

  const targets = answers.map(target).toSorted()
  expect(targets).toEqual(['http://localhost:3000', ...Array(4).fill(errorPage('please_restart_the_process'))])
  expect(server.at('google').asked.filter((each) => each.includes('/token'))).toHaveLength(1)
  expect(await server.events('session.created')).toHaveLength(1)
})

test('a state lives ten minutes', async () => {
  await using server = await createSocialServer(['google'])
  const visitor = server.visitor()
  const [early, late] = [await begin(visitor, 'google'), await begin(visitor, 'google')]
  server.clock.advance(minutes(10) - seconds(1))
  expect(await target(await finish(server, visitor, server.at('google'), early))).toBe('http://localhost:3000')

  server.clock.advance(seconds(1))

  expect(await target(await finish(server, visitor, server.at('google'), late))).toBe(
    errorPage('please_restart_the_process'),
  )
})

test('no user completes in another browser a flow that began in this one', async () => {
  await using server = await createSocialServer(['google'])
  const [attacker, victim, stranger] = [server.visitor(), server.visitor(), server.visitor()]
  const values = server.at('google').agree(await begin(attacker, 'google'))
  await begin(victim, 'google')
  const forged = server.visitor()
  forged.cookies.set('better-auth.state', 'made-up')

  for (const other of [victim, stranger, forged]) {
    expect(target(await comeBack(other, 'google', values))).toBe(errorPage('please_restart_the_process'))
    expect(await whoIs(other)).toBeNull()
  }
  // A visitor who only knows the state cannot end it either.
  expect(target(await comeBack(attacker, 'google', values))).toBe('http://localhost:3000')
})

test('a second sign-in in another tab does not end the first', async () => {
  await using server = await createSocialServer(['google', 'github'])
  const visitor = server.visitor()
  const first = await begin(visitor, 'google')
  await begin(visitor, 'github')

  expect(target(await finish(server, visitor, server.at('google'), first))).toBe('http://localhost:3000')
})

test('an answer of one provider is not taken for another (mix-up)', async () => {
  await using server = await createSocialServer(['google', 'github'])
  const visitor = server.visitor()
  const values = server.at('google').agree(await begin(visitor, 'google'))

  expect(target(await comeBack(visitor, 'github', values))).toBe(errorPage('please_restart_the_process'))
  expect(server.at('github').asked).toEqual([])
  expect(target(await comeBack(visitor, 'google', { ...values, iss: 'https://evil.example' }))).toBe(
    errorPage('invalid_callback_request'),
  )
  expect(server.at('google').asked).toEqual([])
  const again = server.at('google').agree(await begin(visitor, 'google'))
  expect(target(await comeBack(visitor, 'google', { ...again, iss: 'https://accounts.google.com' }))).toBe(
    'http://localhost:3000',
  )
})

test('looking at the link of a callback, as scanners do, uses nothing up', async () => {
  await using server = await createSocialServer(['google'])
  const visitor = server.visitor()
  const values = server.at('google').agree(await begin(visitor, 'google'))

  const head = await visitor.request('HEAD', `/api/auth/callback/google?${new URLSearchParams(values)}`)

  expect(head.status).toBe(200)
  expect(target(await comeBack(visitor, 'google', values))).toBe('http://localhost:3000')
})

test('providers receive the configured address, whatever host the request names', async () => {
  await using server = await createSocialServer(['google'])
  const visitor = server.visitor()
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }

  const { body } = await visitor.post('/sign-in/social', { provider: 'google' }, headers)

  expect(new URL(body.url).searchParams.get('redirect_uri')).toBe('http://localhost:3000/api/auth/callback/google')
})

test('a redirectURI of the configuration is sent both times', async () => {
  const redirectURI = 'https://app.example/of/our/own'
  await using server = await createSocialServer(['google'], { further: { redirectURI } })
  const visitor = server.visitor()
  const url = await begin(visitor, 'google')

  expect(new URL(url).searchParams.get('redirect_uri')).toBe(redirectURI)
  // The stand-in compares both.
  expect(target(await finish(server, visitor, server.at('google'), url))).toBe('http://localhost:3000')
})

const foreign = [
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  'javascript:alert(1)',
  'http:/evil.example',
]
test.each([
  ['callbackURL', 'INVALID_CALLBACKURL'],
  ['errorCallbackURL', 'INVALID_ERRORCALLBACKURL'],
  ['newUserCallbackURL', 'INVALID_NEWUSERCALLBACKURL'],
])('%s must be a place of ours', async (name, code) => {
  await using server = await createSocialServer(['google'])

  for (const address of foreign) {
    const { status, body } = await server.visitor().post('/sign-in/social', { provider: 'google', [name]: address })
    expect([status, body.code]).toEqual([403, code])
  }
})

test('a sign-in request sends its options: scopes, hint, and the address without a redirect', async () => {
  await using server = await createSocialServer(['google', 'spotify'], { further: { scope: ['from-config'] } })
  const visitor = server.visitor()

  const body = { provider: 'google', scopes: ['more', 'email'], loginHint: 'ada@example.com', disableRedirect: true }
  const google = await visitor.post('/sign-in/social', body)
  const spotify = await visitor.post('/sign-in/social', { provider: 'spotify', loginHint: 'ada@example.com' })

  const { searchParams } = new URL(google.body.url)
  expect(google.body.redirect).toBe(false)
  expect(searchParams.get('scope')).toBe('email profile openid from-config more')
  expect(searchParams.get('login_hint')).toBe('ada@example.com')
  expect(spotify.body.redirect).toBe(true)
  expect(new URL(spotify.body.url).searchParams.has('login_hint')).toBe(false)
})

test('parameters of the configuration are added to the authorization request', async () => {
  await using server = await createSocialServer(['google'], {
    further: { authorizationParams: { prompt: 'consent', access_type: 'offline' } },
  })

  const { searchParams } = new URL(await begin(server.visitor(), 'google'))

  expect([searchParams.get('prompt'), searchParams.get('access_type')]).toEqual(['consent', 'offline'])
})

test('a provider that is off, and one that no user knows', async () => {
  await using server = await createSocialServer(['google'], {
    socialProviders: { github: { clientId: 'a', clientSecret: 'b', enabled: false } },
  })
  const ada = await server.signedUp()
  const ask = async (provider: unknown) => (await ada.post('/sign-in/social', { provider })).body
  const asking = async (provider: unknown) => (await ada.post('/link-social', { provider })).body

  expect(await ask('github')).toEqual({ code: 'PROVIDER_NOT_FOUND', message: 'Provider not found' })
  expect((await ask('discord')).code).toBe('PROVIDER_NOT_FOUND')
  expect((await asking('discord')).code).toBe('PROVIDER_NOT_FOUND')
  for (const unknown of ['nobody', 'Google', '__proto__', 'constructor', '', 1, null]) {
    expect((await ask(unknown)).code).toBe('VALIDATION_ERROR')
    expect((await asking(unknown)).code).toBe('VALIDATION_ERROR')
  }
})

test('the stored state of a sign-in reveals nothing', async () => {
  await using server = await createSocialServer(['google'])
  const url = new URL(await begin(server.visitor(), 'google', { callbackURL: '/secret-place' }))

  const rows = await server.tollgate.internals.ctx.db.selectFrom('verification').selectAll().execute()

  const text = JSON.stringify(rows)
  expect(rows).toHaveLength(1)
  expect(text).not.toContain(url.searchParams.get('state'))
  expect(text).not.toContain('secret-place')
  expect(text).not.toContain('google')
})

test('a sign-in that no user ends is swept away', async () => {
  await using server = await createSocialServer(['google'])
  await begin(server.visitor(), 'google')
  const { db, jobs } = server.tollgate.internals.ctx

  server.clock.advance(minutes(61))
  await jobs.runDue()

  expect(await db.selectFrom('verification').selectAll().execute()).toEqual([])
})

test('a posted answer redirects to the same address by GET, without cookies and from any origin', async () => {
  await using server = await createSocialServer(['apple'])
  const ada = server.visitor()
  const values = server.at('apple').agree(await begin(ada, 'apple'))

  const posted = await post(server, 'apple', { ...values, extra: 'passed over' })

  const to = new URL(posted.headers.get('location') ?? '')
  expect([posted.status, to.origin + to.pathname]).toEqual([303, 'http://localhost:3000/api/auth/callback/apple'])
  expect(Object.fromEntries(to.searchParams)).toEqual(values)
  expect(posted.headers.get('referrer-policy')).toBe('no-referrer')
  expect(posted.headers.getSetCookie()).toEqual([])
  // Only the browser that began the flow can finish it.
  expect(target(await server.visitor().request('GET', to.href))).toBe(errorPage('please_restart_the_process'))
  expect(target(await ada.request('GET', to.href))).toBe('http://localhost:3000')
})

test.each([
  ['nothing', '', 'application/x-www-form-urlencoded'],
  ['JSON', '{"state":"a"}', 'application/json'],
  ['a value that is too long', `state=${'s'.repeat(9000)}`, 'application/x-www-form-urlencoded'],
  ['another type', 'state=a', 'text/plain'],
  ['letters that are none', 'state=%ff%00%c0', 'application/x-www-form-urlencoded'],
])('a posted answer that is %s leads to an error page', async (_, raw, type) => {
  await using server = await createSocialServer(['apple'])
  const visitor: Visitor = server.visitor()

  const posted = await visitor.request('POST', '/api/auth/callback/apple', { raw, headers: { 'content-type': type } })

  expect(posted.status).toBe(303)
  const to = posted.headers.get('location') ?? ''
  const last = to.includes('/callback/') ? target(await visitor.request('GET', to)) : to
  expect(new URL(last).pathname).toBe('/api/auth/error')
})

const tooLong = { status: 303, location: errorPage('invalid_callback_request') }

test.each([
  ['a value that is longer than any code', { state: 'x', code: '1'.repeat(8193) }, tooLong],
  ['what would be too long as an address', { state: 'x', code: '"'.repeat(8000) }, tooLong],
  ['values that are too long together', { state: 'x', code: '1'.repeat(5000), user: '2'.repeat(5000) }, tooLong],
  ['a value that no database keeps', { state: '\0' }, tooLong],
  [
    'the longest code',
    { state: 'x', code: '1'.repeat(8000) },
    { status: 303, location: `http://localhost:3000/api/auth/callback/apple?code=${'1'.repeat(8000)}&state=x` },
  ],
])('a form with %s is sent where a browser can follow', async (_, values, expected) => {
  await using server = await createSocialServer(['apple'])

  const { status, headers } = await post(server, 'apple', values)

  expect({ status, location: headers.get('location') }).toEqual(expected)
})

test('fields beside a provider’s answer are ignored, whatever their names', async () => {
  await using server = await createSocialServer(['apple'])
  const evil = { callbackURL: 'https://evil.example', redirectTo: 'https://evil.example' }

  const got = await server.visitor().get(`/callback/apple?${new URLSearchParams({ state: 'x', ...evil })}`)
  const posted = await post(server, 'apple', { state: 'x', ...evil })

  expect([got.status, got.headers.get('location')]).toEqual([302, errorPage('please_restart_the_process')])
  expect([posted.status, posted.headers.get('location')]).toEqual([
    303,
    'http://localhost:3000/api/auth/callback/apple?state=x',
  ])
})

test('a posted answer of more than 64 kB is not read', async () => {
  await using server = await createSocialServer(['apple'])
  const raw = `state=${'s'.repeat(66_000)}`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }

  const { status, body } = await server.visitor().request('POST', '/api/auth/callback/apple', { raw, headers })

  expect([status, body.code]).toEqual([413, 'REQUEST_BODY_IS_TOO_LARGE'])
})

test('no_callback_url: no request brings it about, a flow that was stored without one does', async () => {
  await using server = await createSocialServer(['google'])
  const { db, secrets } = server.tollgate.internals.ctx
  const visitor = server.visitor()
  const url = await begin(visitor, 'google', { errorCallbackURL: '/failed' })
  const { content } = await db.selectFrom('verification').select('content').executeTakeFirstOrThrow()
  const flow = JSON.parse(secrets.open(content ?? '', 'oauth-state'))
  const without = secrets.seal(JSON.stringify({ ...flow, callbackURL: '' }), 'oauth-state')
  await change(server, sql`update verification set content = ${without}`)

  expect(target(await finish(server, visitor, server.at('google'), url))).toBe('/failed?error=no_callback_url')
})

test.each([
  ['unable_to_create_user', 'user', 'image'],
  ['unable_to_link_account', 'account', 'id_token'],
  ['unable_to_create_session', 'session', 'authenticated_at'],
  ['internal_server_error', 'account', 'provider_id'],
])('%s: no request brings it about, a fault of the database does', async (code, table, column) => {
  await using server = await createSocialServer(['google'])
  const visitor = server.visitor()
  const url = await begin(visitor, 'google', { errorCallbackURL: '/failed' })
  await using _fault = await withoutColumn(server, table, column)

  const to = target(await finish(server, visitor, server.at('google'), url))

  expect(to).toBe(`/failed?error=${code}`)
  expect(await countUsers(server)).toBe(0)
  expect(visitor.cookies.has('better-auth.session_token')).toBe(false)
})

test('a fault before the sign-in is known leads to the error page', async () => {
  await using server = await createSocialServer(['google'])
  const visitor = server.visitor()
  const url = await begin(visitor, 'google', { errorCallbackURL: '/failed' })
  await using _fault = await withoutColumn(server, 'verification', 'content')

  expect(target(await finish(server, visitor, server.at('google'), url))).toBe(errorPage('internal_server_error'))
})

test('a sign-in that cannot be remembered is refused', async () => {
  await using server = await createSocialServer(['google'])
  await using _fault = await withoutColumn(server, 'verification', 'content')

  const { status, body } = await server.visitor().post('/sign-in/social', { provider: 'google' })

  expect([status, body.code]).toEqual([500, 'UNABLE_TO_CREATE_VERIFICATION'])
})
