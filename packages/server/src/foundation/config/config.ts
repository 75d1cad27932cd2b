import { isIP } from 'node:net'
import {
  captchaProviders,
  organizationStatements,
  type SocialProvider,
  type Statements,
  socialProviders,
} from '@tollgate/contract/calls'
import { z } from 'zod'
import { isNameOf, membersOf } from '../proof/proven.ts'
import { checkedRegistrations } from '../tax/registrations.ts'
import { type Environment, environment, type Mode, readEnvironment } from './environment.ts'
import { hasWidget, pathsWithWidget } from './guarded-calls.ts'
import { describeIssue } from './issues.ts'
import { readSender } from './mailbox.ts'
import { captchaOptions, configSchema, type ProviderOptions } from './options.ts'
import { readStripe, type StripeSettings } from './stripe.ts'
import { keysKeptFor, tokenSeconds } from './token-life.ts'

/**
 * The settings of file and environment, checked together once at start. `config/options.ts` has the options
 * themselves, each with its default and a sentence.
 */
export { type Environment, environment } from './environment.ts'
export {
  configSchema,
  defineConfig,
  type GenericProviderOptions,
  type HookMember,
  type HookOrganization,
  type HookUser,
  type OutgoingMail,
  type ProviderOptions,
  type TollgateConfig,
} from './options.ts'

/** All settings, checked, with defaults filled in. Read once at start. */
export type Config = Omit<
  z.output<typeof configSchema>,
  'baseURL' | 'secret' | 'trustedOrigins' | 'socialProviders' | 'captcha'
> & {
  /** The enabled providers, with the environment's values. */
  readonly socialProviders: ProviderSettings
  readonly captcha: CaptchaSettings | false
  readonly mode: Mode
  readonly host: string
  readonly port: number
  readonly baseURL: URL
  readonly databaseUrl: string
  readonly secret: string
  readonly previousSecrets: readonly string[]
  readonly trustedOrigins: readonly string[]
  readonly trustedOriginsOf: ((request: Request) => string[] | Promise<string[]>) | undefined
  readonly smtpUrl: string | undefined
  readonly emailFrom: string
  readonly logLevel: string
  readonly logFormat: 'json' | 'pretty'
  readonly secureCookies: boolean
  /** Present if Stripe takes the payments. */
  readonly stripe: StripeSettings | undefined
}

/** The start is refused: one message names every wrong setting, its value and the allowed ones. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(problems: readonly string[]) {
    super(`Invalid configuration:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
  }
}

export type ResolveOptions = {
  readonly developmentSecret?: () => string
  /** Every path of the server outside the auth API, which must not overlap them. */
  readonly ownPaths?: readonly string[]
}

