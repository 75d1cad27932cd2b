import { describe, expect, test } from 'vitest'
import { readConfig } from '../../app/server.ts'
import { createTestServer } from '../../testing.ts'
import { ConfigError, configSchema, defineConfig, environment, isLoopback, resolveConfig } from './config.ts'

const secret = 'x'.repeat(32)
const production = { TOLLGATE_MODE: 'production', SECRET: secret, BASE_URL: 'https://accounts.example.com' }

/** The message of a refused start, line by line. */
function problemsOf(file: unknown, env: Record<string, string> = {}): string[] {
  try {
    resolveConfig(file, env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    const [first, ...rest] = (error as ConfigError).message.split('\n')
    expect(first).toBe('Invalid configuration:')
    return rest.map((line) => line.replace(/^ {2}- /, ''))
  }
  return []
}

test('without a setting, development on this machine', () => {
  const config = resolveConfig({}, {})

  expect(config).toMatchObject({
    mode: 'development',
    host: '127.0.0.1',
    port: 3000,
    databaseUrl: 'sqlite:./data/tollgate.db',
    basePath: '/api/auth',
    appName: 'Tollgate',
    trustedOrigins: [],
    smtpUrl: undefined,
    emailFrom: 'no-reply@localhost',
    logLevel: 'info',
    logFormat: 'pretty',
    secureCookies: false,
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: false,
      minPasswordLength: 8,
      maxPasswordLength: 128,
      breachedPasswords: false,
      autoSignIn: true,
      disableSignUp: false,
      resetPassword: true,
      resetPasswordTokenExpiresIn: 3600,
      revokeSessionsOnPasswordReset: true,
    },
    emailVerification: { enabled: true, sendOnSignUp: true, autoSignInAfterVerification: false, expiresIn: 3600 },
    user: {
      changeEmail: { enabled: true },
      deleteUser: { enabled: true, sendVerification: 'withoutPassword', deleteTokenExpiresIn: 86_400 },
    },
    session: {
      expiresIn: 604_800,
      updateAge: 86_400,
      freshAge: 86_400,
      expiresInWithoutRememberMe: 86_400,
      disableSessionRefresh: false,
      cookieCache: { enabled: false, maxAge: 300 },
    },
    rateLimit: { window: 10, max: 100, customRules: {} },
    advanced: { cookiePrefix: 'better-auth', ipAddressHeaders: [], trustedProxies: [] },
  })
  expect(config.baseURL.href).toBe('http://localhost:3000/')
})

test('every group and every option may be undefined, and then is its default', () => {
  const { session, advanced, ...rest } = resolveConfig({}, {})

  const given = resolveConfig({ session: undefined, advanced: { cookiePrefix: undefined }, appName: undefined }, {})

  expect(given.session).toEqual(session)
  expect(given.advanced.cookiePrefix).toEqual(advanced.cookiePrefix)
  expect(given.appName).toEqual(rest.appName)
})

test('the environment wins over the file', () => {
  const development = { TOLLGATE_MODE: 'development' }
  const file = { baseURL: 'https://file.example.com', secret: `file ${secret}` }
  const env = {
    ...production,
    HOST: '0.0.0.0',
    PORT: '8080',
    DATABASE_URL: 'postgres://db/x',
    SMTP_URL: 'smtps://mail.example.com',
    EMAIL_FROM: 'Acme <hello@example.com>',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'pretty',
  }

  expect(resolveConfig(file, env)).toMatchObject({
    secret,
    host: '0.0.0.0',
    port: 8080,
    databaseUrl: 'postgres://db/x',
    smtpUrl: 'smtps://mail.example.com',
    emailFrom: 'Acme <hello@example.com>',
    logLevel: 'warn',
    logFormat: 'pretty',
    secureCookies: true,
  })
  expect(resolveConfig(file, env).baseURL.hostname).toBe('accounts.example.com')
  expect(resolveConfig(file, development).baseURL.hostname).toBe('file.example.com')
  expect(resolveConfig(file, development).secret).toBe(`file ${secret}`)
})

test('trusted origins of the environment are added to those of the file', () => {
  const env = { TRUSTED_ORIGINS: ' https://b.example , https://*.c.example,, ' }
  const ofRequest = () => ['https://a.example']

  expect(resolveConfig({ trustedOrigins: ['https://a.example'] }, env).trustedOrigins).toEqual([
    'https://a.example',
    'https://b.example',
    'https://*.c.example',
  ])
  expect(resolveConfig({ trustedOrigins: ofRequest }, env)).toMatchObject({
    trustedOrigins: ['https://b.example', 'https://*.c.example'],
    trustedOriginsOf: ofRequest,
  })
})

test('an empty variable counts as left out', () => {
  const empty = Object.fromEntries(Object.keys(environment).map((name) => [name, '']))

  expect(problemsOf({}, empty)).toEqual([])
  expect(resolveConfig({}, empty).port).toBe(3000)
})

test('the development secret is used only without a configured one', () => {
  let asked = 0
  const developmentSecret = () => {
    asked += 1
    return 'made once'
  }

  expect(resolveConfig({}, {}, { developmentSecret }).secret).toBe('made once')
  expect(resolveConfig({ secret }, {}, { developmentSecret }).secret).toBe(secret)
  expect(asked).toBe(1)
})

