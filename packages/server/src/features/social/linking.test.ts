import type { SocialProvider } from '@tollgate/contract/calls'
import { expect, test } from 'vitest'
import { days, seconds } from '../../foundation/clock.ts'
import { createSecrets } from '../../foundation/token.ts'
import { beforeNextTransaction, type TestServer, type Visitor } from '../../testing.ts'
import {
  begin,
  beginLink,
  createSocialServer,
  errorPage,
  finish,
  link,
  type SocialServer,
  signIn,
  target,
  whoIs,
} from './testing/flow.ts'

/** A person at google or github whose address is verified there. */
function become(server: SocialServer, provider: 'google' | 'github', email: string, id = 1): void {
  server.at(provider).person =
    provider === 'google'
      ? { claims: { sub: `google-${id}`, name: 'Ada', email, email_verified: true } }
      : { profile: { id, login: 'ada' }, email: [{ email, primary: true, verified: true }] }
}

/** The providers of a user's accounts, sorted by name because all have the same time. */
const providersOf = async (visitor: Visitor): Promise<string[]> =>
  (await visitor.get('/list-accounts')).body.map(({ provider }: { provider: string }) => provider).toSorted()

const accountAt = async (visitor: Visitor, provider: string) =>
  (await visitor.get('/list-accounts')).body.find((each: { provider: string }) => each.provider === provider)

const verified = async (server: TestServer, name = 'Ada') => {
  const person = await server.signedUp(name)
  await person.request('GET', await server.linkTo(person.email))
  return person
}

/** Sends queued mail and advances the clock, so that the next mail is newer. */
async function afterMails(server: TestServer): Promise<void> {
  await server.tollgate.internals.ctx.jobs.runDue()
  server.clock.advance(seconds(1))
}

const users = (server: TestServer) => server.tollgate.internals.ctx.db.selectFrom('user').selectAll().execute()
const accounts = (server: TestServer) => server.tollgate.internals.ctx.db.selectFrom('account').selectAll().execute()

test('who is here with a verified address keeps everything when a provider vouches for it', async () => {
  await using server = await createSocialServer(['google'])
  const ada = await verified(server)
  become(server, 'google', ada.email.toUpperCase())
  const phone = server.visitor()

  expect(await signIn(server, phone, 'google', { callbackURL: '/in', newUserCallbackURL: '/new' })).toBe('/in')

  expect((await whoIs(phone)).id).toBe(ada.id)
  expect(await whoIs(ada)).not.toBeNull()
  expect(await providersOf(ada)).toEqual(['credential', 'google'])
  const again = await server.visitor().post('/sign-in/email', { email: ada.email, password: ada.password })
  expect(again.status).toBe(200)
  expect(await server.events('account.linked')).toEqual([
    { actorId: ada.id, userId: ada.id, data: { provider: 'google' } },
  ])
})

test('a squatter of an address loses password, sessions, links and accounts when its owner arrives', async () => {
  await using server = await createSocialServer(['google', 'github'], {
    account: { accountLinking: { allowDifferentEmails: true } },
  })
  const squatter = await server.signedUp('Mallory')
  become(server, 'github', 'mallory@evil.example')
  expect(await link(server, squatter, 'github', { callbackURL: '/linked' })).toBe('/linked')
  await afterMails(server)
  await squatter.post('/forget-password', { email: squatter.email, redirectTo: '/reset' })
  const { searchParams } = new URL(
    target(await squatter.request('GET', await server.linkTo(squatter.email))),
    'http://localhost',
  )
  become(server, 'google', squatter.email)
  const owner = server.visitor()

  expect(await signIn(server, owner, 'google', { callbackURL: '/in' })).toBe('/in')

  expect(await whoIs(owner)).toMatchObject({ id: squatter.id, emailVerified: true })
  expect(await providersOf(owner)).toEqual(['google'])
  expect(await whoIs(squatter)).toBeNull()
  const { email, password } = squatter
  expect((await server.visitor().post('/sign-in/email', { email, password })).body.code).toBe(
    'INVALID_EMAIL_OR_PASSWORD',
  )
  const reset = { newPassword: 'a password of theirs', token: searchParams.get('token') }
  expect((await server.visitor().post('/reset-password', reset)).body.code).toBe('INVALID_TOKEN')
  const other = server.visitor()
  await signIn(server, other, 'github')
  expect((await whoIs(other)).id).not.toBe(squatter.id)
})

