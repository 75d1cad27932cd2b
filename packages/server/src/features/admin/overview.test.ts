import { expect, test } from 'vitest'
import { days } from '../../foundation/clock.ts'
import { createTestServer, type Visitor } from '../../testing.ts'

const overview = async (visitor: Visitor) => (await visitor.get('/admin/get-overview')).body

test('an administrator sees sign-ups of 30 days beside those before, users with a session, and organizations', async () => {
  await using server = await createTestServer()
  const old = await server.signedUp('Old')
  await old.post('/organization/create', { name: 'Old', slug: 'old' })
  server.clock.advance(days(40))
  const root = await server.administrator('Root')
  server.clock.advance(days(1))
  const ada = await server.signedUp('Ada')
  server.clock.advance(1)
  await ada.post('/organization/create', { name: 'Acme', slug: 'acme' })

  expect(await overview(root)).toEqual({
    users: 3,
    signUps: { count: 2, before: 1, byDay: [...Array(28).fill(0), 1, 1] },
    // The session of the first user has ended meanwhile.
    activeUsers: 2,
    organizations: { total: 2, created: 1 },
    attention: {
      deadJobs: 0,
      failingJobs: 0,
      disputesToAnswer: 0,
      moneyToCheck: 0,
      sendsMail: true,
      lockedAccounts: 0,
    },
  })
})

test('what needs an administrator is counted', async () => {
  await using server = await createTestServer({ billing: false, organization: false })
  const root = await server.administrator('Root')
  const ada = await server.signedUp('Ada')
  const { ctx } = server.tollgate.internals
  const now = server.clock.now()
  const refusal = (userId: string, reason: string, id: string) => ({
    id,
    type: 'sign_in.failed',
    actorId: null,
    userId,
    organizationId: null,
    data: { reason },
    createdAt: now,
  })
  await ctx.transaction(async (tx) => {
    await tx
      .insertInto('event')
      .values([
        refusal(ada.id, 'too-many-attempts', 'zz1'),
        refusal(ada.id, 'too-many-attempts', 'zz2'),
        refusal(root.id, 'wrong-password', 'zz3'),
      ] as never)
      .execute()
  })

  expect(await overview(root)).toMatchObject({
    organizations: null,
    attention: { disputesToAnswer: null, moneyToCheck: null, lockedAccounts: 1 },
  })
  server.clock.advance(days(2))
  expect((await overview(root)).attention.lockedAccounts).toBe(0)
})

test('nobody else sees it', async () => {
  await using server = await createTestServer()
  await server.administrator('Root')
  const ada = await server.signedUp('Ada')

  expect((await ada.get('/admin/get-overview')).body.code).toBe('YOU_ARE_NOT_ALLOWED_TO_LIST_USERS')
  expect((await server.visitor().get('/admin/get-overview')).status).toBe(401)
})
