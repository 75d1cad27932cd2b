import { expect, test, vi } from 'vitest'
import type { TollgateConfig } from '../config.ts'
import { createTestServer, type TestAnswer, type TestServer } from '../testing.ts'

const known = 'taken@example.com'
const unknown = 'nobody@example.com'
const password = 'correct horse battery'
const production = {
  env: { TOLLGATE_MODE: 'production', BASE_URL: 'https://accounts.example.com', SECRET: 'x'.repeat(40) },
}
const context = ({ tollgate }: TestServer) => tollgate.internals.ctx

/** All that a caller sees of an answer, without what differs between any two requests. */
function seen({ status, text, headers }: TestAnswer): unknown {
  const shown = [...headers].filter(([name]) => name !== 'x-request-id')
  return { status, headers: shown, text: text.replaceAll(known, '…').replaceAll(unknown, '…') }
}

/** Counts the expensive work while something runs. */
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

test('where verification is required a sign-up does not tell whether the address is taken', async () => {
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
  // From ever other addresses: only the limits of the mailbox and of the account are to be met.
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
