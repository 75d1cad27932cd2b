import { expect, test } from 'vitest'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type TestServer, type Visitor } from '../../testing.ts'

type Settings = Exclude<TollgateConfig['captcha'], false | undefined>
type Asked = { readonly url: string; readonly init: RequestInit; readonly body: URLSearchParams }

const settings: Settings = { provider: 'cloudflare-turnstile', secretKey: 'the secret key' }
const passed = { success: true, hostname: 'localhost', 'error-codes': [] }
const refused = { success: false, 'error-codes': ['invalid-input-response'] }
const right = { 'x-captcha-response': 'XXXX.right-answer_1' }

/** A server whose captcha provider gives the set answer and records the requests. */
async function guarded(
  answer: unknown,
  further: Partial<Settings> = {},
  config: TollgateConfig = {},
): Promise<TestServer & { readonly asked: Asked[] }> {
  const asked: Asked[] = []
  const server = await createTestServer(
    { ...config, captcha: { ...settings, ...further } },
    {
      fetch: async (url, init = {}) => {
        asked.push({ url: String(url), init, body: init.body as URLSearchParams })
        if (answer instanceof Error) throw answer
        return typeof answer === 'function' ? answer() : Response.json(answer)
      },
    },
  )
  return Object.assign(server, { asked })
}

const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
const signUp = (person: Visitor, headers: Record<string, string> = {}) => person.post('/sign-up/email', ada, headers)

test.each<[string, Settings['provider'], Partial<Settings>, string, Record<string, string>]>([
  ['Turnstile', 'cloudflare-turnstile', {}, 'https://challenges.cloudflare.com/turnstile/v0/siteverify', {}],
  ['reCAPTCHA', 'google-recaptcha', {}, 'https://www.google.com/recaptcha/api/siteverify', {}],
  [
    'hCaptcha',
    'hcaptcha',
    { siteKey: 'the site key' },
    'https://api.hcaptcha.com/siteverify',
    { sitekey: 'the site key' },
  ],
  ['another address', 'hcaptcha', { verifyURL: 'http://127.0.0.1:9/check' }, 'http://127.0.0.1:9/check', {}],
])('%s receives the secret, the answer and the visitor’s address', async (_, provider, further, url, members) => {
  await using server = await guarded(passed, { provider, ...further })

  const { status } = await signUp(server.visitor({ address: '203.0.113.7' }), right)

  expect(status).toBe(200)
  expect(server.asked).toHaveLength(1)
  expect(server.asked[0]).toMatchObject({ url, init: { method: 'POST', redirect: 'error' } })
  expect(Object.fromEntries(server.asked[0]!.body)).toEqual({
    secret: 'the secret key',
    response: 'XXXX.right-answer_1',
    remoteip: '203.0.113.7',
    ...members,
  })
})

test.each([
  ['/sign-up/email', ada],
  ['/sign-in/email', ada],
  ['/sign-in/username', { username: 'ada', password: ada.password }],
  ['/sign-in/magic-link', { email: ada.email }],
  ['/forget-password', { email: ada.email }],
  ['/request-password-reset', { email: ada.email }],
])('%s wants an answer, and a right one', async (path, body) => {
  await using missing = await guarded(passed)
  await using wrong = await guarded(refused)

  expect(await missing.visitor().post(path, body)).toMatchObject({
    status: 400,
    body: { code: 'MISSING_CAPTCHA_RESPONSE', message: 'Missing CAPTCHA response' },
  })
  expect(await wrong.visitor().post(path, body, right)).toMatchObject({
    status: 403,
    body: { code: 'CAPTCHA_VERIFICATION_FAILED', message: 'Captcha verification failed' },
  })
  expect(missing.asked).toEqual([])
})

test('nothing comes of a call without the right answer: no account, no mail', async () => {
  await using server = await guarded(refused)

  await signUp(server.visitor(), right)
  await server.visitor().post('/forget-password', { email: ada.email }, right)

  const { ctx } = server.tollgate.internals
  expect(await ctx.db.selectFrom('user').selectAll().execute()).toEqual([])
  expect(await ctx.db.selectFrom('job').selectAll().where('kind', '!=', 'sweep').execute()).toEqual([])
})

test('calls that guess nothing want no answer, and neither does server code', async () => {
  await using server = await guarded(refused)

  const { user } = await server.tollgate.api.signUpEmail({ body: ada })
  const { status } = await server.visitor().post('/send-verification-email', { email: ada.email })

  expect([user.email, status, server.asked]).toEqual([ada.email, 200, []])
})

test('without a captcha in the configuration the header means nothing', async () => {
  await using server = await createTestServer()

  expect((await signUp(server.visitor(), right)).status).toBe(200)
})

test.each([
  ['of more than 8 kB', 'x'.repeat(8193)],
  ['with a blank', 'two words'],
  ['with what belongs to a form', 'a&secret=b'],
])('an answer %s is refused without asking', async (_, response) => {
  await using server = await guarded(passed)

  const { status, body } = await signUp(server.visitor(), { 'x-captcha-response': response })

  expect([status, body.code, server.asked]).toEqual([403, 'CAPTCHA_VERIFICATION_FAILED', []])
})

