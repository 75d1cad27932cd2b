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
  STRIPE_API_BASE: { allowed: 'an origin', sentence: 'A stand-in for Stripe, in tests.' },
  LOG_LEVEL: { allowed: 'trace, debug, info, warn, error, fatal or silent', sentence: 'Default info.' },
  LOG_FORMAT: { allowed: 'json or pretty', sentence: 'Default pretty in development.' },
} as const

export type Environment = Readonly<Record<string, string | undefined>>

/** The entries of a comma-separated list. */
export function commaList(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
}

/**
 * Whether this could be an address or a name. Numbers that are no address (`999.1.1.1`) are no name either. Only
 * listening shows whether the machine has it.
 */
const isHost = (value: string): boolean =>
  isIP(value) !== 0 || (/^[\w.-]{1,253}$/.test(value) && URL.canParse(`http://${value}`))

type Settings = {
  mode?: Mode
  host?: string
  port?: number
  baseURL?: string
  databaseUrl?: string
  secret?: string
  logLevel?: string
  logFormat?: 'json' | 'pretty'
}

/** The environment's settings; adds faults to `problems`. */
export function readEnvironment(env: Environment, problems: string[]): Settings {
  const settings: Settings = {}
  const wrong = (name: keyof typeof environment, shown: string) =>
    problems.push(`${name} is ${shown}: must be ${environment[name].allowed}`)
  const read = (
    name: keyof typeof environment,
    fits: (value: string) => boolean,
    keep: (value: string) => void,
    shown?: string,
  ) => {
    const value = env[name]
    if (!value) return
    if (fits(value)) keep(value)
    else wrong(name, shown ?? JSON.stringify(value))
  }

  for (const name of Object.keys(env)) {
    // A mistyped name would silently have no effect.
    if (name.startsWith('TOLLGATE_') && !(name in environment) && name !== 'TOLLGATE_PINNED') {
      problems.push(
        `${name} is not a setting: the known ones are ${Object.keys(environment)
          .filter((each) => each.startsWith('TOLLGATE_'))
          .join(', ')}`,
      )
    }
  }
  read(
    'TOLLGATE_MODE',
    (value) => value === 'development' || value === 'production',
    (value) => {
      settings.mode = value as Mode
    },
  )
  read('HOST', isHost, (value) => {
    settings.host = value
  })
  read(
    'PORT',
    (value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535,
    (value) => {
      settings.port = Number(value)
    },
  )
  read(
    'BASE_URL',
    (value) => publicOrigin.safeParse(value).success,
    (value) => {
      settings.baseURL = value
    },
    JSON.stringify(shownAddress(env.BASE_URL ?? '')),
  )
  read(
    'DATABASE_URL',
    (value) => /^(sqlite|file):.|^postgres(ql)?:\/\/./.test(value),
    (value) => {
      settings.databaseUrl = value
    },
    JSON.stringify(shownAddress(env.DATABASE_URL ?? '')),
  )
  read(
    'SECRET',
    (value) => value.length >= 32,
    (value) => {
      settings.secret = value
    },
    `${env.SECRET?.length} characters long`,
  )
  read(
    'SECRET_PREVIOUS',
    (value) => commaList(value).every((each) => each.length >= 32),
    () => {},
    'a list with a secret of under 32 characters',
  )
  read(
    'SMTP_URL',
    (value) => /^smtps?:\/\/./.test(value) && URL.canParse(value),
    () => {},
    'not such an address',
  )
  read(
    'EMAIL_FROM',
    (value) => readSender(value) !== undefined,
    () => {},
  )
  read(
    'TRUSTED_ORIGINS',
    (value) => commaList(value).every(isTrustedOrigin),
    () => {},
  )
  read(
    'LOG_LEVEL',
    (value) => ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].includes(value),
    (value) => {
      settings.logLevel = value
    },
  )
  read(
    'LOG_FORMAT',
    (value) => value === 'json' || value === 'pretty',
    (value) => {
      settings.logFormat = value as 'json' | 'pretty'
    },
  )
  return settings
}
