import { z } from 'zod'
import { moment, utc } from './fields.ts'

/** The units of a trial's length. */
export const trialIntervals = ['day', 'week', 'month', 'year'] as const
const interval = z.enum(trialIntervals)

/** The length of a trial in answers, in the spelling of SDK 1.0.x; both null without a length. */
export const trialLength = { trialInterval: interval.nullable(), trialIntervalCount: z.int().nullable() }

/** A trial that a checkout or a link offers in place of its product's; all null follows the product. */
export const trialOverride = {
  ...trialLength,
  /** Ours: the trial lasts until a date. */
  trialUntil: utc.nullable(),
  /** Ours: whether the buyer needs a card to begin; null follows the product. */
  trialCardRequired: z.boolean().nullable(),
}

/** What sellers send: a length or a date, and null for none. */
export const trialInput = {
  trialInterval: interval.nullish(),
  trialIntervalCount: z.int().min(1).max(1000).nullish(),
  trialUntil: moment.nullish(),
  trialCardRequired: z.boolean().nullish(),
}

/** What a change of a subscription's trial sends: its new end, or `now`. */
export const trialEndInput = z.union([z.literal('now'), moment])
