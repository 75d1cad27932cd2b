import type Stripe from 'stripe'
import { seconds } from '../../clock.ts'
import type { StripeSettings } from '../../config/stripe.ts'

/**
 * Stripe's library, loaded when it is first needed: whoever is not paid by Stripe never has it in memory. A call that gets no
 * answer is tried once more by the library, under the same idempotency key; both together stay below the lease of a job.
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

/** What Stripe has refused, in so far as it says that nothing was done; undefined where nobody knows. */
export type Refusal = {
  /** Stripe's code, such as `resource_missing`. */
  readonly code: string
  /** Which parameter it is about. */
  readonly param: string | undefined
  /** There where a card was declined. */
  readonly decline: Decline | undefined
  /** Our keys are wrong, or may not do this. */
  readonly isOurs: boolean
  readonly message: string
}

/** Why a card did not pay. */
export type Decline = {
  readonly code?: string | null | undefined
  readonly decline_code?: string | null | undefined
  readonly message?: string | null | undefined
  readonly payment_method?: Stripe.PaymentMethod | undefined
}

/**
 * Reads an error of the library. A refusal is certain: Stripe has looked at the request and not done it. Too many requests,
 * faults of theirs, lost connections and answers that belong to another request with the same key are not.
 */
export function refusalOf(error: unknown): Refusal | undefined {
  const { type, code, param, message = '', raw } = error as Partial<StripeFault> // told apart by `type`
  const isOurs = type === 'StripeAuthenticationError' || type === 'StripePermissionError'
  const isDeclined = type === 'StripeCardError'
  if (!isOurs && !isDeclined && type !== 'StripeInvalidRequestError') return undefined
  return { code: code ?? 'refused', param, decline: isDeclined ? (raw ?? {}) : undefined, isOurs, message }
}

/** What the library throws, as far as it is looked at; its classes would have to be loaded to be asked for. */
type StripeFault = { type: string; code?: string; param?: string; message: string; raw?: Decline }