test('a malformed answer is refused before the provider is asked: an answer works only once', async () => {
  await using server = await guarded(passed)

  const { body } = await server.visitor().post('/sign-in/email', { email: ada.email }, right)

  expect([body.code, server.asked]).toEqual(['VALIDATION_ERROR', []])
})

test.each([
  [0.5, 200],
  [0.9, 200],
  [0.49, 403],
  [0, 403],
  [undefined, 200],
])('reCAPTCHA: a score of %s answers %i', async (score, status) => {
  await using server = await guarded({ ...passed, score }, { provider: 'google-recaptcha' })

  expect((await signUp(server.visitor(), right)).status).toBe(status)
})

test('the lowest score that passes is the configuration’s; only reCAPTCHA is judged by it', async () => {
  await using strict = await guarded({ ...passed, score: 0.7 }, { provider: 'google-recaptcha', minScore: 0.8 })
  await using other = await guarded({ ...passed, score: 0 }, { provider: 'hcaptcha' })

  expect((await signUp(strict.visitor(), right)).status).toBe(403)
  expect((await signUp(other.visitor(), right)).status).toBe(200)
})

test('where hosts are named, an answer from a page of another host is refused', async () => {
  const hostnames = ['accounts.example']
  await using own = await guarded({ ...passed, hostname: 'accounts.example' }, { hostnames })
  await using foreign = await guarded({ ...passed, hostname: 'evil.example' }, { hostnames })
  await using none = await guarded({ success: true }, { hostnames })

  const statuses = await Promise.all(
    [own, foreign, none].map(async (server) => (await signUp(server.visitor(), right)).status),
  )

  expect(statuses).toEqual([200, 403, 403])
})

const outages: [string, unknown][] = [
  ['does not answer', new TypeError('fetch failed')],
  ['takes too long', new DOMException('The operation was aborted due to timeout', 'TimeoutError')],
  ['answers 503', () => new Response('{"success":true}', { status: 503 })],
  ['answers a page', () => new Response('<h1>Bad gateway</h1>')],
  ['answers nothing', () => new Response(null, { status: 204 })],
  ['answers without a verdict', { ok: true }],
  ['answers a list', [true]],
  ['answers without an end', () => new Response(`{"success":true,"x":"${'x'.repeat(70_000)}"}`)],
  ['says that it failed itself', { success: false, 'error-codes': ['internal-error'] }],
]

test.each(outages)(
  'F-captcha-down: a provider that %s refuses by default, and names the time to retry',
  async (_, answer) => {
    await using server = await guarded(answer)

    const { status, body, headers } = await signUp(server.visitor(), right)

    expect([status, headers.get('retry-after')]).toEqual([503, '10'])
    expect(body).toEqual({
      code: 'CAPTCHA_VERIFICATION_IS_UNAVAILABLE_PLEASE_TRY_AGAIN_LATER',
      message: 'Captcha verification is unavailable. Please try again later.',
    })
    expect(server.logs.join()).not.toContain('the secret key')
  },
)

test.each(outages)(
  'F-captcha-down: a provider that %s admits visitors where the configuration allows it',
  async (_, answer) => {
    await using server = await guarded(answer, { whenDown: 'allow' })

    expect((await signUp(server.visitor(), right)).status).toBe(200)
    expect((await signUp(server.visitor())).status).toBe(400)
  },
)

test('a refusal with another status than 200 is a refusal, not an outage', async () => {
  await using server = await guarded(() => Response.json(refused, { status: 400 }), { whenDown: 'allow' })

  expect((await signUp(server.visitor(), right)).status).toBe(403)
})

test('a secret key that the provider does not know lets no user through, and is logged as our fault', async () => {
  await using server = await guarded({ success: false, 'error-codes': ['invalid-input-secret'] }, { whenDown: 'allow' })

  expect((await signUp(server.visitor(), right)).status).toBe(503)
  const [line] = server.logs.filter((each) => each.includes('captcha.secretKey'))
  expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 50, provider: 'cloudflare-turnstile' })
  expect(server.logs.join()).not.toContain('the secret key')
})

test('the configuration selects the calls that ask: no others, and these under both of their names', async () => {
  await using server = await guarded(passed, { endpoints: ['/forget-password', '/send-verification-email'] })
  const ask = async (path: string, body: object) => {
    const request = new Request(`${server.baseURL}/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await server.tollgate.handler(request)).status
  }

  expect(await ask('/sign-up/email', ada)).toBe(200)
  expect(await ask('/forget-password', { email: ada.email })).toBe(400)
  expect(await ask('/request-password-reset', { email: ada.email })).toBe(400)
  expect(await ask('/send-verification-email', { email: ada.email })).toBe(400)
})

test.each(['/sign-in', '/token', '/callback/:id', '/set-password', 'sign-up/email', '/nowhere'])(
  'the start is refused when a captcha is to guard %s, which it cannot',
  async (path) => {
    await expect(guarded(passed, { endpoints: [path] })).rejects.toThrow('the path of a POST call')
  },
)