test('one message names every wrong setting, its value, and the allowed values', () => {
  const file = {
    appName: '',
    basePath: 'api',
    baseURL: 'localhost',
    secret: 'short',
    sesion: {},
    session: { expiresIn: 0, updateAge: 1.5, cookieCache: { maxAge: -1, enabled: 'yes' }, freshage: 1 },
    emailAndPassword: { breachedPasswords: 'ask' },
    rateLimit: { storage: 'redis', customRules: { '/x': { window: 0, max: 1 } } },
    advanced: { cookiePrefix: 'a b', trustedProxies: ['10.0.0.0/99', 'nonsense'] },
    trustedOrigins: ['localhost:5173'],
    hooks: { sendEmail: true },
  }
  const env = {
    TOLLGATE_MODE: 'prod',
    HOST: 'not a host',
    PORT: '70000',
    BASE_URL: 'ftp://x',
    DATABASE_URL: 'mysql://x',
    SECRET: 'tooshort',
    SECRET_PREVIOUS: `${secret},short`,
    SMTP_URL: 'mail.example.com',
    EMAIL_FROM: 'nobody',
    LOG_LEVEL: 'loud',
    LOG_FORMAT: 'xml',
    TOLLGATE_MOOD: 'good',
  }

  const problems = problemsOf(file, env)

  const expected = [
    'TOLLGATE_MOOD is not a setting: the known ones are TOLLGATE_MODE, TOLLGATE_CONFIG',
    'TOLLGATE_MODE is "prod": must be development or production',
    'HOST is "not a host": must be an address of this machine, or a name for one',
    'PORT is "70000": must be a number from 0 to 65535',
    'BASE_URL is "ftp://x": must be an http or https origin: no path, query, hash or credentials',
    'DATABASE_URL is "mysql://x": must be sqlite:PATH, file:PATH, sqlite::memory:, postgres://… or postgresql://…',
    'SECRET is 8 characters long: must be at least 32 characters',
    'SECRET_PREVIOUS is a list with a secret of under 32 characters: must be secrets, comma separated',
    'SMTP_URL is not such an address: must be smtp://user:pass@host:587 or smtps://…',
    'EMAIL_FROM is "nobody": must be one e-mail address, or a name and an address: Acme <no-reply@example.com>',
    'LOG_LEVEL is "loud": must be trace, debug, info, warn, error, fatal or silent',
    'LOG_FORMAT is "xml": must be json or pretty',
    'sesion is not an option',
    'session.freshage is not an option',
    'session.expiresIn is 0: must be more than 0',
    'session.updateAge is 1.5: must be a whole number',
    'session.cookieCache.maxAge is -1: must be at least 0',
    'session.cookieCache.enabled is "yes": must be a value of type boolean',
    'basePath is "api": must be a path such as /api/auth',
    'baseURL is "localhost": must be an http or https origin: no path, query, hash or credentials',
    'secret is not shown: must be at least 32 characters',
    'advanced.cookiePrefix is "a b": must be letters, digits, `_`, `.`, `-`',
    'advanced.trustedProxies.0 is "10.0.0.0/99": must be an address or a CIDR range',
    'advanced.trustedProxies.1 is "nonsense": must be an address or a CIDR range',
  ]
  for (const line of expected) expect(problems).toContain(line)
  for (const start of [
    'appName is "": ',
    'emailAndPassword.breachedPasswords is "ask": ',
    'rateLimit.storage is "redis": ',
    'rateLimit.customRules./x',
    'trustedOrigins',
    'hooks.sendEmail is true: must be a function',
  ])
    expect([start, problems.some((line) => line.startsWith(start))]).toEqual([start, true])
  // Secrets are not printed, not even wrong ones.
  expect(problems.join()).not.toMatch(/tooshort|"short/)
})

test.each([
  ['mysql://ada:hunter2@db/x', 'mysql://db/x'],
  ['mysql://ada:hunt/er2@db/x', 'mysql://…'],
  ['mysql://ada:hunt?er2@db/x', 'mysql://…'],
  ['mysql://ada:hunt#er2@db/x', 'mysql://…'],
  ['mysql://ada:2@hunter2@db/x', 'mysql://db/x'],
  ['mysql://db/x?password=hunter2', 'mysql://db/x'],
  ['mysql://db/x?password=hunter2@3', 'mysql://…'],
  ['ada:hunter2@db/x', 'ada://…'],
  ['hunter2@db/x', '//…'],
])('F-failclosed: the error for a wrong DATABASE_URL omits its password: %s', (given, shown) => {
  const [problem] = problemsOf({}, { DATABASE_URL: given })

  expect(problem).toContain(`DATABASE_URL is ${JSON.stringify(shown)}:`)
})

test.each([
  'https://accounts.example.com/auth',
  'https://accounts.example.com?x=1',
  'https://accounts.example.com/?',
  'https://accounts.example.com/#top',
  'https://ada@accounts.example.com',
  'https://ada:hunter2@accounts.example.com',
])('a public address of which a part would be dropped is refused: %s', (address) => {
  const fromFile = problemsOf({ baseURL: address }, { ...production, BASE_URL: '' })
  const fromEnvironment = problemsOf({}, { ...production, BASE_URL: address })

  expect([fromFile.length, fromEnvironment.length]).toEqual([1, 1])
  for (const problem of [...fromFile, ...fromEnvironment]) {
    expect(problem).toMatch(/: must be an http or https origin: no path, query, hash or credentials$/)
    expect(problem).not.toContain('hunter2')
  }
})

test('a public address may end in a slash', () => {
  expect(resolveConfig({}, { ...production, BASE_URL: 'https://accounts.example.com/' }).baseURL.origin).toBe(
    'https://accounts.example.com',
  )
})

test.each([
  ['http://[::1]:3000', 'no-reply@localhost'],
  ['http://127.0.0.1:3000', 'no-reply@localhost'],
  ['http://my_host', 'no-reply@localhost'],
  ['http://tollgate.invalid', 'no-reply@localhost'],
  ['https://accounts.example.com', 'no-reply@accounts.example.com'],
])('mails from %s come from %s', async (address, sender) => {
  expect(resolveConfig({}, { ...production, BASE_URL: address }).emailFrom).toBe(sender)
})

test.each(['a@b@c', 'a@b, c@d', 'Acme <a@b', '"x" y@z', 'a@b\u0000', 'x@tollgate.invalid', 'Ac\u202eme <a@b.example>'])(
  'a sender that no mail could have stops the start: %j',
  (sender) => {
    expect(problemsOf({}, { EMAIL_FROM: sender })).toEqual([expect.stringMatching(/^EMAIL_FROM is /)])
  },
)

const github = { clientId: 'an application', clientSecret: 'of the file' }

test('a pair in the environment switches a provider on', () => {
  const env = { GITHUB_CLIENT_ID: 'an application', GITHUB_CLIENT_SECRET: 'its secret', ZOOM_CLIENT_SECRET: '' }

  expect(resolveConfig({}, env).socialProviders).toEqual({
    github: { clientId: 'an application', clientSecret: 'its secret' },
  })
  expect(resolveConfig({}, {}).socialProviders).toEqual({})
})

test.each<[string, object, Record<string, string>, unknown]>([
  [
    'a pair',
    { ...github, scope: ['repo'] },
    { GITHUB_CLIENT_ID: 'another', GITHUB_CLIENT_SECRET: 'of the environment' },
    { clientId: 'another', clientSecret: 'of the environment', scope: ['repo'] },
  ],
  ['an id alone', github, { GITHUB_CLIENT_ID: 'another' }, { clientId: 'another', clientSecret: 'of the file' }],
  [
    'a secret alone',
    { clientId: 'an application' },
    { GITHUB_CLIENT_SECRET: 'of the environment' },
    { clientId: 'an application', clientSecret: 'of the environment' },
  ],
  [
    'a pair, of which the file knows nothing',
    { scope: ['repo'] },
    { GITHUB_CLIENT_ID: 'another', GITHUB_CLIENT_SECRET: 'of the environment' },
    { clientId: 'another', clientSecret: 'of the environment', scope: ['repo'] },
  ],
])('%s in the environment overrides the provider in the file', (_, file, env, expected) => {
  expect(resolveConfig({ socialProviders: { github: file } }, env).socialProviders.github).toEqual(expected)
})

test('a provider that the file switches off stays off, whatever other settings exist', () => {
  const off = { socialProviders: { github: { enabled: false }, google: { ...github, enabled: true } } }

  const { socialProviders } = resolveConfig(off, { GITHUB_CLIENT_ID: 'an application', GITHUB_CLIENT_SECRET: 'secret' })

  expect(Object.keys(socialProviders)).toEqual(['google'])
})

test('a provider’s missing settings are named, by the environment and by the file', () => {
  const file = {
    socialProviders: { github: { clientId: 'an application' }, google: { clientSecret: 'x' }, gitlab: {} },
  }

  expect(problemsOf(file)).toEqual([
    'GOOGLE_CLIENT_ID (socialProviders.google.clientId) is missing',
    'GITHUB_CLIENT_SECRET (socialProviders.github.clientSecret) is missing',
    'GITLAB_CLIENT_ID (socialProviders.gitlab.clientId) is missing',
    'GITLAB_CLIENT_SECRET (socialProviders.gitlab.clientSecret) is missing',
  ])
  expect(problemsOf({}, { ZOOM_CLIENT_ID: 'an application' })).toEqual([
    'ZOOM_CLIENT_SECRET (socialProviders.zoom.clientSecret) is missing',
  ])
  expect(problemsOf({}, { ZOOM_CLIENT_SECRET: 'hunter2' })).toEqual([
    'ZOOM_CLIENT_SECRET is set without ZOOM_CLIENT_ID',
  ])
})

test('vk has public clients, and needs no secret', () => {
  expect(resolveConfig({}, { VK_CLIENT_ID: 'an application' }).socialProviders).toEqual({
    vk: { clientId: 'an application' },
  })
})

test('apple signs its secret itself with a key, and needs all that belongs to it', () => {
  const key = { clientId: 'an application', teamId: 'a team', keyId: 'a key' }
  const missing =
    'APPLE_CLIENT_SECRET (socialProviders.apple.clientSecret) is missing, or teamId, keyId and privateKey instead'

  expect(problemsOf({ socialProviders: { apple: { ...key, privateKey: 'PEM' } } })).toEqual([])
  expect(problemsOf({ socialProviders: { apple: key } })).toEqual([missing])
  // No other caller does.
  expect(problemsOf({ socialProviders: { github: { ...key, privateKey: 'PEM' } } })).toEqual([
    'GITHUB_CLIENT_SECRET (socialProviders.github.clientSecret) is missing',
  ])
})

test('tiktok calls its client id a key', () => {
  const { socialProviders } = resolveConfig(
    { socialProviders: { tiktok: { clientKey: 'an application', clientSecret: 'secret' } } },
    {},
  )

  expect(socialProviders.tiktok?.clientId).toBe('an application')
})

const issuer = { providerId: 'acme', clientId: 'an application', clientSecret: 'hunter2', issuer: 'https://id.example' }

test.each<[string, unknown, string]>([
  [
    'without an address of any kind',
    [{ ...issuer, issuer: undefined }],
    'genericOAuth.0 is {"providerId":"acme","clientId":"an application","clientSecret":"not shown"}: must be a provider with discoveryUrl, issuer, or endpoints with authorization, token and profile',
  ],
  [
    'of a built-in name',
    [{ ...issuer, providerId: 'github' }],
    'genericOAuth.0.providerId is "github": must be a name that no built-in provider has',
  ],
  [
    'of a name that no address could hold',
    [{ ...issuer, providerId: 'Acme SSO' }],
    'genericOAuth.0.providerId is "Acme SSO": must be lower-case letters, digits, `-` and `_`',
  ],
  [
    'at an address that is none',
    [{ ...issuer, issuer: 'file:///etc' }],
    'genericOAuth.0.issuer is "file:///etc": must be an http or https address',
  ],
  ['given twice', [issuer, issuer], 'genericOAuth names acme twice'],
  [
    'that is no list',
    issuer,
    'genericOAuth is {"providerId":"acme","clientId":"an application","clientSecret":"not shown","issuer":"https://id.example"}: must be a value of type array',
  ],
])('a provider of one’s own %s is refused', (_, genericOAuth, problem) => {
  expect(problemsOf({ genericOAuth })).toEqual([problem])
})

test('a provider of one’s own needs no secret, and may name its addresses one by one', () => {
  const endpoints = {
    authorization: 'https://id.example/authorize',
    token: 'https://id.example/token',
    profile: 'https://id.example/me',
  }

  expect(problemsOf({ genericOAuth: [{ ...issuer, clientSecret: undefined }] })).toEqual([])
  expect(problemsOf({ genericOAuth: [{ providerId: 'acme', clientId: 'an application', endpoints }] })).toEqual([])
  expect(
    problemsOf({
      genericOAuth: [{ providerId: 'acme', clientId: 'x', endpoints: { ...endpoints, token: undefined } }],
    }),
  ).toHaveLength(1)
})

const captchaKeys = { CAPTCHA_PROVIDER: 'hcaptcha', CAPTCHA_SITE_KEY: 'a site', CAPTCHA_SECRET_KEY: 'hunter2' }

test.each<[string, unknown, Record<string, string>, unknown]>([
  ['nothing is said', undefined, {}, false],
  [
    'the environment says all',
    undefined,
    captchaKeys,
    { provider: 'hcaptcha', siteKey: 'a site', secretKey: 'hunter2', minScore: 0.5, whenDown: 'refuse' },
  ],
  [
    'the file says all',
    { provider: 'google-recaptcha', secretKey: 'of the file', minScore: 0.9 },
    {},
    { provider: 'google-recaptcha', secretKey: 'of the file', minScore: 0.9, whenDown: 'refuse' },
  ],
  [
    'both do: the environment wins, and the other options stay',
    { provider: 'google-recaptcha', secretKey: 'of the file', minScore: 0.9, whenDown: 'allow' },
    captchaKeys,
    { provider: 'hcaptcha', siteKey: 'a site', secretKey: 'hunter2', minScore: 0.9, whenDown: 'allow' },
  ],
  [
    'the file leaves the secret to the environment',
    { provider: 'hcaptcha' },
    { CAPTCHA_SECRET_KEY: 'hunter2' },
    { provider: 'hcaptcha', secretKey: 'hunter2', minScore: 0.5, whenDown: 'refuse' },
  ],
])('the captcha when %s', (_, captcha, env, expected) => {
  expect(resolveConfig({ captcha }, env).captcha).toEqual(expected)
})

test('F-failclosed: an incomplete or unknown captcha stops the start', () => {
  const noProvider = 'CAPTCHA_PROVIDER (captcha.provider) is missing'
  const noSecret = 'CAPTCHA_SECRET_KEY (captcha.secretKey) is missing'

  expect(problemsOf({}, { CAPTCHA_PROVIDER: 'hcaptcha' })).toEqual([noSecret])
  expect(problemsOf({}, { CAPTCHA_SECRET_KEY: 'hunter2' })).toEqual([noProvider])
  expect(problemsOf({}, { CAPTCHA_SITE_KEY: 'a site' })).toEqual([noProvider, noSecret])
  expect(problemsOf({ captcha: {} })).toEqual([noProvider, noSecret])
  expect(problemsOf({}, { ...captchaKeys, CAPTCHA_PROVIDER: 'recaptcha' })).toEqual([
    'CAPTCHA_PROVIDER is "recaptcha": must be cloudflare-turnstile, google-recaptcha, hcaptcha',
  ])
  expect(problemsOf({ captcha: { provider: 'recaptcha', secretKey: 'hunter2' } })).toEqual([
    'captcha.provider is "recaptcha": must be "cloudflare-turnstile" or "google-recaptcha" or "hcaptcha"',
  ])
})

test('F-failclosed: no secret is printed, wherever the mistake is', () => {
  const key = 'hunter2'
  const files = [
    { secret: key },
    { socialProviders: { github: { clientId: 1, clientSecret: key } } },
    { socialProviders: { github: { clientId: 'x', clientSecret: [key] } } },
    { socialProviders: [{ clientSecret: key }] },
    { socialProviders: { apple: { clientId: 'x', privateKey: { pem: key } } } },
    { genericOAuth: [{ ...issuer, issuer: undefined }] },
    { genericOAuth: { acme: issuer } },
    { captcha: { provider: 'x', secretKey: key } },
    { captcha: [{ secretKey: key }] },
  ]

  for (const file of files) {
    const problems = problemsOf(file)
    expect([file, problems.length > 0]).toEqual([file, true])
    expect(problems.join()).not.toContain(key)
  }
})

test('an error in one place does not mark the rest as wrong', () => {
  const file = { socialProviders: { github: { clientId: 'an application' } }, captcha: { provider: 'hcaptcha' } }
  const env = { GITHUB_CLIENT_SECRET: 'its secret', CAPTCHA_SECRET_KEY: 'its secret' }

  expect(problemsOf({ ...file, sesion: {}, constructor: 1 }, env)).toEqual([
    'sesion is not an option',
    'constructor is not an option',
  ])
})

test.each<[string, unknown, string[]]>([
  [
    'a shortest username above the longest',
    { username: { minUsernameLength: 20, maxUsernameLength: 10 } },
    ['username.minUsernameLength is 20: must be at most maxUsernameLength (10)'],
  ],
  [
    'a shortest username above the usual longest',
    { username: { minUsernameLength: 31 } },
    ['username.minUsernameLength is 31: must be at most maxUsernameLength (30)'],
  ],
  ['an option of a feature that is none', { username: { minLength: 3 } }, ['username.minLength is not an option']],
  [
    'several wrong options of a feature',
    { magicLink: { expiresIn: 0, confirmPage: 'yes' } },
    [
      'magicLink.expiresIn is 0: must be more than 0',
      'magicLink.confirmPage is "yes": must be a value of type boolean',
    ],
  ],
  ['true for a feature', { jwt: true }, ['jwt is true: must be false or a value of type object']],
])('%s is refused', (_, file, problems) => {
  expect(problemsOf(file)).toEqual(problems)
})

test('omitted features follow the defaults of the reference, and false switches one off', () => {
  const { username, magicLink, jwt, captcha } = resolveConfig({}, {})

  expect({ username, magicLink, jwt, captcha }).toEqual({
    username: { minUsernameLength: 3, maxUsernameLength: 30 },
    magicLink: { expiresIn: 300, disableSignUp: false, confirmPage: true },
    jwt: false,
    captcha: false,
  })
  expect(resolveConfig({ username: undefined, jwt: {} }, {})).toMatchObject({
    username: { minUsernameLength: 3 },
    jwt: { expirationTime: '15m', gracePeriod: 2_592_000 },
  })
  expect(resolveConfig({ username: false, magicLink: false }, {})).toMatchObject({ username: false, magicLink: false })
})

describe('Stripe', () => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_secret',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_public',
    STRIPE_WEBHOOK_SECRET: 'whsec_hidden',
  }
  const missing = (name: string, option: string) =>
    `${name} (billing.processors.stripe.${option}) is missing: Stripe needs all three`

  test('is on where the environment or the file has all of it; the environment wins', () => {
    expect(resolveConfig({}, {}).stripe).toBeUndefined()
    expect(resolveConfig({}, { STRIPE_API_BASE: 'http://127.0.0.1:1' }).stripe).toBeUndefined()
    expect(resolveConfig({}, keys).stripe).toEqual({
      secretKey: 'sk_test_secret',
      publishableKey: 'pk_test_public',
      webhookSecret: 'whsec_hidden',
      apiBase: undefined,
      webhookToleranceSeconds: 300,
      takesLink: false,
      callsPerSecond: 12,
      isTest: true,
    })
    const stripe = { secretKey: 'sk_live_a', publishableKey: 'pk_live_b', webhookSecret: 'whsec_c' }
    const file = { billing: { processors: { stripe: { ...stripe, webhookToleranceSeconds: 60 } } } }
    expect(resolveConfig(file, {}).stripe?.callsPerSecond).toBe(50)
    expect(resolveConfig(file, { STRIPE_CALLS_PER_SECOND: '200' }).stripe?.callsPerSecond).toBe(200)
    expect(resolveConfig(file, { STRIPE_WEBHOOK_SECRET: 'whsec_new' }).stripe).toMatchObject({
      secretKey: 'sk_live_a',
      webhookSecret: 'whsec_new',
      webhookToleranceSeconds: 60,
      isTest: false,
    })
    expect(
      resolveConfig({ billing: false }, { STRIPE_SECRET_KEY: 'of an application around us' }).stripe,
    ).toBeUndefined()
  })

  test.each([
    [
      'two are missing',
      { STRIPE_SECRET_KEY: 'sk_test_a' },
      [missing('STRIPE_PUBLISHABLE_KEY', 'publishableKey'), missing('STRIPE_WEBHOOK_SECRET', 'webhookSecret')],
    ],
    [
      'an empty webhook secret',
      { ...keys, STRIPE_WEBHOOK_SECRET: '' },
      [missing('STRIPE_WEBHOOK_SECRET', 'webhookSecret')],
    ],
    [
      'keys of both modes',
      { ...keys, STRIPE_SECRET_KEY: 'sk_live_a' },
      ['STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY have different modes: both must be test, or both live'],
    ],
    [
      'keys that changed places',
      { ...keys, STRIPE_SECRET_KEY: 'pk_test_public' },
      ['STRIPE_SECRET_KEY must begin with sk_test_ or sk_live_'],
    ],
    [
      'a switch that is neither on nor off',
      { ...keys, STRIPE_LINK: 'yes' },
      ['STRIPE_LINK is "yes": must be on or off'],
    ],
    [
      'a rate of calls that is no count',
      { ...keys, STRIPE_CALLS_PER_SECOND: '1.5' },
      ['STRIPE_CALLS_PER_SECOND is "1.5": must be a whole number from 1 to 10000'],
    ],
    [
      'a stand-in that is no origin',
      { ...keys, STRIPE_API_BASE: 'ftp://me:hidden@stripe.test/v1' },
      ['STRIPE_API_BASE is "ftp://stripe.test/v1": must be an origin, such as http://127.0.0.1:12111'],
    ],
  ])('%s is refused, and the answer reveals no secret', (_, env, problems) => {
    expect(problemsOf({}, env)).toEqual(problems)
  })

  test('an empty webhook secret of the file is refused', () => {
    const stripe = { secretKey: 'sk_test_a', publishableKey: 'pk_test_b', webhookSecret: '' }
    expect(problemsOf({ billing: { processors: { stripe } } })[0]).toMatch(
      /^billing\.processors\.stripe\.webhookSecret/,
    )
  })
})

