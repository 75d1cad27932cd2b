import { expect, test } from 'vitest'
import { createSetupLink } from '../features/identity/first-admin.service.ts'
import { hours } from '../foundation/clock.ts'
import { TollgateError } from '../foundation/error.ts'
import { fromFetch } from '../foundation/http/request.ts'
import { createTestServer, type TestAnswer, type Visitor } from '../testing.ts'
import { pageMakers } from './page-makers.ts'
import { refusedLink } from './pages.routes.ts'

const formType = { 'content-type': 'application/x-www-form-urlencoded' }

/** Sends a form as a browser without JavaScript does. */
const send = (
  visitor: Visitor,
  path: string,
  values: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TestAnswer> =>
  visitor.request('POST', path, { raw: new URLSearchParams(values).toString(), headers: { ...formType, ...headers } })

const page = (visitor: Visitor, path: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  visitor.request('GET', path, { headers })

const heading = ({ text }: TestAnswer): string =>
  /<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1]?.replaceAll(/<[^>]*>/g, '') ?? ''

/** The props that the page hydrates from. */
const propsOf = ({ text }: TestAnswer): { data: Record<string, unknown> } =>
  JSON.parse(/<script id="props" type="application\/json">(.*?)<\/script>/s.exec(text)?.[1] ?? 'null')

const location = ({ headers }: TestAnswer): string | null => headers.get('location')

test('the front page leads to the sign-in, and to the account once signed in', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()

  const [stranger, own] = [await page(server.visitor(), '/'), await page(ada, '/')]

  expect([stranger.status, location(stranger)]).toEqual([302, '/sign-in'])
  expect([own.status, location(own)]).toEqual([302, '/account'])
})

test('a link that failed shows the failure, also when it leads to the front page', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()

  const answer = await page(ada, '/?error=token_expired&x=%3Cb%3E')

  expect([answer.status, location(answer)]).toEqual([302, '/error?error=token_expired'])
})

test('every page is finished when it arrives, and may be neither framed, stored nor given foreign code', async () => {
  await using server = await createTestServer({ appName: 'Northwind' })

  const answer = await page(server.visitor(), '/sign-in')

  expect(answer.status).toBe(200)
  expect(heading(answer)).toBe('Sign in to Northwind')
  expect(answer.text).toContain('<title>Sign in to Northwind</title>')
  expect(answer.text).toMatch(/<form[^>]* action="\/sign-in"/)
  const policy = answer.headers.get('content-security-policy') ?? ''
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
  expect(answer.text).toContain(`<style nonce="${nonce}">`)
  expect(policy.replace(`'nonce-${nonce}'`, "'nonce'")).toBe(
    "default-src 'self'; script-src 'self'; style-src 'self' 'nonce'; img-src 'self' https: data:; font-src 'self'; " +
      "connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
  )
  expect(answer.text.match(/<(script|link)[^>]*(src|href)="(?!\/)/g)).toBeNull()
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin',
    'cross-origin-opener-policy': 'same-origin',
  })
  expect(answer.headers.has('strict-transport-security')).toBe(false)
})

test('two answers have two nonces', async () => {
  await using server = await createTestServer()
  const policy = async () => (await page(server.visitor(), '/sign-in')).headers.get('content-security-policy')

  expect(await policy()).not.toBe(await policy())
})

test('over https the answer tells browsers to stay with it', async () => {
  await using server = await createTestServer({ baseURL: 'https://accounts.example.com' })

  const { headers } = await page(server.visitor(), '/sign-in')

  expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
})

test('HEAD answers as GET does, without the page', async () => {
  await using server = await createTestServer()

  const answer = await server.visitor().request('HEAD', '/sign-in')

  expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([
    200,
    '',
    'text/html; charset=utf-8',
  ])
})

test('the parts of the pages are cached for ever and compressed', async () => {
  await using server = await createTestServer()
  const visitor = server.visitor()
  const { text } = await page(visitor, '/sign-in')
  const script = /<script type="module" src="([^"]+)"/.exec(text)?.[1] ?? ''
  const font = /<link rel="preload" href="([^"]+)"/.exec(text)?.[1] ?? ''

  const plain = await page(visitor, script)
  const small = await page(visitor, script, { 'accept-encoding': 'gzip, br' })
  const kept = await page(visitor, script, { 'if-none-match': plain.headers.get('etag') ?? '' })
  const icon = await page(visitor, '/favicon.svg')

  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(small.headers.get('content-encoding')).toBe('br')
  expect(Number(small.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 2)
  expect(kept.status).toBe(304)
  expect((await page(visitor, font)).headers.get('content-type')).toBe('font/woff2')
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
})

