import { hash as argon2Hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../testing.ts'

/** Runs `act` right after the next password check succeeds, before its result takes effect. */
function afterNextCheck(server: TestServer, act: () => Promise<unknown>): void {
  const { passwords } = server.tollgate.internals.ctx
  const verify = passwords.verify
  Object.assign(passwords, {
    verify: async (...given: Parameters<typeof verify>) => {
      Object.assign(passwords, { verify })
      const outcome = await verify(...given)
      await act()
      return outcome
    },
  })
}

test('a sign-in under way does not outlive a change of password that ends all sessions', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('ada')
  const thief = server.visitor()
  const change = { currentPassword: ada.password, newPassword: 'another good one', revokeOtherSessions: true }
  afterNextCheck(server, () => ada.post('/change-password', change))

  const answer = await thief.post('/sign-in/email', { email: ada.email, password: ada.password })

  expect(answer.status).toBe(401)
  expect(answer.body.code).toBe('INVALID_EMAIL_OR_PASSWORD')
  expect((await thief.get('/get-session')).body).toBe(null)
  expect((await ada.get('/list-sessions')).body).toHaveLength(1)
})

test('a sign-in while the account is being deleted is refused like any other', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('ada')
  afterNextCheck(server, () => ada.post('/delete-user', { password: ada.password }))

  const answer = await server.visitor().post('/sign-in/email', { email: ada.email, password: ada.password })

  expect(answer.status).toBe(401)
  expect(answer.body.code).toBe('INVALID_EMAIL_OR_PASSWORD')
})

test('a sign-in goes on when the password was only hashed anew meanwhile', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('ada')
  const { ctx } = server.tollgate.internals
  const anew = await argon2Hash(ada.password, { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 })
  afterNextCheck(server, () => ctx.transaction((tx) => tx.updateTable('account').set({ password: anew }).execute()))

  const answer = await server.visitor().post('/sign-in/email', { email: ada.email, password: ada.password })

  expect(answer.status).toBe(200)
})

test('changing an imported password requires the right one, whatever hash is made beside it', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('ada')
  const { ctx } = server.tollgate.internals
  const imported = await argon2Hash(ada.password, { memoryCost: 8192, timeCost: 1, parallelism: 1, outputLen: 32 })
  await ctx.transaction((tx) => tx.updateTable('account').set({ password: imported }).execute())

  const answer = await ada.post('/change-password', { currentPassword: ada.password, newPassword: 'another good one' })

  await ctx.settled()
  expect(answer.status).toBe(200)
  const again = { email: ada.email, password: 'another good one' }
  expect((await server.visitor().post('/sign-in/email', again)).status).toBe(200)
})

test('a taken address signed up again, where limits are counted in the database, does not wait for itself', async () => {
  await using server = await createTestServer({
    emailAndPassword: { requireEmailVerification: true },
    rateLimit: { enabled: true, storage: 'database', customRules: { '/sign-up/*': false } },
  })
  const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
  await server.visitor().post('/sign-up/email', person)

  const { status, body } = await server.visitor().post('/sign-up/email', person)

  expect(status).toBe(200)
  expect(body.token).toBe(null)
  const subjects = (await server.mailsTo(person.email)).map(({ subject }) => subject)
  expect(subjects).toHaveLength(2)
})

test('a reset link is not mailed to an address that was left while it was being made', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('ada')
  const { ctx } = server.tollgate.internals
  await server.mailsTo(ada.email)
  await server.visitor().request('DELETE', '/dev/inbox/messages')
  await server.visitor().post('/request-password-reset', { email: ada.email })
  // The job has found the user before it begins to write.
  const transaction = ctx.transaction
  Object.assign(ctx, {
    transaction: async (work: Parameters<typeof transaction>[0]) => {
      Object.assign(ctx, { transaction })
      await transaction((tx) => tx.updateTable('user').set({ email: 'new@example.com' }).execute())
      return transaction(work)
    },
  })

  const mails = await server.mailsTo(ada.email)

  expect(mails).toEqual([])
  expect(
    await ctx.db
      .selectFrom('verification')
      .select('identifier')
      .where('identifier', 'like', 'reset-password:%')
      .execute(),
  ).toEqual([])
})

test('of reset links made at the same moment one is left', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('ada')
  const { ctx } = server.tollgate.internals

  await Promise.all(
    Array.from({ length: 5 }, () => server.visitor().post('/request-password-reset', { email: ada.email })),
  )
  await ctx.jobs.runDue()

  const left = await ctx.db
    .selectFrom('verification')
    .select('id')
    .where('identifier', 'like', 'reset-password:%')
    .execute()
  expect(left).toHaveLength(1)
})
