import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { anchorDayOf } from '../engine/period.ts'
import { inBody, invalid } from '../invalid.ts'
import { organizationMaySell } from '../merchant/may-sell.service.ts'
import { changeSubscription, lockSubscription, type SubscriptionRow } from '../order/subscription.repository.ts'
import { nextTrialAction } from '../posting/next-action.ts'
import { withTaxes } from '../tax/taxes.ts'
import { hasEnded } from './changeable.ts'
import { setDiscount } from './discount-change.ts'
import { lockBoth, tellChanged } from './locked.ts'
import { renew } from './renew.service.ts'

/** A subscription of a seller, and who changes it. */
type Changed = {
  readonly organizationId: Id<'organization'>
  readonly id: Id<'subscription'>
  readonly actorId: Id<'user'> | null
}

/** What changes together with the end of a trial. */
type Beside = {
  /** Another discount of the first period that is charged, or none where it is null. */
  readonly discountId?: Id<'discount'> | null | undefined
  /** The quote that the change of discount must equal. */
  readonly quoteId?: string | null | undefined
}

/**
 * Moves the end of a trial (SUB-16), later or earlier; its day is the new anchor. `now` ends it: the first period begins
 * and is charged, as at any other end. A discount that is set with it counts from that period.
 */
export async function changeTrialEnd(
  ctx: Context,
  changed: Changed,
  end: Date | 'now',
  { discountId: wanted, quoteId = null }: Beside = {},
): Promise<void> {
  // A seller who is stopped takes no money.
  if (end === 'now' && !(await organizationMaySell(ctx, changed.organizationId)))
    throw new TollgateError('MERCHANT_NOT_APPROVED')
  await withTaxes(ctx, 'required', (taxes) =>
    ctx.transaction(async (tx) => {
      if (wanted !== undefined) await setDiscount({ ctx, tx, taxes }, { ...changed, wanted, quoteId })
      const row = await lockTrial(tx, changed, wanted === undefined ? lockBoth : lockedSubscription)
      if (end !== 'now') return moveEnd(ctx, tx, row, end, changed)
      const ended = await changeSubscription(tx, row.id, endingAt(ctx.clock.now()))
      await renew(ctx, tx, ended, taxes)
    }),
  )
}

/** Locks the customer and a subscription on trial; refuses one that is not on trial, or that ends with it (SUB-31). */
async function lockTrial(tx: Tx, { organizationId, id }: Changed, lock: typeof lockBoth): Promise<SubscriptionRow> {
  const row = await lock(tx, organizationId, id)
  if (hasEnded(row) || row.cancelAtPeriodEnd) throw new TollgateError('ALREADY_CANCELED_SUBSCRIPTION')
  if (row.status !== 'trialing') throw invalid(inBody('trial_end', 'The subscription is not on trial.'))
  return row
}

/** The subscription of a locked customer. */
const lockedSubscription: typeof lockBoth = async (tx, organizationId, id) =>
  proven(await lockSubscription(tx, organizationId, id), 'subscriptions are never deleted')

async function moveEnd(
  ctx: Context,
  tx: Tx,
  row: SubscriptionRow,
  end: Date,
  { actorId }: Pick<Changed, 'actorId'>,
): Promise<void> {
  const now = ctx.clock.now()
  if (end <= now) throw invalid(inBody('trial_end', 'The end of a trial should be in the future.'))
  const { pendingChange } = row
  const moved = await changeSubscription(tx, row.id, {
    ...endingAt(end),
    nextActionAt: nextTrialAction(ctx, end),
    ...(pendingChange && { pendingChange: { ...pendingChange, appliesAt: end.toISOString() } }),
    modifiedAt: now,
  })
  await tellChanged(ctx, tx, moved, ['subscription.updated'], actorId)
}

/** A trial's end is the end of its period, and its day the anchor of those that follow (SUB-25). */
const endingAt = (end: Date) => ({ trialEnd: end, currentPeriodEnd: end, anchorDay: anchorDayOf(end) })