test('pages are compressed, except personal ones: their length must not reveal their content', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const encoding = async (visitor: Visitor, path: string) =>
    (await page(visitor, path, { 'accept-encoding': 'gzip, br' })).headers.get('content-encoding')

  expect(await encoding(server.visitor(), '/sign-in')).toBe('gzip')
  expect(await encoding(ada, '/sign-in')).toBeNull()
  expect(await encoding(ada, '/account')).toBeNull()
})

test('paths that lead out of the build are no files', async () => {
  await using server = await createTestServer()

  for (const path of ['/assets/..%2f..%2fssr/server.js', '/.vite/manifest.json', '/assets/nothing.js']) {
    expect((await page(server.visitor(), path)).status, path).toBe(404)
  }
})

test('an unknown address answers with an error page, and with JSON for programs that accept it', async () => {
  await using server = await createTestServer()

  const shown = await page(server.visitor(), '/no/such/page')
  const told = await page(server.visitor(), '/no/such/page', { accept: 'application/json' })

  expect([shown.status, heading(shown)]).toEqual([404, 'This page doesn’t exist'])
  expect([told.status, told.body]).toEqual([404, { code: 'NOT_FOUND', message: 'Not found' }])
  expect((await send(server.visitor(), '/error', {})).status).toBe(405)
})

test('a path with encoded letters is the page that they spell, or none, but no fault', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()

  for (const path of ['/sign-%69n', '/account/%73ecurity', '/%65rror', '/account%2fsecurity'])
    for (const visitor of [ada, server.visitor()])
      expect([path, (await page(visitor, path)).status < 500]).toEqual([path, true])
  expect(location(await send(ada, '/%61ccount', { form: 'profile', name: 'Ada' }))).toBe('/account?done=saved')
})

test('the language is the address’s, then the cookie’s, then the browser’s', async () => {
  await using server = await createTestServer()
  const visitor = server.visitor({ headers: { 'accept-language': 'xx, pl;q=0.9, en;q=0.8' } })

  expect(await page(visitor, '/sign-in').then(languageOf)).toBe('pl')
  expect(await page(visitor, '/sign-in?lang=de').then(languageOf)).toBe('de')
  expect(await page(visitor, '/sign-in').then(languageOf)).toBe('de')
  expect(await page(visitor, '/sign-in?lang=tlh').then(languageOf)).toBe('de')
  expect(await page(server.visitor(), '/sign-in').then(languageOf)).toBe('en')
})

test('no link of a page names another host, whatever the path of the page', async () => {
  await using server = await createTestServer()

  for (const path of ['//evil.example', '//evil.example/', '///evil.example/a']) {
    const shown = await page(server.visitor(), `http://localhost:3000${path}`)
    expect(heading(shown)).toBe('This page doesn’t exist')
    expect(shown.text).not.toMatch(/(?:href|action|src)="\/\//)
  }
})

const languageOf = ({ text }: TestAnswer): string | undefined => /<html lang="([^"]+)"/.exec(text)?.[1]

test('a page ships its own language and no other, and the letters it is written with', async () => {
  await using server = await createTestServer()

  const russian = await page(server.visitor(), '/sign-in?lang=ru')

  expect(russian.text).toContain('onest-cyrillic')
  expect(russian.text).toContain('hrefLang="tr"')
  expect(russian.text).not.toContain('Forgot password?')
  expect((await page(server.visitor(), '/sign-in')).text).not.toMatch(/preload"[^>]*onest-cyrillic/)
})

test('links to other languages keep the rest of the address', async () => {
  await using server = await createTestServer()

  const { text } = await page(server.visitor(), '/reset-password?token=abc&lang=de')

  expect(text).toContain('href="/reset-password?token=abc&amp;lang=fr"')
})

test('the scheme of the system holds until the visitor chooses one', async () => {
  await using server = await createTestServer()
  const visitor = server.visitor()

  expect((await page(visitor, '/sign-in')).text).toContain('<meta name="color-scheme" content="light dark">')
  expect((await page(visitor, '/sign-in?scheme=dark')).text).toMatch(/<html[^>]*data-scheme="dark"/)
  expect((await page(visitor, '/sign-in')).text).toContain('<meta name="color-scheme" content="dark">')
  expect((await page(visitor, '/sign-in?scheme=system')).text).not.toMatch(/<html[^>]*data-scheme/)
  expect(visitor.cookies.has('tollgate_scheme')).toBe(false)
})

test('a visitor signs up, out and in without JavaScript', async () => {
  await using server = await createTestServer()
  const visitor = server.visitor()
  const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }

  const signedUp = await send(visitor, '/sign-up', { form: 'sign-up', ...person })
  const account = await page(visitor, '/account')
  const signedOut = await send(visitor, '/sign-out', { form: 'sign-out' })
  const told = await page(visitor, location(signedOut) ?? '')
  const signedIn = await send(visitor, '/sign-in', { form: 'sign-in', ...person, rememberMe: 'on' })

  expect([signedUp.status, location(signedUp)]).toEqual([303, '/'])
  expect(heading(account)).toBe('Profile')
  expect([signedOut.status, location(signedOut)]).toEqual([303, '/sign-in?done=signed-out'])
  expect(told.text).toContain('You are signed out.')
  expect([signedIn.status, location(signedIn)]).toEqual([303, '/'])
  expect((await page(visitor, '/account')).status).toBe(200)
})