test('a squatter who is just signing in by an account of theirs comes too late', async () => {
  await using server = await createSocialServer(['google', 'github'], {
    account: { accountLinking: { allowDifferentEmails: true } },
  })
  const squatter = await server.signedUp('Mallory')
  become(server, 'github', 'mallory@evil.example')
  await link(server, squatter, 'github')
  become(server, 'google', squatter.email)
  const [thief, owner] = [server.visitor(), server.visitor()]
  const [url, ownersUrl] = [await begin(thief, 'github'), await begin(owner, 'google')]
  const { ctx } = server.tollgate.internals
  // After the state is consumed and the account found.
  await beforeNextTransaction(
    server,
    async () => await beforeNextTransaction(server, () => finish(server, owner, server.at('google'), ownersUrl)),
  )

  const to = target(await finish(server, thief, server.at('github'), url))

  expect(to).toBe(errorPage('please_restart_the_process'))
  expect(await whoIs(thief)).toBeNull()
  expect((await whoIs(owner)).id).toBe(squatter.id)
  expect((await ctx.db.selectFrom('session').select('id').execute()).length).toBe(1)
})

test('a squatter who came by a provider that vouches for no user is out when the owner resets the password', async () => {
  await using server = await createSocialServer(['spotify'])
  const squatter = server.visitor()
  await signIn(server, squatter, 'spotify')
  await afterMails(server)
  const owner = server.visitor()
  await owner.post('/forget-password', { email: 'ada@example.com', redirectTo: '/reset' })
  const to = new URL(target(await owner.request('GET', await server.linkTo('ada@example.com'))), 'http://localhost')
  const reset = { token: to.searchParams.get('token'), newPassword: 'correct horse battery' }
  expect((await owner.post('/reset-password', reset)).status).toBe(200)

  expect(await whoIs(squatter)).toBeNull()
  expect(await signIn(server, squatter, 'spotify')).toBe(errorPage('account_not_linked'))
  await owner.post('/sign-in/email', { email: 'ada@example.com', password: reset.newPassword })
  expect(await whoIs(owner)).toMatchObject({ emailVerified: true })
  expect(await providersOf(owner)).toEqual(['credential'])
})

test('a trusted provider leads to who has the address, although it proves nothing', async () => {
  await using server = await createSocialServer(['spotify'], {
    account: { accountLinking: { trustedProviders: ['spotify'] } },
  })
  const ada = await verified(server)
  server.at('spotify').person = { profile: { id: 'ada', email: ada.email } }
  const phone = server.visitor()

  await signIn(server, phone, 'spotify')

  expect((await whoIs(phone)).id).toBe(ada.id)
})

test('a trusted provider makes no address verified: neither a new one nor one that was here', async () => {
  await using server = await createSocialServer(['spotify'], {
    account: { accountLinking: { trustedProviders: ['spotify'] } },
  })
  const squatter = await server.signedUp('Ada')
  server.at('spotify').person = { profile: { id: 'ada', email: squatter.email } }
  const [ada, grace] = [server.visitor(), server.visitor()]

  await signIn(server, ada, 'spotify')
  server.at('spotify').person = { profile: { id: 'grace', email: 'grace@example.com' } }
  await signIn(server, grace, 'spotify')

  expect(await whoIs(ada)).toMatchObject({ id: squatter.id, emailVerified: false })
  expect(await whoIs(grace)).toMatchObject({ email: 'grace@example.com', emailVerified: false })
  expect(await server.events('user.email_verified')).toEqual([])
  // The address was unverified, so everything of the earlier owner ends.
  expect(await whoIs(squatter)).toBeNull()
  expect(await providersOf(ada)).toEqual(['spotify'])
})

