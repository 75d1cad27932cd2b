import { createHash } from 'node:crypto'
import { type SocialProvider, socialProviders } from '@tollgate/contract/calls'
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { after, minutes } from '../../foundation/clock.ts'
import { testStart } from '../../testing.ts'
import { facebookClaims, providerRecords } from './profiles.test-data.ts'
import type { Json } from './protocol/provider.ts'
import { createSocialServer, signIn, whoIs } from './testing/flow.ts'
import { habits } from './testing/habits.ts'
import { newKeySet } from './testing/keys.ts'
import { json } from './testing/stand-in.ts'

/** Providers that give id tokens to apps, and their claims about Ada. */
const claimsOf = {
  google: providerRecords.google.full.claims ?? {},
  apple: providerRecords.apple.full.claims ?? {},
  microsoft: providerRecords.microsoft.full.claims ?? {},
  facebook: facebookClaims,
} as const satisfies Partial<Record<SocialProvider, Json>>

const able = Object.keys(claimsOf) as (keyof typeof claimsOf)[]

const answers = {
  invalid: [401, { code: 'INVALID_TOKEN', message: 'invalid token' }],
  notSupported: [404, { code: 'ID_TOKEN_NOT_SUPPORTED', message: 'id_token not supported' }],
  noProfile: [401, { code: 'FAILED_TO_GET_USER_INFO', message: 'Failed to get user info' }],
  noEmail: [401, { code: 'USER_EMAIL_NOT_FOUND', message: 'User email not found' }],
  notLinked: [401, { code: 'ACCOUNT_NOT_LINKED', message: 'account not linked' }],
  noSignUp: [401, { code: 'SIGNUP_DISABLED', message: 'signup disabled' }],
} as const