test('a session without “keep me signed in” ends with the browser', async () => {
  await using server = await createTestServer()
  const { email, password } = await server.signedUp()

  const { headers } = await send(server.visitor(), '/sign-in', { email, password })

  const cookie = headers.getSetCookie().find((line) => line.includes('session_token=')) ?? ''
  expect(cookie).not.toBe('')
  expect(cookie).not.toContain('Max-Age')
})

test('a refused sign-in returns its status, its reason and the input, but no password', async () => {
  await using server = await createTestServer()
  const { email } = await server.signedUp()

  const answer = await send(server.visitor(), '/sign-in', {
    email,
    password: 'wrong password',
    callbackURL: '/account/security',
  })

  expect(answer.status).toBe(401)
  expect(answer.text).toContain(`value="${email}"`)
  expect(answer.text).toContain('don’t match an account')
  expect(answer.text).not.toContain('wrong password')
  expect(propsOf(answer).data).toMatchObject({
    callbackURL: '/account/security',
    state: { code: 'INVALID_EMAIL_OR_PASSWORD' },
  })
})

test('a refusal that is about a field stands at the field', async () => {
  await using server = await createTestServer()

  const answer = await send(server.visitor(), '/sign-up', { name: 'Ada', email: 'ada@example.com', password: 'short' })

  expect(answer.status).toBe(400)
  expect(answer.text).toMatch(/<p id="password-error"[^>]*>Use at least 8 characters\.<\/p>/)
  expect(propsOf(answer).data.state).toMatchObject({ fields: { password: 'PASSWORD_TOO_SHORT' } })
})

test('empty fields are reported before any call', async () => {
  await using server = await createTestServer()
  const visitor = server.visitor()

  const answers = [
    await send(visitor, '/sign-in', { email: 'ada@example.com' }),
    await send(visitor, '/sign-up', { name: ' ', email: 'ada@example.com', password: 'correct horse battery' }),
    await send(visitor, '/forgot-password', {}),
    await send(visitor, '/reset-password', { token: 'x' }),
    await send(visitor, '/sign-up', {}),
  ]

  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
  expect(answers.map((answer) => propsOf(answer).data.state)).toMatchObject([
    { fields: { password: 'PASSWORD_REQUIRED' } },
    { fields: { name: 'NAME_REQUIRED' } },
    { fields: { email: 'EMAIL_REQUIRED' } },
    { fields: { newPassword: 'NEW_PASSWORD_REQUIRED' } },
    { fields: { name: 'NAME_REQUIRED', email: 'EMAIL_REQUIRED', password: 'NEW_PASSWORD_REQUIRED' } },
  ])
})

test('a sign-in redirects to the requested address, but only to safe ones', async () => {
  await using server = await createTestServer({ trustedOrigins: ['https://app.example.com'] })
  const { email, password } = await server.signedUp()
  const target = async (callbackURL: string) =>
    location(await send(server.visitor(), '/sign-in', { email, password, callbackURL }))

  expect(await target('/account/security?a=b')).toBe('/account/security?a=b')
  expect(await target('https://app.example.com/welcome')).toBe('https://app.example.com/welcome')
  for (const hostile of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/%2fevil',
  ])
    expect(await target(hostile), hostile).toBe('/')
})

test('an unsafe place to return to is not even in the page, a trusted one is where its form may lead', async () => {
  await using server = await createTestServer({ trustedOrigins: ['https://app.example.com'] })
  const with_ = (target: string) => page(server.visitor(), `/sign-in?callbackURL=${encodeURIComponent(target)}`)

  const unsafe = await with_('https://evil.example/')
  const trusted = await with_('https://app.example.com/welcome')

  expect(propsOf(unsafe).data).not.toHaveProperty('callbackURL')
  expect(trusted.headers.get('content-security-policy')).toMatch(/form-action 'self' https:\/\/app\.example\.com$/)
})

