import { after, days } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'

/*
 * When the engine acts next on a subscription that runs as it should: at a reminder, or at the end of its trial or
 * period. Reminders are in the same column as what they remind of, so each is due once, however often a process dies.
 */

/** When the engine acts on a trial next: at its reminder, or at its end where the reminder is not ahead. */
export function nextTrialAction(ctx: Pick<Context, 'config' | 'clock'>, trialEnd: Date): Date {
  const { billing } = ctx.config
  const ahead = billing === false || billing.reminders.trialEnd === 0 ? [] : [billing.reminders.trialEnd]
  return firstOf(ahead, { start: ctx.clock.now(), end: trialEnd })
}

/**
 * When the engine acts on a running period next: at the first reminder of its renewal that is still ahead, or at its
 * end. A reminder as long before the end as the period lasts, or longer, is none.
 */
export function nextRenewalAction(
  { config: { billing }, clock }: Pick<Context, 'config' | 'clock'>,
  { recurringInterval }: Pick<SubscriptionRow, 'recurringInterval'>,
  { start, end }: { readonly start: Date; readonly end: Date },
): Date {
  const ahead = billing === false ? [] : billing.reminders.renewal[recurringInterval]
  const now = clock.now()
  return firstOf(ahead, { start: now > start ? now : start, end })
}

/** The first moment after `start` that is one of these days before `end`; else `end`. */
function firstOf(daysAhead: readonly number[], { start, end }: { readonly start: Date; readonly end: Date }): Date {
  const moments = daysAhead.map((ahead) => after(end, -days(ahead))).filter((moment) => moment > start)
  return moments.reduce((first, moment) => (moment < first ? moment : first), end)
}
