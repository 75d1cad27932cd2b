import type { SocialProvider } from '@tollgate/contract/calls'

/**
 * What each provider's documentation requires. Deliberately written a second time: the rows say what we send, this
 * table says what the provider accepts.
 */
export type Habits = {
  readonly authorize: string
  readonly token: string
  readonly profile?: string
  readonly email?: string
  readonly jwks?: string
  readonly issuer?: string
  /** How the application authenticates: header, body, either, its id alone, or a secret that it signs. */
  readonly client: 'basic' | 'post' | 'either' | 'none' | 'signed'
  readonly clientIdName?: 'client_key'
  readonly pkce: 'S256' | 'hex' | 'none'
  /** Scopes required for a profile. */
  readonly scopes: readonly string[]
  readonly scopeSeparator?: ','
  /** Further required parameters of the authorization request. */
  readonly authorization?: Readonly<Record<string, string>>
  readonly nonce?: true
  /** Values returned with the code that the token call must repeat. */
  readonly deviceId?: string
  readonly profileMethod?: 'GET' | 'POST'
  readonly profileParams?: readonly string[]
  /** The profile call takes the token in its form. */
  readonly tokenInForm?: true
  /** Calls without such a `User-Agent` are refused, the token call included. */
  readonly userAgent?: RegExp
  readonly userAgentAtToken?: true
  readonly formPost?: true
}

const claimsOfTwitch = { email: null, email_verified: null, picture: null, preferred_username: null }
const tenant = 'aaaabbbb-0000-cccc-1111-dddd2222eeee'

