import { expect } from 'vitest'
import type { Context } from '../../../foundation/context.ts'
import { createCaller } from '../../../foundation/http/caller.ts'
import { receiveStripeEvent } from '../payments/processor.service.ts'
import type { StripeServer } from './stripe-server.ts'

export type StripeEvent = StripeServer['events'][number]

/** The steps of a story at Stripe, and the events about it. */
export type Story = {
  readonly events: readonly StripeEvent[]
  readonly steps: number
  /** Brings Stripe's objects to the state after a step, from 0 on. */
  bringTo(step: number): void
  /** The step after which an event can be sent. */
  madeBy(event: StripeEvent): number
}

/**
 * Delivers a story's events as Stripe may: each up to three times, or never, and up to three steps late, some
 * concurrently. Jobs run in between, or do not. Returns the deliveries in order.
 */
export async function tellAtRandom(
  { events, steps, bringTo, madeBy }: Story,
  chance: (below: number) => number,
  { send, runDue }: { send(event: StripeEvent): Promise<void>; runDue(): Promise<unknown> },
): Promise<readonly StripeEvent[]> {
  const plan = events
    .flatMap((event) =>
      Array.from({ length: chance(4) }, () => ({ event, at: madeBy(event) + chance(4) + chance(100) / 100 })),
    )
    .sort((a, b) => a.at - b.at)
  let step = 0
  for (const { event, at } of plan) {
    for (; step < Math.min(steps - 1, Math.floor(at)); step += 1) bringTo(step + 1)
    await Promise.all(Array.from({ length: chance(5) === 0 ? 3 : 1 }, () => send(event)))
    if (chance(2) === 0) await runDue()
  }
  bringTo(steps - 1)
  return plan.map(({ event }) => event)
}

/** Sends a signed event, as Stripe does; the server must accept it. */
export async function sendFromStripe(ctx: Context, stripe: StripeServer, event: StripeEvent): Promise<void> {
  const { body, signature } = stripe.signed(event)
  const caller = createCaller(ctx, new Headers({ 'stripe-signature': signature }), '')
  expect(await receiveStripeEvent({ ctx, caller, file: new Blob([body]).stream() })).toEqual({ received: true })
}
