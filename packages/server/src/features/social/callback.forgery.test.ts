import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, expect, test, vi } from 'vitest'
import { after, minutes, systemClock } from '../../foundation/clock.ts'
import { testStart } from '../../testing.ts'
import type { Json } from './protocol/provider.ts'
import { begin, createSocialServer, errorPage, finish, signIn, target, whoIs } from './testing/flow.ts'
import { habits } from './testing/habits.ts'
import { newKeySet } from './testing/keys.ts'
import { json, type StandIn } from './testing/stand-in.ts'

/** What an attacker would need to pass off a forged or foreign id token. */
type Forgery = (claims: Json, sign: (claims: Json) => Promise<string>, standIn: StandIn) => Promise<string>

const aMinuteAgo = Math.floor(after(testStart, -minutes(1)).getTime() / 1000)
const aud = 'our-client_id'
const whole = (claims: Json): JWTPayload => ({
  iss: 'https://accounts.google.com',
  aud,
  exp: Math.floor(after(testStart, minutes(60)).getTime() / 1000),
  ...claims,
})

/** The published key as text: a server that confuses the two kinds of key would use it for an HMAC. */
const publishedKey = async (standIn: StandIn): Promise<string> => {
  const answer = await standIn.fetch(habits.google.jwks ?? '', {})
  return JSON.stringify(((await answer.json()) as { keys: unknown[] }).keys[0])
}

const forgeries: [string, Forgery][] = [
  ['of another issuer', (claims, sign) => sign({ ...claims, iss: 'https://evil.example' })],
  [
    'of an issuer whose name begins alike',
    (claims, sign) => sign({ ...claims, iss: 'https://accounts.google.com.evil.example' }),
  ],
  ['without issuer', (claims, sign) => sign({ ...claims, iss: undefined })],
  ['for another application', (claims, sign) => sign({ ...claims, aud: 'another-client' })],
  ['without audience', (claims, sign) => sign({ ...claims, aud: undefined })],
  ['for several, made for another one', (claims, sign) => sign({ ...claims, aud: [aud, 'another'], azp: 'another' })],
  [
    'for several, made for nobody in particular',
    (claims, sign) => sign({ ...claims, aud: [aud, 'another'], azp: undefined }),
  ],
  ['that has run out', (claims, sign) => sign({ ...claims, exp: aMinuteAgo - 1 })],
  ['that does not run out', (claims, sign) => sign({ ...claims, exp: undefined })],
  ['that is not good yet', (claims, sign) => sign({ ...claims, nbf: aMinuteAgo + 150 })],
  ['of nobody', (claims, sign) => sign({ ...claims, sub: undefined })],
  ['of another nonce', (claims, sign) => sign({ ...claims, nonce: 'another' })],
  ['without nonce', (claims, sign) => sign({ ...claims, nonce: undefined })],
  ['whose nonce is a list', (claims, sign) => sign({ ...claims, nonce: [claims.nonce] })],
  ['that nobody signed (alg none)', async (claims) => new UnsecuredJWT(whole(claims)).encode()],
  [
    'signed with the published key as if it were a shared secret',
    async (claims, _sign, standIn) =>
      new SignJWT(whole(claims))
        .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
        .sign(Buffer.from(await publishedKey(standIn))),
  ],
  [
    'signed with our own secret',
    async (claims, _sign, { clientSecret }) =>
      new SignJWT(whole(claims)).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(clientSecret.padEnd(32, '='))),
  ],
  [
    'signed by a foreign key under the name of theirs',
    async (claims) => {
      const { privateKey } = await newKeySet()
      return new SignJWT(whole(claims)).setProtectedHeader({ alg: 'RS256', kid: 'key-1' }).sign(privateKey)
    },
  ],
  [
    'that brings its own key along',
    async (claims) => {
      const { privateKey, publicKey } = await newKeySet()
      const header = { alg: 'RS256', jwk: publicKey, jku: 'https://evil.example/keys' }
      return new SignJWT(whole(claims)).setProtectedHeader(header).sign(privateKey)
    },
  ],
  [
    'whose claims were changed',
    async (claims, sign) => {
      const [header, , signature] = (await sign(claims)).split('.')
      const other = Buffer.from(JSON.stringify(whole({ ...claims, sub: 'somebody else' }))).toString('base64url')
      return `${header}.${other}.${signature}`
    },
  ],
  ['that is none', async () => 'a.b.c'],
  ['that is empty', async () => '..'],
]

test.each(forgeries)('an id token %s gives no profile', async (_, forge) => {
  await using server = await createSocialServer(['google'])
  const standIn = server.at('google')
  standIn.idToken = (claims, sign) => forge(claims, sign, standIn)
  const visitor = server.visitor()

  const to = await signIn(server, visitor, 'google')

  expect(to).toBe(errorPage('unable_to_get_user_info'))
  expect(await whoIs(visitor)).toBeNull()
  expect(await server.events('user.created')).toEqual([])
})