test('a trusted provider that gives no addresses leads to no user', async () => {
  await using server = await createSocialServer(['reddit'], {
    account: { accountLinking: { trustedProviders: ['reddit'] } },
  })
  const ada = server.visitor()

  await signIn(server, ada, 'reddit')

  expect(await whoIs(ada)).toMatchObject({ email: '1abcd2@reddit.invalid', emailVerified: false })
})

test('where linking is off, a provider leads to no user who was here before', async () => {
  await using server = await createSocialServer(['google'], { account: { accountLinking: { enabled: false } } })
  const ada = await verified(server)
  become(server, 'google', ada.email)

  expect(await signIn(server, server.visitor(), 'google')).toBe(errorPage('account_not_linked'))
  expect(await providersOf(ada)).toEqual(['credential'])
})

test('an address that its user has given up meanwhile leads to no user', async () => {
  await using server = await createSocialServer(['google'])
  const ada = await verified(server)
  become(server, 'google', ada.email)
  const visitor = server.visitor()
  const url = await begin(visitor, 'google')
  const { ctx } = server.tollgate.internals
  await beforeNextTransaction(
    server,
    async () =>
      await beforeNextTransaction(server, () =>
        ctx.transaction((tx) => tx.updateTable('user').set({ email: 'other@example.com' }).execute()),
      ),
  )

  expect(target(await finish(server, visitor, server.at('google'), url))).toBe(errorPage('please_restart_the_process'))
  expect(await providersOf(ada)).toEqual(['credential'])
})

test('two first sign-ins of one person at the same moment make one user', async () => {
  await using server = await createSocialServer(['google'])
  const visitors = Array.from({ length: 8 }, () => server.visitor())
  const urls = await Promise.all(visitors.map((visitor) => begin(visitor, 'google')))

  const answers = await Promise.all(
    visitors.map((visitor, index) => finish(server, visitor, server.at('google'), urls[index] ?? '')),
  )

  expect(answers.map(target)).toEqual(Array(8).fill('http://localhost:3000'))
  expect(await users(server)).toHaveLength(1)
  expect(await accounts(server)).toHaveLength(1)
  expect(new Set(await Promise.all(visitors.map(async (visitor) => (await whoIs(visitor)).id))).size).toBe(1)
  expect(await server.events('user.created')).toHaveLength(1)
})

test('a user who has become a user just before is found, not made again', async () => {
  await using server = await createSocialServer(['google'])
  const [first, second] = [server.visitor(), server.visitor()]
  const urls = [await begin(first, 'google'), await begin(second, 'google')] as const
  const arriveFirst = () => finish(server, first, server.at('google'), urls[0])
  await beforeNextTransaction(server, async () => beforeNextTransaction(server, arriveFirst))

  expect(target(await finish(server, second, server.at('google'), urls[1]))).toBe('http://localhost:3000')

  expect((await whoIs(second)).id).toBe((await whoIs(first)).id)
  expect(await users(server)).toHaveLength(1)
})

test('one person who comes from two providers at the same moment is one user', async () => {
  await using server = await createSocialServer(['google', 'github'])
  become(server, 'google', 'ada@example.com')
  become(server, 'github', 'ada@example.com')
  const [one, two] = [server.visitor(), server.visitor()]
  const urls = [await begin(one, 'google'), await begin(two, 'github')] as const

  const answers = await Promise.all([
    finish(server, one, server.at('google'), urls[0]),
    finish(server, two, server.at('github'), urls[1]),
  ])

  expect(answers.map(target)).toEqual(Array(2).fill('http://localhost:3000'))
  expect(await users(server)).toHaveLength(1)
  expect(await providersOf(one)).toEqual(['github', 'google'])
})

test('the mailed link verifies a user of a provider that does not vouch, and later sign-ins keep it', async () => {
  await using server = await createSocialServer(['spotify', 'google'])
  const ada = server.visitor()
  await signIn(server, ada, 'spotify')
  await ada.request('GET', await server.linkTo('ada@example.com'))

  await signIn(server, server.visitor(), 'google')

  expect(await providersOf(ada)).toEqual(['google', 'spotify'])
})

