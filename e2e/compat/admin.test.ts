import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { createAuthClient as createClient17 } from 'better-auth/client'
import { adminClient as admin17 } from 'better-auth/client/plugins'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { program } from '../../testing/program.ts'
import { type FreshDatabase, freshSqlite } from '../faults/databases.ts'
import { type ServerProcess, startServer } from '../faults/server-process.ts'
import { adminClient as admin12, createAuthClient as createClient12 } from './better-auth-1.2/client.ts'
import { type Browser, openBrowser } from './browser.ts'

// biome-ignore lint/suspicious/noExplicitAny: the two versions type their answers differently; tests look into both
type Data = any
type Reply = {
  readonly data: Data
  readonly error: { readonly status: number; readonly code?: string; readonly message?: string } | null
}
type Method = (input?: Data) => Promise<Reply>

/** What both generations of the client are asked here. */
type Client = {
  readonly signUp: { readonly email: Method }
  readonly signIn: { readonly email: Method }
  readonly signOut: Method
  readonly getSession: Method
  readonly listSessions: Method
  readonly changePassword: Method
  readonly resetPassword: Method
  readonly admin: {
    readonly [name in
      | 'listUsers'
      | 'createUser'
      | 'setRole'
      | 'banUser'
      | 'unbanUser'
      | 'impersonateUser'
      | 'stopImpersonating'
      | 'listUserSessions'
      | 'revokeUserSession'
      | 'revokeUserSessions'
      | 'removeUser'
      | 'setUserPassword'
      | 'hasPermission'
      | 'getUser'
      | 'updateUser']: Method
  }
}
type Person = Browser & { readonly client: Client; readonly email: string }
type Version = { readonly name: string; clientOf(baseURL: string, browser: Browser): unknown }

const versions: readonly Version[] = [
  {
    name: 'better-auth 1.7.7',
    clientOf: (baseURL, { fetch }) =>
      createClient17({ baseURL, plugins: [admin17()], fetchOptions: { customFetchImpl: fetch } }),
  },
  {
    name: 'better-auth 1.2.8',
    clientOf: (baseURL, { fetch }) =>
      createClient12({ baseURL, plugins: [admin12()], fetchOptions: { customFetchImpl: fetch } }),
  },
]

const password = 'correct horse battery'

let database: FreshDatabase
let server: ServerProcess

beforeAll(async () => {
  database = await freshSqlite()
  server = await startServer({ databaseUrl: database.url })
})

afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await database?.[Symbol.asyncDispose]()
})

const newAddress = (): string => `ada.${randomUUID().slice(0, 8)}@example.com`

function person(version: Version, email = newAddress()): Person {
  const browser = openBrowser(server.baseURL)
  // Of the libraries' own types only what both share is of use.
  return { ...browser, email, client: version.clientOf(server.baseURL, browser) as Client }
}

async function signedUp(version: Version, name = 'Ada'): Promise<Person & { readonly id: string }> {
  const somebody = person(version)
  const { data } = await somebody.client.signUp.email({ name, email: somebody.email, password })
  return { ...somebody, id: data.user.id }
}

/** Made as an operator does: on the command line, which prints a link where the password is chosen. */
async function administrator(version: Version): Promise<Person & { readonly id: string }> {
  const somebody = person(version)
  const env = {
    PATH: process.env.PATH,
    TOLLGATE_MODE: 'development',
    SECRET: 'a secret of tests that is long enough to be one',
    BASE_URL: server.baseURL,
    DATABASE_URL: database.url,
  }
  const words = [program, 'admin', 'create', '--email', somebody.email, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, words, { env })
  const token = new URL(JSON.parse(stdout).link).searchParams.get('token')
  await somebody.client.resetPassword({ newPassword: password, token })
  const { data } = await somebody.client.signIn.email({ email: somebody.email, password })
  return { ...somebody, id: data.user.id }
}

