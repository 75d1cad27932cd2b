import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { createAuthClient as createClient17 } from 'better-auth/client'
import { jwtClient as tokens17 } from 'better-auth/client/plugins'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshSqlite } from '../faults/databases.ts'
import { type ServerProcess, startServer } from '../faults/server-process.ts'
import { createAuthClient as createClient12, jwtClient as tokens12 } from './better-auth-1.2/client.ts'
import { openBrowser } from './browser.ts'

type Reply = { readonly data: unknown; readonly error: { readonly status: number } | null }

/** What both generations of the client are asked here. */
type Client = {
  readonly signUp: { readonly email: (input: { name: string; email: string; password: string }) => Promise<Reply> }
  readonly signOut: () => Promise<Reply>
  readonly token: () => Promise<Reply>
  readonly $fetch: (path: string) => Promise<Reply>
  readonly getSession: (input: { fetchOptions: { onSuccess: (context: { response: Response }) => void } }) => unknown
}

const versions: readonly { name: string; clientOf(baseURL: string): Client }[] = [
  {
    name: 'better-auth 1.7.7',
    clientOf: (baseURL) =>
      createClient17({
        baseURL,
        plugins: [tokens17()],
        fetchOptions: { customFetchImpl: openBrowser(baseURL).fetch },
      }) as unknown as Client, // of its own types only what both share is of use
  },
  {
    name: 'better-auth 1.2.8',
    clientOf: (baseURL) =>
      createClient12({
        baseURL,
        plugins: [tokens12()],
        fetchOptions: { customFetchImpl: openBrowser(baseURL).fetch },
      }) as unknown as Client,
  },
]

let database: FreshDatabase
let server: ServerProcess

beforeAll(async () => {
  database = await freshSqlite()
  server = await startServer({ databaseUrl: database.url, config: { jwt: {} } })
})

afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await database?.[Symbol.asyncDispose]()
})

/** Whether one of the published keys made the signature; the payload when it did. */
async function payloadOf(client: Client, token: string): Promise<Record<string, unknown> | undefined> {
  const [head = '', payload = '', signature = ''] = token.split('.')
  const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
  const { keys } = (await client.$fetch('/jwks')).data as { keys: (JsonWebKey & { kid: string })[] }
  const key = keys.find((each) => each.kid === kid)
  const isSigned =
    key !== undefined &&
    verify(
      null,
      Buffer.from(`${head}.${payload}`),
      createPublicKey({ key, format: 'jwk' }),
      Buffer.from(signature, 'base64url'),
    )
  return isSigned ? JSON.parse(Buffer.from(payload, 'base64url').toString()) : undefined
}

describe.each(versions)('$name', ({ name, clientOf }) => {
  const email = `${name.replace(/\W/g, '')}@example.com`

  test('gets a token, which the published keys verify, and the one that comes with the session', async () => {
    const client = clientOf(server.baseURL)
    expect((await client.token()).error?.status).toBe(401)
    await client.signUp.email({ name: 'Ada', email, password: 'correct horse battery' })

    const { token } = (await client.token()).data as { token: string }
    let along: string | null = null
    await client.getSession({
      fetchOptions: {
        onSuccess: ({ response }) => {
          along = response.headers.get('set-auth-jwt')
        },
      },
    })

    for (const each of [token, along ?? '']) {
      expect(await payloadOf(client, each)).toMatchObject({ email, name: 'Ada', iss: server.baseURL })
    }
    await client.signOut()
    expect((await client.token()).error?.status).toBe(401)
  })
})
