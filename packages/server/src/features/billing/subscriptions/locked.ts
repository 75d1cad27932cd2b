import type { Context } from '../../../foundation/context.ts'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { lockCustomer } from '../customer/customer.repository.ts'
import { tellStateChanged } from '../customer/customer-state.ts'
import { findSubscription, lockSubscription, type SubscriptionRow } from '../order/subscription.repository.ts'
import { readSubscribed, tellSubscription, toShown } from './subscribed.ts'

/*
 * What the calls about one subscription share.
 */

/** A seller's subscription; throws RESOURCE_NOT_FOUND. */
export async function requireSubscription(db: Db, organizationId: Id<'organization'>, id: Id<'subscription'>) {
  const row = await findSubscription(db, organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return row
}

/** A subscription as calls answer it. */
export async function showSubscription(ctx: Context, organizationId: Id<'organization'>, id: Id<'subscription'>) {
  return toShown(await readSubscribed(ctx, ctx.db, await requireSubscription(ctx.db, organizationId, id)))
}

/** Locks the customer, whose balance pays, and then the subscription. */
export async function lockBoth(
  tx: Tx,
  organizationId: Id<'organization'>,
  id: Id<'subscription'>,
): Promise<SubscriptionRow> {
  const { customerId } = await requireSubscription(tx, organizationId, id)
  await lockCustomer(tx, organizationId, { id: customerId })
  return proven(await lockSubscription(tx, organizationId, id), 'subscriptions are never deleted')
}

/** Tells of a change that leaves the status as it is. */
export async function tellChanged(
  ctx: Context,
  tx: Tx,
  row: SubscriptionRow,
  types: Parameters<typeof tellSubscription>[3],
  actorId: Id<'user'> | null,
): Promise<void> {
  await tellSubscription(ctx, tx, await readSubscribed(ctx, tx, row), types, actorId)
  await tellStateChanged(ctx, tx, row.organizationId, row.customerId, actorId)
}
