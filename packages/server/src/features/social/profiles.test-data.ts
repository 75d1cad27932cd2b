import type { SocialProvider } from '@tollgate/contract/calls'
import type { Json } from './protocol/provider.ts'

/** Provider answers, invented for Ada Example in the shapes that each provider documents. */

export type RecordedAnswers = {
  /** The answer of the profile call. */
  readonly profile?: unknown
  /** The answer of the call for addresses. */
  readonly email?: unknown
  /** The id token's claims about the person; the maker adds issuer, audience, times and nonce. */
  readonly claims?: Json | undefined
  /** What comes with the callback: apple's `user`. */
  readonly user?: string
}

export type ProviderRecord = {
  /** The answer of the token call, without the id token. */
  readonly token: Json
  readonly full: RecordedAnswers
  readonly minimal: RecordedAnswers
  /** Null where the provider cannot report it. */
  readonly noEmail: RecordedAnswers | null
  readonly unverifiedEmail: RecordedAnswers | null
  /** A refusal of the profile call; null for providers without such a call. */
  readonly error: { readonly status: number; readonly body: unknown } | null
}

const without = (record: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))

const ada = { given_name: 'Ada', family_name: 'Example', name: 'Ada Example', email: 'ada@example.com' }

const googleClaims: Json = {
  sub: '108107954000000000001',
  azp: '1234-abc.apps.googleusercontent.com',
  hd: 'example.com',
  at_hash: 'Gq84QJdFQlWJWjVkEPBW2Q',
  ...ada,
  email_verified: true,
  picture: 'https://lh3.googleusercontent.com/a/ACg8ocExample=s96-c',
}

const appleClaims: Json = {
  sub: '000123.0f1e2d3c4b5a69788796a5b4c3d2e1f0.1234',
  email: 'ada@example.com',
  email_verified: 'true',
  is_private_email: 'false',
  auth_time: 1767225599,
  nonce_supported: true,
  real_user_status: 2,
}

const githubUser: Json = {
  login: 'ada-example',
  id: 5830001,
  node_id: 'MDQ6VXNlcjU4MzAwMDE=',
  avatar_url: 'https://avatars.githubusercontent.com/u/5830001?v=4',
  gravatar_id: '',
  html_url: 'https://github.com/ada-example',
  type: 'User',
  site_admin: false,
  name: 'Ada Example',
  company: null,
  blog: '',
  email: 'seen-by-all@example.com',
  hireable: null,
  created_at: '2020-01-01T10:00:00Z',
  plan: { name: 'free', space: 976562499, collaborators: 0, private_repos: 10000 },
}

const microsoftClaims: Json = {
  tid: 'aaaabbbb-0000-cccc-1111-dddd2222eeee',
  oid: '66666666-7777-8888-9999-000000000000',
  sub: 'AAAAAAAAAAAAAAAAAAAAAPairwisePerApp0000000',
  ...ada,
  preferred_username: 'ada@example.com',
  xms_edov: true,
  ver: '2.0',
}

const facebookUser: Json = {
  id: '10223344556677889',
  name: 'Ada Example',
  email: 'ada@example.com',
  picture: {
    data: {
      height: 400,
      is_silhouette: false,
      url: 'https://platform-lookaside.fbsbx.com/platform/profilepic/?asid=10223344556677889&height=400&hash=AbC',
      width: 400,
    },
  },
}

const discordUser: Json = {
  id: '80351110224670001',
  username: 'ada.example',
  discriminator: '0',
  global_name: 'Ada Example',
  avatar: '8342729096ea3675442027381ff5aaaa',
  banner: null,
  accent_color: 16711680,
  locale: 'en-GB',
  mfa_enabled: true,
  verified: true,
  email: 'ada@example.com',
  flags: 64,
  public_flags: 64,
  premium_type: 0,
  primary_guild: null,
}

const gitlabUser: Json = {
  id: 1234567,
  username: 'ada.example',
  public_email: '',
  name: 'Ada Example',
  state: 'active',
  locked: false,
  avatar_url: 'https://gitlab.com/uploads/-/system/user/avatar/1234567/avatar.png',
  web_url: 'https://gitlab.com/ada.example',
  bot: false,
  confirmed_at: '2020-01-01T10:05:00.000Z',
  email: 'ada@example.com',
  identities: [{ provider: 'google_oauth2', extern_uid: '108107954000000000001', saml_provider_id: null }],
  two_factor_enabled: true,
}

