import { anchorDayOf, type Cycle, periodEnd } from './period.ts'

/** A trial as it is offered: a length, or a last moment; without both there is none. */
export type TrialOffer = {
  readonly trialInterval: Cycle['interval'] | null
  readonly trialIntervalCount: number | null
  readonly trialUntil: Date | null
}

/** The end of a trial that begins at `start`; undefined without one, and where its last moment has passed (SUB-16). */
export function trialEndAt(
  { trialInterval, trialIntervalCount, trialUntil }: TrialOffer,
  start: Date,
): Date | undefined {
  if (trialUntil) return trialUntil > start ? trialUntil : undefined
  if (trialInterval === null || trialIntervalCount === null) return undefined
  return periodEnd(start, { interval: trialInterval, count: trialIntervalCount }, anchorDayOf(start))
}
