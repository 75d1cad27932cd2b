import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'
import { findPendingChange, settleChange } from './change.repository.ts'

/** Whether a subscription has ended, or has never begun. */
export const hasEnded = ({ status }: Pick<SubscriptionRow, 'status'>): boolean =>
  status === 'canceled' || status === 'incomplete_expired'

/** Only an active subscription that is not canceled changes (SUB-27, SUB-31). */
export function requireChangeable(row: SubscriptionRow): void {
  const { status, cancelAtPeriodEnd, pauseAtPeriodEnd } = row
  if (hasEnded(row) || cancelAtPeriodEnd) throw new TollgateError('ALREADY_CANCELED_SUBSCRIPTION')
  if (status !== 'active' && status !== 'trialing') throw new TollgateError('SUBSCRIPTION_NOT_ACTIVE')
  if (pauseAtPeriodEnd) throw new TollgateError('SUBSCRIPTION_CHANGE_PENDING')
}

/** Refuses a change by hand while a schedule decides what the subscription becomes. */
export function requireUnscheduled({ schedule }: Pick<SubscriptionRow, 'schedule'>): void {
  if (schedule !== null) throw new TollgateError('SUBSCRIPTION_SCHEDULED')
}

/** Discards a former change that waits for its customer; refuses while one is being paid. */
export async function makeWay(ctx: Pick<Context, 'clock'>, tx: Tx, row: SubscriptionRow): Promise<void> {
  const pending = await findPendingChange(tx, row.id)
  if (!pending) return
  if (pending.paymentUnderWay !== null) throw new TollgateError('SUBSCRIPTION_CHANGE_PENDING')
  await settleChange(tx, pending.id, 'discarded', ctx.clock.now())
}
