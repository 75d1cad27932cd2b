import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { Payments, Processor } from './processor.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'
import { createStripe, type StripeNeeds } from './stripe.ts'

/**
 * The processors of this installation, by name; the sandbox besides, because its stand-in pages are served here. New
 * checkouts are paid by Stripe where it is on. A checkout stays with the processor that it was made for.
 */
export function createPayments(
  config: Config,
  needs: StripeNeeds & Pick<Context, 'secrets'>,
): Payments & { readonly sandbox: Sandbox } {
  const sandbox = createSandbox(config, needs)
  const stripe = config.stripe && createStripe(config.stripe, needs)
  const all: readonly Processor[] = stripe ? [sandbox, stripe] : [sandbox]
  return {
    sandbox,
    forNewCheckouts: stripe ?? sandbox,
    byName: (name) => all.find((processor) => processor.name === name),
  }
}
