import { authCalls } from '@tollgate/contract/calls'
import { expect, test } from 'vitest'
import type { TollgateConfig } from '../foundation/config/config.ts'
import { pathsWithWidget } from '../foundation/config/guarded-calls.ts'
import { createTestServer, type TestAnswer, type TestServer, type Visitor } from '../testing.ts'

type Settings = Exclude<TollgateConfig['captcha'], false | undefined>

const settings: Settings = { provider: 'cloudflare-turnstile', siteKey: 'the site key', secretKey: 'the secret key' }

/** A server whose captcha provider accepts one answer. */
async function guarded(further: Partial<Settings> = {}): Promise<TestServer & { readonly asked: string[] }> {
  const asked: string[] = []
  const server = await createTestServer(
    { captcha: { ...settings, ...further } },
    {
      fetch: async (_, init) => {
        const response = (init!.body as URLSearchParams).get('response') ?? ''
        asked.push(response)
        return Response.json({ success: response === 'right' })
      },
    },
  )
  return Object.assign(server, { asked })
}

const page = (visitor: Visitor, path: string) => visitor.request('GET', path)

const send = (visitor: Visitor, path: string, values: Record<string, string>) =>
  visitor.request('POST', path, {
    raw: new URLSearchParams(values).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const policyOf = ({ headers }: TestAnswer) => headers.get('content-security-policy') ?? ''

/** Returns the answer and checks that the secret is nowhere in it. */
const propsOf = ({ text }: TestAnswer): { data: { captcha?: unknown } } => {
  expect(text).not.toContain('the secret key')
  return JSON.parse(/<script id="props" type="application\/json">(.*?)<\/script>/s.exec(text)?.[1] ?? 'null')
}

const ada = { form: 'sign-up', name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }

test.each<[Settings['provider'], RegExp]>([
  [
    'cloudflare-turnstile',
    /script-src 'self' https:\/\/challenges\.cloudflare\.com; .*frame-src https:\/\/challenges\.cloudflare\.com;/,
  ],
  [
    'google-recaptcha',
    /script-src 'self' https:\/\/www\.google\.com\/recaptcha\/ https:\/\/www\.gstatic\.com\/recaptcha\/;/,
  ],
  ['hcaptcha', /connect-src 'self' https:\/\/hcaptcha\.com https:\/\/\*\.hcaptcha\.com;/],
])('a page with the widget of %s may load the widget’s resources', async (provider, policy) => {
  await using server = await guarded({ provider })

  const answer = await page(server.visitor(), '/sign-up')

  expect(policyOf(answer)).toMatch(policy)
  expect(propsOf(answer).data.captcha).toEqual({ provider, siteKey: 'the site key', calls: ['signUpEmail'] })
  expect(answer.text).toContain(`data-tg="captcha" data-provider="${provider}"`)
})

test('other pages, servers without a captcha, and those without a site key draw none and load nothing from elsewhere', async () => {
  await using server = await guarded()
  await using none = await createTestServer()
  await using bare = await createTestServer({ captcha: { provider: 'hcaptcha', secretKey: 'the secret key' } })
  const policies = await Promise.all([
    page(server.visitor(), '/error'),
    page(server.visitor(), '/reset-password?token=x'),
    page(none.visitor(), '/sign-in'),
    page(bare.visitor(), '/sign-in'),
  ])

  for (const answer of policies) {
    expect(answer.text).not.toContain('data-tg="captcha"')
    expect(policyOf(answer)).toContain("script-src 'self';")
    expect(policyOf(answer)).not.toContain('frame-src')
  }
})

test('where the configuration names the calls, only pages with their forms have the widget', async () => {
  await using server = await guarded({ endpoints: ['/sign-up/email'] })

  expect((await page(server.visitor(), '/sign-up')).text).toContain('data-tg="captcha"')
  expect((await page(server.visitor(), '/sign-in')).text).not.toContain('data-tg="captcha"')
})

test.each([
  [{}, 400],
  [{ 'cf-turnstile-response': 'wrong' }, 403],
  // A value that no header can hold counts as missing.
  [{ 'cf-turnstile-response': 'right\r\nx-own: 1' }, 400],
  [{ 'cf-turnstile-response': 'ščř' }, 400],
  // The field of another provider's widget.
  [{ 'h-captcha-response': 'right' }, 400],
])('a posted form with the answer %j is refused, and comes back as it was', async (fields, status) => {
  await using server = await guarded()

  const answer = await send(server.visitor(), '/sign-up', { ...ada, ...fields })

  expect(answer.status).toBe(status)
  expect(answer.text).toContain('value="ada@example.com"')
  expect(answer.text).toContain('data-tg="captcha"')
  expect(answer.headers.getSetCookie().join()).not.toContain('session_token')
})

test('a posted form brings the widget’s answer to the call', async () => {
  await using server = await guarded()
  const visitor = server.visitor()

  const answer = await send(visitor, '/sign-up', { ...ada, 'cf-turnstile-response': 'right' })

  expect([answer.status, answer.headers.get('location'), server.asked]).toEqual([303, '/', ['right']])
  const signIn = { form: 'sign-in', email: ada.email, password: ada.password, 'cf-turnstile-response': 'right' }
  expect((await send(server.visitor(), '/sign-in', signIn)).status).toBe(303)
})

test('a user without a password answers the captcha before the link to set one', async () => {
  await using server = await guarded()
  const visitor = server.visitor()
  await send(visitor, '/sign-up', { ...ada, 'cf-turnstile-response': 'right' })
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) => tx.deleteFrom('account').execute())
  const security = await page(visitor, '/account/security')
  expect(security.text).toContain('data-tg="captcha"')

  const refused = await send(visitor, '/account/security', { form: 'set-password' })
  const sent = await send(visitor, '/account/security', { form: 'set-password', 'cf-turnstile-response': 'right' })

  expect([refused.status, sent.status]).toEqual([400, 303])
  expect(policyOf(security)).toContain('challenges.cloudflare.com')
})

test.each(['/sign-in/email-otp', '/verify-password', '/sign-in/social'])(
  '%s is not guarded where widgets are drawn, because its form draws none',
  async (path) => {
    await expect(guarded({ endpoints: ['/sign-in/email', path] })).rejects.toThrow(
      `captcha.endpoints names ${path}, whose form has no widget: with a site key, the allowed calls are /sign-up/email, `,
    )
    // Custom pages send the captcha answer themselves.
    const bare: Settings = { provider: 'hcaptcha', secretKey: 'the secret key', endpoints: [path] }
    await using server = await createTestServer({ captcha: bare })
    expect(server.tollgate.internals.ctx.config.captcha).toMatchObject({ endpoints: [path] })
  },
)

test('every call that may be guarded where widgets are drawn has a page that draws one', async () => {
  await using server = await guarded({ endpoints: [...pathsWithWidget] })
  const visitor = server.visitor()

  const pages = [
    await page(visitor, '/sign-in'),
    await page(visitor, '/sign-up'),
    await page(visitor, '/forgot-password'),
  ]
  await send(visitor, '/sign-up', { ...ada, 'cf-turnstile-response': 'right' })
  pages.push(await page(visitor, '/account'))

  const drawn = pages.flatMap((answer) => {
    expect(answer.text).toContain('data-tg="captcha"')
    const { calls } = propsOf(answer).data.captcha as { calls: (keyof typeof authCalls)[] }
    return calls.map((name) => authCalls[name].path)
  })
  expect([...new Set(drawn)].toSorted()).toEqual(pathsWithWidget.toSorted())
})
