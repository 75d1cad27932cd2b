import { type SocialProvider, socialProviders } from '@tollgate/contract/calls'
import { expect, test } from 'vitest'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type Visitor } from '../../testing.ts'
import type { Json } from './protocol/provider.ts'

/** All eighteen providers, enabled by id and secret as in the environment. */
const everyProvider = Object.fromEntries(
  socialProviders.map((id) => [id, { clientId: `id-of_${id}.1`, clientSecret: `secret-of_${id}.1~` }]),
) as TollgateConfig['socialProviders']

type Expected = {
  readonly address: string
  readonly scope: string | null
  readonly challenge: 'S256' | 'hex' | 'none'
  readonly more?: Record<string, string>
}

/** The authorization requests (auth contract, section 4, as the providers document them today). */
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

test('each provider is asked at its address, for its scopes, with only the parameters that it understands', async () => {
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
    // Apple's own page takes "email+name" for one scope.
    expect(url.search, id).not.toContain('+')
  }
})
