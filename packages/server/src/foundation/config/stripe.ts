import type { Environment } from './environment.ts'
import { shownAddress } from './shown-address.ts'

/** Stripe's options in the file; the environment may supply each instead. */
export type StripeOptions = {
  readonly secretKey?: string | undefined
  readonly publishableKey?: string | undefined
  readonly webhookSecret?: string | undefined
  readonly apiBase?: string | undefined
  readonly link?: boolean | undefined
  readonly callsPerSecond?: number | undefined
  readonly webhookToleranceSeconds: number
}

/** The access to Stripe, and the proof that its events are genuine. */
export type StripeSettings = {
  readonly secretKey: string
  /** For the buyer's browser; not secret. */
  readonly publishableKey: string
  readonly webhookSecret: string
  /** Whether buyers may pay with Link. The Stripe account must have it switched on. */
  readonly takesLink: boolean
  /** How many calls of background jobs may begin in a second, in all processes together. */
  readonly callsPerSecond: number
  /** The origin of a stand-in for Stripe, in tests. */
  readonly apiBase: URL | undefined
  /** The maximum distance of an event signature's time from now, in seconds. */
  readonly webhookToleranceSeconds: number
  /** Whether the key is a test key, which takes no real money. */
  readonly isTest: boolean
}

/** The three values that enable Stripe, all or none, with their prefixes. */
const needed = [
  { name: 'STRIPE_SECRET_KEY', option: 'secretKey', pattern: /^[sr]k_(test|live)_.+/, begins: 'sk_test_ or sk_live_' },
  {
    name: 'STRIPE_PUBLISHABLE_KEY',
    option: 'publishableKey',
    pattern: /^pk_(test|live)_.+/,
    begins: 'pk_test_ or pk_live_',
  },
  { name: 'STRIPE_WEBHOOK_SECRET', option: 'webhookSecret', pattern: /^whsec_.+/, begins: 'whsec_' },
] as const

/**
 * Stripe's settings, the environment first; undefined where it is off. Adds missing and wrong ones to `problems`,
 * never with a secret. The webhook secret is required, because any caller could otherwise forge events.
 */
export function readStripe(
  file: StripeOptions | undefined,
  env: Environment,
  problems: string[],
): StripeSettings | undefined {
  const given = needed.map(({ name, option }) => env[name] || file?.[option])
  if (given.every((value) => !value)) return undefined
  const before = problems.length
  for (const [index, { name, option, pattern, begins }] of needed.entries()) {
    const value = given[index]
    if (!value) problems.push(`${name} (billing.processors.stripe.${option}) is missing: Stripe needs all three`)
    else if (!pattern.test(value)) problems.push(`${name} must begin with ${begins}`)
  }
  const [secretKey = '', publishableKey = '', webhookSecret = ''] = given
  const isTest = /^.k_test_/.test(secretKey)
  if (problems.length === before && isTest !== publishableKey.startsWith('pk_test_'))
    problems.push('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY have different modes: both must be test, or both live')
  const apiBase = readBase(env.STRIPE_API_BASE || file?.apiBase, problems)
  const takesLink = readSwitch('STRIPE_LINK', env.STRIPE_LINK, file?.link ?? false, problems)
  const callsPerSecond =
    readCount('STRIPE_CALLS_PER_SECOND', env.STRIPE_CALLS_PER_SECOND, problems) ??
    file?.callsPerSecond ??
    (isTest ? defaultCallsPerSecond.test : defaultCallsPerSecond.live)
  const webhookToleranceSeconds = file?.webhookToleranceSeconds ?? defaultTolerance
  return {
    secretKey,
    publishableKey,
    webhookSecret,
    takesLink,
    callsPerSecond,
    apiBase,
    webhookToleranceSeconds,
    isTest,
  }
}

/**
 * Half of what Stripe allows an account (docs.stripe.com/rate-limits): the other half is for buyers.
 */
const defaultCallsPerSecond = { test: 12, live: 50 } as const
/** More than Stripe allows any account. */
export const maximumCallsPerSecond = 10_000

/** The default of Stripe's own libraries. */
export const defaultTolerance = 300

function readSwitch(name: string, value: string | undefined, otherwise: boolean, problems: string[]): boolean {
  if (!value) return otherwise
  if (value !== 'on' && value !== 'off') problems.push(`${name} is ${JSON.stringify(value)}: must be on or off`)
  return value === 'on'
}

function readCount(name: string, value: string | undefined, problems: string[]): number | undefined {
  if (!value) return undefined
  const count = Number(value)
  if (/^\d+$/.test(value) && count >= 1 && count <= maximumCallsPerSecond) return count
  problems.push(`${name} is ${JSON.stringify(value)}: must be a whole number from 1 to ${maximumCallsPerSecond}`)
  return undefined
}

function readBase(value: string | undefined, problems: string[]): URL | undefined {
  if (!value) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.username) return url
  problems.push(
    `STRIPE_API_BASE is ${JSON.stringify(shownAddress(value))}: must be an origin, such as http://127.0.0.1:12111`,
  )
  return undefined
}
