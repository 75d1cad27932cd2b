import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'
import { move } from './move.ts'

/** Who ends a subscription, and what the customer said. */
export type Ending = Pick<Partial<SubscriptionRow>, 'customerCancellationReason' | 'customerCancellationComment'> & {
  readonly actorId: Id<'user'> | null
  readonly by?: 'revoke' | 'endUnpaid'
}

/** Ends a locked subscription at once. Orders that are not paid are voided: nothing more is collected (SUB-19). */
export async function endNow(
  ctx: Context,
  tx: Tx,
  before: SubscriptionRow,
  { actorId, by = 'revoke', ...said }: Ending,
): Promise<SubscriptionRow> {
  const now = ctx.clock.now()
  const ended = {
    canceledAt: now,
    endsAt: now,
    endedAt: now,
    nextActionAt: null,
    pendingChange: null,
    schedule: null,
    pauseAtPeriodEnd: false,
    ...said,
  }
  return move(ctx, tx, before, by, ended, actorId)
}
