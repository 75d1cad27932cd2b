import { type SocialProvider, socialProviders } from '@tollgate/contract/calls'
import { describe, expect, test } from 'vitest'
import { seconds } from '../../foundation/clock.ts'
import type { Visitor } from '../../testing.ts'
import { providerRecords, type RecordedAnswers } from './profiles.test-data.ts'
import { begin, comeBack, createSocialServer, errorPage, finish, link, signIn, target, whoIs } from './testing/flow.ts'
import { habits } from './testing/habits.ts'
import { json } from './testing/stand-in.ts'

/** Providers without addresses: the account gets a placeholder without mail (auth contract, section 10). */
const silent: readonly SocialProvider[] = ['reddit', 'roblox', 'tiktok']
/** Providers that vouch for the address in their full record; the others give unverified addresses. */
const vouching: readonly SocialProvider[] = [
  'google',
  'apple',
  'github',
  'microsoft',
  'discord',
  'gitlab',
  'linkedin',
  'twitter',
  'twitch',
  'dropbox',
  'zoom',
]

const isSilent = (id: SocialProvider): boolean => silent.includes(id)

/** The record of a kind; registers an empty test where the provider has no such person. */
const withRecord = (kind: 'noEmail' | 'unverifiedEmail'): [SocialProvider, RecordedAnswers][] =>
  socialProviders.flatMap((id) => {
    const record = providerRecords[id][kind]
    return record ? [[id, record] satisfies [SocialProvider, RecordedAnswers]] : []
  })

const ada = 'ada@example.com'

/** Another user, who has the address with a password. */
const squat = async (visitor: Visitor, email = ada): Promise<string> => {
  const { body } = await visitor.post('/sign-up/email', { name: 'Mallory', email, password: 'a password of theirs' })
  return body.user.id
}

describe.each(socialProviders)('%s', (id) => {
  test('signs a user in, keeps the tokens fresh, knows them again, and can be unlinked', async () => {
    await using server = await createSocialServer([id, id === 'github' ? 'gitlab' : 'github'])
    const standIn = server.at(id)
    // Every provider that issues refresh tokens has issued one, and reports its tokens' lifetime.
    const refreshes = id !== 'facebook'
    standIn.token = { ...standIn.token, expires_in: 3600, ...(refreshes && { refresh_token: 'to refresh' }) }
    const visitor = server.visitor()

    const to = await signIn(server, visitor, id, { callbackURL: '/welcome' })

    expect(to).toBe('/welcome')
    const user = await whoIs(visitor)
    const { accountId } = (await visitor.get('/list-accounts')).body[0]
    expect(user.email).toBe(isSilent(id) ? `${accountId}@${id}.invalid` : ada)
    expect(user.emailVerified).toBe(vouching.includes(id))
    expect(user.name).not.toBe('')
    const [account, ...others] = (await visitor.get('/list-accounts')).body
    expect(account).toMatchObject({ provider: id, providerId: id, userId: user.id })
    expect(account.scopes).not.toContain('')
    expect(others).toEqual([])

    const first = await visitor.post('/get-access-token', { providerId: id })
    expect(first.body.accessToken).toBe(`${standIn.token.access_token}.1`)
    expect(first.body.accessTokenExpiresAt).toBe('2026-03-01T13:00:00.000Z')
    expect((await visitor.post('/get-access-token', { accountId: account.id })).body).toEqual(first.body)

    server.clock.advance(seconds(3600 - 4))
    const second = await visitor.post('/get-access-token', { providerId: id })
    if (refreshes) {
      expect(second.body.accessToken).toBe(`${standIn.token.access_token}.2`)
      expect(second.body.accessTokenExpiresAt).toBe('2026-03-01T13:59:56.000Z')
      const third = await visitor.post('/refresh-token', { providerId: id })
      expect(third.body).toMatchObject({
        accessToken: `${standIn.token.access_token}.3`,
        refreshToken: 'to refresh.3',
        providerId: id,
        accountId: account.accountId,
      })
      expect((await visitor.post('/get-access-token', { providerId: id })).body.accessToken).toBe(
        third.body.accessToken,
      )
    } else {
      expect(second.status).toBe(400)
      expect(second.body.message).toBe(`Provider ${id} does not support token refreshing.`)
      expect((await visitor.post('/refresh-token', { providerId: id })).body).toEqual(second.body)
    }

    const later = server.visitor()
    expect(await signIn(server, later, id, { newUserCallbackURL: '/new' })).toBe('http://localhost:3000')
    expect((await whoIs(later)).id).toBe(user.id)

    const unlinked = { providerId: id, accountId: account.accountId }
    const last = await later.post('/unlink-account', unlinked)
    expect(last.body.message).toBe("You can't unlink your last account")
    server.at(id === 'github' ? 'gitlab' : 'github').person = {
      profile: { id: 7, state: 'active', email: user.email, confirmed_at: '2020-01-01T10:05:00.000Z' },
      email: [{ email: user.email, primary: true, verified: true }],
    }
    expect(await link(server, later, id === 'github' ? 'gitlab' : 'github', { callbackURL: '/linked' })).toBe('/linked')
    expect((await later.post('/unlink-account', unlinked)).body).toEqual({ status: true })
    expect((await later.get('/list-accounts')).body).toHaveLength(1)
  })

  test('gives little of a user, and they are admitted or learn what is missing', async () => {
    await using server = await createSocialServer([id])
    server.at(id).person = providerRecords[id].minimal
    const visitor = server.visitor()

    const to = await signIn(server, visitor, id, { newUserCallbackURL: '/new', errorCallbackURL: '/failed' })

    const hasAddress = isSilent(id) || id === 'gitlab' || id === 'dropbox'
    expect(to).toBe(hasAddress ? '/new' : '/failed?error=email_not_found')
    expect((await whoIs(visitor)) !== null).toBe(hasAddress)
  })

  test('does not return a user’s profile', async () => {
    await using server = await createSocialServer([id])
    const { error } = providerRecords[id]
    const { profile, jwks } = habits[id]
    const asked = server.at(id).person.claims ? jwks : profile
    server.at(id).instead.set(asked ?? '', () => json(error?.body ?? {}, error?.status ?? 500))
    const visitor = server.visitor()

    const to = await signIn(server, visitor, id)

    expect(to).toBe(errorPage('unable_to_get_user_info'))
    expect(await whoIs(visitor)).toBeNull()
    expect(await server.events('user.created')).toEqual([])
  })

  test('refuses the code', async () => {
    await using server = await createSocialServer([id])
    const standIn = server.at(id)
    const visitor = server.visitor()
    const { state = '', device_id = '' } = standIn.agree(await begin(visitor, id))

    const values = { code: 'one of somebody else', state, ...(device_id && { device_id }) }
    const to = target(await comeBack(visitor, id, values))

    expect(to).toBe(errorPage('invalid_code'))
    expect(await whoIs(visitor)).toBeNull()
  })
})