test('forms from elsewhere are refused, with cookies or without, and change nothing', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const { email, password } = ada
  const attempts: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ]

  for (const headers of attempts) {
    const refused = await send(server.visitor(), '/sign-in', { email, password }, headers)
    expect([refused.status, refused.headers.getSetCookie()], JSON.stringify(headers)).toEqual([403, []])
    expect(refused.text).toContain('not trusted here')
    expect(refused.text).not.toContain(email)
    expect((await send(ada, '/account', { form: 'profile', name: 'Eve' }, headers)).status).toBe(403)
  }

  expect((await ada.get('/get-session')).body.user.name).toBe('Ada')
})

test('a form without Origin counts as same-origin only when the browser confirms it', async () => {
  await using server = await createTestServer()
  const { email, password } = await server.signedUp()
  const post = (headers: Record<string, string>) =>
    server.tollgate.handler(
      new Request(`${server.baseURL}/sign-in`, {
        method: 'POST',
        headers: { ...formType, ...headers },
        body: new URLSearchParams({ email, password }).toString(),
      }),
    )

  expect((await post({})).status).toBe(403)
  expect((await post({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await post({ 'sec-fetch-site': 'same-site' })).status).toBe(403)
  expect((await post({ 'sec-fetch-site': 'same-origin' })).status).toBe(303)
})

test('only forms of a sensible size are read', async () => {
  await using server = await createTestServer()
  const visitor = server.visitor()

  const json = await visitor.request('POST', '/sign-in', { body: { email: 'a@b.example' } })
  const huge = await send(visitor, '/sign-in', { email: 'a'.repeat(70_000), password: 'x' })
  const unknown = await send(visitor, '/account', { form: 'sign-in' })

  expect([json.status, huge.status, unknown.status]).toEqual([415, 413, 302])
})

test('no redirect of a page reveals to the next one where the visitor came from', async () => {
  await using server = await createTestServer()
  const { email, password } = await server.signedUp()
  const visitor = server.visitor()

  const answers = [
    await page(visitor, '/?error=token_expired'),
    await page(visitor, '/account'),
    await page(visitor, '/sign-out'),
    await send(visitor, '/sign-in', { email, password }),
    await send(visitor, '/sign-out', {}),
  ]

  for (const { status, headers } of answers)
    expect([status >= 300 && status < 400, headers.get('referrer-policy')]).toEqual([true, 'no-referrer'])
})

test('an account page leads to the sign-in and back', async () => {
  await using server = await createTestServer()

  for (const path of ['/account', '/account/security', '/account/sessions', '/account/delete']) {
    const answer = await page(server.visitor(), path)
    expect([answer.status, location(answer)]).toEqual([302, `/sign-in?callbackURL=${encodeURIComponent(path)}`])
  }
  const posted = await send(server.visitor(), '/account', { form: 'profile', name: 'Eve' })
  expect([posted.status, location(posted)]).toEqual([303, '/sign-in?callbackURL=%2Faccount'])
})

test('a signed-in visitor may go on as themselves', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()

  const offered = await page(ada, '/sign-in')
  const switched = await page(ada, '/sign-in?switch=1')

  expect([heading(offered), offered.text.includes('Continue as Ada')]).toEqual(['You are signed in', true])
  expect(switched.text).toMatch(/<form[^>]* action="\/sign-in"/)
})

test('the sign-up page asks a signed-in user too, unless its link is for a new account', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const setup = new URL(await createSetupLink(server.tollgate.internals.ctx))

  const offered = await page(ada, '/sign-up?callbackURL=/org/acme')

  expect([heading(offered), offered.text.includes('href="/org/acme"')]).toEqual(['You are signed in', true])
  for (const path of ['/sign-up?switch=1', setup.pathname + setup.search])
    expect((await page(ada, path)).text).toMatch(/<form[^>]* action="\/sign-up"/)
})

test('the link for the first administrator explains its effect, and when it stops working', async () => {
  await using server = await createTestServer()
  const setup = new URL(await createSetupLink(server.tollgate.internals.ctx))
  const setupToken = setup.searchParams.get('setupToken') ?? ''
  const path = setup.pathname + setup.search
  const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }

  const before = await page(server.visitor(), path)
  await send(server.visitor(), '/sign-up', { form: 'sign-up', ...person, setupToken })
  const after = await page(server.visitor(), path)
  const late = { form: 'sign-up', ...person, email: 'bob@example.com', setupToken }
  const posted = await send(server.visitor(), '/sign-up', late)

  expect(before.text).toContain('<p data-tg="lead">This account will administer the installation.</p>')
  for (const answer of [after, posted]) {
    expect(answer.text).not.toContain('<form')
    expect(answer.text).toContain('<p data-tg="lead">This link has expired or was already used')
  }
  expect([before.status, after.status, posted.status]).toEqual([200, 200, 400])
})

