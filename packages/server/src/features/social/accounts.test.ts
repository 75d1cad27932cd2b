import { expect, test } from 'vitest'
import { minutes, seconds } from '../../foundation/clock.ts'
import type { TestServer } from '../../testing.ts'
import { createSocialServer, link, signIn, whoIs } from './testing/flow.ts'
import { habits } from './testing/habits.ts'
import { json } from './testing/stand-in.ts'

const { token } = habits.discord
/** Nearly the week that tokens live; sessions must not expire meanwhile. */
const almostAll = seconds(604_800 - 4)
const tokenCalls = (asked: readonly string[]): number => asked.filter((each) => each === `POST ${token}`).length
const headersOf = ({ cookies }: { cookies: Map<string, string> }) => ({
  cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
})
const stored = (server: TestServer) =>
  server.tollgate.internals.ctx.db.selectFrom('account').selectAll().executeTakeFirstOrThrow()

test('list-accounts returns the accounts of the signed-in user, and no token', async () => {
  await using server = await createSocialServer(['discord'])
  const ada = server.visitor()
  await signIn(server, ada, 'discord')
  const { id } = await whoIs(ada)

  const { body } = await ada.get('/list-accounts')

  expect(body).toEqual([
    {
      id: expect.any(String),
      provider: 'discord',
      providerId: 'discord',
      accountId: '80351110224670001',
      userId: id,
      scopes: ['email', 'identify'],
      createdAt: '2026-03-01T12:00:00.000Z',
      updatedAt: '2026-03-01T12:00:00.000Z',
    },
  ])
  expect((await server.visitor().get('/list-accounts')).status).toBe(401)
  const eve = await server.signedUp('Eve')
  const [own] = (await eve.get('/list-accounts')).body
  expect(own).toMatchObject({ provider: 'credential', accountId: (await whoIs(eve)).id, scopes: [] })
})

test('a token is refreshed when less than five seconds of it are left, and kept', async () => {
  await using server = await createSocialServer(['discord'])
  const ada = server.visitor()
  await signIn(server, ada, 'discord')
  const get = async () => (await ada.post('/get-access-token', { providerId: 'discord' })).body
  const life = seconds(604_800)

  server.clock.advance(life - seconds(5))
  expect((await get()).accessToken).toBe('opaque.1')
  server.clock.advance(1)
  expect(await get()).toEqual({
    accessToken: 'opaque.2',
    accessTokenExpiresAt: '2026-03-15T11:59:55.001Z',
    scopes: ['email', 'identify'],
  })
  expect((await get()).accessToken).toBe('opaque.2')
  expect((await stored(server)).updatedAt).toEqual(server.clock.now())
  expect(tokenCalls(server.at('discord').asked)).toBe(2)
})

test('refresh-token answers in the words of both versions of the clients', async () => {
  await using server = await createSocialServer(['tiktok'])
  const ada = server.visitor()
  await signIn(server, ada, 'tiktok')

  const { body } = await ada.post('/refresh-token', { providerId: 'tiktok' })

  expect(body).toEqual({
    accessToken: 'act.example12345.2',
    refreshToken: 'rft.example12345.2',
    tokenType: 'bearer',
    scopes: ['user.info.basic'],
    scope: 'user.info.basic',
    accessTokenExpiresAt: '2026-03-01T14:00:00.000Z',
    refreshTokenExpiresAt: '2026-08-28T12:00:00.000Z',
    providerId: 'tiktok',
    accountId: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
  })
})

test('an answer without a new refresh token leaves the old one good', async () => {
  await using server = await createSocialServer(['discord'])
  const ada = server.visitor()
  await signIn(server, ada, 'discord')
  const given: (string | null)[] = []
  server.at('discord').instead.set(token, ({ body }) => {
    given.push(new URLSearchParams(String(body)).get('refresh_token'))
    return json({ access_token: `fresh ${given.length}`, token_type: 'bearer', expires_in: 60 })
  })

  const first = await ada.post('/refresh-token', { providerId: 'discord' })
  const second = await ada.post('/refresh-token', { providerId: 'discord' })

  expect([first.body.accessToken, second.body.accessToken]).toEqual(['fresh 1', 'fresh 2'])
  expect(first.body.refreshToken).toBe('opaque too.1')
  expect(given).toEqual(['opaque too.1', 'opaque too.1'])
})