/** Checks the file's values and the environment together; throws a `ConfigError` that names every wrong one. */
export function resolveConfig(file: unknown, env: Environment, options: ResolveOptions = {}): Config {
  const problems: string[] = []
  const setting = readEnvironment(env, problems)

  const parsed = configSchema.safeParse(file ?? {})
  if (!parsed.success) problems.push(...parsed.error.issues.flatMap((issue) => describeIssue(issue, file)))
  const values = parsed.success ? parsed.data : configSchema.parse(rightMembers(file))

  const mode: Mode = setting.mode ?? (env.NODE_ENV === 'production' ? 'production' : 'development')
  const port = setting.port ?? 3000
  const host = setting.host ?? '127.0.0.1'
  const givenBaseURL = setting.baseURL ?? values.baseURL
  const baseURL = new URL(givenBaseURL ?? `http://localhost:${port}`)
  const databaseUrl = setting.databaseUrl ?? 'sqlite:./data/tollgate.db'
  let secret = setting.secret ?? values.secret

  const isReported = (name: string) => problems.some((problem) => problem.startsWith(`${name} `))
  if (mode === 'production') {
    if (!secret && !isReported('SECRET'))
      problems.push('SECRET is missing: production needs one of at least 32 characters')
    if (!givenBaseURL && parsed.success && !isReported('BASE_URL'))
      problems.push('BASE_URL is missing: production needs the public address, such as https://accounts.example.com')
  } else if (setting.mode !== 'development' && (!isLoopback(host) || !isLoopback(baseURL.hostname))) {
    problems.push(
      `development mode on an address that other machines can reach (HOST ${host}, BASE_URL ${baseURL.origin}): set TOLLGATE_MODE=production, or TOLLGATE_MODE=development to allow it`,
    )
  }
  problems.push(...pathProblems(values.basePath, options.ownPaths ?? []), ...refreshProblems(values.session, file))
  // A wrong or missing public address cannot be compared with other settings.
  const isAddressKnown = givenBaseURL !== undefined || mode !== 'production'
  if (isAddressKnown && !isReported('BASE_URL') && !isReported('baseURL'))
    problems.push(...cookieDomainProblems(values.advanced.crossSubDomainCookies, baseURL.hostname))
  const { minPasswordLength, maxPasswordLength } = values.emailAndPassword
  if (minPasswordLength > maxPasswordLength)
    problems.push(
      `emailAndPassword.minPasswordLength is ${minPasswordLength}: must be at most maxPasswordLength (${maxPasswordLength})`,
    )
  const { enabled, requireEmailVerification } = values.emailAndPassword
  if (enabled && requireEmailVerification && !values.emailVerification.enabled)
    problems.push(
      'emailAndPassword.requireEmailVerification is true while emailVerification.enabled is false: no user could sign in',
    )
  const social = withEnvironmentProviders(values.socialProviders, env, problems)
  const captcha = withEnvironmentCaptcha(values.captcha, env, problems)
  const stripe = values.billing === false ? undefined : readStripe(values.billing.processors.stripe, env, problems)
  if (values.username && values.username.minUsernameLength > values.username.maxUsernameLength)
    problems.push(
      `username.minUsernameLength is ${values.username.minUsernameLength}: must be at most maxUsernameLength (${values.username.maxUsernameLength})`,
    )
  if (values.jwt && values.jwt.gracePeriod < tokenSeconds(values.jwt.expirationTime) + keysKeptFor)
    problems.push(
      `jwt.gracePeriod is ${values.jwt.gracePeriod}: must be at least ${tokenSeconds(values.jwt.expirationTime) + keysKeptFor}, the life of a token (expirationTime) plus ${keysKeptFor} seconds for which verifiers cache keys`,
    )
  if (values.organization) problems.push(...roleProblems(values.organization))
  const tax = values.billing ? checkedTax(values.billing.tax, stripe) : undefined
  if (tax) problems.push(...tax.problems)
  const ids = values.genericOAuth.map(({ providerId }) => providerId)
  for (const id of new Set(ids.filter((each, index) => ids.indexOf(each) !== index)))
    problems.push(`genericOAuth names ${id} twice`)
  if (problems.length > 0) throw new ConfigError(problems)

  secret ??= options.developmentSecret?.() ?? 'a secret for development on this machine only'
  const { trustedOrigins } = values
  return {
    ...values,
    billing: values.billing && tax ? { ...values.billing, tax: { ...values.billing.tax, ...tax.settings } } : false,
    socialProviders: social,
    captcha,
    mode,
    host,
    port,
    baseURL,
    databaseUrl,
    secret,
    previousSecrets: setting.previousSecrets ?? [],
    trustedOrigins: [
      ...(typeof trustedOrigins === 'function' ? [] : trustedOrigins),
      ...(setting.trustedOrigins ?? []),
    ],
    trustedOriginsOf: typeof trustedOrigins === 'function' ? trustedOrigins : undefined,
    smtpUrl: setting.smtpUrl,
    emailFrom: setting.emailFrom ?? defaultSender(baseURL.hostname),
    logLevel: setting.logLevel ?? 'info',
    logFormat: setting.logFormat ?? (mode === 'development' ? 'pretty' : 'json'),
    secureCookies: values.advanced.useSecureCookies ?? baseURL.protocol === 'https:',
    stripe,
  }
}

