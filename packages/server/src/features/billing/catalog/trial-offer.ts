import type { ParsedBillingBody } from '@tollgate/contract/billing-types'
import type { InputIssue } from '../../../foundation/error.ts'
import type { TrialOffer } from '../engine/trial.ts'
import { inBody } from '../invalid.ts'

/** What sellers say of a trial: a member that is left out stays, and null removes it. */
type AskedTrial = Pick<
  ParsedBillingBody<'updateProduct'>,
  'trialInterval' | 'trialIntervalCount' | 'trialUntil' | 'trialCardRequired'
>

export const noTrial: TrialOffer = { trialInterval: null, trialIntervalCount: null, trialUntil: null }

/** A changed offer of a trial, and its faults: it has a length or a last moment, and the one replaces the other. */
export function changedTrial(
  before: TrialOffer,
  asked: AskedTrial,
  now: Date,
): { readonly offer: TrialOffer; readonly issues: InputIssue[] } {
  const { trialInterval = before.trialInterval, trialIntervalCount = before.trialIntervalCount, trialUntil } = asked
  const isLengthGiven = asked.trialInterval != null || asked.trialIntervalCount != null
  if (isLengthGiven && trialUntil != null)
    return { offer: before, issues: [inBody('trial_until', 'A trial has a length or an end, not both.')] }
  if (isLengthGiven) {
    const offer = { trialInterval, trialIntervalCount, trialUntil: null }
    return { offer, issues: lengthIssues(offer) }
  }
  if (trialUntil != null) return { offer: { ...noTrial, trialUntil }, issues: endIssues(trialUntil, now) }
  const isLengthRemoved = trialInterval === null || trialIntervalCount === null
  const length = isLengthRemoved ? noTrial : { trialInterval, trialIntervalCount }
  return { offer: { ...length, trialUntil: trialUntil === undefined ? before.trialUntil : null }, issues: [] }
}

function lengthIssues({ trialInterval, trialIntervalCount }: TrialOffer): InputIssue[] {
  if (trialIntervalCount === null) return [inBody('trial_interval_count', 'Field is required.', 'missing')]
  return trialInterval === null ? [inBody('trial_interval', 'Field is required.', 'missing')] : []
}

const endIssues = (trialUntil: Date, now: Date): InputIssue[] =>
  trialUntil > now ? [] : [inBody('trial_until', 'The end of a trial should be in the future.')]

/** Refuses a trial of a product that is sold once. */
export const onlyRecurringTrial = (offer: TrialOffer, recurringInterval: string | null): InputIssue[] =>
  recurringInterval !== null || (offer.trialInterval === null && offer.trialUntil === null)
    ? []
    : [
        inBody(
          offer.trialUntil === null ? 'trial_interval' : 'trial_until',
          'Only a recurring product can have a trial.',
        ),
      ]

/** An offer as answers show it. */
export const shownTrial = ({ trialInterval, trialIntervalCount, trialUntil }: TrialOffer) => ({
  trialInterval,
  trialIntervalCount,
  trialUntil: trialUntil?.toISOString() ?? null,
})