describe('tax', () => {
  test('is collected nowhere until a seller names a country; states are kept as addresses have them', () => {
    expect(resolveConfig({}, {}).billing).toMatchObject({ tax: { provider: 'none', registrations: [] } })
    const registrations = [{ country: 'DE' }, { country: 'US', state: 'ny', percent: '8.875' }]
    expect(resolveConfig({ billing: { tax: { provider: 'table', registrations } } }, {}).billing).toMatchObject({
      tax: {
        provider: 'table',
        registrations: [{ country: 'DE' }, { country: 'US', state: 'US-NY', percent: '8.875' }],
      },
    })
    expect(resolveConfig({ billing: false }, {}).billing).toBe(false)
  })

  test('is refused where a place does not exist, and by Stripe without its keys', () => {
    const registrations = [{ country: 'EU' }, { country: 'US', state: 'ON' }, { country: 'CU' }]

    expect(problemsOf({ billing: { tax: { provider: 'stripe', registrations } } })).toEqual([
      'billing.tax.registrations[0].country is "EU": Input should be a country of ISO 3166-1',
      'billing.tax.registrations[1].state is "ON": Input should be a state of the country',
      'billing.tax.registrations[2].percent is undefined: Input should be given: the table has no rate for this place',
      'billing.tax.provider is "stripe": it needs payments with Stripe (STRIPE_SECRET_KEY)',
    ])
    expect(problemsOf({ billing: { tax: { registrations: [{ country: 'DE', percentage: '19' }] } } })).toHaveLength(1)
  })
})