/** Defaults replace wrong members, so that one message can also name the faults of the others. */
function rightMembers(file: unknown): Record<string, unknown> {
  const { shape } = configSchema
  const isRight = ([name, value]: [string, unknown]): boolean =>
    isNameOf(shape, name) && shape[name].safeParse(value).success
  return Object.fromEntries(Object.entries(file ?? {}).filter(isRight))
}

/** Below one of the server's own paths the auth API would hide it, or be taken for it. */
function pathProblems(basePath: string, ownPaths: readonly string[]): string[] {
  const beginning = (path: string): string => path.split('/', 2).join('/')
  const taken = ownPaths.some((path) => beginning(path) === beginning(basePath))
  return taken
    ? [
        `basePath is ${JSON.stringify(basePath)}: must be a path such as /api/auth, and not at or below ${beginning(basePath)}, which the server uses`,
      ]
    : []
}

/**
 * A configured update age at or above the session's life never extends a session, against its purpose. The default of
 * a day is not checked: with shorter sessions it just never extends one.
 */
function refreshProblems(
  { expiresIn, updateAge, disableSessionRefresh }: z.output<typeof configSchema>['session'],
  file: unknown,
): string[] {
  const { session } = membersOf(file)
  const isNamed = membersOf(session).updateAge !== undefined
  return isNamed && !disableSessionRefresh && updateAge >= expiresIn
    ? [
        `session.updateAge is ${updateAge}: must be less than expiresIn (${expiresIn}); to extend no session, set session.disableSessionRefresh`,
      ]
    : []
}

/** Browsers drop cookies of a domain without the server's host (RFC 6265, section 5.3): no user could sign in. */
function cookieDomainProblems(
  settings: z.output<typeof configSchema>['advanced']['crossSubDomainCookies'],
  host: string,
): string[] {
  if (!settings?.enabled || settings.domain === undefined || holdsHost(settings.domain, host)) return []
  return [
    `advanced.crossSubDomainCookies.domain is ${JSON.stringify(settings.domain)}: must be ${host}, the host of the public address, or a parent domain that is not top-level`,
  ]
}

/** Whether a domain is this host or a parent of it. A leading dot is ignored; an IP address has no parent. */
function holdsHost(given: string, host: string): boolean {
  const domain = given.toLowerCase().replace(/^\./, '')
  return domain === host || (isIP(host) === 0 && domain.includes('.') && host.endsWith(`.${domain}`))
}

type ProviderSettings = { readonly [id in SocialProvider]?: ProviderOptions }

/** A pair in the environment enables a provider and overrides the file, which may hold its other options. */
function withEnvironmentProviders(
  file: z.output<typeof configSchema>['socialProviders'],
  env: Environment,
  problems: string[],
): ProviderSettings {
  const settings: { [id in SocialProvider]?: ProviderOptions } = {}
  for (const id of socialProviders) {
    const idName = `${id.toUpperCase()}_CLIENT_ID`
    const secretName = `${id.toUpperCase()}_CLIENT_SECRET`
    const inFile = file[id]
    if ((!inFile && !env[idName] && !env[secretName]) || inFile?.enabled === false) continue
    const clientId = env[idName] || inFile?.clientId || inFile?.clientKey
    const clientSecret = env[secretName] || inFile?.clientSecret
    const signsItself = id === 'apple' && inFile?.teamId && inFile.keyId && inFile.privateKey
    if (!clientId)
      problems.push(
        inFile ? `${idName} (socialProviders.${id}.clientId) is missing` : `${secretName} is set without ${idName}`,
      )
    // VK's applications are public clients: no secret is ever sent.
    if (!clientSecret && !signsItself && id !== 'vk')
      problems.push(
        `${secretName} (socialProviders.${id}.clientSecret) is missing${id === 'apple' ? ', or teamId, keyId and privateKey instead' : ''}`,
      )
    if (clientId) settings[id] = { ...inFile, clientId, clientSecret }
  }
  return settings
}