const linkedinUser: Json = {
  sub: '782bbtaQ',
  ...ada,
  picture:
    'https://media.licdn.com/dms/image/v2/C5F03AQ/profile-displayphoto-shrink_100_100/0/1516?e=1767225600&v=beta',
  locale: { country: 'US', language: 'en' },
  email_verified: true,
}

const twitterUser: Json = {
  id: '2244994900000000001',
  name: 'Ada Example',
  username: 'adaexample',
  verified: false,
  profile_image_url: 'https://pbs.twimg.com/profile_images/1683/abcd_normal.jpg',
  confirmed_email: 'ada@example.com',
}

const spotifyUser: Json = {
  account_id: 'opaque-stable-identifier',
  id: 'adaexample',
  display_name: 'Ada Example',
  email: 'ada@example.com',
  country: 'GB',
  product: 'premium',
  external_urls: { spotify: 'https://open.spotify.com/user/adaexample' },
  followers: { href: null, total: 3 },
  images: [
    { url: 'https://i.scdn.co/image/ab6775700000ee85aaaa', height: 300, width: 300 },
    { url: 'https://i.scdn.co/image/ab67757000003b82aaaa', height: 64, width: 64 },
  ],
  type: 'user',
}

const twitchClaims: Json = {
  azp: 'hof5gwx0su6owfnys0nyan9c87zr6t',
  sub: '713936733',
  email: 'ada@example.com',
  email_verified: true,
  picture: 'https://static-cdn.jtvnw.net/jtv_user_pictures/ada-profile_image-300x300.png',
  preferred_username: 'AdaExample',
  updated_at: '2025-11-02T10:11:12.123Z',
}

const dropboxAccount: Json = {
  account_id: 'dbid:AAAdaExampleaaaaaaaaaaaaaaaaaaaaaaaaa',
  name: {
    given_name: 'Ada',
    surname: 'Example',
    familiar_name: 'Ada',
    display_name: 'Ada Example',
    abbreviated_name: 'AE',
  },
  email: 'ada@example.com',
  email_verified: true,
  disabled: false,
  locale: 'en',
  is_paired: false,
  account_type: { '.tag': 'basic' },
  profile_photo_url: 'https://dl-web.dropbox.com/account_photo/get/dbid%3AAAAda?size=128x128',
  country: 'GB',
}

const kickUser: Json = {
  user_id: 62748999,
  name: 'AdaExample',
  email: 'ada@example.com',
  profile_picture: 'https://kick.com/img/profile/ada.jpeg',
}

const tiktokUser: Json = {
  open_id: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
  display_name: 'Ada Example',
  avatar_url: 'https://p16-sign-va.tiktokcdn.com/tos/abc~c5_168x168.webp?x-expires=1767225600',
  avatar_large_url: 'https://p16-sign-va.tiktokcdn.com/tos/abc~c5_1080x1080.webp?x-expires=1767225600',
}
const tiktokFine = { code: 'ok', message: '', log_id: '20260121194722CBE87ED59D524E727021' }

const redditUser: Json = {
  id: '1abcd2',
  name: 'ada_example',
  icon_img: 'https://styles.redditmedia.com/t5_abc/styles/icon.png?width=256&amp;height=256&amp;s=abc',
  snoovatar_img: '',
  subreddit: { title: 'Ada Example', display_name: 'u_ada_example', over_18: false },
  has_verified_email: true,
  verified: true,
  is_suspended: false,
  created_utc: 1514764800.5,
  oauth_client_id: 'p-jcoLKBynTLew',
}

const robloxUser: Json = {
  sub: '1516563360',
  name: 'Ada Example',
  nickname: 'Ada Example',
  preferred_username: 'ada_example',
  created_at: 1584682495,
  profile: 'https://www.roblox.com/users/1516563360/profile',
  picture: 'https://tr.rbxcdn.com/03dc2a9abe7b1aacaaf93ea46d5c0646/150/150/AvatarHeadshot/Png',
}

const vkUser: Json = {
  user_id: '1234567890',
  first_name: 'Ada',
  last_name: 'Example',
  phone: '79991234567',
  avatar: 'https://sun9-12.userapi.com/s/v1/ig2/abc.jpg?quality=95&cs=400x400',
  email: 'ada@example.com',
  sex: 1,
  verified: true,
  birthday: '10.12.1985',
}

