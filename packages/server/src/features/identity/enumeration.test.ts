import type { CompiledQuery } from 'kysely'
import { expect, test, vi } from 'vitest'
import { days } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../../testing.ts'

const known = 'taken@example.com'
const unknown = 'nobody@example.com'
const password = 'correct horse battery'
const production = {
  env: { TOLLGATE_MODE: 'production', BASE_URL: 'https://accounts.example.com', SECRET: 'x'.repeat(40) },
}
const context = ({ tollgate }: TestServer) => tollgate.internals.ctx

/** Everything a caller sees of an answer, minus what differs between any two requests. */
function seen({ status, text, headers }: TestAnswer): unknown {
  const shown = [...headers].filter(([name]) => name !== 'x-request-id')
  return { status, headers: shown, text: text.replaceAll(known, '…').replaceAll(unknown, '…') }
}

/** Counts the expensive work while `work` runs. */
async function hashesOf<T>(server: TestServer, work: () => Promise<T>): Promise<{ result: T; hashes: number }> {
  const { passwords } = context(server)
  const spies = [vi.spyOn(passwords, 'hash'), vi.spyOn(passwords, 'verify')]
  const result = await work()
  const hashes = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  for (const spy of spies) spy.mockRestore()
  return { result, hashes }
}

async function serverWithKnown(config: TollgateConfig = {}, options: Parameters<typeof createTestServer>[1] = {}) {
  const server = await createTestServer(config, options)
  const { status } = await server.visitor().post('/sign-up/email', { name: 'Known', email: known, password })
  expect(status).toBe(200)
  return server
}

const calls: readonly { path: string; body: Record<string, unknown>; config?: TollgateConfig }[] = [
  { path: '/sign-in/email', body: { password: 'wrong horse battery' } },
  { path: '/sign-in/email', body: { password: 'wrong horse battery', callbackURL: '/inside', rememberMe: false } },
  {
    path: '/sign-in/email',
    body: { password: 'wrong horse battery' },
    config: { emailAndPassword: { requireEmailVerification: true } },
  },
  { path: '/forget-password', body: {} },
  { path: '/request-password-reset', body: { redirectTo: '/choose' } },
  { path: '/send-verification-email', body: {} },
]

test.each(calls)(
  '$path $body answers known and unknown addresses alike, for the same work',
  async ({ path, body, config }) => {
    await using server = await serverWithKnown(config)
    const ask = (email: string) => hashesOf(server, () => server.visitor().post(path, { ...body, email }))

    const ofKnown = await ask(known)
    const ofUnknown = await ask(unknown)

    expect(seen(ofUnknown.result)).toEqual(seen(ofKnown.result))
    expect(ofUnknown.hashes).toBe(ofKnown.hashes)
    expect(ofKnown.hashes).toBe(path.startsWith('/sign-in') ? 1 : 0)
  },
)

test('a user without a password looks like one with another password', async () => {
  await using server = await serverWithKnown()
  const ask = () =>
    hashesOf(server, () => server.visitor().post('/sign-in/email', { email: known, password: 'wrong horse battery' }))

  const withPassword = await ask()
  await context(server).transaction((tx) => tx.deleteFrom('account').execute())
  const withoutPassword = await ask()

  expect(seen(withoutPassword.result)).toEqual(seen(withPassword.result))
  expect(withoutPassword.hashes).toBe(withPassword.hashes)
})

test('a verified address looks like an unverified one to who asks for a verification mail', async () => {
  await using server = await serverWithKnown()
  const ask = () => server.visitor().post('/send-verification-email', { email: known })

  const unverified = await ask()
  await server.visitor().request('GET', await server.linkTo(known))
  const verified = await ask()

  expect(seen(verified)).toEqual(seen(unverified))
})

const verificationRequired: TollgateConfig = { emailAndPassword: { requireEmailVerification: true } }

/**
 * The SQL of everything that runs meanwhile, transactions and jobs included, without values and sorted. The job loop's
 * polls are left out, because their number varies; each job's completion is counted.
 */
