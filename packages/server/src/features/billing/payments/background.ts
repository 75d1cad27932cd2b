import { setTimeout as wait } from 'node:timers/promises'
import { after, minutes, monotonic, seconds, systemClock } from '../../../foundation/clock.ts'
import type { Database } from '../../../foundation/db/database.ts'
import { reserveTurns } from './pace.repository.ts'
import type { Payments, Processor } from './processor.ts'

/** Waits until the next call may begin. */
export type Pace = () => Promise<void>

/** Calls that may begin at once after a quiet time. */
const burst = 10

/** How far ahead turns may be reserved: a clock that was ahead must not stop the others for long. */
const furthest = minutes(1)

/** Reserves turns for calls of an account; answers in how many milliseconds the first begins, negative after a quiet time. */
type Reserve = (count: number) => Promise<number>

/** The turns of an account that this process alone calls. */
export function ownTurns(perSecond: number, now: () => number = monotonic): Reserve {
  const gap = seconds(1) / perSecond
  let next = Number.NEGATIVE_INFINITY
  return async (count) => {
    const at = now()
    const first = Math.max(next, at - (burst - 1) * gap)
    next = first + count * gap
    return first - at
  }
}

/** The turns of an account that the processes of a PostgreSQL database share. Turns are real time, as processors count. */
export function sharedTurns(
  { db }: Pick<Database, 'db'>,
  account: string,
  perSecond: number,
  now: () => Date = () => systemClock.now(),
): Reserve {
  const gap = seconds(1) / perSecond
  return async (count) => {
    const at = now()
    const span = Math.ceil(count * gap)
    const earliest = after(at, -(burst - 1) * gap)
    const end = await reserveTurns(db, { account, span, earliest, latest: after(at, furthest) })
    return end.getTime() - span - at.getTime()
  }
}

type Waiting = { readonly begin: () => void; readonly refuse: (error: unknown) => void }

/**
 * Lets calls begin at a steady rate. A processor limits the calls of an account, and a backlog of jobs must not use up
 * what buyers at checkouts need. Calls that wait together reserve their turns together, and the next ones do when these
 * have begun, so that a backlog costs a statement a second. No reservation is longer than that: processes alternate.
 */
export function createPace(
  perSecond: number,
  reserve: Reserve,
  now: () => number = monotonic,
  pause: (ms: number) => Promise<unknown> = (ms) => wait(ms, undefined, { ref: false }),
): Pace {
  const gap = seconds(1) / perSecond
  const waiting: Waiting[] = []
  let isServing = false

  async function serve(served: readonly Waiting[]): Promise<void> {
    let next = (await reserve(served.length)) + now()
    for (const { begin } of served) {
      const early = next - now()
      if (early > 0) await pause(early)
      begin()
      next += gap
    }
  }

  async function serveAll(): Promise<void> {
    isServing = true
    while (waiting.length > 0) {
      const served = waiting.splice(0, Math.ceil(perSecond))
      await serve(served).catch((error: unknown) => {
        for (const { refuse } of served) refuse(error)
      })
    }
    isServing = false
  }

  return () =>
    new Promise((begin, refuse) => {
      waiting.push({ begin, refuse })
      if (!isServing) void serveAll()
    })
}

const paces = new WeakMap<Processor, Pace>()

/**
 * The processor of a payment for jobs: the same, at the pace that its account allows them. Undefined if it is not
 * configured.
 */
export function processorForJobs(
  { payments, database }: { readonly payments: Payments; readonly database: Pick<Database, 'db' | 'dialect'> },
  name: string,
): Processor | undefined {
  const processor = payments.byName(name)
  if (processor?.callsPerSecond === undefined) return processor
  let pace = paces.get(processor)
  if (!pace) {
    const { callsPerSecond } = processor
    const isAlone = database.dialect === 'sqlite'
    pace = createPace(callsPerSecond, isAlone ? ownTurns(callsPerSecond) : sharedTurns(database, name, callsPerSecond))
    paces.set(processor, pace)
  }
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
