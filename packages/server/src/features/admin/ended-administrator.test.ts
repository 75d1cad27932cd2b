import { expect, test } from 'vitest'
import { beforeNextTransaction, createTestServer, type Person, type TestServer } from '../../testing.ts'

const password = 'correct horse battery'

/** Every call by which an administrator writes, with its refusal. */
const writes: readonly [path: string, body: (target: Person) => object, refusal: string][] = [
  ['create-user', () => ({ email: 'new@example.com', name: 'New', password, role: 'admin' }), 'CREATE_USERS'],
  ['update-user', ({ id }) => ({ userId: id, data: { emailVerified: true } }), 'UPDATE_USERS'],
  ['set-role', ({ id }) => ({ userId: id, role: 'admin' }), 'CHANGE_USERS_ROLE'],
  ['set-user-password', ({ id }) => ({ userId: id, newPassword: 'another password' }), 'SET_USERS_PASSWORD'],
  ['ban-user', ({ id }) => ({ userId: id }), 'BAN_USERS'],
  ['unban-user', ({ id }) => ({ userId: id }), 'BAN_USERS'],
  ['remove-user', ({ id }) => ({ userId: id }), 'DELETE_USERS'],
  ['impersonate-user', ({ id }) => ({ userId: id }), 'IMPERSONATE_USERS'],
  ['revoke-user-sessions', ({ id }) => ({ userId: id }), 'REVOKE_USERS_SESSIONS'],
  ['retry-jobs', () => ({ kind: 'mail' }), ''],
]

const ends = {
  banned: (root: Person, { id }: Person) => root.post('/admin/ban-user', { userId: id }),
  demoted: (root: Person, { id }: Person) => root.post('/admin/set-role', { userId: id, role: 'user' }),
  'signed out': (root: Person, { id }: Person) => root.post('/admin/revoke-user-sessions', { userId: id }),
}

/** Everything that such a request could change. */
const state = async ({ tollgate }: TestServer, without: readonly string[]) => {
  const { db } = tollgate.internals.ctx
  const users = await db.selectFrom('user').selectAll().where('id', 'not in', without).orderBy('id').execute()
  const accounts = await db.selectFrom('account').selectAll().orderBy('id').execute()
  const sessions = await db.selectFrom('session').select('id').where('userId', 'not in', without).execute()
  return { users, accounts, sessions }
}

test.each(Object.keys(ends) as (keyof typeof ends)[])(
  'an administrator who is %s while their request waits changes nothing by it',
  async (end) => {
    await using server = await createTestServer()
    const root = await server.administrator('Root')
    const ada = await server.signedUp('Ada')
    for (const [path, bodyOf, refusal] of writes) {
      const mallory = await server.administrator('Mallory')
      const before = await state(server, [mallory.id])
      await beforeNextTransaction(server, async () => expect((await ends[end](root, mallory)).status).toBe(200))

      const { status, body } = await mallory.post(`/admin/${path}`, bodyOf(ada))

      if (end === 'signed out') expect([path, status, body.code]).toEqual([path, 401, 'UNAUTHORIZED'])
      else expect([path, status, body.code]).toEqual([path, 403, expect.stringContaining(refusal)])
      expect(await state(server, [mallory.id])).toEqual(before)
    }
  },
)

test.each([
  ['create-user', { email: 'new@example.com', name: 'New', password, role: 'admin' }],
  ['set-user-password', { newPassword: 'another password' }],
])('%s asks again once the password has been hashed', async (path, body) => {
  await using server = await createTestServer()
  const [root, mallory] = [await server.administrator('Root'), await server.administrator('Mallory')]
  const { passwords } = server.tollgate.internals.ctx
  const { hash } = passwords
  Object.assign(passwords, {
    hash: async (text: string) => {
      await ends.banned(root, mallory)
      return hash(text)
    },
  })

  const { status } = await mallory.post(`/admin/${path}`, { ...body, userId: root.id })

  expect(status).toBe(403)
  Object.assign(passwords, { hash })
  expect((await server.visitor().post('/sign-in/email', { email: root.email, password })).status).toBe(200)
  expect((await server.visitor().post('/sign-in/email', { email: 'new@example.com', password })).status).toBe(401)
})