async function statementsOf(server: TestServer, work: () => Promise<unknown>): Promise<string[]> {
  // What every executor of the query builder has in common, including those of transactions.
  const executors = Object.getPrototypeOf(Object.getPrototypeOf(context(server).db.getExecutor()))
  const run = vi.spyOn(executors, 'executeQuery')
  try {
    await work()
    const all = run.mock.calls.map(([query]) => (query as CompiledQuery).sql)
    return all.filter((sql) => !sql.includes('"run_at" <=')).sort()
  } finally {
    run.mockRestore()
  }
}

const orders: readonly { path: string; as: 'unknown' | 'verified'; config?: TollgateConfig }[] = [
  { path: '/forget-password', as: 'unknown' },
  { path: '/send-verification-email', as: 'unknown' },
  { path: '/send-verification-email', as: 'verified' },
  { path: '/sign-in/magic-link', as: 'unknown', config: { magicLink: { disableSignUp: true } } },
]

test.each(orders)(
  'the jobs behind $path do the same work for an address that gets no mail ($as), but send none',
  async ({ path, as, config }) => {
    const sent: string[] = []
    await using server = await serverWithKnown(
      { ...config, baseURL: production.env.BASE_URL, hooks: { sendEmail: ({ to }) => void sent.push(to) } },
      production,
    )
    const { jobs, db, transaction, secrets } = context(server)
    const verified = 'verified@example.com'
    await server.visitor().post('/sign-up/email', { name: 'Verified', email: verified, password })
    await transaction((tx) =>
      tx.updateTable('user').set({ emailVerified: true }).where('email', '=', verified).execute(),
    )
    await jobs.runDue()
    sent.length = 0
    const sealed = vi.spyOn(secrets, 'seal')
    const doneFor = async (email: string) => {
      expect((await server.visitor().post(path, { email })).status).toBe(200)
      sealed.mockClear()
      const all = await statementsOf(server, () => jobs.runDue())
      // The loop takes and removes jobs one by one or several at once, as they come: it knows nothing of addresses.
      const statements = all.filter((sql) => !/^(?:select|update|delete)\b.*"job"/s.test(sql))
      return { statements, sealed: sealed.mock.calls.length }
    }
    const proofsNow = () => db.selectFrom('verification').select('id').orderBy('id').execute()

    const ofKnown = await doneFor(known)
    const proofs = await proofsNow()
    const ofOther = await doneFor(as === 'verified' ? verified : unknown)

    expect(ofOther).toEqual(ofKnown)
    expect(ofKnown.statements.filter((sql) => sql.startsWith('insert into "job"'))).toHaveLength(1)
    expect(sent).toEqual([known])
    expect(await proofsNow()).toEqual(proofs)
    expect(await db.selectFrom('job').select('kind').where('kind', '!=', 'sweep').execute()).toEqual([])
  },
)

test('where no mail can leave, nothing piles up for unknown addresses', async () => {
  await using server = await serverWithKnown({ baseURL: production.env.BASE_URL }, production)
  const { jobs, db } = context(server)
  const waiting = () => db.selectFrom('job').select('id').where('kind', '=', 'mail').orderBy('id').execute()
  const before = await waiting()

  await server.visitor().post('/forget-password', { email: unknown })
  await jobs.runDue()

  expect(await waiting()).toEqual(before)
})

test('where verification is required a sign-up does not reveal whether the address is taken', async () => {
  await using server = await serverWithKnown(verificationRequired)
  const withoutIds = (answer: TestAnswer) => {
    expect(answer.body.user.id).toMatch(/^[A-Za-z0-9]{32}$/)
    return seen({ ...answer, text: answer.text.replace(answer.body.user.id, '…') })
  }
  const ask = (email: string) =>
    hashesOf(server, () => server.visitor().post('/sign-up/email', { name: 'Eve', email, password: 'password of eve' }))

  const ofKnown = await ask(known)
  const ofUnknown = await ask(unknown)

  expect(withoutIds(ofUnknown.result)).toEqual(withoutIds(ofKnown.result))
  expect(ofUnknown.hashes).toBe(ofKnown.hashes)
})

/** What a caller sees who signs up with an address and a username, and then tries the username in every way. */
async function usernameSeen(server: TestServer, email: string, username: string) {
  const person = { name: 'Eve', email, username, password: 'password of eve' }
  const visitor = server.visitor()
  return {
    answer: (await visitor.post('/sign-up/email', person)).status,
    available: (await visitor.post('/is-username-available', { username })).body,
    again: (await visitor.post('/sign-up/email', person)).body.code,
    byAnother: (await visitor.post('/sign-up/email', { ...person, email: 'another@example.com' })).body.code,
  }
}