type CaptchaSettings = Exclude<z.output<typeof configSchema>['captcha'], false> & {
  readonly provider: (typeof captchaProviders)[number]
  readonly secretKey: string
}

/** The environment enables the captcha and overrides the file, which may hold its other options. */
function withEnvironmentCaptcha(
  file: z.output<typeof configSchema>['captcha'],
  env: Environment,
  problems: string[],
): CaptchaSettings | false {
  const { CAPTCHA_PROVIDER: named, CAPTCHA_SITE_KEY: siteKey, CAPTCHA_SECRET_KEY: secretKey } = env
  if (file === false && !named && !siteKey && !secretKey) return false
  const options = file || z.strictObject(captchaOptions).parse({})
  const provider = named ? captchaProviders.find((each) => each === named) : options.provider
  const secret = secretKey || options.secretKey
  if (named && !provider)
    problems.push(`CAPTCHA_PROVIDER is ${JSON.stringify(named)}: must be ${environment.CAPTCHA_PROVIDER.allowed}`)
  else if (!provider) problems.push('CAPTCHA_PROVIDER (captcha.provider) is missing')
  if (!secret) problems.push('CAPTCHA_SECRET_KEY (captcha.secretKey) is missing')
  // Otherwise a form without the widget would always be refused, without a visible reason.
  for (const endpoint of siteKey || options.siteKey ? (options.endpoints ?? []) : [])
    if (!hasWidget(endpoint))
      problems.push(
        `captcha.endpoints names ${endpoint}, whose form has no widget: with a site key, the allowed calls are ${pathsWithWidget.join(', ')}`,
      )
  if (!provider || !secret) return false
  return { ...options, provider, secretKey: secret, siteKey: siteKey || options.siteKey }
}

/** The tax registrations with states as addresses hold them, and their problems. */
function checkedTax(
  { provider, registrations: given }: Exclude<z.output<typeof configSchema>['billing'], false>['tax'],
  stripe: StripeSettings | undefined,
) {
  const { registrations, issues } = checkedRegistrations(given)
  const problems = issues.map(
    ({ index, member, message }) =>
      `billing.tax.registrations[${index}].${member} is ${JSON.stringify(given[index]?.[member])}: ${message}`,
  )
  if (provider === 'stripe' && !stripe)
    problems.push('billing.tax.provider is "stripe": it needs payments with Stripe (STRIPE_SECRET_KEY)')
  return { settings: { registrations }, problems }
}

/** Whether billing is on. It needs organizations, which own its objects. */
export const isBillingServed = ({ billing, organization }: Pick<Config, 'billing' | 'organization'>): boolean =>
  billing !== false && organization !== false

export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d{1,3}){3}$/.test(host) || host.endsWith('.localhost')

/** Some hosts cannot follow the @ of an address: IP addresses, and names that mail systems reject. */
const defaultSender = (host: string): string => {
  const sender = `no-reply@${host}`
  return isIP(host) === 0 && readSender(sender) ? sender : 'no-reply@localhost'
}

/** Roles with unknown permissions, and a creator's role that would make every member an owner. */
function roleProblems({
  creatorRole,
  permissions,
  roles,
}: Exclude<z.output<typeof configSchema>['organization'], false>): string[] {
  const built: Statements = organizationStatements
  const isKnown = (resource: string, action: string): boolean =>
    [built, permissions].some((held) => Object.hasOwn(held, resource) && held[resource]?.includes(action))
  const unknown = Object.entries(roles).flatMap(([role, held]) =>
    Object.entries(held).flatMap(([resource, actions]) =>
      actions
        .filter((action) => !isKnown(resource, action))
        .map(
          (action) =>
            `organization.roles.${role} holds ${resource}:${action}, which organization.permissions does not name`,
        ),
    ),
  )
  return creatorRole === 'member'
    ? [
        'organization.creatorRole is "member": must be another name, because users who join by a link or a domain get that role',
        ...unknown,
      ]
    : unknown
}
