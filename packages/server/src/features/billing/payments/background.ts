import { setTimeout as wait } from 'node:timers/promises'
import { monotonic, seconds } from '../../../foundation/clock.ts'
import type { Payments, Processor } from './processor.ts'

/** Waits until the next call may begin. */
export type Pace = () => Promise<void>

/** Calls that may begin at once after a quiet time. */
const burst = 10

/**
 * Lets calls begin at a steady rate. A processor limits the calls of an account, and a backlog of jobs must not use up
 * what buyers at checkouts need.
 */
export function createPace(
  perSecond: number,
  now: () => number = monotonic,
  pause: (ms: number) => Promise<unknown> = (ms) => wait(ms, undefined, { ref: false }),
): Pace {
  const gap = seconds(1) / perSecond
  let next = Number.NEGATIVE_INFINITY
  return async () => {
    const at = now()
    next = Math.max(next, at - burst * gap) + gap
    if (next > at) await pause(next - at)
  }
}

const paces = new WeakMap<Processor, Pace>()

/**
 * The processor of a payment for jobs: the same, at the pace that its account allows them. Undefined if it is not
 * configured.
 */
export function processorForJobs(payments: Payments, name: string): Processor | undefined {
  const processor = payments.byName(name)
  if (processor?.callsPerSecond === undefined) return processor
  const pace = paces.get(processor) ?? createPace(processor.callsPerSecond)
  paces.set(processor, pace)
  return paced(processor, pace)
}

/** Calls to other servers wait for their turn; what the processor knows by itself does not. */
const paced = (processor: Processor, pace: Pace): Processor => ({
  ...processor,
  charge: async (charge) => pace().then(() => processor.charge(charge)),
  look: async (id) => pace().then(() => processor.look(id)),
  cancel: async (id) => pace().then(() => processor.cancel(id)),
  forget: async (reference) => pace().then(() => processor.forget(reference)),
  refund: async (order) => pace().then(() => processor.refund(order)),
  lookRefund: async (refund) => pace().then(() => processor.lookRefund(refund)),
  lookForeignRefund: async (reference) => pace().then(() => processor.lookForeignRefund(reference)),
  lookDispute: async (reference) => pace().then(() => processor.lookDispute(reference)),
})