test.each([
  ['/sign-in/', '/sign-in'],
  ['/account//?lang=de', '/account?lang=de'],
  ['/nowhere/', '/nowhere'],
  ['/nowhere//evil.example//', '/nowhere//evil.example'],
  ['/%5Cevil.example/', null],
])('a slash at the end of an address is left out: %s', async (path, expected) => {
  await using server = await createTestServer()

  expect(location(await page(server.visitor(), path))).toBe(expected)
})

test('the answer to a forgotten password is the same for every user, and its link leads to a new one', async () => {
  await using server = await createTestServer()
  const { email } = await server.signedUp()
  const visitor = server.visitor()
  await server.mailsTo(email)
  server.clock.advance(60_000)

  const known = await send(visitor, '/forgot-password', { email, callbackURL: '/org/acme' })
  const unknown = await send(visitor, '/forgot-password', { email: 'nobody@example.com' })
  const link = await page(visitor, await server.linkTo(email))
  const form = await page(visitor, location(link) ?? '')
  const token = String(propsOf(form).data.token)
  const short = await send(visitor, '/reset-password', {
    form: 'reset-password',
    token,
    callbackURL: '/org/acme',
    newPassword: 'short',
  })
  const done = await send(visitor, '/reset-password', {
    form: 'reset-password',
    token,
    callbackURL: '/org/acme',
    newPassword: 'a better password',
  })
  const again = await send(visitor, '/reset-password', {
    form: 'reset-password',
    token,
    newPassword: 'a better password',
  })

  const asked = `/forgot-password?done=sent&email=${encodeURIComponent(email)}&callbackURL=%2Forg%2Facme`
  expect(location(known)).toBe(asked)
  expect(location(unknown)).toBe('/forgot-password?done=sent&email=nobody%40example.com')
  expect((await page(visitor, location(known) ?? '')).text).toContain('is on its way')
  expect(heading(form)).toBe('Choose a new password')
  const validUntil = new Date(server.clock.now().getTime() + hours(1)).toISOString()
  expect(propsOf(form).data).toMatchObject({ email, validUntil, callbackURL: '/org/acme' })
  expect(form.text).toMatch(new RegExp(`<input[^>]*autoComplete="username"[^>]*value="${email}"`))
  expect(form.text).toContain('<noscript> UTC</noscript>')
  expect([short.status, propsOf(short).data]).toMatchObject([400, { token, email, callbackURL: '/org/acme' }])
  expect([done.status, location(done)]).toEqual([303, '/sign-in?done=password-reset&callbackURL=%2Forg%2Facme'])
  expect(heading(await page(visitor, `/reset-password?token=${token}`))).toBe('This link no longer works')
  expect([again.status, heading(again)]).toEqual([400, 'This link no longer works'])
  expect((await send(visitor, '/sign-in', { email, password: 'a better password' })).status).toBe(303)
})

test('where verification is required, sign-up waits for the mail, and its link leads back to the sign-in', async () => {
  await using server = await createTestServer({ emailAndPassword: { requireEmailVerification: true } })
  const visitor = server.visitor()
  const email = 'ada@example.com'

  const signedUp = await send(visitor, '/sign-up', { name: 'Ada', email, password: 'correct horse battery' })
  const waiting = await page(visitor, location(signedUp) ?? '')
  const early = await send(visitor, '/sign-in', { email, password: 'correct horse battery' })
  await server.mailsTo(email)
  server.clock.advance(60_000)
  const resent = await send(visitor, '/verify-email', { form: 'resend-verification', email })
  const link = await page(visitor, await server.linkTo(email))
  const verified = await page(visitor, location(link) ?? '')

  expect([signedUp.status, location(signedUp)]).toEqual([303, '/verify-email?email=ada%40example.com'])
  expect(heading(waiting)).toBe('Check your email')
  expect(waiting.text).toContain('<strong>ada@example.com</strong>')
  expect(waiting.text).toContain('href="/dev/inbox"')
  expect(location(resent)).toBe('/verify-email?email=ada%40example.com&done=resent')
  expect([early.status, early.text.includes('Confirm your email address first')]).toEqual([403, true])
  expect(heading(verified)).toBe('Address confirmed')
  expect(verified.text).toContain('href="/sign-in?done=email-verified"')
})