describe.each(versions)('$name', (version) => {
  test('creates, finds, changes and deletes users', async () => {
    const { client } = await administrator(version)
    const email = newAddress()

    const created = await client.admin.createUser({ email, name: 'Grace', password, role: 'user' })
    expect(created.error).toBeNull()
    const { id } = created.data.user
    expect(created.data.user).toMatchObject({ email, name: 'Grace', role: 'user', banned: false })

    const query = { searchField: 'email', searchOperator: 'contains', searchValue: email.slice(4, 12), limit: 10 }
    const found = await client.admin.listUsers({ query })
    expect(found.data).toMatchObject({ users: [{ id, email }], total: 1, limit: 10 })
    const admins = { filterField: 'role', filterOperator: 'eq', filterValue: 'admin', sortBy: 'createdAt' }
    const listed = await client.admin.listUsers({ query: { ...admins, sortDirection: 'desc', limit: 1, offset: 0 } })
    expect(listed.data.users).toMatchObject([{ role: 'admin' }])

    expect((await client.admin.setRole({ userId: id, role: ['user', 'admin'] })).data.user.role).toBe('user,admin')
    expect((await client.admin.setRole({ userId: id, role: 'nobody' })).error).toMatchObject({ status: 400 })
    expect((await client.admin.getUser({ query: { id } })).data).toMatchObject({ id, email })
    const changed = await client.admin.updateUser({ userId: id, data: { name: 'Admiral' } })
    expect(changed.data).toMatchObject({ id, name: 'Admiral' })

    expect((await client.admin.setUserPassword({ userId: id, newPassword: 'the newest one' })).data).toEqual({
      status: true,
    })
    const grace = person(version, email)
    expect((await grace.client.signIn.email({ email, password: 'the newest one' })).error).toBeNull()
    expect((await client.admin.removeUser({ userId: id })).data).toEqual({ success: true })
    expect((await grace.client.getSession()).data).toBeNull()
    expect((await client.admin.getUser({ query: { id } })).error).toMatchObject({ status: 404 })
    expect((await client.admin.createUser({ email: 'nobody', name: 'x', password })).error?.code).toBe('INVALID_EMAIL')
  })

  test('bans and lifts bans', async () => {
    const { client } = await administrator(version)
    const ada = await signedUp(version)
    const signIn = () => ada.client.signIn.email({ email: ada.email, password })

    const banned = await client.admin.banUser({ userId: ada.id, banReason: 'spam', banExpiresIn: 3600 })
    expect(banned.data.user).toMatchObject({ banned: true, banReason: 'spam' })
    expect(banned.data.user.banExpires).toBeInstanceOf(Date)
    expect((await ada.client.getSession()).data).toBeNull()
    expect((await signIn()).error).toMatchObject({ status: 403, code: 'BANNED_USER' })

    expect((await client.admin.unbanUser({ userId: ada.id })).data.user).toMatchObject({ banned: false })
    expect((await signIn()).error).toBeNull()
    const { id } = (await client.getSession()).data.user
    expect((await client.admin.banUser({ userId: id })).error).toMatchObject({
      status: 400,
      code: 'YOU_CANNOT_BAN_YOURSELF',
    })
  })

  test('acts as a user and comes back', async () => {
    const root = await administrator(version)
    const ada = await signedUp(version)

    const begun = await root.client.admin.impersonateUser({ userId: ada.id })
    expect(begun.data).toMatchObject({ user: { id: ada.id }, session: { impersonatedBy: root.id } })
    expect(root.cookies.has('admin_session')).toBe(true)
    expect((await root.client.getSession()).data).toMatchObject({
      user: { email: ada.email },
      session: { impersonatedBy: root.id },
    })
    const change = { currentPassword: password, newPassword: 'another good one' }
    expect((await root.client.changePassword(change)).error).toMatchObject({ status: 403 })
    expect((await root.client.admin.listUsers({ query: {} })).error).toMatchObject({ status: 403 })
    expect((await ada.client.listSessions()).data).toHaveLength(1)

    const back = await root.client.admin.stopImpersonating()
    expect(back.data).toMatchObject({ user: { id: root.id }, session: { userId: root.id } })
    expect(root.cookies.has('admin_session')).toBe(false)
    expect((await root.client.getSession()).data.user.id).toBe(root.id)
    expect((await root.client.admin.stopImpersonating()).error).toMatchObject({ status: 400 })
  })

  test('lists and ends the sessions of a user', async () => {
    const { client } = await administrator(version)
    const ada = await signedUp(version)
    const phone = person(version, ada.email)
    await phone.client.signIn.email({ email: ada.email, password })

    const { data } = await client.admin.listUserSessions({ userId: ada.id })
    expect(data.sessions).toHaveLength(2)
    expect(data.sessions[0].expiresAt).toBeInstanceOf(Date)
    const sessionToken = (await phone.client.getSession()).data.session.token
    expect((await client.admin.revokeUserSession({ sessionToken })).data).toEqual({ success: true })
    expect((await phone.client.getSession()).data).toBeNull()
    expect((await ada.client.getSession()).data.user.id).toBe(ada.id)
    expect((await client.admin.revokeUserSessions({ userId: ada.id })).data).toEqual({ success: true })
    expect((await ada.client.getSession()).data).toBeNull()
  })

  test('shows a member’s permissions, and refuses other actions', async () => {
    const { client } = await administrator(version)
    const eve = await signedUp(version, 'Eve')
    const asked = { permissions: { user: ['ban'], session: ['revoke'] } }

    expect((await client.admin.hasPermission(asked)).data).toEqual({ error: null, success: true })
    expect((await eve.client.admin.hasPermission(asked)).data).toEqual({ error: null, success: false })
    expect((await eve.client.admin.listUsers({ query: { limit: 1 } })).error).toMatchObject({
      status: 403,
      code: 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS',
      message: 'You are not allowed to list users',
    })
    await eve.client.signOut()
    expect((await eve.client.admin.listUsers({ query: { limit: 1 } })).error).toMatchObject({ status: 401 })
  })
})
