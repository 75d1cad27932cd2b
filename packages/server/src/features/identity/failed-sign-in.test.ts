import type { CompiledQuery } from 'kysely'
import { expect, test, vi } from 'vitest'
import { days, minutes } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { TollgateError } from '../../foundation/error.ts'
import { createCaller } from '../../foundation/http/caller.ts'
import { createTestServer, type TestServer } from '../../testing.ts'
import { recordFailedSignIn } from './failed-sign-in.service.ts'

const password = 'wrong horse battery'
const ip = '192.0.2.1'

const context = ({ tollgate }: TestServer) => tollgate.internals.ctx

async function serverWithAda(config: TollgateConfig = {}) {
  const server = await createTestServer(config)
  const root = await server.administrator('Root')
  const ada = await server.signedUp('Ada')
  const failed = async () => {
    await context(server).settled()
    const { body } = await root.get('/admin/list-events?type=sign_in.failed')
    return body.events as { userId: string | null; actorId: string | null; data: Record<string, unknown> }[]
  }
  return { server, root, ada, failed }
}
const signIn = (server: TestServer, email: string, given = password, address = ip) =>
  server.visitor({ address }).post('/sign-in/email', { email, password: given })

test('a wrong password is in the audit log with its account, reason and IP address', async () => {
  const { server, ada, failed } = await serverWithAda()
  await using _ = server

  expect((await signIn(server, ada.email)).status).toBe(401)

  expect(await failed()).toEqual([
    expect.objectContaining({
      actorId: null,
      userId: ada.id,
      user: expect.objectContaining({ email: ada.email }),
      data: { reason: 'wrong-password', ipAddress: ip, identifierHash: expect.stringMatching(/^[0-9a-f]{16}$/) },
    }),
  ])
})

test('an unknown address is recorded without an account, and as a keyed hash', async () => {
  const { server, failed } = await serverWithAda()
  await using _ = server

  for (const address of ['Nobody@Example.com', 'nobody@example.com', 'else@example.com']) {
    await signIn(server, address)
    await context(server).settled()
  }

  const [other, second, first] = await failed()
  expect(first).toMatchObject({ userId: null, data: { reason: 'unknown-account', ipAddress: ip } })
  expect(second?.data.identifierHash).toBe(first?.data.identifierHash)
  expect(other?.data.identifierHash).not.toBe(first?.data.identifierHash)
  expect(JSON.stringify([first, second, other])).not.toContain('example.com')
})

test('a sign-in by username is recorded alike', async () => {
  const { server, ada, failed } = await serverWithAda()
  await using _ = server

  expect((await ada.post('/update-user', { username: 'ada_l' })).status).toBe(200)
  await server.visitor({ address: ip }).post('/sign-in/username', { username: 'Ada_L', password })

  expect(await failed()).toMatchObject([{ userId: ada.id, data: { reason: 'wrong-password', ipAddress: ip } }])
})

test('a banned user is recorded as such, after the right password', async () => {
  const { server, root, ada, failed } = await serverWithAda()
  await using _ = server
  await root.post('/admin/ban-user', { userId: ada.id })

  expect((await signIn(server, ada.email, ada.password)).body.code).toBe('BANNED_USER')
  await context(server).settled()
  await signIn(server, ada.email)

  expect((await failed()).map(({ data }) => data.reason)).toEqual(['wrong-password', 'banned'])
})

test('an unverified address is recorded as such, after the right password', async () => {
  await using server = await createTestServer({ emailAndPassword: { requireEmailVerification: true } })
  const eve = { email: 'eve@example.com', password: 'password of eve' }
  await server.visitor().post('/sign-up/email', { name: 'Eve', ...eve })

  expect((await signIn(server, eve.email, eve.password)).body.code).toBe('EMAIL_NOT_VERIFIED')

  await context(server).settled()
  expect(await server.events('sign_in.failed')).toMatchObject([{ data: { reason: 'unverified-address' } }])
})

test('a sign-in that succeeds, or is malformed, is not recorded', async () => {
  const { server, ada, failed } = await serverWithAda()
  await using _ = server

  expect((await signIn(server, ada.email, ada.password)).status).toBe(200)
  expect((await signIn(server, 'no address')).status).toBe(400)

  expect(await failed()).toEqual([])
})

