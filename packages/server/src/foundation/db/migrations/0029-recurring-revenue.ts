import { index, type Migration } from './migration.ts'

/** What subscriptions charge, for the sum of a seller's recurring revenue without reading the rows. */
export const recurringRevenue: Migration = {
  name: '0029-recurring-revenue',
  steps: [
    index('subscription_revenue', 'subscription', [
      'organization_id',
      'status',
      'currency',
      'recurring_interval',
      'interval_count',
      'amount',
      'product_id',
      'cancel_at_period_end',
    ]),
  ],
}
