import { createHash } from 'node:crypto'
import { type SocialProvider, socialProviders } from '@tollgate/contract/calls'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import type { TollgateConfig } from '../config.ts'
import { createTestServer, type TestServer, testStart, type Visitor } from '../testing.ts'
import { providerRecords } from './profiles.test-data.ts'
import type { Json } from './provider.ts'

/** All eighteen, switched on by an id and a secret, as in the environment. */
const everyProvider = Object.fromEntries(
  socialProviders.map((id) => [id, { clientId: `id-of_${id}.1`, clientSecret: `secret-of_${id}.1~` }]),
) as TollgateConfig['socialProviders']

type Expected = {
  readonly address: string
  readonly scope: string | null
  readonly challenge: 'S256' | 'hex' | 'none'
  readonly more?: Record<string, string>
}

/** The authorization requests (auth contract, section 4, as the providers' documentation has it today). */
const requests: Readonly<Record<SocialProvider, Expected>> = {
  google: {
    address: 'https://accounts.google.com/o/oauth2/v2/auth',
    scope: 'email profile openid',
    challenge: 'S256',
    more: { login_hint: 'ada@example.com', nonce: 'given' },
  },
  apple: {
    address: 'https://appleid.apple.com/auth/authorize',
    scope: 'email name',
    challenge: 'S256',
    more: { response_mode: 'form_post', nonce: 'given' },
  },
  github: {
    address: 'https://github.com/login/oauth/authorize',
    scope: 'read:user user:email',
    challenge: 'S256',
    more: { login: 'ada@example.com' },
  },
  microsoft: {
    address: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    scope: 'openid profile email User.Read',
    challenge: 'S256',
    more: { login_hint: 'ada@example.com', nonce: 'given' },
  },
  facebook: {
    address: 'https://www.facebook.com/v24.0/dialog/oauth',
    scope: 'email public_profile',
    challenge: 'none',
  },
  discord: {
    address: 'https://discord.com/oauth2/authorize',
    scope: 'identify email',
    challenge: 'S256',
    more: { prompt: 'none' },
  },
  gitlab: { address: 'https://gitlab.com/oauth/authorize', scope: 'read_user', challenge: 'S256' },
  linkedin: {
    address: 'https://www.linkedin.com/oauth/v2/authorization',
    scope: 'profile email openid',
    challenge: 'none',
  },
  twitter: {
    address: 'https://x.com/i/oauth2/authorize',
    scope: 'users.read tweet.read offline.access users.email',
    challenge: 'S256',
  },
  spotify: { address: 'https://accounts.spotify.com/authorize', scope: 'user-read-email', challenge: 'S256' },
  twitch: {
    address: 'https://id.twitch.tv/oauth2/authorize',
    scope: 'user:read:email openid',
    challenge: 'S256',
    more: {
      nonce: 'given',
      claims:
        '{"id_token":{"email":null,"email_verified":null,"picture":null,"preferred_username":null},' +
        '"userinfo":{"email":null,"email_verified":null,"picture":null,"preferred_username":null}}',
    },
  },
  dropbox: { address: 'https://www.dropbox.com/oauth2/authorize', scope: 'account_info.read', challenge: 'S256' },
  kick: { address: 'https://id.kick.com/oauth/authorize', scope: 'user:read', challenge: 'S256' },
  tiktok: { address: 'https://www.tiktok.com/v2/auth/authorize/', scope: 'user.info.basic', challenge: 'hex' },
  reddit: { address: 'https://www.reddit.com/api/v1/authorize', scope: 'identity', challenge: 'S256' },
  roblox: { address: 'https://apis.roblox.com/oauth/v1/authorize', scope: 'openid profile', challenge: 'S256' },
  vk: {
    address: 'https://id.vk.ru/authorize',
    scope: 'vkid.personal_info email',
    challenge: 'S256',
    more: { lang_id: '6' },
  },
  zoom: { address: 'https://zoom.us/oauth/authorize', scope: null, challenge: 'S256' },
}

async function begin(visitor: Visitor, provider: SocialProvider, more: Json = {}): Promise<URL> {
  const { body } = await visitor.post('/sign-in/social', { provider, callbackURL: '/dashboard', ...more })
  return new URL(body.url)
}