const zoomUser: Json = {
  id: 'zJKyaiAyTNC-MWjiWC18KQ',
  first_name: 'Ada',
  last_name: 'Example',
  display_name: 'Ada Example',
  email: 'ada@example.com',
  type: 1,
  verified: 1,
  pic_url: 'https://us04web.zoom.us/p/v2/abc/def-1234',
  account_id: 'q6gBJVO5TzexKYTb_I2rpg',
  language: 'en-US',
  status: 'active',
  login_types: [100],
}

export const providerRecords: Readonly<Record<SocialProvider, ProviderRecord>> = {
  google: {
    token: {
      access_token: 'ya29.a0AfB',
      expires_in: 3599,
      refresh_token: '1//0gAbCdEf',
      scope: 'openid https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile',
      token_type: 'Bearer',
    },
    full: { claims: googleClaims },
    minimal: { claims: { sub: '108107954000000000001' } },
    noEmail: { claims: without(googleClaims, 'email', 'email_verified') },
    unverifiedEmail: { claims: { ...googleClaims, email_verified: false } },
    error: { status: 401, body: { error: 'invalid_request', error_description: 'Invalid Credentials' } },
  },
  apple: {
    token: { access_token: 'a0b1c2.0.abcd.EFGH', token_type: 'Bearer', expires_in: 3600, refresh_token: 'r0b1c2.0.ab' },
    full: {
      claims: appleClaims,
      user: JSON.stringify({ name: { firstName: 'Ada', lastName: 'Example' }, email: 'somebody-else@example.com' }),
    },
    minimal: { claims: { sub: '000123.0f1e2d3c4b5a69788796a5b4c3d2e1f0.1234', auth_time: 1767225599 } },
    noEmail: { claims: without(appleClaims, 'email', 'email_verified', 'is_private_email') },
    unverifiedEmail: { claims: { ...appleClaims, email_verified: 'false' } },
    error: null,
  },
  github: {
    token: { access_token: 'gho_16C7e42F292c6912E7710c', token_type: 'bearer', scope: 'read:user,user:email' },
    full: {
      profile: githubUser,
      email: [
        { email: '5830001+ada-example@users.noreply.github.com', primary: false, verified: true, visibility: null },
        { email: 'old@example.com', primary: false, verified: true, visibility: null },
        { email: 'ada@example.com', primary: true, verified: true, visibility: 'private' },
      ],
    },
    minimal: { profile: { login: 'ada-example', id: 5830001, type: 'User', name: null, email: null }, email: [] },
    noEmail: { profile: { ...githubUser, email: null }, email: [] },
    unverifiedEmail: {
      profile: githubUser,
      email: [{ email: 'ada@example.com', primary: true, verified: false, visibility: null }],
    },
    error: { status: 401, body: { message: 'Bad credentials', documentation_url: 'https://docs.github.com/rest' } },
  },
  microsoft: {
    token: {
      token_type: 'Bearer',
      scope: 'email openid profile https://graph.microsoft.com/User.Read',
      expires_in: 3799,
      ext_expires_in: 3799,
      access_token: 'EwB4A8l6',
    },
    full: { claims: microsoftClaims },
    minimal: { claims: { sub: microsoftClaims.sub, tid: microsoftClaims.tid, ver: '2.0' } },
    noEmail: { claims: without(microsoftClaims, 'email', 'xms_edov') },
    unverifiedEmail: { claims: without(microsoftClaims, 'xms_edov') },
    error: { status: 401, body: { error: { code: 'InvalidAuthenticationToken', message: 'Access token is empty.' } } },
  },
  facebook: {
    token: { access_token: 'EAABsbCS1iHg', token_type: 'bearer', expires_in: 5183944 },
    full: { profile: facebookUser },
    minimal: { profile: { id: '10223344556677889', name: 'Ada Example' } },
    noEmail: { profile: without(facebookUser, 'email') },
    unverifiedEmail: null,
    error: {
      status: 400,
      body: { error: { message: 'Error validating access token', type: 'OAuthException', code: 190, fbtrace_id: 'A' } },
    },
  },
  discord: {
    token: {
      access_token: 'opaque',
      token_type: 'Bearer',
      expires_in: 604800,
      refresh_token: 'opaque too',
      scope: 'email identify',
    },
    full: { profile: discordUser },
    minimal: {
      profile: {
        id: '80351110224670001',
        username: 'ada.example',
        discriminator: '0',
        global_name: null,
        avatar: null,
        mfa_enabled: false,
      },
    },
    noEmail: { profile: { ...discordUser, email: null, verified: false } },
    unverifiedEmail: { profile: { ...discordUser, verified: false } },
    error: { status: 401, body: { message: '401: Unauthorized', code: 0 } },
  },
  gitlab: {
    token: {
      access_token: 'de6780bc506a0446309bd9362820ba8a',
      token_type: 'Bearer',
      expires_in: 7200,
      refresh_token: '8257e65c97202ed1726cf9571600918f',
      scope: 'read_user',
      created_at: 1767225600,
    },
    full: { profile: gitlabUser },
    minimal: {
      profile: {
        id: 1234567,
        username: 'ada.example',
        name: '',
        state: 'active',
        avatar_url: null,
        email: 'ada@example.com',
      },
    },
    noEmail: { profile: without(gitlabUser, 'email') },
    unverifiedEmail: { profile: { ...gitlabUser, confirmed_at: null } },
    error: { status: 403, body: { message: '403 Forbidden - Your account has been blocked.' } },
  },
  linkedin: {
    token: { access_token: 'AQX', expires_in: 5183999, scope: 'email,openid,profile', token_type: 'Bearer' },
    full: { profile: linkedinUser },
    minimal: { profile: { sub: '782bbtaQ' } },
    noEmail: { profile: without(linkedinUser, 'email', 'email_verified') },
    unverifiedEmail: { profile: { ...linkedinUser, email_verified: false } },
    error: {
      status: 401,
      body: { status: 401, serviceErrorCode: 65600, code: 'INVALID_ACCESS_TOKEN', message: 'Invalid access token' },
    },
  },
  twitter: {
    token: {
      token_type: 'bearer',
      expires_in: 7200,
      access_token: 'opaque',
      scope: 'users.email users.read tweet.read offline.access',
      refresh_token: 'opaque too',
    },
    full: { profile: { data: twitterUser } },
    minimal: { profile: { data: { id: '2244994900000000001', name: 'Ada Example', username: 'adaexample' } } },
    noEmail: {
      profile: {
        data: without(twitterUser, 'confirmed_email'),
        errors: [{ resource_type: 'user', field: 'confirmed_email', title: 'Field Authorization Error' }],
      },
    },
    // The provider reports only confirmed addresses.
    unverifiedEmail: null,
    error: { status: 403, body: { title: 'Client Forbidden', reason: 'client-not-enrolled', detail: 'Not enrolled' } },
  },
  spotify: {
    token: {
      access_token: 'opaque',
      token_type: 'Bearer',
      scope: 'user-read-email',
      expires_in: 3600,
      refresh_token: 'opaque too',
    },
    full: { profile: spotifyUser },
    minimal: { profile: { id: 'adaexample', display_name: null, images: [], type: 'user' } },
    noEmail: { profile: without(spotifyUser, 'email') },
    unverifiedEmail: null,
    error: { status: 401, body: { error: { status: 401, message: 'The access token expired' } } },
  },
  twitch: {
    token: {
      access_token: 'opaque',
      expires_in: 14124,
      refresh_token: 'opaque too',
      scope: ['openid', 'user:read:email'],
      token_type: 'bearer',
    },
    full: { claims: twitchClaims },
    minimal: { claims: { sub: '713936733', azp: 'hof5gwx0su6owfnys0nyan9c87zr6t' } },
    noEmail: { claims: without(twitchClaims, 'email', 'email_verified') },
    unverifiedEmail: { claims: { ...twitchClaims, email_verified: false } },
    error: { status: 401, body: { status: 401, message: 'invalid access token' } },
  },
  dropbox: {
    token: {
      access_token: 'sl.opaque',
      token_type: 'bearer',
      expires_in: 14400,
      scope: 'account_info.read',
      uid: '12345',
      account_id: 'dbid:AAAdaExampleaaaaaaaaaaaaaaaaaaaaaaaaa',
    },
    full: { profile: dropboxAccount },
    minimal: { profile: { account_id: 'dbid:AAAdaExampleaaaaaaaaaaaaaaaaaaaaaaaaa', email: 'ada@example.com' } },
    noEmail: null,
    unverifiedEmail: { profile: { ...dropboxAccount, email_verified: false } },
    error: {
      status: 401,
      body: { error_summary: 'expired_access_token/..', error: { '.tag': 'expired_access_token' } },
    },
  },
  kick: {
    token: {
      access_token: 'opaque',
      token_type: 'Bearer',
      refresh_token: 'opaque too',
      expires_in: '7200',
      scope: 'user:read',
    },
    full: { profile: { data: [kickUser], message: 'OK' } },
    minimal: { profile: { data: [{ user_id: 62748999, name: 'AdaExample', profile_picture: '' }], message: 'OK' } },
    noEmail: { profile: { data: [{ ...kickUser, email: '' }], message: 'OK' } },
    unverifiedEmail: null,
    error: { status: 401, body: { data: {}, message: 'Unauthorized' } },
  },
  tiktok: {
    token: {
      access_token: 'act.example12345',
      expires_in: 7200,
      open_id: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
      refresh_expires_in: 15552000,
      refresh_token: 'rft.example12345',
      scope: 'user.info.basic',
      token_type: 'Bearer',
    },
    full: { profile: { data: { user: tiktokUser }, error: tiktokFine } },
    minimal: { profile: { data: { user: { open_id: tiktokUser.open_id } }, error: tiktokFine } },
    noEmail: null,
    unverifiedEmail: null,
    error: {
      status: 401,
      body: {
        data: { user: tiktokUser },
        error: { code: 'access_token_invalid', message: 'The access token is invalid', log_id: '2026' },
      },
    },
  },
  reddit: {
    token: { access_token: 'eyJhbGciOi', token_type: 'bearer', expires_in: 86400, scope: 'identity' },
    full: { profile: redditUser },
    minimal: { profile: { id: '1abcd2', name: 'ada_example', icon_img: null, subreddit: null } },
    noEmail: null,
    unverifiedEmail: null,
    error: { status: 401, body: { message: 'Unauthorized', error: 401 } },
  },
  roblox: {
    token: {
      access_token: 'eyJhbGciOiJFUzI1NiIs',
      refresh_token: 'eyJhbGciOiJkaXIi',
      token_type: 'Bearer',
      expires_in: 899,
      scope: 'openid profile',
    },
    full: { profile: robloxUser },
    minimal: { profile: { sub: '1516563360', preferred_username: 'ada_example', picture: null } },
    noEmail: null,
    unverifiedEmail: null,
    error: { status: 401, body: { error: 'invalid_token', error_description: 'The access token expired' } },
  },
  vk: {
    token: {
      refresh_token: 'vk2.a.two',
      access_token: 'vk2.a.one',
      token_type: 'Bearer',
      expires_in: 3600,
      user_id: 1234567890,
      scope: 'vkid.personal_info email',
    },
    full: { profile: { user: vkUser } },
    minimal: { profile: { user: { user_id: 1234567890, first_name: 'Ada', last_name: '' } } },
    noEmail: { profile: { user: { ...vkUser, email: '' } } },
    unverifiedEmail: null,
    // With status 200.
    error: { status: 200, body: { error: 'invalid_token', error_description: 'access_token is missing or invalid' } },
  },
  zoom: {
    token: {
      access_token: 'eyJzdiI6IjAwMDAwMSIs',
      token_type: 'bearer',
      refresh_token: 'eyJzdiI6IjAwMDAwMiIs',
      expires_in: 3599,
      scope: 'user:read:user',
      api_url: 'https://api.zoom.us',
    },
    full: { profile: zoomUser },
    minimal: { profile: { id: 'zJKyaiAyTNC-MWjiWC18KQ', created_at: '2026-01-01T00:00:00Z', status: 'pending' } },
    noEmail: { profile: without(zoomUser, 'email') },
    unverifiedEmail: { profile: { ...zoomUser, verified: 0 } },
    error: { status: 400, body: { code: 4711, message: 'Invalid access token, does not contain scopes' } },
  },
}

/** What an app receives from Facebook's Limited Login. */
export const facebookClaims: Json = {
  sub: '10223344556677889',
  jti: 'k0a1',
  ...ada,
  email_verified: true,
  picture: 'https://platform-lookaside.fbsbx.com/platform/profilepic/?asid=10223344556677889',
}