export const habits: Readonly<Record<SocialProvider, Habits>> = {
  apple: {
    authorize: 'https://appleid.apple.com/auth/authorize',
    token: 'https://appleid.apple.com/auth/token',
    jwks: 'https://appleid.apple.com/auth/keys',
    issuer: 'https://appleid.apple.com',
    client: 'signed',
    pkce: 'S256',
    scopes: ['email', 'name'],
    authorization: { response_mode: 'form_post' },
    nonce: true,
    formPost: true,
  },
  discord: {
    authorize: 'https://discord.com/oauth2/authorize',
    token: 'https://discord.com/api/oauth2/token',
    profile: 'https://discord.com/api/v10/users/@me',
    client: 'either',
    pkce: 'S256',
    scopes: ['identify', 'email'],
    authorization: { prompt: 'none' },
    profileMethod: 'GET',
  },
  dropbox: {
    authorize: 'https://www.dropbox.com/oauth2/authorize',
    token: 'https://api.dropboxapi.com/oauth2/token',
    profile: 'https://api.dropboxapi.com/2/users/get_current_account',
    client: 'either',
    pkce: 'S256',
    scopes: ['account_info.read'],
    profileMethod: 'POST',
  },
  facebook: {
    authorize: 'https://www.facebook.com/v24.0/dialog/oauth',
    token: 'https://graph.facebook.com/v24.0/oauth/access_token',
    profile: 'https://graph.facebook.com/v24.0/me',
    jwks: 'https://limited.facebook.com/.well-known/oauth/openid/jwks/',
    issuer: 'https://www.facebook.com',
    client: 'post',
    pkce: 'none',
    scopes: ['email', 'public_profile'],
    profileMethod: 'GET',
    profileParams: ['fields', 'appsecret_proof'],
  },
  github: {
    authorize: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    profile: 'https://api.github.com/user',
    email: 'https://api.github.com/user/emails',
    client: 'either',
    pkce: 'S256',
    scopes: ['read:user', 'user:email'],
    profileMethod: 'GET',
    userAgent: /./,
  },
  gitlab: {
    authorize: 'https://gitlab.com/oauth/authorize',
    token: 'https://gitlab.com/oauth/token',
    profile: 'https://gitlab.com/api/v4/user',
    client: 'either',
    pkce: 'S256',
    scopes: ['read_user'],
    profileMethod: 'GET',
  },
  google: {
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    profile: 'https://openidconnect.googleapis.com/v1/userinfo',
    jwks: 'https://www.googleapis.com/oauth2/v3/certs',
    issuer: 'https://accounts.google.com',
    client: 'either',
    pkce: 'S256',
    scopes: ['email', 'profile', 'openid'],
    nonce: true,
  },
  kick: {
    authorize: 'https://id.kick.com/oauth/authorize',
    token: 'https://id.kick.com/oauth/token',
    profile: 'https://api.kick.com/public/v1/users',
    client: 'post',
    pkce: 'S256',
    scopes: ['user:read'],
    profileMethod: 'GET',
  },
  linkedin: {
    authorize: 'https://www.linkedin.com/oauth/v2/authorization',
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
    profile: 'https://api.linkedin.com/v2/userinfo',
    client: 'post',
    pkce: 'none',
    scopes: ['profile', 'email', 'openid'],
    profileMethod: 'GET',
  },
  microsoft: {
    authorize: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    token: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    profile: 'https://graph.microsoft.com/oidc/userinfo',
    jwks: 'https://login.microsoftonline.com/common/discovery/v2.0/keys',
    issuer: `https://login.microsoftonline.com/${tenant}/v2.0`,
    client: 'either',
    pkce: 'S256',
    scopes: ['openid', 'profile', 'email', 'User.Read'],
    nonce: true,
  },
  reddit: {
    authorize: 'https://www.reddit.com/api/v1/authorize',
    token: 'https://www.reddit.com/api/v1/access_token',
    profile: 'https://oauth.reddit.com/api/v1/me',
    client: 'basic',
    pkce: 'S256',
    scopes: ['identity'],
    profileMethod: 'GET',
    userAgent: /^\w+:[\w.-]+:v[\d.]+ /,
    userAgentAtToken: true,
  },
  roblox: {
    authorize: 'https://apis.roblox.com/oauth/v1/authorize',
    token: 'https://apis.roblox.com/oauth/v1/token',
    profile: 'https://apis.roblox.com/oauth/v1/userinfo',
    client: 'either',
    pkce: 'S256',
    scopes: ['openid', 'profile'],
    profileMethod: 'GET',
  },
  spotify: {
    authorize: 'https://accounts.spotify.com/authorize',
    token: 'https://accounts.spotify.com/api/token',
    profile: 'https://api.spotify.com/v1/me',
    client: 'either',
    pkce: 'S256',
    scopes: ['user-read-email'],
    profileMethod: 'GET',
  },
  tiktok: {
    authorize: 'https://www.tiktok.com/v2/auth/authorize/',
    token: 'https://open.tiktokapis.com/v2/oauth/token/',
    profile: 'https://open.tiktokapis.com/v2/user/info/',
    client: 'post',
    clientIdName: 'client_key',
    pkce: 'hex',
    scopes: ['user.info.basic'],
    scopeSeparator: ',',
    profileMethod: 'GET',
    profileParams: ['fields'],
  },
  twitch: {
    authorize: 'https://id.twitch.tv/oauth2/authorize',
    token: 'https://id.twitch.tv/oauth2/token',
    profile: 'https://id.twitch.tv/oauth2/userinfo',
    jwks: 'https://id.twitch.tv/oauth2/keys',
    issuer: 'https://id.twitch.tv/oauth2',
    client: 'post',
    pkce: 'S256',
    scopes: ['user:read:email', 'openid'],
    authorization: { claims: JSON.stringify({ id_token: claimsOfTwitch, userinfo: claimsOfTwitch }) },
    nonce: true,
  },
  twitter: {
    authorize: 'https://x.com/i/oauth2/authorize',
    token: 'https://api.x.com/2/oauth2/token',
    profile: 'https://api.x.com/2/users/me',
    client: 'basic',
    pkce: 'S256',
    scopes: ['users.read', 'tweet.read', 'offline.access', 'users.email'],
    profileMethod: 'GET',
    profileParams: ['user.fields'],
  },
  vk: {
    authorize: 'https://id.vk.ru/authorize',
    token: 'https://id.vk.ru/oauth2/auth',
    profile: 'https://id.vk.ru/oauth2/user_info',
    client: 'none',
    pkce: 'S256',
    scopes: ['vkid.personal_info', 'email'],
    authorization: { lang_id: '3' },
    deviceId: 'a-device_of-theirs',
    profileMethod: 'POST',
    profileParams: ['client_id'],
    tokenInForm: true,
  },
  zoom: {
    authorize: 'https://zoom.us/oauth/authorize',
    token: 'https://zoom.us/oauth/token',
    profile: 'https://api.zoom.us/v2/users/me',
    client: 'either',
    pkce: 'S256',
    scopes: [],
    profileMethod: 'GET',
  },
}