test('the username of a sign-up is gone whether the address was taken or not', async () => {
  await using server = await serverWithKnown(verificationRequired)

  const ofKnown = await usernameSeen(server, known, 'probe_a')
  const ofUnknown = await usernameSeen(server, unknown, 'probe_b')

  expect(ofUnknown).toEqual(ofKnown)
  expect(ofKnown).toMatchObject({ answer: 200, available: { available: false } })
  expect(ofKnown.again).toBe(ofKnown.byAnother)
  server.clock.advance(days(400))
  await context(server).jobs.runDue()
  expect((await server.visitor().post('/is-username-available', { username: 'probe_a' })).body.available).toBe(false)
})

test('a reserved username is for the owner of the address alone, and free when they are gone', async () => {
  await using server = await serverWithKnown(verificationRequired)
  await usernameSeen(server, known, 'probe')
  const signedIn = async (email: string) => {
    const visitor = server.visitor()
    await visitor.request('GET', await server.linkTo(email))
    expect((await visitor.post('/sign-in/email', { email, password })).status).toBe(200)
    return visitor
  }
  await server.visitor().post('/sign-up/email', { name: 'Bob', email: 'bob@example.com', password })
  const bob = await signedIn('bob@example.com')
  await context(server).transaction((tx) =>
    tx.updateTable('user').set({ emailVerified: true }).where('email', '=', known).execute(),
  )
  const owner = server.visitor()
  await owner.post('/sign-in/email', { email: known, password })

  expect((await bob.post('/update-user', { username: 'probe' })).body.code).toBe(
    'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER',
  )
  expect((await owner.post('/update-user', { username: 'Probe' })).status).toBe(200)
  expect((await owner.post('/update-user', { username: 'other' })).status).toBe(200)
  expect((await bob.post('/update-user', { username: 'probe' })).status).toBe(200)
})

test('of two sign-ups with one username at the same moment one gets it, also where an address is taken', async () => {
  await using server = await serverWithKnown(verificationRequired)
  for (let round = 0; round < 5; round += 1) {
    const emails = [known, `new${round}@example.com`]

    const answers = await Promise.all(
      emails.map((email) =>
        server.visitor().post('/sign-up/email', { name: 'Eve', email, username: `probe${round}`, password }),
      ),
    )

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
  }
})

test.each<[string, Record<string, unknown>]>([
  ['a wrong set-up token', { setupToken: 'x'.repeat(24) }],
  ['a short password', { password: 'short' }],
  ['a wrong picture', { image: 'javascript:alert(1)' }],
])('a sign-up with %s is refused alike for known and unknown addresses', async (_, wrong) => {
  await using server = await serverWithKnown(verificationRequired)
  const ask = (email: string) => server.visitor().post('/sign-up/email', { name: 'Eve', email, password, ...wrong })

  const ofKnown = await ask(known)

  expect(ofKnown.status).toBe(400)
  expect(seen(await ask(unknown))).toEqual(seen(ofKnown))
})

test('the limits of mails and of guesses run out alike for known and unknown addresses', async () => {
  await using server = await serverWithKnown({ baseURL: production.env.BASE_URL }, production)
  let requests = 0
  // Each attempt has its own IP address, so that only the limits of mailbox and account apply.
  const from = () => {
    requests += 1
    return server.visitor({ address: `192.0.2.${requests}` })
  }
  const statuses = async (count: number, path: string, body: Record<string, unknown>) => {
    const answers: TestAnswer[] = []
    for (let index = 0; index < count; index += 1) answers.push(await from().post(path, body))
    return answers.map(({ status, headers }) => [status, headers.get('retry-after')])
  }
  const after = (allowed: number, status: number) => [
    ...Array.from({ length: allowed }, () => [status, null]),
    [429, expect.stringMatching(/^\d+$/)],
  ]

  for (const email of [known, unknown]) {
    expect(await statuses(6, '/request-password-reset', { email })).toEqual(after(5, 200))
    expect(await statuses(6, '/send-verification-email', { email })).toEqual(after(5, 200))
    expect(await statuses(11, '/sign-in/email', { email, password: 'wrong horse battery' })).toEqual(after(10, 401))
  }
})
