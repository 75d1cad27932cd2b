import { Temporal } from 'temporal-polyfill'

/** The one place that reads the machine's time. Everything that expires or falls due reads a `Clock`. */
export type Clock = {
  now(): Date
  /** The time that it really is: later than `now` while overdue work is done as of the moment that it was due at. */
  present(): Date
  /** Moves the clock forward by whole milliseconds; false for the clock of production, which cannot move. */
  advance(milliseconds: number): boolean
  /** How far the clock runs ahead of the machine, in milliseconds. */
  offset(): number
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => new Date(),
  present: () => new Date(),
  advance: () => false,
  offset: () => 0,
}

/** Follows the machine's time and can be moved ahead: the clock of development mode. */
export function movableClock(initialOffset = 0): Clock {
  let offset = initialOffset
  const now = () => new Date(Date.now() + offset)
  return {
    now,
    present: now,
    advance: (milliseconds) => {
      offset += milliseconds
      return true
    },
    offset: () => offset,
  }
}

/** Stands still until a test moves it. */
export function standingClock(start: Date): Clock {
  let time = start.getTime()
  const now = () => new Date(time)
  return {
    now,
    present: now,
    advance: (milliseconds) => {
      time += milliseconds
      return true
    },
    offset: () => 0,
  }
}

/** Stands at the moment that overdue work was due at, and knows the present of the clock that it replaces. */
export const overdueClock = ({ present }: Clock, dueAt: Date): Clock => ({ ...standingClock(dueAt), present })

/** Monotonic milliseconds, for time-outs and measurements inside this process. */
export const monotonic = (): number => performance.now()

export const seconds = (count: number): number => count * 1000
export const minutes = (count: number): number => count * 60_000
export const hours = (count: number): number => count * 3_600_000
export const days = (count: number): number => count * 86_400_000

export const after = (time: Date, milliseconds: number): Date => new Date(time.getTime() + milliseconds)

/**
 * Adds an ISO 8601 duration (`P1M`, `P14DT2H`) in UTC; a month after the 31st is the last day of a shorter month. Null
 * for a text that is no duration, or leads past the year 9999, after which times no longer sort as texts.
 */
export function addDuration(time: Date, duration: string): Date | null {
  try {
    const moved = Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO('UTC').add(duration)
    return moved.year > 9999 ? null : new Date(moved.epochMilliseconds)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