test('asked for at the same moment, a token that has run out is refreshed once', async () => {
  await using server = await createSocialServer(['discord'])
  const ada = server.visitor()
  await signIn(server, ada, 'discord')
  server.clock.advance(almostAll)

  const answers = await Promise.all(
    Array.from({ length: 6 }, () => ada.post('/get-access-token', { providerId: 'discord' })),
  )

  expect(new Set(answers.map(({ body }) => body.accessToken))).toEqual(new Set(['opaque.2']))
  expect(tokenCalls(server.at('discord').asked)).toBe(2)
})

test('a refresh token that another process has just used up is not tried again', async () => {
  await using server = await createSocialServer(['discord'])
  const ada = server.visitor()
  await signIn(server, ada, 'discord')
  const { ctx } = server.tollgate.internals
  // The other process refreshes and stores before the provider refuses ours.
  server.at('discord').instead.set(token, async () => {
    await ctx.transaction((tx) =>
      tx
        .updateTable('account')
        .set({
          accessToken: ctx.secrets.seal('theirs', 'provider-token'),
          refreshToken: ctx.secrets.seal('their next', 'provider-token'),
        })
        .execute(),
    )
    return json({ error: 'invalid_grant' }, 400)
  })

  const { status, body } = await ada.post('/refresh-token', { providerId: 'discord' })

  expect([status, body.accessToken, body.refreshToken]).toEqual([200, 'theirs', 'their next'])
})

test.each([
  ['refuses', () => json({ error: 'invalid_grant' }, 400)],
  ['is down', () => json({}, 503)],
  ['sends nothing of use', () => json([])],
])('a provider that %s leaves the tokens as they are', async (_, answer) => {
  await using server = await createSocialServer(['discord'])
  const ada = server.visitor()
  await signIn(server, ada, 'discord')
  const before = await stored(server)
  server.at('discord').instead.set(token, answer)

  const refresh = await ada.post('/refresh-token', { providerId: 'discord' })
  expect([refresh.status, refresh.body]).toEqual([
    400,
    { code: 'FAILED_TO_REFRESH_ACCESS_TOKEN', message: 'Failed to refresh access token' },
  ])
  server.clock.advance(almostAll)
  const get = await ada.post('/get-access-token', { providerId: 'discord' })
  expect([get.status, get.body]).toEqual([
    400,
    { code: 'FAILED_TO_GET_A_VALID_ACCESS_TOKEN', message: 'Failed to get a valid access token' },
  ])

  expect(await stored(server)).toEqual(before)
  server.at('discord').instead.clear()
  expect((await ada.post('/get-access-token', { providerId: 'discord' })).status).toBe(200)
})

test('which account is meant, and which is not', async () => {
  await using server = await createSocialServer(['discord', 'google'])
  const ada = await server.signedUp('Ada')
  server.at('discord').person = { profile: { id: '7', username: 'ada', email: ada.email, verified: true } }
  await link(server, ada, 'discord')
  const eve = server.visitor()
  await signIn(server, eve, 'google')
  const { id: evesId } = await whoIs(eve)
  const [evesAccount] = (await eve.get('/list-accounts')).body

  for (const path of ['/get-access-token', '/refresh-token']) {
    const ask = async (body: unknown) => {
      const answer = await ada.post(path, body)
      return answer.body.code ?? answer.status
    }
    expect(await ask({ providerId: 'discord' })).toBe(200)
    expect(await ask({ accountId: '7' })).toBe(200)
    expect(await ask({ providerId: 'google' })).toBe('ACCOUNT_NOT_FOUND')
    expect(await ask({ providerId: 'google', userId: evesId })).toBe('ACCOUNT_NOT_FOUND')
    expect(await ask({ accountId: evesAccount.id })).toBe('ACCOUNT_NOT_FOUND')
    expect(await ask({ accountId: evesAccount.id, userId: evesId })).toBe('ACCOUNT_NOT_FOUND')
    expect(await ask({})).toBe('ACCOUNT_NOT_FOUND')
    expect(await ask({ providerId: 'credential' })).toBe('PROVIDER_CREDENTIAL_IS_NOT_SUPPORTED')
    expect(await ask({ providerId: 'nobody' })).toBe('PROVIDER_NOBODY_IS_NOT_SUPPORTED')
    expect(await ask({ providerId: 1 })).toBe('VALIDATION_ERROR')
    expect((await server.visitor().post(path, { providerId: 'google', userId: evesId })).status).toBe(401)
  }
  expect((await ada.post('/get-access-token', { providerId: 'nobody' })).body.message).toBe(
    'Provider nobody is not supported.',
  )
})