test('link-social needs a provider that vouches for the address, or a trusted one', async () => {
  const linked = async (trustedProviders: string[]) => {
    await using server = await createSocialServer(['spotify'], { account: { accountLinking: { trustedProviders } } })
    const ada = await verified(server)
    server.at('spotify').person = { profile: { id: 'ada', email: ada.email } }
    const to = await link(server, ada, 'spotify', { callbackURL: '/in', errorCallbackURL: '/error' })
    return [to, await providersOf(ada)]
  }

  expect(await linked([])).toEqual(['/error?error=account_not_linked', ['credential']])
  expect(await linked(['spotify'])).toEqual(['/in', ['credential', 'spotify']])
})

test('link-social is refused where linking is off', async () => {
  await using server = await createSocialServer(['google'], { account: { accountLinking: { enabled: false } } })
  const ada = await verified(server)

  const { status, body } = await ada.post('/link-social', { provider: 'google' })

  expect([status, body.code]).toEqual([403, 'LINKING_NOT_ALLOWED'])
})

test('link-social needs a fresh session where the configuration or the request asks for one', async () => {
  const answers = async (requireFreshSession: boolean) => {
    await using server = await createSocialServer(['google'], { account: { accountLinking: { requireFreshSession } } })
    const ada = await server.signedUp()
    const ask = async (body: Record<string, unknown> = {}) =>
      (await ada.post('/link-social', { provider: 'google', ...body })).body.code ?? 'begun'
    const fresh = await ask({ requireFreshSession: true })
    server.clock.advance(days(1))
    const old = [await ask(), await ask({ requireFreshSession: true })]
    await ada.post('/verify-password', { password: ada.password })
    return [fresh, ...old, await ask({ requireFreshSession: true })]
  }

  expect(await answers(false)).toEqual(['begun', 'begun', 'SESSION_IS_NOT_FRESH', 'begun'])
  expect(await answers(true)).toEqual(['begun', 'SESSION_IS_NOT_FRESH', 'SESSION_IS_NOT_FRESH', 'begun'])
})

test('the owner is mailed each time that an account is linked, but not when it is used', async () => {
  await using server = await createSocialServer(['google', 'github'])
  const ada = await verified(server)
  become(server, 'google', ada.email)
  become(server, 'github', ada.email)
  const told = async () =>
    (await server.mailsTo(ada.email)).map(({ subject }) => subject).filter((subject) => subject.includes('connected'))

  await link(server, ada, 'google')
  expect(await told()).toEqual(['Google was connected to your Tollgate account'])
  await afterMails(server)
  await link(server, ada, 'google', { scopes: ['calendar'] })
  await signIn(server, server.visitor(), 'google')
  await signIn(server, server.visitor(), 'github')
  expect(await told()).toEqual([
    'GitHub was connected to your Tollgate account',
    'Google was connected to your Tollgate account',
  ])
})

test('link-social adds an account of the same address to who is signed in, without a new session', async () => {
  await using server = await createSocialServer(['google'])
  const ada = await server.signedUp()
  become(server, 'google', ada.email)
  const before = ada.cookies.get('better-auth.session_token')

  expect(await link(server, ada, 'google', { callbackURL: '/account/connections' })).toBe('/account/connections')

  expect(ada.cookies.get('better-auth.session_token')).toBe(before)
  expect(await providersOf(ada)).toEqual(['credential', 'google'])
  const phone = server.visitor()
  await signIn(server, phone, 'google')
  expect((await whoIs(phone)).id).toBe(ada.id)
  // Linking again brings new tokens and no second account.
  await link(server, ada, 'google')
  expect(await providersOf(ada)).toEqual(['credential', 'google'])
})