test('verification that is required cannot be switched off', () => {
  const off = { emailVerification: { enabled: false } }

  expect(problemsOf({ ...off, emailAndPassword: { requireEmailVerification: true } })).toEqual([
    'emailAndPassword.requireEmailVerification is true while emailVerification.enabled is false: no user could sign in',
  ])
  expect(problemsOf({ ...off, emailAndPassword: { requireEmailVerification: true, enabled: false } })).toEqual([])
  expect(problemsOf(off)).toEqual([])
})

test.each([
  ['nothing that fits', 'ftp://x.example', 'localhost:5173', 'app.example', 'https://a b.example', '/path', 'null'],
  ['a part that would be dropped', 'https://a.example/path', 'https://a.example?x', 'https://me:you@a.example'],
  ['a pattern with such a part', 'https://*.a.example/path', 'https://*.a.example?x', 'https://me@*.a.example'],
])('a trusted origin that could never be one is refused: %s', (...entries) => {
  for (const entry of entries.slice(1)) {
    expect([entry, problemsOf({ trustedOrigins: [entry] }).length]).toEqual([entry, 1])
    expect([entry, problemsOf({}, { TRUSTED_ORIGINS: entry }).length]).toEqual([entry, 1])
  }
})

test.each([
  'https://app.example',
  'http://localhost:5173',
  'https://*.example.com',
  '*.example.com',
  'http://localhost:*',
  'https://app.example/',
])('%s is a trusted origin as people write it', (entry) => {
  expect(problemsOf({ trustedOrigins: [entry] }, { TRUSTED_ORIGINS: entry })).toEqual([])
})