test('only the browser that did something sees the confirmation', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  const stranger = server.visitor()
  const forger = server.visitor()
  forger.cookies.set('tollgate_done', JSON.stringify({ done: 'email-verified', email: ada.email }))
  const says = async (visitor: Visitor, path: string) => {
    const answer = await page(visitor, path)
    return location(answer) ?? heading(answer)
  }

  for (const path of ['/verify-email', '/account/email-changed', '/account-deleted']) {
    for (const visitor of [stranger, forger]) expect([path, await says(visitor, path)]).toEqual([path, '/sign-in'])
  }
  expect(await says(stranger, '/verify-email?email=nobody%40example.com')).toBe('Confirm your address')
  expect(await says(stranger, '/verify-email?email=nobody%40example.com&done=resent')).toBe('Confirm your address')
  expect(await says(ada, '/verify-email')).toBe('Confirm your address')
  expect(await says(ada, '/account/email-changed')).toBe('/account')
  expect(await says(ada, '/account-deleted')).toBe('/account')

  server.clock.advance(1)
  await send(ben, '/verify-email', { form: 'resend-verification', email: ben.email })
  expect(await says(ben, `/verify-email?email=${ben.email.toUpperCase()}`)).toBe('Check your email')
  await page(ben, await server.linkTo(ben.email))
  expect(await says(ben, '/verify-email')).toBe('Address confirmed')
  ben.cookies.delete('tollgate_done')
  expect(await says(ben, '/verify-email')).toBe('Already confirmed')

  server.clock.advance(1)
  await send(ben, '/account', { form: 'change-email', newEmail: 'new@example.com' })
  expect(await says(ben, location(await page(ben, await server.linkTo(ben.email))) ?? '')).toBe('Address changed')
  const confirmed = await page(ben, location(await page(ben, await server.linkTo('new@example.com'))) ?? '')
  expect([heading(confirmed), confirmed.text.includes('new@example.com')]).toEqual(['New address confirmed', true])
})

test('a link followed in another user’s session names the address that it verified', async () => {
  await using server = await createTestServer()
  const [ada, ben] = [await server.signedUp('Ada'), await server.signedUp('Ben')]
  server.clock.advance(1)
  await send(ada, '/account', { form: 'resend-verification', email: ada.email })

  const verified = await page(ben, location(await page(ben, await server.linkTo(ada.email))) ?? '')

  expect(heading(verified)).toBe('Address confirmed')
  expect(propsOf(verified).data).toMatchObject({ email: ada.email, signedInAs: ben.email, callbackURL: '/account' })
  expect(verified.text.replaceAll(/<[^>]*>/g, '')).toContain(`In this browser you are signed in as ${ben.email}.`)
})

test('a link that has expired offers to send a new one, without asking for the address again', async () => {
  await using server = await createTestServer({ emailAndPassword: { requireEmailVerification: true } })
  const visitor = server.visitor()
  const email = 'ada@example.com'
  const signedUp = await send(visitor, '/sign-up', { name: 'Ada', email, password: 'correct horse battery' })
  const waiting = await page(visitor, location(signedUp) ?? '')
  const link = await server.linkTo(email)

  server.clock.advance(2 * 3_600_000)
  const expired = await page(visitor, location(await page(visitor, link)) ?? '')
  const elsewhere = await page(server.visitor(), location(await page(server.visitor(), link)) ?? '')

  expect([heading(expired), propsOf(expired).data.email]).toEqual(['This link has expired', email])
  // A page that sent no mail does not say where to look for it.
  expect([waiting, expired].map(({ text }) => text.includes('>No mail?'))).toEqual([true, false])
  expect(propsOf(elsewhere).data).not.toHaveProperty('email')
})

test('the address that a browser waits for is kept unreadable, and no signature of ours is given for it', async () => {
  await using server = await createTestServer({ session: { cookieCache: { enabled: true } } })
  const { secrets } = server.tollgate.internals.ctx
  const visitor = server.visitor()
  const waits = async (cookie: string) => {
    visitor.cookies.set('tollgate_awaited', cookie)
    return propsOf(await page(visitor, '/verify-email?error=token_expired')).data.email
  }

  await page(visitor, '/verify-email?email=ada%40example.com')
  const kept = visitor.cookies.get('tollgate_awaited') ?? ''

  expect(await waits(kept)).toBe('ada@example.com')
  expect(Buffer.from(kept.split('.')[1] ?? '', 'base64url').toString()).not.toContain('ada')
  expect(decodeURIComponent(kept)).not.toContain('ada')
  expect(secrets.unsign(decodeURIComponent(kept))).toBeNull()
  expect(() => secrets.open(kept)).toThrow()
  // The page opens neither other sealed values nor a signed cookie.
  for (const other of [secrets.seal('eve@example.com'), encodeURIComponent(secrets.sign('eve@example.com')), 'x', ''])
    expect([other, await waits(other)]).toEqual([other, undefined])
})

