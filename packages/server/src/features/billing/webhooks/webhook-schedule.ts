import { after, days, hours, minutes, seconds } from '../../../foundation/clock.ts'
import { randomKey } from '../../../foundation/ids.ts'

/** Waits before each further attempt (WH-6): deliveries survive an outage of a night, and of a day. */
const waits = [seconds(5), minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(14), hours(20), hours(24)]
/** The largest random extension of a wait, as a fraction: messages that failed together then retry apart. */
const jitter = 0.1
/** The longest wait that a receiver may ask for. */
const longestAsked = days(1)
/** How long events wait for an earlier one of their object (WH-5). */
export const patience = minutes(1)

/** The parts of a failed response that the schedule reads. */
export type Refused = { readonly retryAfter: string | undefined }

/**
 * When to retry after this many failures; null after the last attempt. A receiver may ask for a longer wait, in
 * seconds or as a date (RFC 9110, section 10.2.3), never for a shorter one.
 */
export function nextAttempt(failures: number, now: Date, wallClock: Date, { retryAfter }: Refused): Date | null {
  const wait = waits[failures - 1]
  if (wait === undefined) return null
  const chance = randomKey(4).readUInt32BE() / 2 ** 32
  return after(now, Math.max(wait * (1 + jitter * chance), askedFor(retryAfter, wallClock)))
}

/** The wait that a receiver asks for, in milliseconds; dates refer to real time, not to the test clock. */
export function askedFor(retryAfter: string | undefined, wallClock: Date): number {
  if (retryAfter === undefined) return 0
  const asked = /^\d{1,9}$/.test(retryAfter.trim())
    ? seconds(Number(retryAfter))
    : Date.parse(retryAfter) - wallClock.getTime()
  return Number.isFinite(asked) ? Math.min(Math.max(asked, 0), longestAsked) : 0
}

/** Whether an endpoint has failed long enough, with enough events, to be disabled (WH-7). */
export const isHopeless = (
  { failingSince, failedEvents }: { failingSince: Date | null; failedEvents: number },
  now: Date,
): boolean => failingSince !== null && failingSince <= after(now, -days(3)) && failedEvents >= 10
