import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { changeSubscription, type SubscriptionRow } from '../order/subscription.repository.ts'

/** Whether what is due for a subscription is the reminder of its trial's end, not the end. */
export const isReminderDue = ({ status, trialEnd }: SubscriptionRow, dueAt: Date): boolean =>
  status === 'trialing' && trialEnd !== null && dueAt < trialEnd

/** Reminds the subscriber once: the trial's end is what the engine acts on next. */
export async function remindOfTrialEnd(_ctx: Context, tx: Tx, row: SubscriptionRow): Promise<void> {
  await changeSubscription(tx, row.id, { nextActionAt: row.trialEnd })
}
