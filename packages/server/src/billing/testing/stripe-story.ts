import { expect } from 'vitest'
import type { Context } from '../../context.ts'
import { receiveStripeEvent } from '../payments/processor.service.ts'
import type { StripeServer } from './stripe-server.ts'

export type Told = StripeServer['events'][number]

/** What happened at Stripe, step by step, and the events that tell of it. */
export type Story = {
  readonly events: readonly Told[]
  readonly steps: number
  /** Brings Stripe's objects to where they are after a step, from 0 on. */
  bringTo(step: number): void
  /** After which step an event is there to be sent. */
  madeBy(event: Told): number
}

/**
 * Tells a story as Stripe may: each event up to three times, or never, and up to three steps late; some of them several times
 * at once. Jobs run in between, or do not. Answers with what was told, in its order.
 */
export async function tellAtRandom(
  { events, steps, bringTo, madeBy }: Story,
  chance: (below: number) => number,
  { send, runDue }: { send(event: Told): Promise<void>; runDue(): Promise<unknown> },
): Promise<readonly Told[]> {
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

/** Sends an event as Stripe does, signed; it has to be taken. */
export async function sendFromStripe(ctx: Context, stripe: StripeServer, event: Told): Promise<void> {
  const { body, signature } = stripe.signed(event)
  const headers = new Headers({ 'stripe-signature': signature })
  expect(await receiveStripeEvent(ctx, new Blob([body]).stream(), headers)).toEqual({ received: true })
}
