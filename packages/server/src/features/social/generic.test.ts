import { SignJWT } from 'jose'
import { expect, test, vi } from 'vitest'
import { after, minutes } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type TestServer, testStart, type Visitor } from '../../testing.ts'
import { errorPage, whoIs } from './testing/flow.ts'
import { newKeySet } from './testing/keys.ts'
import { json } from './testing/stand-in.ts'

const issuer = 'https://id.acme.example'
const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/me`,
  jwks_uri: `${issuer}/keys`,
}
const keys = await newKeySet()

type Options = NonNullable<TollgateConfig['genericOAuth']>[number]
const withMetadata: Options = {
  providerId: 'acme',
  name: 'Acme',
  issuer,
  clientId: 'our-id',
  clientSecret: 'our/secret',
}
const { authorization_endpoint: authorization, token_endpoint: token, userinfo_endpoint: profile } = metadata
/** A server that speaks OAuth 2 and publishes no metadata. */
const plain: Options = {
  providerId: 'acme',
  clientId: 'our-id',
  clientSecret: 'our/secret',
  endpoints: { authorization, token, profile },
}

type Answers = Record<string, (init: RequestInit) => unknown>

/** A server with this provider, which answers by address from `answers`; `asked` lists the requests. */
async function serverWith(options: Options, answers: Answers, config: TollgateConfig = {}) {
  const asked: [string, RequestInit][] = []
  const server = await createTestServer(
    { ...config, genericOAuth: [options] },
    {
      fetch: async (input, init = {}) => {
        const address = String(input)
        asked.push([address, init])
        const answer = await answers[address]?.(init)
        return answer instanceof Response
          ? answer
          : json(answer ?? { error: 'not found' }, answer === undefined ? 404 : 200)
      },
    },
  )
  return { server, asked }
}

const discovery = {
  [`${issuer}/.well-known/openid-configuration`]: () => metadata,
  [`${issuer}/keys`]: () => ({ keys: [keys.publicKey] }),
}
const tokens = { access_token: 'theirs', token_type: 'Bearer', expires_in: 60 }

async function signIn(visitor: Visitor): Promise<string> {
  const { body } = await visitor.post('/sign-in/social', { provider: 'acme', callbackURL: '/in' })
  const state = new URL(body.url).searchParams.get('state') ?? ''
  return (
    (await visitor.get(`/callback/acme?${new URLSearchParams({ code: 'c', state })}`)).headers.get('location') ?? ''
  )
}

/** An id token for the latest sign-in. */
function idTokenFor(url: URL, claims: Record<string, unknown>): Promise<string> {
  const nonce = url.searchParams.get('nonce')
  return new SignJWT({
    iss: issuer,
    aud: 'our-id',
    iat: testStart.getTime() / 1000,
    exp: after(testStart, minutes(60)).getTime() / 1000,
    ...(nonce && { nonce }),
    ...claims,
  })
    .setProtectedHeader({ alg: 'RS256', kid: keys.id })
    .sign(keys.privateKey)
}

/** Begins a sign-in, and returns with an id token of these claims. */
async function signInWith(
  server: TestServer,
  answers: Answers,
  claims: Record<string, unknown>,
  visitor = server.visitor(),
) {
  const { body } = await visitor.post('/sign-in/social', { provider: 'acme', callbackURL: '/in' })
  const url = new URL(body.url)
  const idToken = await idTokenFor(url, claims)
  answers[token] = () => ({ ...tokens, id_token: idToken })
  const values = new URLSearchParams({ code: 'c', state: url.searchParams.get('state') ?? '' })
  return (await visitor.get(`/callback/acme?${values}`)).headers.get('location') ?? ''
}

test('a provider that publishes its metadata needs nothing but its issuer', async () => {
  const answers: Answers = { ...discovery }
  const { server, asked } = await serverWith(withMetadata, answers)
  await using _ = server
  const visitor = server.visitor()

  const to = await signInWith(
    server,
    answers,
    { sub: '7', email: 'ada@example.com', email_verified: true, name: 'Ada' },
    visitor,
  )

  expect(to).toBe('/in')
  expect(await whoIs(visitor)).toMatchObject({ email: 'ada@example.com', emailVerified: true, name: 'Ada' })
  expect((await visitor.get('/list-accounts')).body).toMatchObject([{ provider: 'acme', accountId: '7' }])
  // The id token held everything, and the metadata is read once.
  expect(asked.map(([address]) => address)).toEqual([
    `${issuer}/.well-known/openid-configuration`,
    token,
    `${issuer}/keys`,
  ])
  const exchange = new Headers(asked[1]?.[1].headers).get('authorization')
  expect(exchange).toBe(`Basic ${Buffer.from('our-id:our%2Fsecret').toString('base64')}`)
})

test('the userinfo call adds what the id token omits, and must be of the same person', async () => {
  const answers: Answers = {
    ...discovery,
    [profile]: () => ({ sub: '7', email: 'ada@example.com', email_verified: 'true' }),
  }
  const { server } = await serverWith(withMetadata, answers)
  await using _ = server
  expect(await signInWith(server, answers, { sub: '7' })).toBe('/in')

  for (const told of [
    { sub: '8', email: 'ada@example.com', email_verified: true },
    { email: 'ada@example.com', email_verified: true },
  ]) {
    answers[profile] = () => told
    expect(await signInWith(server, answers, { sub: '7' })).toBe(errorPage('unable_to_get_user_info'))
  }
})

test('without server metadata the user’s profile is fetched', async () => {
  const { server, asked } = await serverWith(
    { ...plain, tokenAuthentication: 'post', scopes: ['read'], pkce: false },
    {
      [token]: () => tokens,
      [profile]: () => ({ id: 7, email: 'ada@example.com', name: 'Ada', picture: 'javascript:alert(1)' }),
    },
  )
  await using _ = server
  const visitor = server.visitor()

  expect(await signIn(visitor)).toBe('/in')

  expect(await whoIs(visitor)).toMatchObject({ email: 'ada@example.com', emailVerified: false, image: null })
  expect((await visitor.get('/list-accounts')).body).toMatchObject([{ accountId: '7' }])
  const form = new URLSearchParams(String(asked[0]?.[1].body))
  expect([form.get('client_id'), form.get('client_secret'), form.has('code_verifier')]).toEqual([
    'our-id',
    'our/secret',
    false,
  ])
  expect(new Headers(asked[1]?.[1].headers).get('authorization')).toBe('Bearer theirs')
})

test('the addresses of a configured server count as verified only when configured so', async () => {
  const answers = { [token]: () => tokens, [profile]: () => ({ id: '7', email: 'ada@example.com' }) }
  const own = await serverWith({ ...plain, trustEmail: true }, answers)
  await using _own = own.server
  const ada = own.server.visitor()
  await signIn(ada)
  expect((await whoIs(ada)).emailVerified).toBe(true)

  const other = await serverWith(plain, answers)
  await using _other = other.server
  await other.server
    .visitor()
    .post('/sign-up/email', { name: 'M', email: 'ada@example.com', password: 'theirs, not hers' })
  expect(await signIn(other.server.visitor())).toBe(errorPage('account_not_linked'))
})

test.each([
  ['that cannot be read', () => new Response('', { status: 503 })],
  ['that is HTML', () => new Response('<p>')],
  ['that is a list', () => []],
  ['of another issuer', () => ({ ...metadata, issuer: 'https://evil.example' })],
  ['without addresses', () => ({ issuer })],
  ['whose addresses are none', () => ({ ...metadata, token_endpoint: 'javascript:alert(1)' })],
  ['that is somewhere else', () => new Response(null, { status: 302, headers: { location: 'https://evil.example' } })],
])('with metadata %s no user is sent anywhere, and the next one tries again', async (_, answer) => {
  const answers: Answers = { ...discovery, [`${issuer}/.well-known/openid-configuration`]: answer }
  const { server, asked } = await serverWith(withMetadata, answers)
  await using _server = server

  const failed = await server.visitor().post('/sign-in/social', { provider: 'acme' })

  expect([failed.status, failed.body.code]).toEqual([404, 'PROVIDER_NOT_FOUND'])
  expect(asked).toHaveLength(1)
  Object.assign(answers, discovery)
  expect((await server.visitor().post('/sign-in/social', { provider: 'acme' })).status).toBe(200)
})

test('metadata is believed for an hour, and read once by however many at the same moment', async () => {
  const { server, asked } = await serverWith(withMetadata, { ...discovery })
  await using _ = server
  const begin = async () => (await server.visitor().post('/sign-in/social', { provider: 'acme' })).status
  const machine = vi.spyOn(performance, 'now')
  try {
    machine.mockReturnValue(1_000_000)
    expect(await Promise.all([begin(), begin(), begin()])).toEqual([200, 200, 200])
    expect(asked).toHaveLength(1)
    machine.mockReturnValue(1_000_000 + 3_599_999)
    await begin()
    expect(asked).toHaveLength(1)
    machine.mockReturnValue(1_000_000 + 3_600_000)
    await begin()
    expect(asked).toHaveLength(2)
  } finally {
    machine.mockRestore()
  }
})

test('tokens that another process has just refreshed are given, and the used-up refresh token is not shown again', async () => {
  const answers: Answers = { ...discovery }
  const { server, asked } = await serverWith(withMetadata, answers)
  await using _ = server
  const { ctx } = server.tollgate.internals
  const visitor = server.visitor()
  const idToken = {
    token: await idTokenFor(new URL(issuer), { sub: '7', email: 'ada@example.com' }),
    refreshToken: 'used up',
  }
  await visitor.post('/sign-in/social', { provider: 'acme', idToken })
  // The metadata is read again between loading the account and refreshing it.
  answers[`${issuer}/.well-known/openid-configuration`] = async () => {
    const theirs = {
      accessToken: ctx.secrets.seal('theirs', 'provider-token'),
      refreshToken: ctx.secrets.seal('next', 'provider-token'),
    }
    await ctx.transaction((tx) => tx.updateTable('account').set(theirs).execute())
    return metadata
  }
  const machine = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_600_000)

  const { status, body } = await visitor.post('/refresh-token', { providerId: 'acme' })

  machine.mockRestore()
  expect([status, body.accessToken, body.refreshToken]).toEqual([200, 'theirs', 'next'])
  // Some providers revoke every token when one is used twice.
  expect(asked.map(([address]) => address)).not.toContain(token)
})

test('metadata that offers only shared secrets to sign with makes no id token true', async () => {
  const answers: Answers = {
    ...discovery,
    [`${issuer}/.well-known/openid-configuration`]: () => ({
      ...metadata,
      id_token_signing_alg_values_supported: ['HS256', 'none'],
    }),
  }
  const { server } = await serverWith(withMetadata, answers)
  await using _ = server

  expect(await signInWith(server, answers, { sub: '7', email: 'ada@example.com', email_verified: true })).toBe(
    errorPage('unable_to_get_user_info'),
  )
})

test.each([
  ['a list', []],
  ['nothing', {}],
  ['an id that is an object', { id: {} }],
  ['an empty id', { sub: '' }],
  ['an id with a NUL', { sub: 'a\0b' }],
  ['an id that is too long', { sub: 'x'.repeat(256) }],
])('a profile that is %s gives no profile', async (_, said) => {
  const { server } = await serverWith(plain, { [token]: () => tokens, [profile]: () => said })
  await using _server = server

  expect(await signIn(server.visitor())).toBe(errorPage('unable_to_get_user_info'))
})

test('further profile fields may be of any kind', async () => {
  const said = {
    id: '7',
    email: 'ada@example.com',
    name: { a: 1 },
    picture: 5,
    preferred_username: 'a\0da',
    email_verified: [],
  }
  const { server } = await serverWith(plain, { [token]: () => tokens, [profile]: () => said })
  await using _ = server
  const visitor = server.visitor()

  expect(await signIn(visitor)).toBe('/in')
  expect(await whoIs(visitor)).toMatchObject({ name: 'a da', image: null, emailVerified: false })
})

test('an answer of another issuer is not exchanged (RFC 9207)', async () => {
  const { server, asked } = await serverWith(withMetadata, { ...discovery, [token]: () => tokens })
  await using _ = server
  const visitor = server.visitor()
  const { body } = await visitor.post('/sign-in/oauth2', { providerId: 'acme' })
  const state = new URL(body.url).searchParams.get('state') ?? ''

  const answer = await visitor.get(
    `/callback/acme?${new URLSearchParams({ code: 'c', state, iss: 'https://evil.example' })}`,
  )

  expect(answer.headers.get('location')).toBe(errorPage('invalid_callback_request'))
  expect(asked.map(([address]) => address)).not.toContain(token)
})

test('an app signs in by an id token of such a provider', async () => {
  const answers: Answers = { ...discovery }
  const { server } = await serverWith(withMetadata, answers)
  await using _ = server
  const idToken = {
    token: await idTokenFor(new URL(issuer), { sub: '7', email: 'ada@example.com', email_verified: true }),
  }

  const { status, body } = await server.visitor().post('/sign-in/social', { provider: 'acme', idToken })

  expect([status, body.user?.email]).toEqual([200, 'ada@example.com'])
})

test('oauth2 takes the same options as social, and knows no other providers', async () => {
  const { server } = await serverWith(withMetadata, { ...discovery })
  await using _ = server
  const ask = async (body: unknown) => {
    const answer = await server.visitor().post('/sign-in/oauth2', body)
    return answer.body.code ?? answer.body
  }

  expect(await ask({ providerId: 'acme', disableRedirect: true, scopes: ['more'] })).toEqual({
    url: expect.stringMatching(/scope=openid%20profile%20email%20more/),
    redirect: false,
  })
  expect(await ask({ providerId: 'other' })).toBe('VALIDATION_ERROR')
  expect(await ask({ providerId: 'github' })).toBe('PROVIDER_NOT_FOUND')
  expect(await ask({ providerId: 'acme', callbackURL: '//evil.example' })).toBe('INVALID_CALLBACKURL')
})
