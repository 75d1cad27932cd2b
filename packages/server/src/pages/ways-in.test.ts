import { expect, test } from 'vitest'
import {
  createSocialServer,
  finish,
  link,
  type SocialServer,
  signIn,
  target,
  whoIs,
} from '../features/social/testing/flow.ts'
import { days } from '../foundation/clock.ts'
import type { TollgateConfig } from '../foundation/config/config.ts'
import { createTestServer, type Person, type TestAnswer, type Visitor } from '../testing.ts'

/** Sends a form as a browser without JavaScript does. */
const send = (visitor: Visitor, path: string, values: Record<string, string>): Promise<TestAnswer> =>
  visitor.request('POST', path, {
    raw: new URLSearchParams(values).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const page = (visitor: Visitor, path: string): Promise<TestAnswer> => visitor.request('GET', path)

/** The props that a page hydrates from. */
const dataOf = ({ text }: TestAnswer) =>
  JSON.parse(/<script id="props" type="application\/json">(.*?)<\/script>/s.exec(text)?.[1] ?? 'null')?.data

/** The text that a person reads on it. */
const words = ({ text }: TestAnswer): string =>
  (/<body>(.*?)<script/s.exec(text)?.[1] ?? text)
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

const location = ({ status, headers }: TestAnswer): unknown => [status, headers.get('location')]

/** The provider's URL on the interstitial after a form. */
const onward = ({ headers }: TestAnswer): string => /^0; url=(.*)$/.exec(headers.get('refresh') ?? '')?.[1] ?? ''

/** A GitHub user with a verified address. */
function atGithub(server: SocialServer, email: string, id = 1): void {
  server.at('github').person = { profile: { id, login: 'ada' }, email: [{ email, primary: true, verified: true }] }
}

const accountsOf = async (visitor: Visitor): Promise<{ id: string; provider: string }[]> =>
  (await visitor.get('/list-accounts')).body

const github = async (visitor: Visitor): Promise<string> =>
  (await accountsOf(visitor)).find(({ provider }) => provider === 'github')?.id ?? ''

/** A user with a password and a linked GitHub account. */
async function linked(server: SocialServer): Promise<Person> {
  const ada = await server.signedUp('Ada')
  atGithub(server, ada.email)
  await link(server, ada, 'github', { callbackURL: '/account/connections' })
  return ada
}

test('providers stand in the order that people are shown them, those of the configuration’s own last', async () => {
  await using server = await createTestServer({
    socialProviders: {
      github: { clientId: 'id', clientSecret: 'secret' },
      google: { clientId: 'id', clientSecret: 'secret' },
      discord: { clientId: 'id', clientSecret: 'secret', enabled: false },
    },
    genericOAuth: [
      { providerId: 'staff', name: 'Staff', issuer: 'https://id.example.com', clientId: 'id', clientSecret: 'secret' },
    ],
  })

  for (const path of ['/sign-in', '/sign-up']) {
    expect(dataOf(await page(server.visitor(), path)).providers).toEqual([
      { id: 'google', name: 'Google' },
      { id: 'github', name: 'GitHub' },
      { id: 'staff', name: 'Staff' },
    ])
  }
})

test.each<[string, TollgateConfig, object, string[], string[]]>([
  [
    'everything that is on by itself',
    {},
    { providers: [], username: true, magicLink: true, password: true },
    ['Email or username', 'Password', 'Email me a sign-in link'],
    ['Continue with'],
  ],
  [
    'passwords alone',
    { username: false, magicLink: false },
    { username: false, magicLink: false, password: true },
    ['Email', 'Password'],
    ['username', 'sign-in link'],
  ],
  [
    'mailed links alone',
    { emailAndPassword: { enabled: false }, username: false },
    { magicLink: true, password: false },
    ['Email', 'Email me a sign-in link'],
    ['Password', 'Keep me signed in', 'Create an account'],
  ],
])('the sign-in page offers %s', async (_, config, data, shown, hidden) => {
  await using server = await createTestServer(config)

  const answer = await page(server.visitor(), '/sign-in')

  expect(dataOf(answer)).toMatchObject(data)
  for (const text of shown) expect(words(answer)).toContain(text)
  for (const text of hidden) expect(words(answer)).not.toContain(text)
})

test('without JavaScript a provider’s button leads there, and back to where one wanted to go', async () => {
  await using server = await createSocialServer(['github'])
  atGithub(server, 'ada@example.com')
  const visitor = server.visitor()

  const sent = await send(visitor, '/sign-in', {
    form: 'social-sign-in',
    provider: 'github',
    callbackURL: '/account/security',
  })

  // The page's form-action policy would block a redirect.
  expect([sent.status, sent.headers.get('location')]).toEqual([200, null])
  expect(sent.headers.get('cache-control')).toBe('no-store')
  expect(onward(sent)).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?/)
  expect(words(sent)).toContain('Continuing to GitHub')
  // The state cookie is set; without it the callback refuses this browser.
  expect(target(await finish(server, visitor, server.at('github'), onward(sent)))).toBe('/account/security')
  expect((await whoIs(visitor)).email).toBe('ada@example.com')
})

test('an unsafe place to return to after a provider is not taken along', async () => {
  await using server = await createSocialServer(['github'])
  atGithub(server, 'ada@example.com')
  const visitor = server.visitor()

  for (const callbackURL of ['https://evil.example/in', '//evil.example', '/\\evil.example']) {
    const sent = await send(visitor, '/sign-in', { form: 'social-sign-in', provider: 'github', callbackURL })
    const led = target(await finish(server, visitor, server.at('github'), onward(sent)))
    expect(led, callbackURL).toBe('/')
  }
})

test('a button of a provider that is not there is refused on the page', async () => {
  await using server = await createSocialServer(['github'])

  for (const path of ['/sign-in', '/sign-up']) {
    const sent = await send(server.visitor(), path, { form: 'social-sign-in', provider: 'google' })
    expect([sent.status, onward(sent)]).toEqual([404, ''])
    expect(words(sent)).toContain('This way of signing in is not available here.')
  }
})

test('the way used last is marked only where there is a choice', async () => {
  await using server = await createSocialServer(['github'])
  await using plain = await createTestServer({ magicLink: false })
  const ada = await server.signedUp('Ada')
  const visitor = server.visitor()
  const last = async () => dataOf(await page(visitor, '/sign-in?switch=1')).lastMethod

  expect(await last()).toBeUndefined()
  await send(visitor, '/sign-in', { form: 'sign-in', email: ada.email, password: 'not this one' })
  expect(await last()).toBeUndefined()
  await send(visitor, '/sign-in', { form: 'sign-in', email: ada.email, password: ada.password })
  expect(await last()).toBe('password')
  await send(visitor, '/sign-in', { form: 'magic-link', email: ada.email })
  expect(await last()).toBe('magic-link')
  await send(visitor, '/sign-in', { form: 'social-sign-in', provider: 'github' })
  expect(await last()).toBe('github')
  expect((await page(visitor, '/sign-in?switch=1')).text.match(/Last used<\/span>/g)).toHaveLength(1)

  visitor.cookies.set('tollgate_last_method', '<b>')
  expect(await last()).toBeUndefined()
  const alone = plain.visitor()
  alone.cookies.set('tollgate_last_method', 'password')
  expect(dataOf(await page(alone, '/sign-in')).lastMethod).toBeUndefined()
})

test.each([
  ['account_not_linked', 'There is already an account with this address.'],
  ['banned', 'This account is blocked.'],
  ['access_denied', 'You did not give permission at the provider'],
  ['email_does_not_match', 'different email address'],
  ['EXPIRED_TOKEN', 'The link has expired.'],
  ['no_such_code', 'An unexpected error occurred.'],
])('the sign-in page explains the code %s of a failed redirect', async (code, sentence) => {
  await using server = await createTestServer()

  const answer = await page(server.visitor(), `/sign-in?error=${code}`)

  expect(words(answer)).toContain(sentence)
  expect(words(answer)).toContain(code)
  expect(answer.status).toBe(200)
})

test('a code of a failed redirect is text, however it is written', async () => {
  await using server = await createTestServer()

  const answer = await page(server.visitor(), `/sign-in?error=${encodeURIComponent('<img src=x onerror=alert(1)>')}`)

  expect(answer.text).not.toContain('<img')
  expect(answer.text).toContain('&lt;img src=x')
})

test('a sign-in that failed at the provider comes back to the sign-in page, which still knows where to go', async () => {
  await using server = await createSocialServer(['github'])
  const ada = await server.signedUp('Ada')
  atGithub(server, ada.email)
  server.at('github').person = {
    profile: { id: 1, login: 'ada' },
    email: [{ email: ada.email, primary: true, verified: false }],
  }
  const visitor = server.visitor()

  const sent = await send(visitor, '/sign-in', {
    form: 'social-sign-in',
    provider: 'github',
    callbackURL: '/account/security',
  })
  const led = target(await finish(server, visitor, server.at('github'), onward(sent)))
  const back = new URL(led, server.baseURL)
  const answer = await page(visitor, back.pathname + back.search)

  expect([back.pathname, back.searchParams.get('error')]).toEqual(['/sign-in', 'account_not_linked'])
  expect(dataOf(answer).callbackURL).toBe('/account/security')
})

test('where only providers make accounts, sign-up offers them alone', async () => {
  await using server = await createSocialServer(['github'], { emailAndPassword: { disableSignUp: true } })

  const answer = await page(server.visitor(), '/sign-up')

  expect(dataOf(answer)).toMatchObject({ password: false, closed: false })
  expect(words(answer)).toContain('Continue with GitHub')
  expect(answer.text).not.toContain('name="password"')
})

test('an old session asks for the password before it connects an account', async () => {
  await using server = await createSocialServer(['github'])
  const ada = await server.signedUp('Ada')
  atGithub(server, ada.email)
  server.clock.advance(days(1))
  const form = { form: 'link-account', provider: 'github' }

  const asked = await send(ada, '/account/connections', form)
  const wrong = await send(ada, '/account/connections', { ...form, password: 'not it' })
  const right = await send(ada, '/account/connections', { ...form, password: ada.password })

  expect(words(asked)).toContain('You signed in a while ago. To connect GitHub, enter your password.')
  expect(asked.text).toContain('name="password"')
  expect(words(wrong)).toContain('That is not your current password.')
  expect(target(await finish(server, ada, server.at('github'), onward(right)))).toBe(
    '/account/connections?done=account-linked',
  )
})

test('where linking is off the page offers no provider', async () => {
  await using server = await createSocialServer(['github'], { account: { accountLinking: { enabled: false } } })
  const ada = await server.signedUp('Ada')

  expect(words(await page(ada, '/account/connections'))).not.toContain('Connect GitHub')
})

test('connected accounts are listed, linked and unlinked without JavaScript', async () => {
  await using server = await createSocialServer(['github', 'google'])
  const ada = await server.signedUp('Ada')
  atGithub(server, ada.email)

  const sent = await send(ada, '/account/connections', { form: 'link-account', provider: 'github' })
  const led = target(await finish(server, ada, server.at('github'), onward(sent)))
  const after = await page(ada, led)

  expect(led).toBe('/account/connections?done=account-linked')
  expect(words(after)).toContain('The account is connected.')
  expect(
    dataOf(after)
      .accounts.map(({ provider }: { provider: string }) => provider)
      .toSorted(),
  ).toEqual(['credential', 'github'])
  expect(words(after)).toContain('Connect Google')
  expect(words(after)).not.toContain('Connect GitHub')

  const unlinked = await send(ada, '/account/connections', {
    form: 'unlink-account',
    accountId: await github(ada),
  })
  expect(location(unlinked)).toEqual([303, '/account/connections?done=account-unlinked'])
  expect((await accountsOf(ada)).map(({ provider }) => provider)).toEqual(['credential'])
})

test('a session that is not fresh asks for the password, and the right one unlinks', async () => {
  await using server = await createSocialServer(['github'])
  const ada = await linked(server)
  server.clock.advance(days(2))
  const form = { form: 'unlink-account', accountId: await github(ada) }

  const stale = await send(ada, '/account/connections', form)
  const empty = await send(ada, '/account/connections', { ...form, password: '' })
  const wrong = await send(ada, '/account/connections', { ...form, password: 'not this one' })

  expect([stale.status, words(stale)]).toEqual([
    403,
    expect.stringContaining('To disconnect GitHub, enter your password.'),
  ])
  expect([empty.status, words(empty)]).toEqual([400, expect.stringContaining('Enter your password.')])
  expect([wrong.status, words(wrong)]).toEqual([400, expect.stringContaining('That is not your current password.')])
  expect(wrong.text).not.toContain('not this one')
  expect(await github(ada)).not.toBe('')
  const right = await send(ada, '/account/connections', { ...form, password: ada.password })
  expect(location(right)).toEqual([303, '/account/connections?done=account-unlinked'])
})

test('the only way to sign in stays, and the page explains why', async () => {
  await using server = await createSocialServer(['github'])
  atGithub(server, 'ada@example.com')
  const visitor = server.visitor()
  await signIn(server, visitor, 'github', { callbackURL: '/account' })

  const shown = await page(visitor, '/account/connections')
  const sent = await send(visitor, '/account/connections', { form: 'unlink-account', accountId: await github(visitor) })

  expect(words(shown)).toContain('This is your only way to sign in, so you can’t disconnect it.')
  expect(words(shown)).toContain('Set a password')
  expect([sent.status, words(sent)]).toEqual([400, expect.stringContaining('This is your only way to sign in.')])
  expect(await github(visitor)).not.toBe('')
})

test('users cannot unlink the account of another user', async () => {
  await using server = await createSocialServer(['github'])
  const ada = await linked(server)
  const eve = await server.signedUp('Eve')
  const accountId = await github(ada)

  const sent = await send(eve, '/account/connections', { form: 'unlink-account', accountId })
  const unsigned = await send(server.visitor(), '/account/connections', { form: 'unlink-account', accountId })

  expect(sent.status).toBe(400)
  expect(location(unsigned)).toEqual([303, '/sign-in?callbackURL=%2Faccount%2Fconnections'])
  expect(await github(ada)).toBe(accountId)
})

test('without providers there is no page of connected accounts', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')

  expect((await page(ada, '/account/connections')).status).toBe(404)
  expect(words(await page(ada, '/account'))).not.toContain('Connected accounts')
})

