import type Stripe from 'stripe'
import { seconds, systemClock } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import { TollgateError } from '../../../foundation/error.ts'
import type { ChargeableToken } from './processor.ts'
import { refusalOf } from './stripe-client.ts'

type Taken = { readonly isTest: boolean; readonly methodTypes: readonly string[] } & Pick<Context, 'log'>

/** The confirmation token of an id, if the account can charge it; SERVICE_UNAVAILABLE while Stripe is away. */
export async function findToken(
  client: () => Promise<Stripe>,
  id: string,
  { isTest, methodTypes, log }: Taken,
): Promise<ChargeableToken | undefined> {
  if (!/^ctoken_[A-Za-z0-9]{1,200}$/.test(id)) return undefined
  const stripe = await client()
  try {
    const token = await stripe.confirmationTokens.retrieve(id)
    const isUsed = token.payment_intent !== null || token.setup_intent !== null
    const isOver = token.expires_at !== null && seconds(token.expires_at) <= systemClock.now().getTime() // Stripe uses real time
    const method = token.payment_method_preview
    const canCharge = !isUsed && !isOver && token.livemode !== isTest && methodTypes.includes(method?.type ?? '')
    return canCharge ? { fingerprint: method?.card?.fingerprint ?? undefined } : undefined
  } catch (cause) {
    const refusal = refusalOf(cause)
    if (refusal && !refusal.isOurs) return undefined
    log.error({ err: cause }, 'Stripe confirmation token lookup failed')
    throw new TollgateError('SERVICE_UNAVAILABLE', { cause, retryAfter: 10 })
  }
}

/** Detaches a kept method from its customer at Stripe. Stripe refuses that for one that is unknown or detached already. */
export async function detachMethod(client: () => Promise<Stripe>, methodReference: string): Promise<void> {
  const [, method = ''] = methodReference.split(' ')
  const stripe = await client()
  try {
    await stripe.paymentMethods.detach(method)
  } catch (error) {
    const refusal = refusalOf(error)
    // Wrong keys are for the operator to fix; the method is still attached.
    if (!refusal || refusal.isOurs) throw error
  }
}
