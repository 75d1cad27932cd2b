import type Stripe from 'stripe'
import { refusalOf } from './stripe-client.ts'

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