test('the account is changed by plain forms', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const { email, password } = ada
  await send(server.visitor(), '/sign-in', { email, password })

  const profile = await send(ada, '/account', { form: 'profile', name: 'Ada L.' })
  const saved = await page(ada, location(profile) ?? '')
  const changed = await send(ada, '/account', { form: 'change-email', newEmail: 'countess@example.com' })
  const wrong = await send(ada, '/account/security', {
    form: 'change-password',
    currentPassword: 'wrong',
    newPassword: 'a better password',
  })
  const ended = await send(ada, '/account/sessions', { form: 'revoke-other-sessions' })
  const better = await send(ada, '/account/security', {
    form: 'change-password',
    currentPassword: password,
    newPassword: 'a better password',
    revokeOtherSessions: 'on',
  })

  expect([location(profile), saved.text.includes('Saved.'), saved.text.includes('Ada L.')]).toEqual([
    '/account?done=saved',
    true,
    true,
  ])
  expect(location(changed)).toBe('/account?done=email-changed')
  expect((await page(ada, '/account?done=email-changed')).text).toContain('countess@example.com')
  expect([wrong.status, propsOf(wrong).data.state]).toMatchObject([
    400,
    { fields: { currentPassword: 'INVALID_PASSWORD' } },
  ])
  expect(location(ended)).toBe('/account/sessions?done=sessions-revoked')
  expect((await ada.get('/list-sessions')).body).toHaveLength(1)
  expect(location(better)).toBe('/account/security?done=password-changed')
  expect((await page(ada, '/account/security')).status).toBe(200)
})

test('one device is signed out by its own button', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const phone = server.visitor()
  await send(phone, '/sign-in', { email: ada.email, password: ada.password })
  const tokens = [...(await page(ada, '/account/sessions')).text.matchAll(/name="token" value="([^"]+)"/g)].map(
    ([, token]) => token,
  )

  const ended = await send(ada, '/account/sessions', { form: 'revoke-session', token: tokens[0] ?? '' })
  const gone = await send(ada, '/account/sessions', { form: 'revoke-session', token: tokens[0] ?? '' })

  expect(tokens).toHaveLength(1)
  expect(location(ended)).toBe('/account/sessions?done=session-revoked')
  expect([gone.status, gone.text.includes('already signed out')]).toEqual([400, true])
  expect((await page(phone, '/account')).status).toBe(302)
})

test('an account is deleted by its word in the page’s language, with the password or by mail', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await page(ada, '/account/delete?lang=de')

  const unsure = await send(ada, '/account/delete', { confirmation: 'DELETE' })
  const mailed = await send(ada, '/account/delete', { confirmation: 'löschen' })
  const waiting = await page(ada, location(mailed) ?? '')
  const wrong = await send(ada, '/account/delete', { confirmation: 'LÖSCHEN', password: 'wrong' })
  const deleted = await send(ada, '/account/delete', { confirmation: 'LÖSCHEN', password: ada.password })

  expect([unsure.status, propsOf(unsure).data.state]).toMatchObject([
    400,
    { fields: { confirmation: 'CONFIRMATION_WORD' } },
  ])
  expect(location(mailed)).toBe('/account/delete?done=delete-mail-sent')
  expect(waiting.text).toContain(ada.email)
  expect([wrong.status, propsOf(wrong).data.state]).toMatchObject([400, { fields: { password: 'INVALID_PASSWORD' } }])
  expect([deleted.status, location(deleted)]).toEqual([303, '/account-deleted'])
  expect(heading(await page(ada, '/account-deleted'))).toBe('Ihr Konto ist gelöscht')
  expect((await page(ada, '/account')).status).toBe(302)
})

test('where deletion is switched off there is no page for it', async () => {
  await using server = await createTestServer({ user: { deleteUser: { enabled: false } } })
  const ada = await server.signedUp()

  expect((await page(ada, '/account/delete')).status).toBe(404)
  expect((await page(ada, '/account/security')).text).not.toContain('/account/delete')
})

test('where sign-up is switched off the page shows it, and the form is refused', async () => {
  await using server = await createTestServer({ emailAndPassword: { disableSignUp: true } })

  const shown = await page(server.visitor(), '/sign-up')
  const posted = await send(server.visitor(), '/sign-up', {
    name: 'Ada',
    email: 'ada@example.com',
    password: 'correct horse battery',
  })

  expect([heading(shown), posted.status]).toEqual(['Sign-up is closed', 400])
})

test('too many attempts: the page counts down from the header’s value', async () => {
  await using server = await createTestServer({ rateLimit: { enabled: true } })
  const visitor = server.visitor()
  const attempt = () => send(visitor, '/sign-in', { email: 'ada@example.com', password: 'wrong password' })

  const answers = [await attempt(), await attempt(), await attempt(), await attempt()]

  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429])
  const limited = answers[3]!
  expect(propsOf(limited).data.state).toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    retryAfter: Number(limited.headers.get('retry-after')),
  })
})