const crossing = (domain: string, enabled = true) => ({ advanced: { crossSubDomainCookies: { enabled, domain } } })

test.each([
  ['https://accounts.example.com', ['example.com', '.example.com', 'Example.COM', 'accounts.example.com']],
  ['http://a.b.example.co.uk:8080', ['b.example.co.uk', 'example.co.uk']],
  ['http://localhost:4321', ['localhost']],
  ['http://127.0.0.1:4321', ['127.0.0.1']],
])('cookies of %s may be for its host and the domains above it', (address, domains) => {
  for (const domain of domains)
    expect([domain, problemsOf(crossing(domain), { ...production, BASE_URL: address })]).toEqual([domain, []])
})

test.each([
  ['http://localhost:4321', ['evil.com', 'host', '', '.']],
  [
    'https://accounts.example.com',
    ['com', '.com', 'counts.example.com', 'other.example.com', 'a.accounts.example.com'],
  ],
  ['https://accounts.example.com', ['example.com; Secure', 'example.com.', '*.example.com', 'https://example.com']],
  ['http://a.localhost', ['localhost']],
  ['http://10.0.0.1', ['0.0.1', '0.1']],
])('cookies of %s that browsers would drop are refused', (address, domains) => {
  for (const domain of domains)
    expect(problemsOf(crossing(domain), { ...production, BASE_URL: address })).toEqual([
      `advanced.crossSubDomainCookies.domain is ${JSON.stringify(domain)}: must be ${new URL(address).hostname}, the host of the public address, or a parent domain that is not top-level`,
    ])
})

