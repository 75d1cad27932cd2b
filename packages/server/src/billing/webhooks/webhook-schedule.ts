import { after, days, hours, minutes, seconds } from '../../clock.ts'
import { randomKey } from '../../ids.ts'

/** Waits before each further attempt (WH-6): an outage of a night, and of a day, is survived. */
const waits = [seconds(5), minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(14), hours(20), hours(24)]
/** By so much of itself a wait may be longer, so that what failed together does not come back together. */
const jitter = 0.1
/** The longest wait that a receiver may ask for. */
const longestAsked = days(1)
/** So long events wait for an earlier one of their endpoint (WH-5). */
export const patience = minutes(1)

/** What is read of an answer that did not accept an event. */
export type Refused = { readonly retryAfter: string | undefined }

/**
 * When an event is tried again that has failed so often; null when it is given up. A receiver may ask for more time, by
 * seconds or by a date (RFC 9110, section 10.2.3), never for less.
 */
export function nextAttempt(failures: number, now: Date, wallClock: Date, { retryAfter }: Refused): Date | null {
  const wait = waits[failures - 1]
  if (wait === undefined) return null
  const chance = randomKey(4).readUInt32BE() / 2 ** 32
  return after(now, Math.max(wait * (1 + jitter * chance), askedFor(retryAfter, wallClock)))
}

/** How long a receiver asks to be left alone, in milliseconds; dates are meant by its own clock, which is the wall's. */
export function askedFor(retryAfter: string | undefined, wallClock: Date): number {
  if (retryAfter === undefined) return 0
  const asked = /^\d{1,9}$/.test(retryAfter.trim())
    ? seconds(Number(retryAfter))
    : Date.parse(retryAfter) - wallClock.getTime()
  return Number.isFinite(asked) ? Math.min(Math.max(asked, 0), longestAsked) : 0
}

/** An endpoint is switched off that has failed for so long, with so many events (WH-7). */
export const isHopeless = (
  { failingSince, failedEvents }: { failingSince: Date | null; failedEvents: number },
  now: Date,
): boolean => failingSince !== null && failingSince <= after(now, -days(3)) && failedEvents >= 10
