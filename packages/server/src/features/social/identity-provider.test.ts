import { afterAll, describe, expect, test } from 'vitest'
import { minutes, standingClock, systemClock } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type TestAnswer, type TestServer, type Visitor } from '../../testing.ts'
import type { Json } from './protocol/provider.ts'
import { errorPage, post, target, whoIs } from './testing/flow.ts'
import { type IdentityProvider, startIdentityProvider } from './testing/identity-provider.ts'

const kinds = ['google', 'microsoft', 'apple', 'linkedin', 'own'] as const
type Kind = (typeof kinds)[number]

/** How this kind of provider marks an address as verified or unverified. */
const ada = { email: 'ada@example.com', name: 'Ada Example' }
const tenant = { tid: 'aaaabbbb-0000-cccc-1111-dddd2222eeee' }
const vouched: Readonly<Record<Kind, Json>> = {
  google: { ...ada, email_verified: true },
  microsoft: { ...ada, ...tenant, xms_edov: true },
  apple: { ...ada, email_verified: true },
  linkedin: { ...ada, email_verified: true },
  own: { ...ada, email_verified: true },
}
const unvouched: Readonly<Record<Kind, readonly Json[]>> = {
  google: [{ ...ada, email_verified: false }, ada],
  // The other claims of a tenant's token.
  microsoft: [
    { ...ada, ...tenant, email_verified: true },
    { ...ada, ...tenant, xms_edov: false },
  ],
  apple: [{ ...ada, email_verified: 'false' }, ada],
  linkedin: [{ ...ada, email_verified: false }, ada],
  own: [{ ...ada, email_verified: false }, ada],
}

const idOf = (kind: Kind): string => (kind === 'own' ? 'acme' : kind)

const configOf = (kind: Kind, { clientId, clientSecret, issuer }: IdentityProvider): TollgateConfig =>
  kind === 'own'
    ? { genericOAuth: [{ providerId: 'acme', name: 'Acme', issuer, clientId, clientSecret }] }
    : { socialProviders: { [kind]: { clientId, clientSecret } } }

const running = new Map<Kind, Promise<IdentityProvider>>()
const providerOf = (kind: Kind): Promise<IdentityProvider> => {
  const started =
    running.get(kind) ?? startIdentityProvider(kind, [`http://localhost:3000/api/auth/callback/${idOf(kind)}`])
  running.set(kind, started)
  return started
}
afterAll(async () => {
  for (const started of running.values()) await (await started)[Symbol.asyncDispose]()
})

/** A server whose only provider is a real one. Both use the machine's clock. */
async function serverFor(kind: Kind): Promise<{ provider: IdentityProvider; server: TestServer }> {
  const provider = await providerOf(kind)
  provider.people.clear()
  provider.people.set('person-1', vouched[kind])
  const clock = standingClock(systemClock.now())
  return { provider, server: await createTestServer(configOf(kind, provider), { fetch: provider.fetch, clock }) }
}

async function signIn(
  server: TestServer,
  visitor: Visitor,
  kind: Kind,
  person: string | null = 'person-1',
): Promise<TestAnswer> {
  const id = idOf(kind)
  const begun = await visitor.post('/sign-in/social', { provider: id, callbackURL: '/in', newUserCallbackURL: '/new' })
  const { method, values } = await (await providerOf(kind)).visit(begun.body.url, person)
  if (method === 'GET') return visitor.get(`/callback/${id}?${new URLSearchParams(values)}`)
  const posted = await post(server, id, values)
  return visitor.request('GET', posted.headers.get('location') ?? '')
}

describe.each(kinds)('a real provider in place of %s', (kind) => {
  test('signs in, is refreshed with a token that is good once, and knows the person again', async () => {
    const started = await serverFor(kind)
    await using server = started.server
    const visitor = server.visitor()

    expect(target(await signIn(server, visitor, kind))).toBe('/new')

    const user = await whoIs(visitor)
    expect(user).toMatchObject({ email: ada.email, emailVerified: true })
    const providerId = idOf(kind)
    const first = (await visitor.post('/get-access-token', { providerId })).body
    expect(first.idToken).toMatch(/^eyJ/)
    server.clock.advance(minutes(61))
    const second = (await visitor.post('/get-access-token', { providerId })).body
    expect(second.accessToken).not.toBe(first.accessToken)
    // The refresh token was exchanged for a new one, which is valid now.
    const third = await visitor.post('/refresh-token', { providerId })
    expect(third.body.accessToken).not.toBe(second.accessToken)

    const later = server.visitor()
    expect(target(await signIn(server, later, kind))).toBe('/in')
    expect((await whoIs(later)).id).toBe(user.id)
  })

  test('an address that it does not vouch for takes no user over', async () => {
    const started = await serverFor(kind)
    await using server = started.server
    await server.visitor().post('/sign-up/email', { ...ada, password: 'a password of theirs' })

    for (const claims of unvouched[kind]) {
      started.provider.people.set('person-2', claims)
      const visitor = server.visitor()
      expect(target(await signIn(server, visitor, kind, 'person-2'))).toBe(errorPage('account_not_linked'))
      expect(await whoIs(visitor)).toBeNull()
    }
  })

  test('a user who refuses comes back with that', async () => {
    const started = await serverFor(kind)
    await using server = started.server
    const visitor = server.visitor()

    const to = target(await signIn(server, visitor, kind, null))

    expect(to).toBe(`${errorPage('access_denied')}&error_description=They%20refused`)
    expect(await whoIs(visitor)).toBeNull()
  })

  test('its code is good once, and only with the proof of the browser that began', async () => {
    const started = await serverFor(kind)
    await using server = started.server
    const visitor = server.visitor()
    const providerId = idOf(kind)
    const begin = async () => (await visitor.post('/sign-in/social', { provider: providerId })).body.url
    const [first, second] = [await begin(), await begin()]
    const { values: stolen } = await started.provider.visit(first, 'person-1')
    const { values: own } = await started.provider.visit(second, 'person-1')

    const injected = { ...own, code: stolen.code ?? '' }
    const to = target(await visitor.get(`/callback/${providerId}?${new URLSearchParams(injected)}`))

    // Without PKCE the nonce binds the code; linkedin has neither, so only the state binds it.
    expect(to).toBe(kind === 'linkedin' ? 'http://localhost:3000' : errorPage('invalid_code'))
  })
})
