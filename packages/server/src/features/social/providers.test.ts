import { isSocialProvider, type SocialProvider, socialProviders } from '@tollgate/contract/calls'
import fc from 'fast-check'
import { decodeProtectedHeader, exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import type { ProviderOptions } from '../../foundation/config/config.ts'
import { mailLocales } from '../../foundation/mail/templates.ts'
import { facebookClaims, providerRecords, type RecordedAnswers } from './profiles.test-data.ts'
import {
  type Json,
  type ProviderEndpoints,
  ProviderFault,
  type ProviderProfile,
  type ProviderSession,
} from './protocol/provider.ts'
import { providerRows } from './providers.ts'

const options: ProviderOptions = { clientId: 'our client id', clientSecret: 'our client secret' }

type Asked = { address: string; method?: string; headers?: Record<string, string>; form?: Record<string, string> }

const endpointsOf = (id: SocialProvider, given: ProviderOptions): ProviderEndpoints => {
  const { endpoints } = providerRows[id]
  return typeof endpoints === 'function' ? endpoints(given) : endpoints
}

/** What a row works with, answering from a record; it lists the requests. */
function sessionOf(
  id: SocialProvider,
  { profile, email, claims, user }: RecordedAnswers,
  given: ProviderOptions = options,
): ProviderSession & { asked: Asked[] } {
  const endpoints = endpointsOf(id, given)
  const asked: Asked[] = []
  return {
    options: given,
    tokens: { accessToken: 'their access token', idToken: null },
    claims,
    endpoints,
    callback: { user },
    asked,
    ask: async (address, request) => {
      asked.push({ address, ...request })
      const answer = endpoints.email !== undefined && address.startsWith(endpoints.email) ? email : profile
      if (answer === undefined) throw new ProviderFault('nobody answers')
      return answer
    },
  }
}

const profileOf = (id: SocialProvider, answers: RecordedAnswers, given?: ProviderOptions) =>
  providerRows[id].profile(sessionOf(id, answers, given))

type Kind = 'full' | 'minimal' | 'noEmail' | 'unverifiedEmail'

const ada = 'ada@example.com'
const nobody = { name: null, email: null, emailVerified: false, image: null }
const vouched = { name: 'Ada Example', email: ada, emailVerified: true }
const told = { name: 'Ada Example', email: ada, emailVerified: false }
const mute = { name: 'Ada Example', email: null, emailVerified: false }

/** The profile of each record; null where the provider has none of that kind. */
const expected: Readonly<Record<SocialProvider, Record<Kind, Omit<ProviderProfile, 'id'> | null> & { id: string }>> = {
  google: variants('108107954000000000001', 'https://lh3.googleusercontent.com/a/ACg8ocExample=s96-c', {
    minimal: nobody,
  }),
  apple: {
    id: '000123.0f1e2d3c4b5a69788796a5b4c3d2e1f0.1234',
    full: { ...vouched, image: null },
    minimal: nobody,
    // The name arrives only with the first consent.
    noEmail: nobody,
    unverifiedEmail: { ...nobody, email: ada },
  },
  github: variants('5830001', 'https://avatars.githubusercontent.com/u/5830001?v=4', {
    minimal: { ...nobody, name: 'ada-example' },
  }),
  microsoft: variants('AAAAAAAAAAAAAAAAAAAAAPairwisePerApp0000000', null, { minimal: nobody }),
  facebook: variants(
    '10223344556677889',
    'https://platform-lookaside.fbsbx.com/platform/profilepic/?asid=10223344556677889&height=400&hash=AbC',
    { neverVouches: true, minimal: { ...nobody, name: 'Ada Example' } },
  ),
  discord: variants(
    '80351110224670001',
    'https://cdn.discordapp.com/avatars/80351110224670001/8342729096ea3675442027381ff5aaaa.png',
    { minimal: { ...nobody, name: 'ada.example' } },
  ),
  gitlab: variants('1234567', 'https://gitlab.com/uploads/-/system/user/avatar/1234567/avatar.png', {
    minimal: { ...nobody, name: 'ada.example', email: ada },
  }),
  linkedin: variants(
    '782bbtaQ',
    'https://media.licdn.com/dms/image/v2/C5F03AQ/profile-displayphoto-shrink_100_100/0/1516?e=1767225600&v=beta',
    { minimal: nobody },
  ),
  twitter: {
    ...variants('2244994900000000001', 'https://pbs.twimg.com/profile_images/1683/abcd_400x400.jpg', {
      minimal: { ...nobody, name: 'Ada Example' },
    }),
    unverifiedEmail: null,
  },
  spotify: variants('adaexample', 'https://i.scdn.co/image/ab6775700000ee85aaaa', {
    neverVouches: true,
    minimal: { ...nobody, name: 'adaexample' },
  }),
  twitch: variants(
    '713936733',
    'https://static-cdn.jtvnw.net/jtv_user_pictures/ada-profile_image-300x300.png',
    { minimal: nobody },
    'AdaExample',
  ),
  dropbox: {
    ...variants(
      'dbid:AAAdaExampleaaaaaaaaaaaaaaaaaaaaaaaaa',
      'https://dl-web.dropbox.com/account_photo/get/dbid%3AAAAda?size=128x128',
      { minimal: { ...nobody, email: ada } },
    ),
    noEmail: null,
  },
  kick: variants(
    '62748999',
    'https://kick.com/img/profile/ada.jpeg',
    { neverVouches: true, minimal: { ...nobody, name: 'AdaExample' } },
    'AdaExample',
  ),
  tiktok: withoutAddresses(
    '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
    'https://p16-sign-va.tiktokcdn.com/tos/abc~c5_1080x1080.webp?x-expires=1767225600',
    nobody,
  ),
  reddit: withoutAddresses(
    '1abcd2',
    'https://styles.redditmedia.com/t5_abc/styles/icon.png?width=256&height=256&s=abc',
    { ...nobody, name: 'ada_example' },
  ),
  roblox: withoutAddresses(
    '1516563360',
    'https://tr.rbxcdn.com/03dc2a9abe7b1aacaaf93ea46d5c0646/150/150/AvatarHeadshot/Png',
    { ...nobody, name: 'ada_example' },
  ),
  vk: variants('1234567890', 'https://sun9-12.userapi.com/s/v1/ig2/abc.jpg?quality=95&cs=400x400', {
    neverVouches: true,
    minimal: { ...nobody, name: 'Ada' },
  }),
  zoom: variants('zJKyaiAyTNC-MWjiWC18KQ', 'https://us04web.zoom.us/p/v2/abc/def-1234', { minimal: nobody }),
}

function variants(
  id: string,
  image: string | null,
  { minimal, neverVouches }: { minimal: Omit<ProviderProfile, 'id'>; neverVouches?: true },
  name = 'Ada Example',
) {
  return {
    id,
    full: { ...(neverVouches ? told : vouched), name, image },
    minimal,
    noEmail: { ...mute, name, image },
    unverifiedEmail: neverVouches ? null : { ...told, name, image },
  }
}

function withoutAddresses(id: string, image: string, minimal: Omit<ProviderProfile, 'id'>) {
  return { id, full: { ...mute, image }, minimal, noEmail: null, unverifiedEmail: null }
}

const kinds: Kind[] = ['full', 'minimal', 'noEmail', 'unverifiedEmail']

describe.each(socialProviders)('%s', (id) => {
  const record = providerRecords[id]

  test.each(kinds.filter((kind) => record[kind] !== null))('reads the profile of a user: %s', async (kind) => {
    const profile = await profileOf(id, record[kind]!)

    expect(profile).toEqual({ id: expected[id].id, ...expected[id][kind] })
  })

  test('has a record of each kind that it lists as known', () => {
    expect(kinds.filter((kind) => record[kind] === null)).toEqual(kinds.filter((kind) => expected[id][kind] === null))
  })

  test('reports a fault when the provider does not answer', async () => {
    await expect(profileOf(id, {})).rejects.toThrow(ProviderFault)
  })

  test('accepts names, addresses and pictures of any length and any characters that can be stored', async () => {
    const sized = fc.oneof(fc.string({ unit: 'binary', maxLength: 3000 }), fc.jsonValue())

    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Kind>('full', 'minimal'),
        fc.infiniteStream(sized),
        fc.nat(),
        async (...given) => {
          const [kind, values, seed] = given
          const changed = changedAt(record[kind]!, seed, () => values.next().value)
          const profile = await orFault(() => profileOf(id, changed))

          if (profile) assertKeepable(profile)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('never throws at JSON of another shape', async () => {
    const answers = fc.record({
      profile: fc.jsonValue(),
      email: fc.jsonValue(),
      claims: fc.option(fc.dictionary(fc.string(), fc.jsonValue()), { nil: undefined }),
      user: fc.option(fc.oneof(fc.string(), fc.json()), { nil: undefined }),
    })

    await fc.assert(
      fc.asyncProperty(answers, async (given) => {
        const profile = await orFault(() => profileOf(id, given as RecordedAnswers))

        if (profile) assertKeepable(profile)
      }),
      { numRuns: 200 },
    )
  })
})

test.each(socialProviders.filter((id) => providerRecords[id].error !== null))(
  '%s: a refusal creates no user, whatever its status',
  async (id) => {
    const { body } = providerRecords[id].error!

    expect(await profileOf(id, { profile: body, email: body })).toBeUndefined()
    expect(await profileOf(id, { profile: body, email: body, claims: {} })).toBeUndefined()
  },
)

/** A provider's refusal is a valid outcome; any other error is our own fault. */
async function orFault<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderFault) return undefined
    throw error
  }
}

/** The same answers with about one value in three replaced. */
function changedAt<T>(value: T, seed: number, next: () => unknown): T {
  let state = seed
  const walk = (each: unknown): unknown => {
    state = (state * 1103515245 + 12345) % 2147483648
    if (state % 3 === 0) return next()
    if (Array.isArray(each)) return each.map(walk)
    if (typeof each !== 'object' || each === null) return each
    return Object.fromEntries(Object.entries(each).map(([name, inner]) => [name, walk(inner)]))
  }
  const changed = Object.entries(value as object).map(([name, inner]) => {
    const made = walk(inner)
    // Their outer form is fixed: claims are an object, the posted user is text.
    const fits = name === 'claims' ? isObject(made) : name === 'user' ? typeof made === 'string' : true
    return [name, fits ? made : inner]
  })
  return Object.fromEntries(changed)
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

function assertKeepable({ id, name, email, emailVerified, image }: ProviderProfile): void {
  expect(id).toMatch(/^[^\p{C}\p{Z}]{1,255}$/u)
  if (name !== null) {
    expect([...name].length).toBeLessThanOrEqual(100)
    expect(name).toBe(name.trim())
    expect(name).not.toBe('')
    expect(name).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u)
  }
  if (email === null) expect(emailVerified).toBe(false)
  else expect(email.length).toBeLessThanOrEqual(320)
  if (image !== null) expect(image).toMatch(/^https:\/\//)
}

test('a picture without TLS, of another kind, or with a password in it is left out', async () => {
  for (const picture of [
    'http://example.com/ada.png',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'https://ada:secret@example.com/ada.png',
    `https://example.com/${'a'.repeat(2048)}`,
    '//example.com/ada.png',
    42,
  ]) {
    const profile = await profileOf('google', { claims: { sub: '1', picture } })

    expect(profile?.image).toBeNull()
  }
})

test('a name is one line without blanks around it, of a hundred characters at most', async () => {
  const nameOf = async (name: string) => (await profileOf('google', { claims: { sub: '1', name } }))?.name

  expect(await nameOf('  Ada \n\t Example\u0000 ')).toBe('Ada Example')
  expect(await nameOf('\u202eadA')).toBe('adA')
  expect(await nameOf(' \u2028 ')).toBeNull()
  expect(await nameOf('👩‍🚀'.repeat(60))).toBe(`${'👩‍🚀'.repeat(33)}👩`)
})

test('an id is one word of bounded length, and a number only where it is exact', async () => {
  const idOf = async (sub: unknown) => (await profileOf('google', { claims: { sub } }))?.id

  expect(await idOf('a'.repeat(255))).toBe('a'.repeat(255))
  expect(await idOf(42)).toBe('42')
  for (const sub of [
    '',
    'a'.repeat(256),
    'a b',
    'a\u0000',
    'a\n',
    '\ud800',
    2 ** 53,
    1.5,
    null,
    undefined,
    true,
    ['1'],
  ])
    expect(await idOf(sub)).toBeUndefined()
})

test('a username that is an address is not shown as a name', async () => {
  const profile = await profileOf('microsoft', { claims: { sub: '1', preferred_username: 'ada@example.com' } })

  expect(profile).toMatchObject({ name: null, email: null })
})

describe('github', () => {
  const { profile } = providerRecords.github.full
  const address = (email: string, primary: boolean, verified: boolean) => ({
    email,
    primary,
    verified,
    visibility: null,
  })

  test.each([
    [[address('a@example.com', true, false), address('b@example.com', false, true)], 'b@example.com', true],
    [[address('a@example.com', false, true), address('b@example.com', true, true)], 'b@example.com', true],
    [[address('a@example.com', false, false), address('b@example.com', true, false)], 'b@example.com', false],
    [[address('1+ada@users.noreply.github.com', false, true)], 'seen-by-all@example.com', false],
    [[], 'seen-by-all@example.com', false],
    [{ message: 'Not Found' }, 'seen-by-all@example.com', false],
    [undefined, 'seen-by-all@example.com', false],
  ])('of the addresses %j takes %s, verified: %s', async (email, expectedEmail, emailVerified) => {
    expect(await profileOf('github', { profile, email })).toMatchObject({ email: expectedEmail, emailVerified })
  })
})

describe('microsoft', () => {
  const tenant = 'aaaabbbb-0000-cccc-1111-dddd2222eeee'
  const foreign = '11112222-3333-4444-5555-666677778888'
  const personal = '9188040d-6c67-4c5b-b112-36a304b66dad'
  const { claims } = providerRecords.microsoft.unverifiedEmail!

  const vouches = async (more: Json, tenantId?: string, profile?: unknown) =>
    (await profileOf('microsoft', { claims: { ...claims, ...more }, profile }, { ...options, tenantId }))?.emailVerified

  test.each([
    [true, true],
    ['true', true],
    [1, true],
    ['1', true],
    [false, false],
    ['false', false],
    [0, false],
    ['0', false],
    ['yes', false],
    [null, false],
  ])('vouches for an address by xms_edov %j: %s', async (xms_edov, expectedAnswer) => {
    expect(await vouches({ xms_edov })).toBe(expectedAnswer)
  })

  test('vouches for an address of the pinned tenant, but not against an explicit no, and not for guests', async () => {
    for (const acct of [0, '0']) expect(await vouches({ acct }, tenant)).toBe(true)
    expect(await vouches({ acct: 0, xms_edov: false }, tenant)).toBe(false)
    expect(await vouches({ acct: 0, xms_edov: '0' }, tenant)).toBe(false)
    for (const acct of [1, '1', null, false]) expect(await vouches({ acct }, tenant)).toBe(false)
    for (const open of ['common', 'organizations', 'consumers', 'Common', undefined])
      expect(await vouches({ acct: 0 }, open)).toBe(false)
  })

  test('in the pinned tenant vouches only for users whom the token marks as no guest', async () => {
    expect(await vouches({}, tenant)).toBe(false)
    expect(await vouches({ xms_edov: true }, tenant)).toBe(true)
  })

  test('believes no claim that an administrator can set', async () => {
    expect(await vouches({ email_verified: true, verified_primary_email: [ada] })).toBe(false)
  })

  test('finds out which tenant has the domain that is pinned', async () => {
    const issuer = `https://login.microsoftonline.com/${tenant}/v2.0`
    const session = sessionOf(
      'microsoft',
      { claims: { ...claims, acct: 0 }, profile: { issuer } },
      { ...options, tenantId: 'Example.com' },
    )

    expect((await providerRows.microsoft.profile(session))?.emailVerified).toBe(true)
    expect(session.asked.map(({ address }) => address)).toEqual([
      'https://login.microsoftonline.com/example.com/v2.0/.well-known/openid-configuration',
    ])
    expect(await vouches({ tid: foreign }, 'example.com', { issuer })).toBeUndefined()
    expect(await vouches({}, 'example.com', {})).toBeUndefined()
  })

  test('makes no user of the metadata of a domain', async () => {
    const given = { ...options, tenantId: 'example.com' }

    expect(await profileOf('microsoft', { profile: { issuer: 'https://example.com' }, claims }, given)).toBeUndefined()
  })

  test('reads the profile by access token without an ID token, and leaves the address unverified', async () => {
    const profile = {
      sub: 'AAAA',
      name: 'Ada Example',
      email: ada,
      picture: 'https://graph.microsoft.com/v1.0/me/photo',
    }

    for (const tenantId of ['common', tenant, 'example.com'])
      expect(await profileOf('microsoft', { profile }, { ...options, tenantId })).toEqual({
        id: 'AAAA',
        ...told,
        image: null,
      })
  })

  const issuer = providerRows.microsoft.idToken?.issuer as (
    claims: Json,
    options: ProviderOptions,
  ) => string | undefined
  const of = (tid: string) => `https://login.microsoftonline.com/${tid}/v2.0`

  test.each([
    [undefined, tenant, of(tenant)],
    ['common', personal, of(personal)],
    ['organizations', tenant, of(tenant)],
    ['organizations', personal, undefined],
    ['consumers', personal, of(personal)],
    ['consumers', tenant, undefined],
    [tenant, tenant, of(tenant)],
    [tenant.toUpperCase(), tenant, of(tenant)],
    [tenant, foreign, undefined],
    ['common', '../evil', undefined],
    ['common', 'common', undefined],
    ['common', undefined, undefined],
  ])('as tenant %s takes tokens of the tenant %s from %s', (tenantId, tid, expectedIssuer) => {
    expect(issuer({ tid }, { ...options, tenantId })).toBe(expectedIssuer)
  })

  test('of another cloud has that cloud for an issuer', () => {
    const endpoints = { token: 'https://login.microsoftonline.us/common/oauth2/v2.0/token' }

    expect(issuer({ tid: tenant }, { ...options, endpoints })).toBe(`https://login.microsoftonline.us/${tenant}/v2.0`)
  })

  test('has the addresses of its tenant', () => {
    expect(endpointsOf('microsoft', options).authorization).toBe(
      'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    )
    expect(endpointsOf('microsoft', { ...options, tenantId: '../evil?' }).token).toBe(
      'https://login.microsoftonline.com/..%2Fevil%3F/oauth2/v2.0/token',
    )
  })
})

describe('apple', () => {
  test('signs its client secret anew, for five minutes, with the key of the team', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const pem = await exportPKCS8(privateKey)
    const now = new Date('2026-03-01T12:00:00Z')
    const own = { ...options, teamId: 'TEAM123456', keyId: 'KEY1234567' }

    for (const key of [pem, pem.replaceAll('\n', '\\n')]) {
      const secret = await providerRows.apple.clientSecret!({ ...own, privateKey: key }, now)
      const { payload } = await jwtVerify(secret, publicKey, { currentDate: now, algorithms: ['ES256'] })

      expect(decodeProtectedHeader(secret)).toEqual({ alg: 'ES256', kid: 'KEY1234567' })
      expect(payload).toEqual({
        iss: 'TEAM123456',
        sub: 'our client id',
        aud: 'https://appleid.apple.com',
        iat: now.getTime() / 1000,
        exp: now.getTime() / 1000 + 300,
      })
    }
  })

  test('takes a client secret that was signed elsewhere', async () => {
    expect(await providerRows.apple.clientSecret!(options, new Date('2026-03-01'))).toBe('our client secret')
  })

  test('names the wrong setting when the key is invalid', async () => {
    const own = { ...options, teamId: 'TEAM123456', keyId: 'KEY1234567', privateKey: 'no key' }

    await expect(providerRows.apple.clientSecret!(own, new Date('2026-03-01'))).rejects.toThrow(
      /^socialProviders\.apple\.privateKey is not a P-256 private key/,
    )
  })

  test.each([['not json'], ['null'], ['{"name":null}'], ['{"name":{"firstName":" "}}'], ['[]']])(
    'has no name for a posted user of %s',
    async (user) => {
      expect(await profileOf('apple', { ...providerRecords.apple.full, user })).toMatchObject({
        name: null,
        email: ada,
      })
    },
  )
})

describe('facebook', () => {
  test('reads the claims of an app that may not request more', async () => {
    const session = sessionOf('facebook', { claims: facebookClaims })

    expect(await providerRows.facebook.profile(session)).toEqual({
      id: '10223344556677889',
      ...told,
      image: 'https://platform-lookaside.fbsbx.com/platform/profilepic/?asid=10223344556677889',
    })
    expect(session.asked).toEqual([])
  })

  test('leaves out the outline that stands for a missing picture', async () => {
    const data = { url: 'https://static.xx.fbcdn.net/outline.png', is_silhouette: true }

    expect(await profileOf('facebook', { profile: { id: '1', picture: { data } } })).toMatchObject({ image: null })
  })

  test('proves that the token is used by the application', async () => {
    const session = sessionOf('facebook', providerRecords.facebook.full)

    await providerRows.facebook.profile(session)

    const { searchParams } = new URL(session.asked[0]!.address)
    expect(searchParams.get('fields')).toBe('id,name,email,picture.width(400).height(400)')
    // HMAC-SHA256 of "their access token" under "our client secret", in hexadecimal.
    expect(searchParams.get('appsecret_proof')).toBe('c51d7200ff7210b0fa8288af7646e682de03e9fc2d50367f63bc60897d4ab462')
  })
})

describe('gitlab', () => {
  const { profile } = providerRecords.gitlab.full

  test.each([{ state: 'blocked' }, { state: 'deactivated' }, { state: null }, { locked: true }])(
    'creates no user from an account that is %j',
    async (more) => {
      expect(await profileOf('gitlab', { profile: { ...(profile as Json), ...more } })).toBeUndefined()
    },
  )

  test('has the addresses of the server that is named', () => {
    expect(endpointsOf('gitlab', { ...options, issuer: 'https://code.example.com/gitlab/' })).toEqual({
      authorization: 'https://code.example.com/gitlab/oauth/authorize',
      token: 'https://code.example.com/gitlab/oauth/token',
      profile: 'https://code.example.com/gitlab/api/v4/user',
    })
    expect(endpointsOf('gitlab', options).token).toBe('https://gitlab.com/oauth/token')
  })
})

test('discord: an animated avatar is a GIF, and an invalid hash is no picture', async () => {
  const imageOf = async (avatar: unknown) =>
    (await profileOf('discord', { profile: { ...(providerRecords.discord.full.profile as Json), avatar } }))?.image

  expect(await imageOf('a_8342')).toBe('https://cdn.discordapp.com/avatars/80351110224670001/a_8342.gif')
  expect(await imageOf('../../evil')).toBeNull()
  expect(await imageOf('')).toBeNull()
})

test('kick: an answer about no user, or about several, is none', async () => {
  const { data } = providerRecords.kick.full.profile as { data: unknown[] }

  expect(await profileOf('kick', { profile: { data: [] } })).toBeUndefined()
  expect(await profileOf('kick', { profile: { data: [...data, ...data] } })).toBeUndefined()
})

test('roblox: an address among the claims is not taken over', async () => {
  const profile = { sub: '1', name: 'Ada', email: ada, email_verified: true }

  expect(await profileOf('roblox', { profile })).toMatchObject({ email: null, emailVerified: false })
})

test('linkedin: verified may be written as text', async () => {
  const profile = { ...(providerRecords.linkedin.full.profile as Json), email_verified: 'true' }

  expect(await profileOf('linkedin', { profile })).toMatchObject({ emailVerified: true })
})

test('google, twitch: without an id token the server calls userinfo', async () => {
  for (const id of ['google', 'twitch'] as const) {
    const { claims } = providerRecords[id].full

    expect(await profileOf(id, { profile: claims })).toEqual({ id: expected[id].id, ...expected[id].full })
  }
})

describe('vk', () => {
  test('asks with the token in the form', async () => {
    const session = sessionOf('vk', providerRecords.vk.full)

    await providerRows.vk.profile(session)

    expect(session.asked).toEqual([
      {
        address: 'https://id.vk.ru/oauth2/user_info',
        form: { client_id: 'our client id', access_token: 'their access token' },
      },
    ])
  })

  test('passes on the device and the state', () => {
    const { tokenParams } = providerRows.vk

    expect(tokenParams!({ callback: { deviceId: 'device' }, state: 'state', grant: 'code' })).toEqual({
      device_id: 'device',
      state: 'state',
    })
    expect(tokenParams!({ callback: {}, grant: 'refresh' })).toEqual({})
  })

  test('speaks the language of the visitor', () => {
    const { authorizationParams } = providerRows.vk
    if (typeof authorizationParams !== 'function') throw new Error('its language depends on the visitor')

    expect(mailLocales.map((locale) => [locale, authorizationParams({ locale }).lang_id])).toEqual([
      ['en', '3'],
      ['de', '6'],
      ['es', '4'],
      ['fr', '16'],
      ['pl', '15'],
      ['ru', '0'],
      ['tr', '82'],
      ['uk', '1'],
    ])
  })
})

test.each([
  ['reddit', 'https://oauth.reddit.com/api/v1/me?raw_json=1', /^web:tollgate:/],
  ['github', 'https://api.github.com/user', undefined],
] as const)('%s: asks at %s', async (id, address, userAgent) => {
  const session = sessionOf(id, providerRecords[id].full)

  await providerRows[id].profile(session)

  expect(session.asked[0]?.address).toBe(address)
  if (userAgent) expect(session.asked[0]?.headers?.['user-agent']).toMatch(userAgent)
})

test('dropbox: asks by POST, without a body', async () => {
  const session = sessionOf('dropbox', providerRecords.dropbox.full)

  await providerRows.dropbox.profile(session)

  expect(session.asked).toEqual([{ address: 'https://api.dropboxapi.com/2/users/get_current_account', method: 'POST' }])
})

test('each provider has a row, addresses by https, and a button', () => {
  expect(Object.keys(providerRows).filter((id) => !isSocialProvider(id))).toEqual([])
  for (const id of socialProviders) {
    expect(providerRows[id].name).not.toBe('')
    for (const address of Object.values(endpointsOf(id, options))) expect(new URL(address!).protocol).toBe('https:')
  }
})