test('the error page shows any code as text, and Unknown only without one', async () => {
  await using server = await createTestServer()
  const visitor = server.visitor()
  const hostile = encodeURIComponent(`"><script>alert('1')</script>&`)

  for (const path of ['/error', '/api/auth/error']) {
    const known = await page(visitor, `${path}?error=access_denied`)
    const strange = await page(visitor, `${path}?error=${hostile}`)
    const none = await page(visitor, path)

    expect([known.status, strange.status, none.status]).toEqual([200, 200, 200])
    expect(known.text).toContain('You did not give permission')
    expect(strange.text).toContain('&quot;&gt;&lt;script&gt;alert(&#x27;1&#x27;)&lt;/script&gt;&amp;')
    expect([strange.text.includes('Unknown'), none.text.includes('Unknown')]).toEqual([false, true])
    expect(none.text).toMatch(/<a href="\/"[^>]*>Return to Application<\/a>/)
    expect(none.text).not.toContain('<script')
  }
})

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
  'the name %s in an address or a form is a text like any other',
  async (name) => {
    // A provider makes the page of connected accounts available.
    await using server = await createTestServer({
      socialProviders: { github: { clientId: 'id', clientSecret: 'secret' } },
    })
    const ada = await server.signedUp()

    for (const path of Object.keys(pageMakers)) {
      for (const visitor of [ada, server.visitor()]) {
        for (const key of ['error', 'done', 'lang', 'scheme', 'fixture', 'callbackURL', 'email', 'token']) {
          const answer = await page(visitor, `${path}?${key}=${name}`)
          // The parameters of organization, invitation and link routes name no object here.
          const limit = path.includes(':') ? 500 : 400
          expect([path, key, answer.status < limit], heading(answer)).toEqual([path, key, true])
        }
      }
    }
    const asked = await page(ada, `/verify-email?error=${name}`)
    expect(propsOf(asked).data.status).toBe('invalid')
    expect((await send(ada, '/account', { form: name, [name]: name })).status).toBe(400)
  },
)

test('nothing that is entered can become markup or end the script that carries it', async () => {
  await using server = await createTestServer({ appName: '<b>& "Co"' })
  const ada = await server.signedUp('Ada', {})
  const name = `</script><script>alert('1')</script>`
  await send(ada, '/account', { form: 'profile', name })

  const { text } = await page(ada, '/account')
  const refused = await send(server.visitor(), '/sign-in', { email: `"><img src=x>`, password: 'x' })

  expect(text).not.toContain(name)
  expect(text).toContain('&lt;b&gt;&amp; &quot;Co&quot;')
  expect(text.match(/<script/g)).toHaveLength(2)
  expect(refused.text).not.toContain('<img')
})

test('in production there are no made-up pages, no stripe and no inbox', async () => {
  await using server = await createTestServer(
    { baseURL: 'https://accounts.example.com' },
    { env: { TOLLGATE_MODE: 'production' } },
  )

  const made = await page(server.visitor(), '/account?fixture=idle')
  const waiting = await page(server.visitor(), '/verify-email?email=ada%40example.com')

  expect(made.status).toBe(302)
  expect(waiting.text).not.toMatch(/data-tg="stripe"|\/dev\/inbox/)
})

test('a page that fails answers with an error page', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await server.tollgate.internals.ctx.database.close()

  const answer = await page(ada, '/account')

  expect(answer.status).toBeGreaterThanOrEqual(500)
  expect(heading(answer)).toBe('This page can’t be shown right now')
})

test('a refused link is a page for browsers, and JSON for programs', async () => {
  await using server = await createTestServer()
  const { ctx } = server.tollgate.internals
  const address = `${server.baseURL}/api/auth/delete-user/callback?token=abc&callbackURL=%2Faccount-deleted`
  const followed = new Request(address, { headers: { 'sec-fetch-mode': 'navigate' } })

  const unsigned = await refusedLink(ctx, fromFetch(followed), new TollgateError('DELETE_USER_NO_SESSION'))
  const used = await refusedLink(ctx, fromFetch(followed), new TollgateError('DELETE_TOKEN_INVALID'))
  const program = await refusedLink(ctx, fromFetch(new Request(address)), new TollgateError('DELETE_TOKEN_INVALID'))

  const back = new URL(unsigned?.headers.get('location') ?? '', server.baseURL)
  expect([unsigned?.status, back.pathname]).toEqual([302, '/sign-in'])
  expect(unsigned?.headers.get('referrer-policy')).toBe('no-referrer')
  expect(propsOf(await page(server.visitor(), back.pathname + back.search)).data.callbackURL).toBe(
    '/api/auth/delete-user/callback?token=abc&callbackURL=%2Faccount-deleted',
  )
  expect([used?.status, await used?.text()]).toEqual([404, expect.stringContaining('This link doesn’t work')])
  expect(program).toBeUndefined()
})
