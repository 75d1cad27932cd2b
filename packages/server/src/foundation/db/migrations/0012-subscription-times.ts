import { index, type Migration } from './migration.ts'

/** When subscriptions start and end, for the number of running ones over time without reading all of them. */
export const subscriptionTimes: Migration = {
  name: '0012-subscription-times',
  steps: [
    index('subscription_started', 'subscription', ['organization_id', 'started_at', 'ended_at']),
    index('subscription_ended', 'subscription', ['organization_id', 'ended_at', 'started_at']),
  ],
}
