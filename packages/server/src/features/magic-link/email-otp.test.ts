import { expect, test } from 'vitest'
import { minutes } from '../../foundation/clock.ts'
import { createTestServer, type TestAnswer, type TestServer, type Visitor } from '../../testing.ts'

const email = 'grace@example.com'
const context = ({ tollgate }: TestServer) => tollgate.internals.ctx
const baseURL = 'https://accounts.example.com'
const production = { env: { TOLLGATE_MODE: 'production', BASE_URL: baseURL, SECRET: 'x'.repeat(40) } }

/** Requests a mail, and reads its code and its link's token. */
async function mailed(server: TestServer, to = email): Promise<{ code: string; token: string }> {
  server.clock.advance(1)
  await server.visitor().post('/sign-in/magic-link', { email: to })
  const [mail] = await server.mailsTo(to)
  return {
    code: /^\d{6}$/m.exec(mail!.text)![0],
    token: new URL(mail!.links[0]!).searchParams.get('token')!,
  }
}

const type = (visitor: Visitor, otp: string, rest: Record<string, unknown> = {}): Promise<TestAnswer> =>
  visitor.post('/sign-in/email-otp', { email, otp, ...rest })

/** Another code of six digits. */
const not = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

const refusal = ({ status, body }: TestAnswer) => [status, body.code]

test('the code signs a new user in, and the link ends with it', async () => {
  await using server = await createTestServer()
  const { code, token } = await mailed(server)
  const grace = server.visitor()

  const { status, body } = await type(grace, code)

  expect(status).toBe(200)
  expect(body).toEqual({
    token: expect.stringMatching(/^\w{32}$/),
    user: expect.objectContaining({ email, name: '', emailVerified: true }),
  })
  expect(Object.keys(body.user).sort()).toEqual(
    ['createdAt', 'email', 'emailVerified', 'id', 'image', 'name', 'updatedAt'].sort(),
  )
  expect((await grace.get('/get-session')).body.session.token).toBe(body.token)
  expect(await server.events('user.created')).toMatchObject([{ data: { method: 'magic-link' } }])
  expect(refusal(await server.visitor().get(`/magic-link/verify?token=${token}`))).toEqual([401, 'INVALID_TOKEN'])
  expect(refusal(await type(server.visitor(), code))).toEqual([400, 'INVALID_OTP'])
})

test.each([
  ['in groups', (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)} `],
  ['with a dash', (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`],
])('a code may be written %s', async (_, write) => {
  await using server = await createTestServer()
  const { code } = await mailed(server)

  expect((await type(server.visitor(), write(code))).status).toBe(200)
})

test('a session without "remember me" is a short one', async () => {
  await using server = await createTestServer()
  const { code } = await mailed(server)
  const grace = server.visitor()

  await type(grace, code, { rememberMe: false })

  expect(grace.cookies.has('better-auth.dont_remember')).toBe(true)
  const { session } = (await grace.get('/get-session')).body
  expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(86_400_000)
})

test('a code has five tries; at the sixth it is gone, and so is its link', async () => {
  await using server = await createTestServer()
  const { code, token } = await mailed(server)
  const visitor = server.visitor()

  for (let tries = 1; tries <= 5; tries += 1)
    expect(refusal(await type(visitor, not(code)))).toEqual([400, 'INVALID_OTP'])
  expect(refusal(await type(visitor, code))).toEqual([403, 'TOO_MANY_ATTEMPTS'])
  expect(refusal(await type(visitor, code))).toEqual([400, 'INVALID_OTP'])
  expect(refusal(await visitor.get(`/magic-link/verify?token=${token}`))).toEqual([401, 'INVALID_TOKEN'])

  expect((await type(visitor, (await mailed(server)).code)).status).toBe(200)
})

test('the fifth try may be the right one', async () => {
  await using server = await createTestServer()
  const { code } = await mailed(server)

  for (let tries = 1; tries <= 4; tries += 1) await type(server.visitor(), not(code))

  expect((await type(server.visitor(), code)).status).toBe(200)
})

test('tries at the same moment are counted each', async () => {
  await using server = await createTestServer()
  const { code } = await mailed(server)

  const answers = await Promise.all(Array.from({ length: 12 }, () => type(server.visitor(), not(code))))

  const codes = answers.map(({ body }) => body.code).sort()
  expect(codes.filter((each) => each === 'TOO_MANY_ATTEMPTS')).toHaveLength(1)
  expect(refusal(await type(server.visitor(), code))).toEqual([400, 'INVALID_OTP'])
  expect(await server.events('session.created')).toEqual([])
})

test('of right codes at the same moment one signs in', async () => {
  await using server = await createTestServer()
  const { code } = await mailed(server)

  const answers = await Promise.all(Array.from({ length: 4 }, () => type(server.visitor(), code)))

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
  expect(await server.events('session.created')).toHaveLength(1)
})