test('server code may act for a user or a session, and must name it', async () => {
  await using server = await createSocialServer(['discord'])
  const ada = server.visitor()
  await signIn(server, ada, 'discord')
  const { id: userId } = await whoIs(ada)
  const { api } = server.tollgate
  const body = { providerId: 'discord' }

  expect((await api.getAccessToken({ body: { ...body, userId } })).accessToken).toBe('opaque.1')
  expect((await api.getAccessToken({ body, headers: headersOf(ada) })).accessToken).toBe('opaque.1')
  expect((await api.refreshToken({ body: { ...body, userId } })).accessToken).toBe('opaque.2')
  await expect(api.getAccessToken({ body })).rejects.toMatchObject({
    row: { status: 400 },
    message: 'Either userId or session is required',
  })
  await expect(api.getAccessToken({ body: { ...body, userId: 'nobody' } })).rejects.toMatchObject({
    message: 'Account not found',
  })
})

test('account-info asks the provider who the account is now', async () => {
  await using server = await createSocialServer(['discord'])
  const ada = server.visitor()
  await signIn(server, ada, 'discord')
  const [account] = (await ada.get('/list-accounts')).body
  server.at('discord').person = {
    profile: { id: account.accountId, username: 'ada', email: 'new@example.com', verified: true },
  }

  const { body } = await ada.get(`/account-info?accountId=${account.id}`)

  expect(body.user).toEqual({
    id: account.accountId,
    name: 'ada',
    email: 'new@example.com',
    emailVerified: true,
    image: null,
  })
  expect(body.account.id).toBe(account.id)
  expect((await whoIs(ada)).email).toBe('ada@example.com')
  expect((await ada.get('/account-info?accountId=another')).body.code).toBe('ACCOUNT_NOT_FOUND')
  expect((await ada.get('/account-info')).body.code).toBe('VALIDATION_ERROR')
  expect((await server.visitor().get(`/account-info?accountId=${account.id}`)).status).toBe(401)
  server.at('discord').instead.set(habits.discord.profile ?? '', () => json({}, 500))
  expect((await ada.get(`/account-info?accountId=${account.id}`)).body.code).toBe('FAILED_TO_GET_USER_INFO')
})

test('apple, whose id token alone carries it, issues a new one', async () => {
  await using server = await createSocialServer(['apple'])
  const ada = server.visitor()
  await signIn(server, ada, 'apple')
  const [account] = (await ada.get('/list-accounts')).body

  expect((await ada.get(`/account-info?accountId=${account.id}`)).body.user).toMatchObject({ id: account.accountId })
  server.clock.advance(minutes(120))
  expect((await ada.get(`/account-info?accountId=${account.id}`)).body.user).toMatchObject({ id: account.accountId })
})

test('tokens of a provider that was switched off are not given out', async () => {
  await using server = await createSocialServer(['discord'])
  const ada = server.visitor()
  await signIn(server, ada, 'discord')
  Object.assign(server.tollgate.internals.ctx.config, { socialProviders: {} })

  const { status, body } = await ada.post('/get-access-token', { providerId: 'discord' })

  expect([status, body.code]).toEqual([400, 'PROVIDER_DISCORD_IS_NOT_SUPPORTED'])
  // The account still belongs to the user and is listed.
  expect((await ada.get('/list-accounts')).body).toHaveLength(1)
})