test('the domain of cookies is not measured while they are not shared, or by an address that is wrong', () => {
  expect(problemsOf(crossing('evil.com', false))).toEqual([])
  expect(problemsOf(crossing('example.com'), { ...production, BASE_URL: '' })).toEqual([
    expect.stringMatching(/^BASE_URL is missing/),
  ])
  for (const wrong of [{ BASE_URL: 'ftp://accounts.example.com' }, { BASE_URL: 'accounts' }])
    expect(problemsOf(crossing('example.com'), { ...production, ...wrong })).toEqual([
      expect.stringMatching(/^BASE_URL is /),
    ])
  expect(problemsOf({ ...crossing('example.com'), baseURL: 'accounts' })).toEqual([
    expect.stringMatching(/^baseURL is /),
  ])
})

test('an age that no session reaches is refused where a setting names it', () => {
  const told = (age: number, life: number) =>
    `session.updateAge is ${age}: must be less than expiresIn (${life}); to extend no session, set session.disableSessionRefresh`

  expect(problemsOf({ session: { expiresIn: 100, updateAge: 200 } })).toEqual([told(200, 100)])
  expect(problemsOf({ session: { expiresIn: 100, updateAge: 100 } })).toEqual([told(100, 100)])
  expect(problemsOf({ session: { updateAge: 604_800 } })).toEqual([told(604_800, 604_800)])
  expect(problemsOf({ session: { expiresIn: 100, updateAge: 99 } })).toEqual([])
  expect(problemsOf({ session: { expiresIn: 100, updateAge: 200, disableSessionRefresh: true } })).toEqual([])
  // The default, a day, as everywhere.
  expect(problemsOf({ session: { expiresIn: 3600 } })).toEqual([])
})