test.each<[string, Forgery]>([
  ['for several applications, made for ours', (claims, sign) => sign({ ...claims, aud: [aud, 'another'], azp: aud })],
  ['of the issuer as it was written before', (claims, sign) => sign({ ...claims, iss: 'accounts.google.com' })],
  [
    'that ran out less than a minute ago, by a clock that is slow',
    (claims, sign) => sign({ ...claims, exp: aMinuteAgo + 1 }),
  ],
])('an id token %s is good', async (_, make) => {
  await using server = await createSocialServer(['google'])
  const standIn = server.at('google')
  standIn.idToken = (claims, sign) => make(claims, sign, standIn)

  expect(await signIn(server, server.visitor(), 'google')).toBe('http://localhost:3000')
})

test('an id token of another sign-in does not fit this one', async () => {
  await using server = await createSocialServer(['google'])
  const standIn = server.at('google')
  let stolen = ''
  standIn.idToken = async (claims, sign) => {
    stolen ||= await sign(claims)
    return stolen
  }
  expect(await signIn(server, server.visitor(), 'google')).toBe('http://localhost:3000')

  expect(await signIn(server, server.visitor(), 'google')).toBe(errorPage('unable_to_get_user_info'))
})

test('a tenant of microsoft cannot speak for another one', async () => {
  await using server = await createSocialServer(['microsoft'], {
    further: { tenantId: 'aaaabbbb-0000-cccc-1111-dddd2222eeee' },
  })
  const standIn = server.at('microsoft')
  const foreignTenant = '99999999-0000-cccc-1111-dddd2222eeee'
  const claims = standIn.person.claims ?? {}
  // A pinned tenant has its own addresses; the stand-in serves every tenant.
  const { config } = server.tollgate.internals.ctx
  Object.assign(config.socialProviders.microsoft ?? {}, {
    endpoints: {
      authorization: habits.microsoft.authorize,
      token: habits.microsoft.token,
      jwks: habits.microsoft.jwks,
    },
  })
  standIn.person = {
    claims: { ...claims, tid: foreignTenant, iss: `https://login.microsoftonline.com/${foreignTenant}/v2.0` },
  }
  expect(await signIn(server, server.visitor(), 'microsoft')).toBe(errorPage('unable_to_get_user_info'))
  standIn.person = { claims: { ...claims, tid: foreignTenant } }
  expect(await signIn(server, server.visitor(), 'microsoft')).toBe(errorPage('unable_to_get_user_info'))
  standIn.person = { claims: { ...claims, iss: `https://login.microsoftonline.com/${foreignTenant}/v2.0` } }
  expect(await signIn(server, server.visitor(), 'microsoft')).toBe(errorPage('unable_to_get_user_info'))
  standIn.person = { claims }

  expect(await signIn(server, server.visitor(), 'microsoft')).toBe('http://localhost:3000')
})

afterEach(() => void vi.useRealTimers())

test('keys that a provider has changed are read again, and the old ones are not believed any more', async () => {
  // The key cache measures by the machine's clock.
  const machine = systemClock.now()
  vi.useFakeTimers({ toFake: ['Date'], now: machine })
  await using server = await createSocialServer(['google'])
  const standIn = server.at('google')
  const { jwks = '' } = habits.google
  const readings = () => standIn.asked.filter((each) => each === `GET ${jwks}`).length
  expect(await signIn(server, server.visitor(), 'google')).toBe('http://localhost:3000')
  expect(await signIn(server, server.visitor(), 'google')).toBe('http://localhost:3000')
  expect(readings()).toBe(1)
  let old = ''
  standIn.idToken = async (claims, sign) => {
    old = await sign(claims)
    return old
  }
  const late = server.visitor()
  const url = await begin(late, 'google')
  const nonce = new URL(url).searchParams.get('nonce')
  old = await standIn.sign({ ...standIn.person.claims, nonce })

  await standIn.changeKeys()
  vi.setSystemTime(after(machine, minutes(1)))

  standIn.idToken = (claims, sign) => sign(claims)
  expect(await signIn(server, server.visitor(), 'google')).toBe('http://localhost:3000')
  expect(readings()).toBe(2)
  standIn.idToken = async () => old
  vi.setSystemTime(after(machine, minutes(2)))
  expect(target(await finish(server, late, standIn, url))).toBe(errorPage('unable_to_get_user_info'))
})

test('tokens that name unknown keys do not make us ask for keys each time', async () => {
  await using server = await createSocialServer(['google'])
  const standIn = server.at('google')
  const { privateKey } = await newKeySet()
  standIn.idToken = async (claims) =>
    new SignJWT(whole(claims)).setProtectedHeader({ alg: 'RS256', kid: 'unknown' }).sign(privateKey)

  for (let count = 0; count < 4; count += 1)
    expect(await signIn(server, server.visitor(), 'google')).toBe(errorPage('unable_to_get_user_info'))

  expect(standIn.asked.filter((each) => each === `GET ${habits.google.jwks}`)).toHaveLength(1)
})

test('a set of keys that cannot be read today is read tomorrow', async () => {
  await using server = await createSocialServer(['google'])
  const standIn = server.at('google')
  standIn.instead.set(habits.google.jwks ?? '', () => json({ error: 'down' }, 503))
  expect(await signIn(server, server.visitor(), 'google')).toBe(errorPage('unable_to_get_user_info'))

  standIn.instead.clear()

  expect(await signIn(server, server.visitor(), 'google')).toBe('http://localhost:3000')
})
