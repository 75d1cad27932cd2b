import type { BillingAnswer, ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import { TollgateError } from '../../error.ts'
import type { Seller } from '../seller/seller.service.ts'
import { findSubscription, pageOfSubscriptions } from './subscription.repository.ts'
import { readSubscriptions } from './subscription-view.ts'

/** The subscriptions of an organization. */
export async function listSubscriptions(
  ctx: Context,
  { organizationId }: Seller,
  query: ParsedBillingQuery<'listSubscriptions'>,
): Promise<BillingAnswer<'listSubscriptions'>> {
  const { rows, pagination } = await pageOfSubscriptions(ctx.database.lists, organizationId, query)
  return { items: await readSubscriptions(ctx, ctx.db, organizationId, rows), pagination }
}

/** One of an organization's subscriptions. */
export async function getSubscription(
  ctx: Context,
  { organizationId }: Seller,
  id: string,
): Promise<BillingAnswer<'getSubscription'>> {
  const row = await findSubscription(ctx.db, organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  const [subscription] = await readSubscriptions(ctx, ctx.db, organizationId, [row])
  return subscription!
}