test.each(['/v1', '/v1/auth', '/sign-in', '/org', '/org/auth', '/admin', '/docs', '/dev', '/files/x', '/assets'])(
  'the auth API is absent at %s, which serves another purpose, whatever other faults exist',
  (basePath) => {
    const [, beginning] = /^(\/[^/]+)/.exec(basePath) ?? []

    expect(() => readConfig({ basePath, appName: '' }, { PORT: 'x' })).toThrow(
      expect.objectContaining({
        message: [
          'Invalid configuration:',
          '  - PORT is "x": must be a number from 0 to 65535',
          '  - appName is "": must be at least 1 characters',
          `  - basePath is "${basePath}": must be a path such as /api/auth, and not at or below ${beginning}, which the server uses`,
        ].join('\n'),
      }),
    )
  },
)

test.each(['/api/auth', '/api', '/auth', '/signs', '/v10', '/a/v1', '/.well-known/auth'])(
  'the auth API may stand at %s',
  (basePath) => {
    expect(readConfig({ basePath }, {})).toMatchObject({ basePath })
  },
)

test.each(['/', 'auth', '/auth/', '/a//b', '/../auth', '/a/.', '/a b', '/a?b'])(
  'the auth API could not be reached at %s',
  (basePath) => {
    expect(problemsOf({ basePath })).toEqual([
      `basePath is ${JSON.stringify(basePath)}: must be a path such as /api/auth`,
    ])
  },
)

test('a longest password below the shortest is refused', () => {
  expect(problemsOf({ emailAndPassword: { minPasswordLength: 20, maxPasswordLength: 10 } })).toEqual([
    'emailAndPassword.minPasswordLength is 20: must be at most maxPasswordLength (10)',
  ])
})