/** A server with one provider, and a function that signs in there with a token of these claims. */
async function withProvider(id: SocialProvider, further: Parameters<typeof createSocialServer>[1] = {}) {
  const server = await createSocialServer([id], further)
  const visitor = server.visitor()
  const ask = async (token: string, more: Json = {}, body: Json = {}) => {
    const answer = await visitor.post('/sign-in/social', { provider: id, idToken: { token, ...more }, ...body })
    return [answer.status, answer.body]
  }
  return {
    server,
    visitor,
    standIn: server.at(id),
    ask,
    bring: async (claims: Json, more: Json = {}, body: Json = {}) => ask(await server.at(id).sign(claims), more, body),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

describe.each(able)('%s', (id) => {
  const claims: Json = claimsOf[id]

  test('an id token signs in: a session, and the user', async () => {
    await using at = await withProvider(id)

    const [status, body] = await at.bring(claims, {}, { callbackURL: '/in' })

    expect(status).toBe(200)
    expect(body).toMatchObject({ redirect: false, user: { email: 'ada@example.com' } })
    expect(body.token).toMatch(/^[A-Za-z0-9]{32}$/)
    const { session, user } = (await at.visitor.get('/get-session')).body
    expect([session.token, user.id]).toEqual([body.token, body.user.id])
    expect((await at.visitor.get('/list-accounts')).body).toMatchObject([{ provider: id, accountId: claims.sub }])
    // A second sign-in finds the same user.
    expect((await at.bring(claims))[1].user.id).toBe(body.user.id)
  })

  test('an id token and the browser lead to the same user', async () => {
    await using at = await withProvider(id)
    await signIn(at.server, at.visitor, id)
    const { id: userId } = await whoIs(at.visitor)

    expect((await at.bring(claims))[1].user.id).toBe(userId)
  })

  test('a token that is not true, not theirs or not for us is refused', async () => {
    await using at = await withProvider(id)
    const { privateKey } = await newKeySet()
    const now = Math.floor(testStart.getTime() / 1000)
    const foreign = new SignJWT({ ...claims, iss: habits[id].issuer ?? '', aud: at.standIn.clientId, exp: now + 600 })
    const forged = await foreign.setProtectedHeader({ alg: 'RS256', kid: 'key-1' }).sign(privateKey)

    expect(await at.ask(forged)).toEqual(answers.invalid)
    expect(await at.ask('none')).toEqual(answers.invalid)
    expect(await at.ask('')).toEqual(answers.invalid)
    expect(await at.bring({ ...claims, iss: 'https://evil.example' })).toEqual(answers.invalid)
    expect(await at.bring({ ...claims, aud: 'another' })).toEqual(answers.invalid)
    expect(await at.bring({ ...claims, exp: now - 61 })).toEqual(answers.invalid)
    expect(await at.bring({ ...claims, sub: undefined })).toEqual(answers.invalid)
    expect(await whoIs(at.visitor)).toBeNull()
  })

  test('a nonce must be the one of the token, where one is given', async () => {
    await using at = await withProvider(id)
    const nonce = 'a nonce of the app'
    const hashed = createHash('sha256').update(nonce).digest('hex')

    expect(await at.bring({ ...claims, nonce: 'another' }, { nonce })).toEqual(answers.invalid)
    expect(await at.bring(claims, { nonce })).toEqual(answers.invalid)
    expect((await at.bring({ ...claims, nonce }, { nonce }))[0]).toBe(200)
    // The phone libraries of apple and google hash the nonce before they send it.
    const mayBeHashed = id === 'apple' || id === 'google'
    expect((await at.bring({ ...claims, nonce: hashed }, { nonce }))[0]).toBe(mayBeHashed ? 200 : 401)
  })

  test('without an address, without sign-up, without a match', async () => {
    await using at = await withProvider(id)
    expect(await at.bring({ ...claims, email: undefined })).toEqual(answers.noEmail)
    expect(await at.bring({ ...claims, email: 'not one' })).toEqual(answers.noEmail)
    await at.server
      .visitor()
      .post('/sign-up/email', { name: 'M', email: 'ada@example.com', password: 'theirs, not hers' })
    expect(await at.bring({ ...claims, email_verified: false, xms_edov: false })).toEqual(answers.notLinked)

    await using closed = await withProvider(id, { further: { disableSignUp: true } })
    expect(await closed.bring(claims)).toEqual(answers.noSignUp)
    await using asked = await withProvider(id, { further: { disableImplicitSignUp: true } })
    expect(await asked.bring(claims)).toEqual(answers.noSignUp)
    expect((await asked.bring(claims, {}, { requestSignUp: true }))[0]).toBe(200)
  })
})

test.each(socialProviders.filter((id) => !(id in claimsOf)))('%s has no id tokens that sign in', async (id) => {
  await using at = await withProvider(id)

  expect(await at.bring({ sub: '1', email: 'ada@example.com', email_verified: true })).toEqual(answers.notSupported)
})

test('a token without our audience gives no profile', async () => {
  await using at = await withProvider('google')

  expect(await at.bring({ ...claimsOf.google, sub: 'blanks in it' })).toEqual(answers.noProfile)
  expect(await at.bring({ ...claimsOf.google, sub: 'x'.repeat(256) })).toEqual(answers.noProfile)
})

test('a token is accepted for a day after it was issued, however late it expires', async () => {
  await using at = await withProvider('google')
  const now = Math.floor(testStart.getTime() / 1000)
  const issued = (age: number) => at.bring({ ...claimsOf.google, iat: now - age, exp: now + 40_000_000 })

  expect((await issued(86_400))[0]).toBe(200)
  expect(await issued(86_400 + 61)).toEqual(answers.invalid)
  expect(await issued(400 * 86_400)).toEqual(answers.invalid)
  expect(await issued(-61)).toEqual(answers.invalid)
  expect(await at.bring({ ...claimsOf.google, iat: undefined })).toEqual(answers.invalid)
})

test('the configuration sets the maximum age of a provider’s token', async () => {
  await using at = await withProvider('google', { further: { idTokenMaxAge: 600 } })
  const now = Math.floor(testStart.getTime() / 1000)

  expect((await at.bring({ ...claimsOf.google, iat: now - 600 }))[0]).toBe(200)
  expect(await at.bring({ ...claimsOf.google, iat: now - 661 })).toEqual(answers.invalid)
})

test('an address with blanks around it is none that the provider vouches for', async () => {
  await using at = await withProvider('google')
  const ada = await at.server.signedUp()
  await ada.request('GET', await at.server.linkTo(ada.email))

  expect(await at.bring({ ...claimsOf.google, email: ` ${ada.email}`, email_verified: true })).toEqual(
    answers.notLinked,
  )
  const [, body] = await at.bring({ ...claimsOf.google, email: 'new@example.com ', email_verified: true })
  expect(body.user).toMatchObject({ email: 'new@example.com', emailVerified: false })
})

test('keys that cannot be read make no token true', async () => {
  await using at = await withProvider('google')
  at.standIn.instead.set(habits.google.jwks ?? '', () => json({}, 503))

  expect(await at.bring(claimsOf.google)).toEqual(answers.invalid)
})

test('an app of ours has a client id of its own: only those that are named are taken', async () => {
  await using at = await withProvider('google', { further: { audience: ['our-app'] } })

  expect((await at.bring({ ...claimsOf.google, aud: 'our-app' }))[0]).toBe(200)
  expect((await at.bring({ ...claimsOf.google, aud: ['our-app', 'x'], azp: 'our-app' }))[0]).toBe(200)
  expect(await at.bring({ ...claimsOf.google, aud: ['our-app', 'x'], azp: 'x' })).toEqual(answers.invalid)
  expect(await at.bring({ ...claimsOf.google, aud: 'another-app' })).toEqual(answers.invalid)
})

test('the app’s further tokens are kept, until their expiry', async () => {
  await using at = await withProvider('google')
  const soon = Math.floor(after(testStart, minutes(30)).getTime() / 1000)
  const given = { accessToken: 'the app’s', refreshToken: 'to refresh', expiresAt: soon }
  await at.bring(claimsOf.google, given)

  const { body } = await at.visitor.post('/get-access-token', { providerId: 'google' })

  expect(body).toMatchObject({ accessToken: 'the app’s', accessTokenExpiresAt: '2026-03-01T12:30:00.000Z' })
  await at.bring(claimsOf.google, { ...given, expiresAt: soon * 1000 })
  expect((await at.visitor.post('/get-access-token', { providerId: 'google' })).body).toMatchObject({
    accessTokenExpiresAt: '2026-03-01T12:30:00.000Z',
  })
})

test.each([0, -1, 1e15, 1e300, 0.5])('an app whose token expiry is %s breaks nothing', async (expiresAt) => {
  await using at = await withProvider('google')

  expect((await at.bring(claimsOf.google, { accessToken: 'the app’s', expiresAt }))[0]).toBe(200)
  // Either the contract's answer, or a refusal because the token has expired.
  const { status } = await at.visitor.post('/get-access-token', { providerId: 'google' })
  expect(status).toBe(expiresAt === 0.5 ? 400 : 200)
})

test('without an access token there is none to be given', async () => {
  await using at = await withProvider('apple')
  await at.bring(claimsOf.apple)

  const { body } = await at.visitor.post('/get-access-token', { providerId: 'apple' })

  expect(body.code).toBe('FAILED_TO_GET_A_VALID_ACCESS_TOKEN')
})

test('a user who is banned is refused with the reason', async () => {
  await using at = await withProvider('google')
  const { user } = (await at.bring(claimsOf.google))[1]
  const root = await at.server.administrator()
  await root.post('/admin/ban-user', { userId: user.id })

  const [status, body] = await at.bring(claimsOf.google)

  expect([status, body.code]).toEqual([403, 'BANNED_USER'])
})

test('an address that is vouched for leads to who has it', async () => {
  await using at = await withProvider('google')
  const ada = await at.server.signedUp()
  await ada.request('GET', await at.server.linkTo(ada.email))

  const [, body] = await at.bring({ ...claimsOf.google, email: ada.email })

  expect(body.user.id).toBe(ada.id)
})
