import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../packages/server/src/features/social/testing/identity-provider.ts'
import { freePort } from '../../testing/free-port.ts'
import { type FreshDatabase, freshPostgres, freshSqlite } from '../faults/databases.ts'
import { type ServerProcess, startServer } from '../faults/server-process.ts'
import { type Person, versions } from './clients.ts'

const databases: readonly [string, () => Promise<FreshDatabase>][] = [
  ['SQLite', freshSqlite],
  ['PostgreSQL', freshPostgres],
]

describe.each(databases)('on %s', (_, freshDatabase) => {
  let database: FreshDatabase
  let server: ServerProcess
  /** A real provider in place of google, and a custom one. */
  let google: IdentityProvider
  let acme: IdentityProvider

  beforeAll(async () => {
    const port = await freePort()
    const callback = `http://127.0.0.1:${port}/api/auth/callback`
    ;[database, google, acme] = await Promise.all([
      freshDatabase(),
      startIdentityProvider('google', [`${callback}/google`]),
      startIdentityProvider('own', [`${callback}/acme`]),
    ])
    const { clientId, clientSecret, endpoints } = google
    server = await startServer({
      databaseUrl: database.url,
      port,
      config: {
        socialProviders: { google: { clientId, clientSecret, endpoints } },
        genericOAuth: [
          { providerId: 'acme', issuer: acme.issuer, clientId: acme.clientId, clientSecret: acme.clientSecret },
        ],
      },
    })
  })

  afterAll(async () => {
    await Promise.all([server, google, acme, database].map((each) => each?.[Symbol.asyncDispose]()))
  })

  /** Signs in on the provider's pages; returns the final redirect. */
  const comeFrom = async (provider: IdentityProvider, person: Person, address: string, email: string) => {
    const id = email.split('@')[0] ?? ''
    provider.people.set(id, { name: 'Ada', email, email_verified: true })
    const { values } = await provider.visit(address, id)
    const name = provider === google ? 'google' : 'acme'
    const answer = await person.visit(`${server.baseURL}/api/auth/callback/${name}?${new URLSearchParams(values)}`)
    return [answer.status, answer.headers.get('location')]
  }

  describe.each(versions)('$name', (version) => {
    const newAddress = (): string => `${randomUUID()}@example.com`

    test('signs in by google, and knows who it is', async () => {
      const person = version.person(server.baseURL)
      const { client } = person
      const email = newAddress()

      const { data, error } = await client.signIn.social({
        provider: 'google',
        callbackURL: '/in',
        newUserCallbackURL: '/new',
        errorCallbackURL: '/failed',
      })

      expect(error).toBeNull()
      expect(data).toEqual({ url: expect.stringContaining(google.endpoints.authorization), redirect: true })
      expect(await comeFrom(google, person, data.url, email)).toEqual([302, '/new'])
      expect((await client.getSession()).data.user).toMatchObject({ email, name: 'Ada', emailVerified: true })
    })

    test('signs in at a provider of one’s own, by either call', async () => {
      const person = version.person(server.baseURL)
      const email = newAddress()

      const bySocial = await person.client.signIn.social({
        provider: 'acme',
        callbackURL: '/in',
        newUserCallbackURL: '/new',
      })
      expect(await comeFrom(acme, person, bySocial.data.url, email)).toEqual([302, '/new'])
      const byOAuth2 = await person.client.signIn.oauth2({ providerId: 'acme', callbackURL: '/in' })
      expect(await comeFrom(acme, person, byOAuth2.data.url, email)).toEqual([302, '/in'])

      expect((await person.client.getSession()).data.user.email).toBe(email)
    })

    test('signs in by an id token that an app has been given', async () => {
      const person = version.person(server.baseURL)
      const email = newAddress()
      const begun = await person.client.signIn.social({ provider: 'google' })
      await comeFrom(google, person, begun.data.url, email)
      const { idToken } = (
        await person.client.$fetch('/get-access-token', { method: 'POST', body: { providerId: 'google' } })
      ).data
      const phone = version.person(server.baseURL)

      const { data, error } = await phone.client.signIn.social({ provider: 'google', idToken: { token: idToken } })

      expect(error).toBeNull()
      expect(data).toMatchObject({ redirect: false, user: { email } })
      expect((await phone.client.getSession()).data.session.token).toBe(data.token)
    })

    test('links, lists, reads and refreshes tokens, and unlinks', async () => {
      const person = version.person(server.baseURL)
      const { client } = person
      const email = newAddress()
      await client.signUp.email({ name: 'Ada', email, password: 'correct horse battery' })

      const begun = await client.linkSocial({ provider: 'google', callbackURL: '/linked' })
      expect(begun.error).toBeNull()
      expect(await comeFrom(google, person, begun.data.url, email)).toEqual([302, '/linked'])

      const { data: accounts } = await client.listAccounts()
      const account = accounts.find(({ provider }: { provider: string }) => provider === 'google')
      expect(account).toMatchObject({ providerId: 'google', scopes: expect.arrayContaining(['openid']) })
      expect(account.createdAt).toBeInstanceOf(Date)

      // 1.2.8 names the provider, 1.7 the row.
      const names = [
        { providerId: 'google' },
        { providerId: 'google', accountId: account.id },
        { accountId: account.id },
      ]
      for (const which of names) {
        const { data: kept } = await client.getAccessToken(which)
        expect(kept).toMatchObject({ accessToken: expect.any(String), accessTokenExpiresAt: expect.any(Date) })
        const { data: fresh } = await client.refreshToken(which)
        expect(fresh).toMatchObject({ refreshToken: expect.any(String), providerId: 'google' })
        expect(fresh.accessToken).not.toBe(kept.accessToken)
      }
      const info = await client.accountInfo({ query: { accountId: account.id } })
      expect(info.data.user).toMatchObject({ id: account.accountId, email })

      expect((await client.unlinkAccount({ providerId: 'google', accountId: account.accountId })).data).toEqual({
        status: true,
      })
      const last = await client.unlinkAccount({ providerId: 'credential' })
      expect(last.error).toMatchObject({ status: 400, message: "You can't unlink your last account" })
    })

    test('refusals come as errors with the texts of the specification', async () => {
      const { client } = version.person(server.baseURL)

      expect((await client.signIn.social({ provider: 'github' })).error).toMatchObject({
        status: 404,
        message: 'Provider not found',
      })
      expect((await client.signIn.social({ provider: 'google', idToken: { token: 'none' } })).error).toMatchObject({
        status: 401,
        message: 'invalid token',
      })
      expect(
        (await client.signIn.social({ provider: 'google', callbackURL: 'https://evil.example' })).error,
      ).toMatchObject({
        status: 403,
        message: 'Invalid callbackURL',
      })
      expect((await client.listAccounts()).error).toMatchObject({ status: 401 })
      expect((await client.linkSocial({ provider: 'google' })).error).toMatchObject({ status: 401 })
    })
  })
})
