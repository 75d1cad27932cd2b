import type { BillingHandler } from './billing-handler.ts'
import { sumOrdersSince } from './overview.repository.ts'

/** This month's sales of an organization, for the dashboard's first page. */
export const getOverview: BillingHandler<'getOverview'> = async ({ ctx, seller: { organizationId } }) => {
  const now = ctx.clock.now()
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const sums = await sumOrdersSince(ctx.database.lists.db, organizationId, since)
  return {
    since: since.toISOString(),
    // PostgreSQL returns sums as text, because they may exceed a number.
    orders: sums.reduce((total, { orders }) => total + Number(orders), 0),
    revenue: sums
      .map(({ currency, amount }) => ({ currency, amount: Number(amount) }))
      .sort((a, b) => b.amount - a.amount),
  }
}
