import type { BillingCall } from './call.ts'

/** Subscriptions that began before this version could renew them. */
export const renewalCalls = {
  getMissedPeriods: {
    method: 'GET',
    path: '/organizations/:id/missed-periods',
    auth: 'seller',
    scope: 'subscriptions:read',
  },
  decideMissedPeriods: {
    method: 'POST',
    path: '/organizations/:id/missed-periods',
    auth: 'seller',
    scope: 'subscriptions:write',
    approved: true,
    own: true,
  },
} as const satisfies Record<string, BillingCall>
