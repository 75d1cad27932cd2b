/** The choices for a ban's duration. */
export const banDurations = ['forEver', 'day', 'week', 'month', 'date'] as const
export type BanDuration = (typeof banDurations)[number]

const day = 86_400
const lengths = { day, week: 7 * day, month: 30 * day } as const

/** The longest duration that the server accepts; anything longer means forever. */
const longest = 3_155_760_000

/**
 * Seconds from now (a time in milliseconds); undefined means forever; null means an invalid or past date. A date
 * without a zone is in the viewer's.
 */
export function banSeconds(duration: BanDuration, date: string, now: number): number | undefined | null {
  if (duration === 'forEver') return undefined
  if (duration !== 'date') return lengths[duration]
  const seconds = Math.ceil((Date.parse(date) - now) / 1000)
  return seconds > 0 && seconds <= longest ? seconds : null
}