test('each provider is asked at its address, for its scopes, with what it understands and nothing else', async () => {
  await using server = await createTestServer({ socialProviders: everyProvider })
  const visitor = server.visitor({ headers: { 'accept-language': 'de' } })

  for (const id of socialProviders) {
    const { address, scope, challenge, more = {} } = requests[id]
    const url = await begin(visitor, id, { loginHint: 'ada@example.com' })
    const { state, code_challenge, nonce, ...others } = Object.fromEntries(url.searchParams)

    expect(url.origin + url.pathname, id).toBe(address)
    expect({ ...others, ...(nonce && { nonce: 'given' }) }, id).toEqual({
      response_type: 'code',
      [id === 'tiktok' ? 'client_key' : 'client_id']: `id-of_${id}.1`,
      redirect_uri: `http://localhost:3000/api/auth/callback/${id}`,
      ...(scope && { scope }),
      ...(challenge !== 'none' && { code_challenge_method: 'S256' }),
      ...more,
    })
    expect(state, id).toMatch(/^[\w-]{32,}$/)
    if (challenge === 'none') expect(code_challenge, id).toBeUndefined()
    else expect(code_challenge, id).toMatch(challenge === 'hex' ? /^[0-9a-f]{64}$/ : /^[\w-]{43}$/)
    // Apple's own sheet takes "email+name" for one scope.
    expect(url.search, id).not.toContain('+')
  }
})

type Call = { address: URL; method: string; headers: Headers; body: URLSearchParams }

/** Stands in for the internet: answers from the provider's record, and keeps what was asked. */
async function standIn(id: SocialProvider, issuer: string | undefined) {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const calls: Call[] = []
  const record = providerRecords[id]
  let nonce: string | null = null

  const idToken = async () =>
    issuer &&
    record.full.claims &&
    (await new SignJWT({ ...record.full.claims, azp: undefined, ...(nonce && { nonce }) })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience(`id-of_${id}.1`)
      .setIssuedAt(testStart)
      .setExpirationTime(new Date(testStart.getTime() + 3_600_000))
      .sign(privateKey))

  const answerTo = async ({ address, method, body }: Call): Promise<unknown> => {
    if (/keys|certs/.test(address.pathname))
      return { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] }
    if (method === 'POST' && body.has('grant_type')) {
      const signed = await idToken()
      return { ...record.token, ...(signed && { id_token: signed }) }
    }
    return address.pathname.endsWith('/emails') ? record.full.email : record.full.profile
  }
  const fakeFetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    const call = {
      address: new URL(String(input)),
      method: init.method ?? 'GET',
      headers: new Headers(init.headers),
      body: new URLSearchParams(String(init.body ?? '')),
    }
    calls.push(call)
    const answer = await answerTo(call)
    return answer === undefined ? new Response('nothing here', { status: 404 }) : Response.json(answer)
  }
  return { calls, fetch: fakeFetch as typeof fetch, expectNonce: (sent: string | null) => (nonce = sent) }
}

const issuers: Partial<Record<SocialProvider, string>> = {
  google: 'https://accounts.google.com',
  apple: 'https://appleid.apple.com',
  microsoft: 'https://login.microsoftonline.com/aaaabbbb-0000-cccc-1111-dddd2222eeee/v2.0',
  twitch: 'https://id.twitch.tv/oauth2',
}

type Arrived = {
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
  readonly scopes: string[]
  /** Where the secret of the client is: in the header, in the form, or nowhere. */
  readonly secret: 'header' | 'form' | 'nowhere'
}

const vouched = { name: 'Ada Example', email: 'ada@example.com', emailVerified: true, secret: 'form' } as const
const told = { ...vouched, emailVerified: false } as const

const arrivals: Readonly<Record<SocialProvider, Arrived>> = {
  google: {
    ...vouched,
    scopes: [
      'openid',
      'https://www.googleapis.com/auth/userinfo.email',
      'https://www.googleapis.com/auth/userinfo.profile',
    ],
  },
  apple: { ...vouched, scopes: [] },
  github: { ...vouched, scopes: ['read:user', 'user:email'] },
  microsoft: { ...vouched, scopes: ['email', 'openid', 'profile', 'https://graph.microsoft.com/User.Read'] },
  facebook: { ...told, scopes: [] },
  discord: { ...vouched, scopes: ['email', 'identify'] },
  gitlab: { ...vouched, scopes: ['read_user'] },
  linkedin: { ...vouched, scopes: ['email', 'openid', 'profile'] },
  twitter: { ...vouched, secret: 'header', scopes: ['users.email', 'users.read', 'tweet.read', 'offline.access'] },
  spotify: { ...told, scopes: ['user-read-email'] },
  twitch: { ...vouched, name: 'AdaExample', scopes: ['openid', 'user:read:email'] },
  dropbox: { ...vouched, scopes: ['account_info.read'] },
  kick: { ...told, name: 'AdaExample', scopes: ['user:read'] },
  tiktok: { ...told, email: '723f24d7-e717-40f8-a2b6-cb8464cd23b4@tiktok.invalid', scopes: ['user.info.basic'] },
  reddit: { ...told, secret: 'header', email: '1abcd2@reddit.invalid', scopes: ['identity'] },
  roblox: { ...told, email: '1516563360@roblox.invalid', scopes: ['openid', 'profile'] },
  vk: { ...told, secret: 'nowhere', scopes: ['vkid.personal_info', 'email'] },
  zoom: { ...vouched, scopes: ['user:read:user'] },
}

