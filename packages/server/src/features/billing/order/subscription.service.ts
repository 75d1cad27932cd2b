import { TollgateError } from '../../../foundation/error.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { findSubscription, pageOfSubscriptions } from './subscription.repository.ts'
import { readSubscriptions } from './subscription-view.ts'

export const listSubscriptions: BillingHandler<'listSubscriptions'> = async ({ ctx, seller, query }) => {
  const { organizationId } = seller
  const { rows, pagination } = await pageOfSubscriptions(ctx.database.lists, organizationId, query, ctx.clock.now())
  return { items: await readSubscriptions(ctx, ctx.db, organizationId, rows), pagination }
}

export const getSubscription: BillingHandler<'getSubscription'> = async ({ ctx, seller, params }) => {
  const { organizationId } = seller
  const { id } = params
  const row = await findSubscription(ctx.db, organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  const [subscription] = await readSubscriptions(ctx, ctx.db, organizationId, [row])
  return proven(subscription, 'one row gives one answer')
}