test('an account of another address is linked only where that is allowed', async () => {
  await using strict = await createSocialServer(['google', 'reddit'], {
    account: { accountLinking: { trustedProviders: ['reddit'] } },
  })
  const ada = await strict.signedUp()
  become(strict, 'google', 'other@example.com')
  expect(await link(strict, ada, 'google', { errorCallbackURL: '/failed' })).toBe('/failed?error=email_does_not_match')
  expect(await providersOf(ada)).toEqual(['credential'])
  // A provider without addresses cannot report a different one.
  expect(await link(strict, ada, 'reddit', { callbackURL: '/linked' })).toBe('/linked')

  await using lax = await createSocialServer(['google'], {
    account: { accountLinking: { allowDifferentEmails: true } },
  })
  const eve = await lax.signedUp()
  become(lax, 'google', 'other@example.com')
  expect(await link(lax, eve, 'google', { callbackURL: '/linked' })).toBe('/linked')
  expect(await providersOf(eve)).toEqual(['credential', 'google'])
  expect((await whoIs(eve)).email).toBe(eve.email)
})

test('an account that is another user’s stays theirs', async () => {
  await using server = await createSocialServer(['google'], {
    account: { accountLinking: { allowDifferentEmails: true } },
  })
  become(server, 'google', 'owner@example.com')
  const owner = server.visitor()
  await signIn(server, owner, 'google')
  const mallory = await server.signedUp('Mallory')

  const to = await link(server, mallory, 'google', { errorCallbackURL: '/failed' })

  expect(to).toBe('/failed?error=account_already_linked_to_different_user')
  expect(await providersOf(mallory)).toEqual(['credential'])
  expect(await providersOf(owner)).toEqual(['google'])
})

test('of two people who link one account at the same moment one has it', async () => {
  await using server = await createSocialServer(['google'], {
    account: { accountLinking: { allowDifferentEmails: true } },
  })
  const people = await Promise.all([server.signedUp('Ada'), server.signedUp('Eve'), server.signedUp('Bob')])
  const urls = await Promise.all(people.map((person) => beginLink(person, 'google', { callbackURL: '/linked' })))

  const answers = await Promise.all(
    people.map((person, index) => finish(server, person, server.at('google'), urls[index] ?? '')),
  )

  const lost = errorPage('account_already_linked_to_different_user')
  expect(answers.map(target).toSorted()).toEqual(['/linked', lost, lost])
  expect((await accounts(server)).filter(({ providerId }) => providerId === 'google')).toHaveLength(1)
})

test('a user who is signed out in between, or is another user by then, links nothing', async () => {
  await using server = await createSocialServer(['google'])
  const ada = await server.signedUp('Ada')
  become(server, 'google', ada.email)
  const first = await beginLink(ada, 'google', { errorCallbackURL: '/failed' })
  await ada.post('/sign-out')
  expect(target(await finish(server, ada, server.at('google'), first))).toBe('/failed?error=please_restart_the_process')

  await ada.post('/sign-in/email', { email: ada.email, password: ada.password })
  const second = await beginLink(ada, 'google', { errorCallbackURL: '/failed' })
  await ada.post('/sign-up/email', { name: 'Eve', email: 'eve@example.com', password: 'a password of theirs' })
  expect(target(await finish(server, ada, server.at('google'), second))).toBe(
    '/failed?error=please_restart_the_process',
  )

  expect((await accounts(server)).map(({ providerId }) => providerId)).toEqual(['credential', 'credential'])
})

test('a session that has ended by then links nothing', async () => {
  await using server = await createSocialServer(['google'])
  const ada = await server.signedUp('Ada')
  become(server, 'google', ada.email)
  const url = await beginLink(ada, 'google')
  await ada.post('/revoke-sessions')

  expect(target(await finish(server, ada, server.at('google'), url))).toBe(errorPage('please_restart_the_process'))
})

test('no user links without being signed in', async () => {
  await using server = await createSocialServer(['google'])

  const { status, body } = await server.visitor().post('/link-social', { provider: 'google' })

  expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
})

