import type { BillingAnswer } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import { sumOrdersSince } from './overview.repository.ts'
import type { Seller } from './seller.service.ts'

/** What an organization has sold this month, for the page that its dashboard begins with. */
export async function getOverview(ctx: Context, { organizationId }: Seller): Promise<BillingAnswer<'getOverview'>> {
  const now = ctx.clock.now()
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const sums = await sumOrdersSince(ctx.database.lists.db, organizationId, since)
  return {
    since: since.toISOString(),
    // Sums are texts on PostgreSQL, where they may be larger than a number.
    orders: sums.reduce((total, { orders }) => total + Number(orders), 0),
    revenue: sums
      .map(({ currency, amount }) => ({ currency, amount: Number(amount) }))
      .sort((a, b) => b.amount - a.amount),
  }
}
