import type { Product } from '@tollgate/contract/billing-types'
import { productWords } from './products.texts.ts'

/** The units of a trial's length. */
export const trialUnits = ['day', 'week', 'month', 'year'] as const

/** A product's trial, as its fields hold it; an empty count is no length. */
export type TrialDraft = {
  readonly count: string
  readonly unit: (typeof trialUnits)[number]
  readonly needsCard: boolean
}

export const noTrial: TrialDraft = { count: '', unit: 'day', needsCard: true }

export const trialDraftOf = ({ trialInterval, trialIntervalCount, trialCardRequired }: Product): TrialDraft => ({
  count: trialIntervalCount === null ? '' : String(trialIntervalCount),
  unit: trialInterval ?? 'day',
  needsCard: trialCardRequired,
})

/** The most units of a trial (contract, Products). */
const mostUnits = 1000

/** What is wrong with the fields; undefined if nothing is. */
export const problemOfTrial = ({ count }: TrialDraft): string | undefined =>
  count.trim() === '' || (/^\d+$/.test(count.trim()) && Number(count) >= 1 && Number(count) <= mostUnits)
    ? undefined
    : productWords.trial.wrong

/** The members that the fields mean. A trial until a date, which the API sets, stays where there is no length. */
export const trialBodyOf = ({ count, unit, needsCard }: TrialDraft) => ({
  ...(count.trim() === ''
    ? { trialInterval: null, trialIntervalCount: null }
    : { trialInterval: unit, trialIntervalCount: Number(count) }),
  trialCardRequired: needsCard,
})