test('an administrator who acts as a user neither links, unlinks nor reads tokens', async () => {
  await using server = await createSocialServer(['google'])
  const root = await server.administrator()
  const ada = await server.signedUp('Ada')
  become(server, 'google', ada.email)
  await link(server, ada, 'google')
  const { id } = await accountAt(ada, 'google')
  const own = await beginLink(root, 'google')
  expect((await root.post('/admin/impersonate-user', { userId: ada.id })).status).toBe(200)

  const answers = await Promise.all([
    root.post('/link-social', { provider: 'google' }),
    root.post('/unlink-account', { providerId: 'google' }),
    root.post('/get-access-token', { providerId: 'google' }),
    root.post('/refresh-token', { providerId: 'google' }),
    root.get(`/account-info?accountId=${id}`),
  ])

  for (const { status, body } of answers) expect([status, body.code]).toEqual([403, 'NOT_ALLOWED_WHILE_IMPERSONATING'])
  // Nor can they finish, while impersonating, a flow that they began as themselves.
  expect(target(await finish(server, root, server.at('google'), own))).toBe(errorPage('please_restart_the_process'))
  expect(await providersOf(ada)).toEqual(['credential', 'google'])
})

test('unlinking wants a fresh session', async () => {
  await using server = await createSocialServer(['google'])
  const ada = await server.signedUp('Ada')
  become(server, 'google', ada.email)
  await link(server, ada, 'google')

  server.clock.advance(days(1))
  const stale = await ada.post('/unlink-account', { providerId: 'google' })
  expect([stale.status, stale.body]).toEqual([403, { code: 'SESSION_IS_NOT_FRESH', message: 'Session is not fresh' }])

  await ada.post('/verify-password', { password: ada.password })
  expect((await ada.post('/unlink-account', { providerId: 'google' })).body).toEqual({ status: true })
  expect(await providersOf(ada)).toEqual(['credential'])
  expect(await server.events('account.unlinked')).toEqual([
    { actorId: ada.id, userId: ada.id, data: { provider: 'google' } },
  ])
})

test('unlinking: the last one, an unknown one, another user’s', async () => {
  await using server = await createSocialServer(['google', 'github'])
  const ada = await server.signedUp('Ada')
  const unlink = async (body: unknown) => {
    const answer = await ada.post('/unlink-account', body)
    return [answer.status, answer.body.code ?? answer.body.status]
  }
  const last = [400, 'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT']
  const unknown = [400, 'ACCOUNT_NOT_FOUND']
  expect(await unlink({ providerId: 'credential' })).toEqual(last)
  expect(await unlink({ providerId: 'google' })).toEqual(last)

  become(server, 'google', ada.email)
  await link(server, ada, 'google')
  become(server, 'github', 'eve@example.com', 2)
  const eve = server.visitor()
  await signIn(server, eve, 'github')
  const [others] = (await eve.get('/list-accounts')).body
  expect(await unlink({})).toEqual(unknown)
  expect(await unlink({ providerId: 'github' })).toEqual(unknown)
  expect(await unlink({ accountId: others.id })).toEqual(unknown)
  expect(await unlink({ providerId: 'github', accountId: others.accountId })).toEqual(unknown)
  expect(await unlink({ providerId: 'google', accountId: 'another' })).toEqual(unknown)
  expect((await server.visitor().post('/unlink-account', { providerId: 'google' })).status).toBe(401)
  expect(await providersOf(eve)).toEqual(['github'])

  // The password is an account too: without it, the other accounts still sign in.
  expect(await unlink({ providerId: 'credential' })).toEqual([200, true])
  expect((await server.visitor().post('/sign-in/email', { email: ada.email, password: ada.password })).status).toBe(401)
  expect(await unlink({ providerId: 'google' })).toEqual(last)
})

test('an account is named by provider, by the provider’s id of it, or by the id of its row', async () => {
  await using server = await createSocialServer(['google', 'github'])
  const ada = await server.signedUp('Ada')
  become(server, 'google', ada.email)
  become(server, 'github', ada.email, 77)
  await link(server, ada, 'google')
  await link(server, ada, 'github')
  const google = await accountAt(ada, 'google')

  expect((await ada.post('/unlink-account', { accountId: google.id })).body).toEqual({ status: true })
  expect((await ada.post('/unlink-account', { accountId: '77' })).body).toEqual({ status: true })
  expect(await providersOf(ada)).toEqual(['credential'])
})