test('five rows for an account and reason in a quarter of an hour; the next row counts the others', async () => {
  const { server, ada, failed } = await serverWithAda()
  await using _ = server

  for (let attempt = 0; attempt < 12; attempt += 1) await signIn(server, ada.email)
  expect(await failed()).toHaveLength(5)
  await signIn(server, 'nobody@example.com')
  server.clock.advance(minutes(16))
  await signIn(server, ada.email)
  await signIn(server, ada.email)

  const rows = await failed()
  expect(rows).toHaveLength(8)
  expect(rows.map(({ data }) => data.unrecorded)).toEqual([undefined, 7, ...Array(6).fill(undefined)])
})

test('an account with too many guesses shows it, once its limit is reached', async () => {
  const { server, ada, failed } = await serverWithAda({ rateLimit: { enabled: true } })
  await using _ = server

  for (let attempt = 0; attempt < 12; attempt += 1) await signIn(server, ada.email, password, `198.51.100.${attempt}`)

  const reasons = (await failed()).map(({ data }) => data.reason)
  expect(reasons.toSorted()).toEqual([...Array(2).fill('too-many-attempts'), ...Array(5).fill('wrong-password')])
})

test('thirty rows for an IP address, whatever accounts it names', async () => {
  const { server, failed } = await serverWithAda()
  await using _ = server

  for (let attempt = 0; attempt < 35; attempt += 1) await signIn(server, `nobody${attempt}@example.com`)
  expect(await failed()).toHaveLength(30)
  await signIn(server, 'nobody@example.com', password, '198.51.100.7')

  expect(await failed()).toHaveLength(31)
})

/** The SQL of a request and of the work after its answer. */
async function statementsOf(server: TestServer, work: () => Promise<unknown>): Promise<string[]> {
  const executors = Object.getPrototypeOf(Object.getPrototypeOf(context(server).db.getExecutor()))
  const run = vi.spyOn(executors, 'executeQuery')
  try {
    await work()
    await context(server).settled()
    const all = run.mock.calls.map(([query]) => (query as CompiledQuery).sql) // A spy does not know its argument types.
    return all.filter((sql) => !sql.includes('"run_at" <='))
  } finally {
    run.mockRestore()
  }
}

test('recording costs known and unknown accounts the same statements, also when the limit is met', async () => {
  const { server, ada } = await serverWithAda()
  await using _ = server
  // Only a known account has its credential looked up, in a prepared read that is not counted here.
  const recording = (statements: string[]) => statements.filter((sql) => /"event"/.test(sql))

  for (let round = 0; round < 7; round += 1) {
    const ofKnown = recording(await statementsOf(server, () => signIn(server, ada.email)))
    const ofUnknown = recording(await statementsOf(server, () => signIn(server, 'nobody@example.com')))

    expect(ofUnknown).toEqual(ofKnown)
    expect(ofKnown).toHaveLength(round < 5 ? 1 : 0)
  }
})

test('failed sign-ins are kept for ninety days, all other events for good', async () => {
  const { server, ada } = await serverWithAda()
  await using _ = server
  await signIn(server, ada.email)
  await context(server).settled()

  server.clock.advance(days(89))
  await context(server).jobs.runDue()
  const kept = await context(server).db.selectFrom('event').select('type').execute()
  server.clock.advance(days(2))
  await context(server).jobs.runDue()
  const left = await context(server).db.selectFrom('event').select('type').execute()

  expect(kept.map(({ type }) => type)).toContain('sign_in.failed')
  expect(left.map(({ type }) => type)).toEqual(kept.map(({ type }) => type).filter((type) => type !== 'sign_in.failed'))
})

test('the limit of all rows holds however many names and addresses are invented', async () => {
  const { server } = await serverWithAda()
  await using _ = server
  const ctx = context(server)
  const error = new TollgateError('INVALID_EMAIL_OR_PASSWORD')
  const attempt = (index: number) => {
    const caller = createCaller(ctx, new Headers(), `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`, false)
    recordFailedSignIn(ctx, caller, { named: `name ${index}`, userId: undefined, error })
  }

  for (let index = 0; index < 11_000; index += 1) attempt(index)
  await ctx.settled()

  const rows = await ctx.db.selectFrom('event').select('id').where('type', '=', 'sign_in.failed').execute()
  expect(rows).toHaveLength(500)
})