test('a code expires with its link', async () => {
  await using server = await createTestServer()
  const { code } = await mailed(server)

  server.clock.advance(minutes(5))

  expect(refusal(await type(server.visitor(), code))).toEqual([400, 'OTP_EXPIRED'])
})

test('a code is good for the mailbox that it was sent to', async () => {
  await using server = await createTestServer()
  const { code } = await mailed(server, 'other@example.com')
  const own = await mailed(server)

  if (code !== own.code) expect(refusal(await type(server.visitor(), code))).toEqual([400, 'INVALID_OTP'])
  expect((await type(server.visitor(), own.code)).body.user.email).toBe(email)
})

test.each([
  ['', 400, 'INVALID_OTP'],
  ['12345', 400, 'INVALID_OTP'],
  ['١٢٣٤٥٦', 400, 'INVALID_OTP'],
  ['x'.repeat(33), 400, 'VALIDATION_ERROR'],
  [123_456, 400, 'VALIDATION_ERROR'],
  [null, 400, 'VALIDATION_ERROR'],
])('an invalid code is refused: %j', async (otp, status, code) => {
  await using server = await createTestServer()

  expect(refusal(await server.visitor().post('/sign-in/email-otp', { email, otp }))).toEqual([status, code])
})

test.each(['nobody', '1@Reddit.invalid'])('an invalid address is refused: %s', async (address) => {
  await using server = await createTestServer()

  const answer = await server.visitor().post('/sign-in/email-otp', { email: address, otp: '123456' })

  expect(refusal(answer)).toEqual([400, 'INVALID_EMAIL'])
})

test.each([false, true])(
  'wrong codes reveal no user, with or without sign-up (disableSignUp: %s)',
  async (disableSignUp) => {
    await using server = await createTestServer({ magicLink: { disableSignUp } })
    const ada = await server.signedUp()
    const seen = async (address: string) => {
      const visitor = server.visitor()
      const answers: unknown[] = []
      const guess = async () => {
        const { status, text } = await visitor.post('/sign-in/email-otp', { email: address, otp: 'wrong' })
        answers.push([status, text])
      }
      await guess()
      await visitor.post('/sign-in/magic-link', { email: address })
      await context(server).jobs.runDue()
      for (let tries = 0; tries < 7; tries += 1) await guess()
      await visitor.post('/sign-in/magic-link', { email: address })
      await context(server).jobs.runDue()
      server.clock.advance(minutes(5))
      await guess()
      return answers
    }

    const ofKnown = await seen(ada.email)

    expect(ofKnown.map((answer) => JSON.stringify(answer)).join()).toMatch(
      /INVALID_OTP.*TOO_MANY.*INVALID_OTP.*EXPIRED/,
    )
    expect(await seen('nobody@example.com')).toEqual(ofKnown)
  },
)

test('the right code of a user who is gone is a wrong one, where no new user may come in', async () => {
  await using server = await createTestServer({ magicLink: { disableSignUp: true } })
  const ada = await server.signedUp()
  await server.mailsTo(ada.email)
  const { code } = await mailed(server, ada.email)
  await context(server).transaction((tx) => tx.deleteFrom('user').execute())

  const answer = await server.visitor().post('/sign-in/email-otp', { email: ada.email, otp: code })

  expect(refusal(answer)).toEqual([400, 'INVALID_OTP'])
  expect(await server.events('user.created')).toHaveLength(1)
})

test('ten wrong codes of a mailbox are enough for a while, and keep no user from their password', async () => {
  await using server = await createTestServer({ baseURL }, production)
  let requests = 0
  const from = () => {
    requests += 1
    return server.visitor({ address: `192.0.2.${requests}` })
  }
  const password = 'correct horse battery'
  await from().post('/sign-up/email', { name: 'Ada', email, password })

  for (const address of [email, 'nobody@example.com']) {
    for (let failures = 0; failures < 10; failures += 1)
      expect((await from().post('/sign-in/email-otp', { email: address, otp: '000000' })).status).toBe(400)
    expect((await from().post('/sign-in/email-otp', { email: address, otp: '000000' })).status).toBe(429)
  }
  expect((await from().post('/sign-in/email', { email, password })).status).toBe(200)
  server.clock.advance(minutes(15))
  expect((await from().post('/sign-in/email-otp', { email, otp: '000000' })).status).toBe(400)
})

test('signing in by code is no failure, however often', async () => {
  const mails: string[] = []
  await using server = await createTestServer(
    { baseURL, hooks: { sendEmail: ({ text }) => void mails.push(text) }, magicLink: { expiresIn: 86_400 } },
    production,
  )
  for (let round = 1; round <= 12; round += 1) {
    // Beyond the mailbox's limit, but within the limit on failures.
    if (round % 5 === 0) server.clock.advance(minutes(10))
    const visitor = server.visitor({ address: `192.0.2.${round}` })
    await visitor.post('/sign-in/magic-link', { email })
    await context(server).jobs.runDue()

    expect((await type(visitor, /^\d{6}$/m.exec(mails.at(-1)!)![0])).status).toBe(200)
  }
})
