import { monthsOf } from '../engine/subscription-change.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { revenueStatement } from './subscription.repository.ts'

type Revenue = { amount: number; subscriptionsCount: number }

/** What the subscriptions that fit the filters charge in a month, in each currency; it is rounded once, at the end. */
export const getRecurringRevenue: BillingHandler<'getRecurringRevenue'> = async ({ ctx, seller, query }) => {
  const statement = revenueStatement(ctx.database.lists, seller.organizationId, query, ctx.clock.now())
  const revenues = new Map<string, Revenue>()
  for (const { currency, amount, count, recurringInterval, intervalCount } of await statement.execute()) {
    const sum = revenues.get(currency) ?? { amount: 0, subscriptionsCount: 0 }
    revenues.set(currency, {
      amount: sum.amount + Number(amount) / monthsOf({ interval: recurringInterval, count: intervalCount }),
      subscriptionsCount: sum.subscriptionsCount + Number(count),
    })
  }
  const items = [...revenues].map(([currency, { amount, subscriptionsCount }]) => ({
    currency,
    monthlyRecurringRevenue: Math.round(amount),
    subscriptionsCount,
  }))
  return {
    items: items.toSorted(
      (a, b) => b.subscriptionsCount - a.subscriptionsCount || a.currency.localeCompare(b.currency),
    ),
  }
}