test('an address that only stands for one is never shown, and one can be set in its place', async () => {
  await using server = await createSocialServer(['reddit'])
  const visitor = server.visitor()
  await signIn(server, visitor, 'reddit', { callbackURL: '/account' })
  expect((await whoIs(visitor)).email).toMatch(/@reddit\.invalid$/)

  const shown = await page(visitor, '/account')
  const sent = await send(visitor, '/account', { form: 'change-email', newEmail: 'ada@example.com' })

  expect(words(shown)).toContain('No address yet')
  expect(words(shown)).not.toContain('reddit.invalid')
  expect(location(sent)).toEqual([303, '/account?done=email-changed'])
  expect((await whoIs(visitor)).email).toBe('ada@example.com')
})

test('every page shows an impersonation, which ends by a form', async () => {
  await using server = await createSocialServer(['github'])
  const root = await server.administrator('Root')
  const ada = await server.signedUp('Ada')
  expect(words(await page(root, '/account'))).not.toContain('You act as')
  await root.post('/admin/impersonate-user', { userId: ada.id, reason: 'asked for help' })

  const pages = ['/account', '/account/connections', '/sign-in', '/sign-up', '/forgot-password', '/error', '/nowhere']
  for (const path of pages) {
    const answer = await root.request('GET', path, { headers: { 'accept-encoding': 'gzip' } })
    expect(words(answer), path).toContain('You are impersonating Ada . Ends in 60 minutes. Stop')
    // Personal pages are never compressed together with untrusted input from the URL.
    expect(answer.headers.get('content-encoding'), path).toBeNull()
  }
  expect(words(await page(ada, '/account'))).not.toContain('You act as')

  expect(location(await send(root, '/stop-impersonating', { form: 'stop-impersonating' }))).toEqual([303, '/admin'])
  expect((await whoIs(root)).id).toBe(root.id)
  expect(words(await page(root, '/account'))).not.toContain('You act as')
})

test('stopping without an impersonation, or twice, leads to the account', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')

  for (const visitor of [ada, server.visitor()]) {
    const sent = await send(visitor, '/stop-impersonating', { form: 'stop-impersonating' })
    expect(location(sent)).toEqual([303, '/account'])
  }
  expect(location(await page(ada, '/stop-impersonating'))).toEqual([302, '/account'])
})
