import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { anchorDayOf } from '../engine/period.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'
import type { Taxes } from '../tax/taxes.ts'
import { beginPeriod } from './begin-period.ts'
import { mailPaused, mailResumed } from './life-mails.ts'
import { move } from './move.ts'
import { readSubscribed } from './subscribed.ts'

/**
 * Pauses a locked subscription: until it resumes, nothing is billed, tried or renewed (SUB-26). The engine acts on it
 * again when the pause is over, if that is known.
 */
export async function pause(
  ctx: Context,
  tx: Tx,
  before: SubscriptionRow,
  resumesAt: Date | null,
  actorId: Id<'user'> | null,
): Promise<void> {
  const changes = { pausedAt: ctx.clock.now(), pauseAtPeriodEnd: false, resumesAt, nextActionAt: resumesAt }
  await mailPaused(ctx, tx, await move(ctx, tx, before, 'pause', changes, actorId))
}

/** Resumes a locked subscription: a new period with a new anchor begins now, and is charged (SUB-26). */
export async function resume(
  { ctx, tx, taxes }: { readonly ctx: Context; readonly tx: Tx; readonly taxes: Taxes },
  before: SubscriptionRow,
  actorId: Id<'user'> | null,
): Promise<void> {
  const start = ctx.clock.now()
  const subscribed = await readSubscribed(ctx, tx, before)
  // A pause that ends in the moment in which its period began has another order there.
  const begins = {
    start,
    anchorDay: anchorDayOf(start),
    cause: `subscription_cycle:resumed-${before.version}`,
  } as const
  await beginPeriod({ ctx, tx, taxes }, subscribed, begins, (changes) =>
    move(ctx, tx, before, 'resume', { ...changes, pausedAt: null, resumesAt: null }, actorId),
  )
  await mailResumed(ctx, tx, before)
}
