import type { BillingAnswer, ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import type { Seller } from '../seller/seller.service.ts'
import { findSubscription, pageOfSubscriptions } from './subscription.repository.ts'
import { readSubscriptions } from './subscription-view.ts'

export async function listSubscriptions(
  ctx: Context,
  { organizationId }: Seller,
  query: ParsedBillingQuery<'listSubscriptions'>,
): Promise<BillingAnswer<'listSubscriptions'>> {
  const { rows, pagination } = await pageOfSubscriptions(ctx.database.lists, organizationId, query)
  return { items: await readSubscriptions(ctx, ctx.db, organizationId, rows), pagination }
}

export async function getSubscription(
  ctx: Context,
  { organizationId }: Seller,
  id: string,
): Promise<BillingAnswer<'getSubscription'>> {
  const row = await findSubscription(ctx.db, organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  const [subscription] = await readSubscriptions(ctx, ctx.db, organizationId, [row])
  return proven(subscription, 'one row gives one answer')
}