test('the last account can be unlinked where that is allowed', async () => {
  await using server = await createSocialServer(['google'], {
    account: { accountLinking: { allowUnlinkingAll: true } },
  })
  const ada = server.visitor()
  await signIn(server, ada, 'google')

  expect((await ada.post('/unlink-account', { providerId: 'google' })).body).toEqual({ status: true })
  expect(await providersOf(ada)).toEqual([])
})

test('two unlinked at the same moment leave one', async () => {
  await using server = await createSocialServer(['google', 'github'])
  become(server, 'google', 'ada@example.com')
  become(server, 'github', 'ada@example.com')
  const ada = server.visitor()
  await signIn(server, ada, 'google')
  await link(server, ada, 'github')

  const answers = await Promise.all(
    ['google', 'github', 'google', 'github'].map((providerId) => ada.post('/unlink-account', { providerId })),
  )

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await providersOf(ada)).toHaveLength(1)
})

test('who has no password yet gets one by a reset, and then signs in by either', async () => {
  await using server = await createSocialServer(['google'])
  const ada = server.visitor()
  await signIn(server, ada, 'google')
  await ada.post('/forget-password', { email: 'ada@example.com', redirectTo: '/reset' })
  const to = new URL(target(await ada.request('GET', await server.linkTo('ada@example.com'))), 'http://localhost')

  const reset = { token: to.searchParams.get('token'), newPassword: 'correct horse battery' }
  expect((await ada.post('/reset-password', reset)).body).toEqual({ status: true })

  const phone = server.visitor()
  const credentials = { email: 'ada@example.com', password: reset.newPassword }
  expect((await phone.post('/sign-in/email', credentials)).status).toBe(200)
  expect(await providersOf(phone)).toEqual(['credential', 'google'])
})

const tokensOf = (server: SocialServer, provider: SocialProvider): string[] =>
  ['access_token', 'refresh_token'].flatMap((name) => String(server.at(provider).token[name] ?? []))

test('tokens are sealed where they are kept, and in nothing else', async () => {
  await using server = await createSocialServer(['google'])
  const ada = server.visitor()
  await signIn(server, ada, 'google')
  const { db } = server.tollgate.internals.ctx

  const [row] = await accounts(server)
  const events = await db.selectFrom('event').selectAll().execute()
  const jobs = await db.selectFrom('job').selectAll().execute()

  const kept = JSON.stringify([row, events, jobs]) + server.logs.join()
  for (const token of tokensOf(server, 'google')) expect(kept).not.toContain(token)
  expect(kept).not.toMatch(/eyJ[\w-]+\.eyJ/) // A signed token, possibly one that the test does not know.
  const { accessToken, refreshToken, idToken } = row ?? {}
  expect([accessToken, refreshToken, idToken]).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f]{8}\.[\w-]+$/)))
})

test('tokens outlive a change of SECRET, and end with the last secret that knew them', async () => {
  await using server = await createSocialServer(['google'])
  const ada = server.visitor()
  await signIn(server, ada, 'google')
  const { ctx } = server.tollgate.internals
  const before = (await ada.post('/get-access-token', { providerId: 'google' })).body
  const first = ctx.config.secret

  Object.assign(ctx, { secrets: createSecrets('another secret that is long enough to be one', [first]) })
  expect((await ada.post('/get-access-token', { providerId: 'google' })).body).toEqual(before)
  server.clock.advance(seconds(3600))
  const refreshed = await ada.post('/get-access-token', { providerId: 'google' })
  expect(refreshed.status).toBe(200)

  Object.assign(ctx, { secrets: createSecrets('a third secret that is long enough to be one') })
  await signIn(server, ada, 'google')
  Object.assign(ctx, { secrets: createSecrets('a fourth secret that is long enough to be one') })
  const later = server.visitor()
  server.at('google').token = { access_token: 'new', expires_in: 60 }
  await signIn(server, later, 'google')
  expect((await later.post('/get-access-token', { providerId: 'google' })).body.accessToken).toBe('new.4')
  expect((await later.post('/refresh-token', { providerId: 'google' })).body.code).toBe(
    'FAILED_TO_REFRESH_ACCESS_TOKEN',
  )
})