/** Follows the provider back to us: by GET, or as apple does by a form and the redirect that answers it. */
async function comeBack(visitor: Visitor, id: SocialProvider, url: URL) {
  const query = new URLSearchParams({ code: 'their-code', state: url.searchParams.get('state')! })
  const { user } = providerRecords[id].full
  if (user) query.set('user', user)
  if (id === 'vk') query.set('device_id', 'their-device')
  const callback = `/api/auth/callback/${id}`
  if (id !== 'apple') return visitor.request('GET', `${callback}?${query}`)
  const posted = await visitor.request('POST', callback, {
    raw: query.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://appleid.apple.com' },
  })
  expect(posted.status).toBe(303)
  return visitor.request('GET', posted.headers.get('location')!)
}

const accountOf = async (server: TestServer, userId: string) =>
  server.tollgate.internals.ctx.db
    .selectFrom('account')
    .selectAll()
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()

describe.each(socialProviders)('%s', (id) => {
  test('signs somebody in from the button to the session', async () => {
    const provider = await standIn(id, issuers[id])
    await using server = await createTestServer({ socialProviders: everyProvider }, { fetch: provider.fetch })
    const visitor = server.visitor()
    const url = await begin(visitor, id)
    provider.expectNonce(url.searchParams.get('nonce'))

    const { headers } = await comeBack(visitor, id, url)

    expect(headers.get('location')).toMatch(/\/dashboard$/)
    const { body } = await visitor.get('/get-session')
    const { scopes, secret, ...person } = arrivals[id]
    expect(body.user).toMatchObject(person)
    const { body: accounts } = await visitor.get('/list-accounts')
    expect(accounts).toMatchObject([{ provider: id, scopes }])
    expect((await accountOf(server, body.user.id)).accessToken).not.toContain(providerRecords[id].token.access_token)
    assertExchange(provider.calls, url, { id, secret })
  })
})

/** The one token call: by POST, with the verifier of the challenge, and the secret where the provider reads it. */
function assertExchange(calls: readonly Call[], url: URL, expected: { id: SocialProvider; secret: Arrived['secret'] }) {
  const { id, secret } = expected
  const exchanges = calls.filter(({ body }) => body.has('grant_type'))
  expect(exchanges).toHaveLength(1)
  const { address, method, headers, body } = exchanges[0]!

  expect(method).toBe('POST')
  expect(address.search).toBe('')
  expect(body.get('code')).toBe('their-code')
  expect(body.get('redirect_uri')).toBe(url.searchParams.get('redirect_uri'))
  expect(headers.get('authorization')?.startsWith('Basic ') ?? false).toBe(secret === 'header')
  expect(body.get('client_secret')).toBe(secret === 'form' ? `secret-of_${id}.1~` : null)
  if (secret !== 'header') expect(body.get(id === 'tiktok' ? 'client_key' : 'client_id')).toBe(`id-of_${id}.1`)

  const digest = createHash('sha256').update(body.get('code_verifier') ?? '')
  const challenge = requests[id].challenge
  if (challenge === 'none') expect(body.has('code_verifier')).toBe(false)
  else expect(digest.digest(challenge === 'hex' ? 'hex' : 'base64url')).toBe(url.searchParams.get('code_challenge'))

  if (id === 'vk') expect(body.get('device_id')).toBe('their-device')
  if (id === 'vk') expect(body.get('state')).toBe(url.searchParams.get('state'))
  if (id === 'reddit') expect(headers.get('user-agent')).toMatch(/^web:tollgate:/)
}

test('an app signs in with the id token of Google, of Apple and of Microsoft, but with none of Twitch', async () => {
  for (const id of ['google', 'apple', 'microsoft', 'twitch'] as const) {
    const provider = await standIn(id, issuers[id])
    await using server = await createTestServer({ socialProviders: everyProvider }, { fetch: provider.fetch })
    provider.expectNonce(createHash('sha256').update('our nonce').digest('hex'))
    const { id_token } = await tokensOf(provider.fetch)
    const visitor = server.visitor()

    const answer = await visitor.post('/sign-in/social', {
      provider: id,
      idToken: { token: id_token, nonce: 'our nonce' },
    })

    // Microsoft's apps send the nonce as it is.
    expect(answer.status, id).toBe({ google: 200, apple: 200, microsoft: 401, twitch: 404 }[id])
  }
})

const tokensOf = async (fetched: typeof fetch) => {
  const answer = await fetched('https://example.com/token', { method: 'POST', body: 'grant_type=authorization_code' })
  return (await answer.json()) as { id_token: string }
}
