import type { BillingCall } from './call.ts'

/** Calls by which a seller plans what a subscription becomes. */
export const scheduleCalls = {
  getSubscriptionSchedule: {
    method: 'GET',
    path: '/subscriptions/:id/schedule',
    auth: 'seller',
    scope: 'subscriptions:read',
  },
  setSubscriptionSchedule: {
    method: 'PUT',
    path: '/subscriptions/:id/schedule',
    auth: 'seller',
    scope: 'subscriptions:write',
    approved: true,
    own: true,
  },
  removeSubscriptionSchedule: {
    method: 'DELETE',
    path: '/subscriptions/:id/schedule',
    auth: 'seller',
    scope: 'subscriptions:write',
    status: 204,
    own: true,
  },
} as const satisfies Record<string, BillingCall>