test.each(withRecord('noEmail'))('%s: a user without an address is refused with the reason', async (id, person) => {
  await using server = await createSocialServer([id])
  server.at(id).person = person
  const visitor = server.visitor()

  expect(await signIn(server, visitor, id)).toBe(errorPage('email_not_found'))
  expect(await whoIs(visitor)).toBeNull()
})

test.each(withRecord('unverifiedEmail'))('%s: an unverified address takes over no account', async (id, person) => {
  await using server = await createSocialServer([id])
  const owner = server.visitor()
  await squat(owner)
  server.at(id).person = person
  const visitor = server.visitor()

  expect(await signIn(server, visitor, id)).toBe(errorPage('account_not_linked'))
  expect(await whoIs(visitor)).toBeNull()
  expect((await owner.get('/list-accounts')).body).toMatchObject([{ provider: 'credential' }])
})

test.each(socialProviders.filter((id) => !vouching.includes(id) && !isSilent(id)))(
  '%s never vouches for an address, so it never leads to an existing user',
  async (id) => {
    await using server = await createSocialServer([id])
    await squat(server.visitor())
    const visitor = server.visitor()

    expect(await signIn(server, visitor, id)).toBe(errorPage('account_not_linked'))
    expect(await whoIs(visitor)).toBeNull()
  },
)

test.each(['github', 'microsoft', 'linkedin', 'dropbox', 'reddit'] as const)(
  '%s without a refresh token: a token is given while it lives',
  async (id) => {
    await using server = await createSocialServer([id])
    const visitor = server.visitor()
    await signIn(server, visitor, id)
    expect((await visitor.post('/get-access-token', { providerId: id })).status).toBe(200)

    server.clock.advance(seconds(5_300_000 / 10))

    const answer = await visitor.post('/get-access-token', { providerId: id })
    const endless = id === 'github' || id === 'linkedin'
    expect(answer.status).toBe(endless ? 200 : 400)
    expect(answer.body.code).toBe(endless ? undefined : 'FAILED_TO_GET_A_VALID_ACCESS_TOKEN')
    expect((await visitor.post('/refresh-token', { providerId: id })).body.code).toBe('FAILED_TO_REFRESH_ACCESS_TOKEN')
  },
)

test('apple’s name comes with the posted form, and the form cannot change the address', async () => {
  await using server = await createSocialServer(['apple'])
  const visitor = server.visitor()

  await finish(server, visitor, server.at('apple'), await begin(visitor, 'apple'))

  expect(await whoIs(visitor)).toMatchObject({ name: 'Ada Example', email: ada })
})

test('tiktok under the name that it has for the id', async () => {
  await using server = await createSocialServer(['tiktok'], {
    further: { clientId: 'passed over', clientKey: 'our-client_id' },
  })
  const visitor = server.visitor()

  expect(await signIn(server, visitor, 'tiktok', { callbackURL: '/in' })).toBe('/in')
})