test('F-failclosed: production requires a secret and its public address, and reports both at once', () => {
  const missing = [
    'SECRET is missing: production needs one of at least 32 characters',
    'BASE_URL is missing: production needs the public address, such as https://accounts.example.com',
  ]

  expect(problemsOf({}, { TOLLGATE_MODE: 'production' })).toEqual(missing)
  expect(problemsOf({}, { NODE_ENV: 'production' })).toEqual(missing)
  expect(problemsOf({}, { TOLLGATE_MODE: 'production', SECRET: '', BASE_URL: '' })).toEqual(missing)
  expect(problemsOf({}, { ...production, SECRET: 'short' })).toEqual([
    'SECRET is 5 characters long: must be at least 32 characters',
  ])
  expect(problemsOf({ secret, baseURL: 'https://accounts.example.com' }, { TOLLGATE_MODE: 'production' })).toEqual([])
})

test('F-failclosed: development is never open to others by mistake', () => {
  const open = [{ HOST: '0.0.0.0' }, { BASE_URL: 'https://accounts.example.com' }, { HOST: '::' }]

  for (const env of open) {
    expect(problemsOf({}, env as Record<string, string>)[0]).toMatch(
      /^development mode on an address that other machines can reach/,
    )
    expect(problemsOf({}, { ...env, TOLLGATE_MODE: 'development' } as Record<string, string>)).toEqual([])
  }
  // An impossible host is reported as that alone.
  for (const host of ['not a host', '999.1.1.1', 'a/b', '[::1]', 'me@host', 'x:1'])
    expect(problemsOf({}, { HOST: host })).toEqual([
      `HOST is ${JSON.stringify(host)}: must be an address of this machine, or a name for one`,
    ])
  for (const host of ['0.0.0.0', '::', 'fe80::1%eth0', 'my_host', 'accounts.example.com'])
    expect(resolveConfig({}, { HOST: host, TOLLGATE_MODE: 'development' }).host).toBe(host)
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '::1'])
    expect([host, problemsOf({}, { HOST: host })]).toEqual([host, []])
})

test('NODE_ENV decides the mode unless TOLLGATE_MODE does', () => {
  expect(resolveConfig({}, { ...production, TOLLGATE_MODE: '', NODE_ENV: 'production' }).mode).toBe('production')
  expect(resolveConfig({}, { NODE_ENV: 'production', TOLLGATE_MODE: 'development' }).mode).toBe('development')
  expect(resolveConfig({}, { NODE_ENV: 'test' }).mode).toBe('development')
  expect(resolveConfig({}, production).logFormat).toBe('json')
})

test.each([null, 1, 'text', [], true, () => ({})])('a file that gives %j in place of options is refused', (file) => {
  expect(file === null ? ['null counts as nothing'] : problemsOf(file)).toHaveLength(1)
})

test('a server with wrong settings does not start', async () => {
  await expect(createTestServer({ session: { expiresIn: -1 } })).rejects.toThrow(ConfigError)
  await expect(createTestServer({}, { databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing' })).rejects.toThrow()
})

test('defineConfig returns its argument', () => {
  const config = { appName: 'Acme' }

  expect(defineConfig(config)).toBe(config)
})

test('each option has a sentence of description', () => {
  const shape = configSchema.shape
  const undescribed = Object.entries(shape.session.unwrap().shape)
    .filter(([name, option]) => name !== 'cookieCache' && !option.description)
    .map(([name]) => name)

  expect(undescribed).toEqual([])
})

test('which hosts are this machine', () => {
  for (const host of ['localhost', '::1', '[::1]', '127.0.0.1', '127.255.255.255', 'a.localhost'])
    expect([host, isLoopback(host)]).toEqual([host, true])
  for (const host of [
    '0.0.0.0',
    '::',
    '128.0.0.1',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'notlocalhost',
    '',
  ])
    expect([host, isLoopback(host)]).toEqual([host, false])
})

test.each([
  [{ gracePeriod: 1199 }, 1199, 1200],
  [{ gracePeriod: 0, expirationTime: '10s' }, 0, 310],
  [{ expirationTime: '30d' }, 2_592_000, 2_592_300],
])(
  'keys of tokens that are still valid, or that a verifier may still cache, are not withdrawn: %o',
  (jwt, given, least) => {
    expect(() => resolveConfig({ jwt }, {})).toThrow(`jwt.gracePeriod is ${given}: must be at least ${least}`)
    expect(resolveConfig({ jwt: { ...jwt, gracePeriod: least } }, {})).toMatchObject({ jwt: { gracePeriod: least } })
  },
)

test('roles of organizations consist of known permissions, and not every member is an owner', () => {
  const organization = {
    creatorRole: 'member',
    permissions: { project: ['create'] },
    roles: {
      maker: { project: ['create'], member: ['update'] },
      dreamer: { project: ['create', 'fly'], toString: ['call'] },
    },
  }

  expect(problemsOf({ organization })).toEqual([
    'organization.creatorRole is "member": must be another name, because users who join by a link or a domain get that role',
    'organization.roles.dreamer holds project:fly, which organization.permissions does not name',
    'organization.roles.dreamer holds toString:call, which organization.permissions does not name',
  ])
  expect(problemsOf({ organization: { creatorRole: 'a,b' } })[0]).toMatch(/^organization\.creatorRole is "a,b"/)
  expect(problemsOf({ organization: { roles: { founder: {} }, creatorRole: 'founder' } })).toEqual([])
  expect(problemsOf({ organization: false })).toEqual([])
})
