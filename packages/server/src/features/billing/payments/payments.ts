import type { Config } from '../../../foundation/config/config.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Payments, Processor } from './processor.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'
import { createStripe, type StripeNeeds } from './stripe.ts'

declare module '../../../foundation/context.ts' {
  interface Ports {
    /** The processors that take payments. Never call them inside a transaction. */
    readonly payments: OwnPayments
  }
}

/** The installation's processors, plus the sandbox itself, because this server also serves its simulated pages. */
export type OwnPayments = Payments & { readonly sandbox: Sandbox }

/** Stripe takes the payments of new checkouts if it is configured. A checkout stays with its processor. */
export function createPayments(config: Config, needs: StripeNeeds & Pick<Context, 'secrets'>): OwnPayments {
  const sandbox = createSandbox(config, needs)
  const stripe = config.stripe && createStripe(config.stripe, needs)
  const all: readonly Processor[] = stripe ? [sandbox, stripe] : [sandbox]
  return {
    sandbox,
    forNewCheckouts: stripe ?? sandbox,
    byName: (name) => all.find((processor) => processor.name === name),
  }
}
