import type Stripe from 'stripe'
import { seconds } from '../../../foundation/clock.ts'
import type { StripeSettings } from '../../../foundation/config/stripe.ts'

/**
 * Stripe's library, loaded on first use: installations without Stripe never load it. The library retries a call
 * without an answer once, under the same idempotency key; both tries together stay below a job's lease.
 */
export function stripeClient(settings: StripeSettings, fetchFunction: typeof fetch): () => Promise<Stripe> {
  let client: Promise<Stripe> | undefined
  return () => {
    client ??= createClient(settings, fetchFunction)
    return client
  }
}

const patience = seconds(10)

async function createClient({ secretKey, apiBase }: StripeSettings, fetchFunction: typeof fetch): Promise<Stripe> {
  const { default: Library } = await import('stripe')
  return new Library(secretKey, {
    timeout: patience,
    maxNetworkRetries: 1,
    telemetry: false,
    httpClient: Library.createFetchHttpClient(fetchFunction),
    ...(apiBase && {
      protocol: apiBase.protocol === 'http:' ? 'http' : 'https',
      host: apiBase.hostname,
      port: apiBase.port || (apiBase.protocol === 'http:' ? '80' : '443'),
    }),
  })
}

/** A refusal by Stripe: nothing was done. Undefined if that is uncertain. */
export type Refusal = {
  /** Stripe's code, such as `resource_missing`. */
  readonly code: string
  /** The faulty parameter. */
  readonly param: string | undefined
  /** Set if a card was declined. */
  readonly decline: Decline | undefined
  /** The keys are wrong or lack a permission. */
  readonly isOurs: boolean
  readonly message: string
}

/** Why a card was declined. */
export type Decline = {
  readonly code?: string | null | undefined
  readonly decline_code?: string | null | undefined
  readonly advice_code?: string | null | undefined
  readonly message?: string | null | undefined
  readonly payment_method?: Stripe.PaymentMethod | undefined
}

/**
 * Reads an error of the library. A refusal is certain: Stripe has read the request and did nothing. Rate limits,
 * Stripe's own faults, lost connections, and an idempotency key used for another request are uncertain.
 */
export function refusalOf(error: unknown): Refusal | undefined {
  const { type, code, param, message = '', raw } = error as Partial<StripeFault> // distinguished by `type`
  const isOurs = type === 'StripeAuthenticationError' || type === 'StripePermissionError'
  const isDeclined = type === 'StripeCardError'
  if (!isOurs && !isDeclined && type !== 'StripeInvalidRequestError') return undefined
  return { code: code ?? 'refused', param, decline: isDeclined ? (raw ?? {}) : undefined, isOurs, message }
}

/** The members read from the library's errors; checking their classes would load the library. */
type StripeFault = { type: string; code?: string; param?: string; message: string; raw?: Decline }
