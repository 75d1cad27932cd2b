import { isIP } from 'node:net'
import { captchaProviders } from '@tollgate/contract/calls'
import { readSender } from './mailbox.ts'
import { isTrustedOrigin, publicOrigin, publicOriginAllowed } from './options.ts'
import { shownAddress } from './shown-address.ts'

/** The settings of the environment, which override the configuration file. */

export type Mode = 'development' | 'production'

/** Every environment variable and its allowed values; they override the file. */
export const environment = {
  TOLLGATE_MODE: { allowed: 'development or production', sentence: 'Development adds /dev/* and permissive defaults.' },
  HOST: { allowed: 'an address of this machine, or a name for one', sentence: 'Where it listens; default 127.0.0.1.' },
  PORT: { allowed: 'a number from 0 to 65535', sentence: 'Default 3000.' },
  BASE_URL: { allowed: publicOriginAllowed, sentence: 'Public address; default http://localhost:$PORT.' },
  DATABASE_URL: {
    allowed: 'sqlite:PATH, file:PATH, sqlite::memory:, postgres://… or postgresql://…',
    sentence: 'Default sqlite:./data/tollgate.db.',
  },
  SECRET: {
    allowed: 'at least 32 characters',
    sentence: 'In development, generated once and stored in ./data/secret.',
  },
  SECRET_PREVIOUS: { allowed: 'secrets, comma separated', sentence: 'Previous secrets that still verify and decrypt.' },
  SMTP_URL: {
    allowed: 'smtp://user:pass@host:587 or smtps://…',
    sentence: 'Without it mails go to the inbox at /dev/inbox.',
  },
  EMAIL_FROM: {
    allowed: 'one e-mail address, or a name and an address: Acme <no-reply@example.com>',
    sentence: 'Sender of mails; default no-reply at the host of BASE_URL.',
  },
  TRUSTED_ORIGINS: { allowed: 'origins, comma separated, wildcards allowed', sentence: 'Added to those of the file.' },
  TOLLGATE_CONFIG: { allowed: 'a path', sentence: 'Default ./tollgate.config.{ts,mjs,js} if present.' },
  CAPTCHA_PROVIDER: { allowed: captchaProviders.join(', '), sentence: 'Switches the captcha on.' },
  CAPTCHA_SITE_KEY: { allowed: 'the provider’s site key', sentence: 'For the widget of the hosted pages.' },
  CAPTCHA_SECRET_KEY: { allowed: 'the provider’s secret key', sentence: 'For the check of its answers.' },
  STRIPE_SECRET_KEY: { allowed: 'sk_test_… or sk_live_…', sentence: 'Switches Stripe on, together with the next two.' },
  STRIPE_PUBLISHABLE_KEY: { allowed: 'pk_test_… or pk_live_…', sentence: 'For the card form of the checkout page.' },
  STRIPE_WEBHOOK_SECRET: { allowed: 'whsec_…', sentence: 'Verifies that events come from Stripe.' },
  STRIPE_LINK: { allowed: 'on or off', sentence: 'Payment with Link; default off. Switch Link on at Stripe first.' },
  STRIPE_CALLS_PER_SECOND: {
    allowed: 'a whole number from 1 to 10000',
    sentence:
      'Calls of jobs to Stripe a second, of all processes together; default half of what Stripe allows an account.',
  },
  STRIPE_API_BASE: { allowed: 'an origin', sentence: 'A stand-in for Stripe, in tests.' },
  LOG_LEVEL: { allowed: 'trace, debug, info, warn, error, fatal or silent', sentence: 'Default info.' },
  LOG_FORMAT: { allowed: 'json or pretty', sentence: 'Default pretty in development.' },
} as const

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Whether this could be an address or a name. Numbers that are no address (`999.1.1.1`) are no name either. Only
 * listening shows whether the machine has it.
 */
const isHost = (value: string): boolean =>
  isIP(value) !== 0 || (/^[\w.-]{1,253}$/.test(value) && URL.canParse(`http://${value}`))

/** A value that passes a check; `undefined` marks any other as wrong. */
const checked = (fits: (value: string) => boolean) => (value: string) => (fits(value) ? value : undefined)
const oneOf =
  <const Value extends string>(values: readonly Value[]) =>
  (value: string): Value | undefined =>
    values.find((each) => each === value)
/** Comma-separated entries that all pass a check. */
const listOf = (fits: (entry: string) => boolean) => (value: string) => {
  const entries = value.split(',').flatMap((each) => each.trim() || [])
  return entries.every(fits) ? entries : undefined
}

const isOrigin = (value: string): boolean => publicOrigin.safeParse(value).success
const isDatabaseUrl = (value: string): boolean => /^(sqlite|file):.|^postgres(ql)?:\/\/./.test(value)
const isSmtpUrl = (value: string): boolean => /^smtps?:\/\/./.test(value) && URL.canParse(value)
const isSender = (value: string): boolean => readSender(value) !== undefined
const isSecret = (value: string): boolean => value.length >= 32
const portOf = (value: string): number | undefined =>
  /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined
const shownUrl = (value: string): string => JSON.stringify(shownAddress(value))

/** The environment's settings; adds faults to `problems`. */
export function readEnvironment(env: Environment, problems: string[]) {
  const ours = Object.keys(environment).filter((name) => name.startsWith('TOLLGATE_'))
  // A mistyped name would silently have no effect.
  for (const name of Object.keys(env))
    if (name.startsWith('TOLLGATE_') && !(name in environment) && name !== 'TOLLGATE_PINNED')
      problems.push(`${name} is not a setting: the known ones are ${ours.join(', ')}`)

  const read = <Value>(
    name: keyof typeof environment,
    parse: (value: string) => Value | undefined,
    shown: (value: string) => string = JSON.stringify,
  ): Value | undefined => {
    const value = env[name]
    if (!value) return undefined
    const parsed = parse(value)
    if (parsed === undefined) problems.push(`${name} is ${shown(value)}: must be ${environment[name].allowed}`)
    return parsed
  }
  return {
    mode: read('TOLLGATE_MODE', oneOf<Mode>(['development', 'production'])),
    host: read('HOST', checked(isHost)),
    port: read('PORT', portOf),
    baseURL: read('BASE_URL', checked(isOrigin), shownUrl),
    databaseUrl: read('DATABASE_URL', checked(isDatabaseUrl), shownUrl),
    secret: read('SECRET', checked(isSecret), ({ length }) => `${length} characters long`),
    previousSecrets: read('SECRET_PREVIOUS', listOf(isSecret), () => 'a list with a secret of under 32 characters'),
    smtpUrl: read('SMTP_URL', checked(isSmtpUrl), () => 'not such an address'),
    emailFrom: read('EMAIL_FROM', checked(isSender)),
    trustedOrigins: read('TRUSTED_ORIGINS', listOf(isTrustedOrigin)),
    logLevel: read('LOG_LEVEL', oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])),
    logFormat: read('LOG_FORMAT', oneOf(['json', 'pretty'])),
  }
}
