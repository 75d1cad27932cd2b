import { expect, test } from 'vitest'
import { beforeNextTransaction, createTestServer, type Person, type TestServer } from '../../testing.ts'

// A session may end while its request waits for a hash. The request must then write nothing.

const headersOf = ({ cookies }: Person) => ({
  cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
})

const endSessionsOf = (server: TestServer, { id }: Person) => {
  const { ctx } = server.tollgate.internals
  return ctx.transaction((tx) => tx.deleteFrom('session').where('userId', '=', id).execute())
}

const passwordOf = async ({ tollgate }: TestServer, { id }: Person) => {
  const { db } = tollgate.internals.ctx
  const row = await db.selectFrom('account').select('password').where('userId', '=', id).executeTakeFirst()
  return row?.password
}

test('a password is not changed in a session that has ended meanwhile', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const before = await passwordOf(server, ada)
  await beforeNextTransaction(server, () => endSessionsOf(server, ada))

  const { status, body } = await ada.post('/change-password', {
    currentPassword: ada.password,
    newPassword: 'another password',
  })

  expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
  expect(await passwordOf(server, ada)).toBe(before)
})

test('server code sets no password in a session that has ended meanwhile, nor over one that was set meanwhile', async () => {
  await using server = await createTestServer()
  const { api, internals } = server.tollgate
  const [ada, bob] = [await server.signedUp('Ada'), await server.signedUp('Bob')]
  await internals.ctx.transaction((tx) => tx.deleteFrom('account').execute())
  const set = (person: Person, newPassword: string) =>
    api.setPassword({ body: { newPassword }, headers: headersOf(person) })

  await beforeNextTransaction(server, () => endSessionsOf(server, ada))
  await expect(set(ada, 'another password')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(await passwordOf(server, ada)).toBeUndefined()

  await beforeNextTransaction(server, () => set(bob, 'the first password'))
  await expect(set(bob, 'another password')).rejects.toMatchObject({ code: 'USER_ALREADY_HAS_A_PASSWORD' })
  expect(
    (await server.visitor().post('/sign-in/email', { email: bob.email, password: 'the first password' })).status,
  ).toBe(200)
})

test('a user is not deleted in a session that has ended meanwhile, nor by a password that was replaced meanwhile', async () => {
  await using server = await createTestServer({ user: { deleteUser: { enabled: true, sendVerification: false } } })
  const ada = await server.signedUp('Ada')
  const { ctx } = server.tollgate.internals
  const isThere = async () =>
    (await ctx.db.selectFrom('user').select('id').where('id', '=', ada.id).executeTakeFirst()) !== undefined

  await beforeNextTransaction(server, () =>
    ctx.transaction((tx) => tx.updateTable('account').set({ password: 'another' }).execute()),
  )
  const replaced = await ada.post('/delete-user', { password: ada.password })
  expect([replaced.status, replaced.body.code, await isThere()]).toEqual([400, 'INVALID_PASSWORD', true])

  await beforeNextTransaction(server, () => endSessionsOf(server, ada))
  const ended = await ada.post('/delete-user', {})
  expect([ended.status, ended.body.code, await isThere()]).toEqual([401, 'UNAUTHORIZED', true])
})
