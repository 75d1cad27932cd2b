import { shownAddress } from '../shown-address.ts'
import type { Environment } from './environment.ts'

/** What the file says of Stripe: any of it may come from the environment instead. */
export type StripeOptions = {
  readonly secretKey?: string | undefined
  readonly publishableKey?: string | undefined
  readonly webhookSecret?: string | undefined
  readonly apiBase?: string | undefined
  readonly webhookToleranceSeconds: number
}

/** How Stripe is reached, and how it proves that its events are its own. */
export type StripeSettings = {
  readonly secretKey: string
  /** For the buyer's browser; everybody may know it. */
  readonly publishableKey: string
  readonly webhookSecret: string
  /** Its origin; there only where a stand-in takes Stripe's place. */
  readonly apiBase: URL | undefined
  /** How old, or how far ahead, an event's signature may be. */
  readonly webhookToleranceSeconds: number
  /** By the key: what it takes is no real money. */
  readonly isTest: boolean
}

/** The three that switch Stripe on, all or none, with how each begins. */
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
 * Stripe as the environment and the file have it, the environment first; undefined where it is off. What is missing or wrong
 * is added to `problems`, never with a secret in it. Without a webhook secret nothing starts: every event could be forged.
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
    else if (!pattern.test(value)) problems.push(`${name} is not such a value: it begins with ${begins}`)
  }
  const [secretKey = '', publishableKey = '', webhookSecret = ''] = given
  const isTest = /^.k_test_/.test(secretKey)
  if (problems.length === before && isTest !== publishableKey.startsWith('pk_test_'))
    problems.push('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are of different modes: both test, or both live')
  const apiBase = readBase(env.STRIPE_API_BASE || file?.apiBase, problems)
  const webhookToleranceSeconds = file?.webhookToleranceSeconds ?? defaultTolerance
  return { secretKey, publishableKey, webhookSecret, apiBase, webhookToleranceSeconds, isTest }
}

/** As Stripe's own libraries have it. */
export const defaultTolerance = 300

function readBase(value: string | undefined, problems: string[]): URL | undefined {
  if (!value) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.username) return url
  problems.push(
    `STRIPE_API_BASE is ${JSON.stringify(shownAddress(value))}: allowed is an origin, such as http://127.0.0.1:12111`,
  )
  return undefined
}
