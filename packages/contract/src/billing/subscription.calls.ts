import type { BillingCall } from './call.ts'

/** Calls by which a seller creates and changes subscriptions. */
export const subscriptionCalls = {
  createSubscription: {
    method: 'POST',
    path: '/subscriptions',
    auth: 'seller',
    scope: 'subscriptions:write',
    status: 201,
    approved: true,
    own: true,
    onceByKey: true,
  },
  previewSubscription: {
    method: 'POST',
    path: '/subscriptions/preview',
    auth: 'seller',
    scope: 'subscriptions:read',
    approved: false,
  },
  previewSubscriptionChange: {
    method: 'POST',
    path: '/subscriptions/:id/preview',
    auth: 'seller',
    scope: 'subscriptions:read',
    approved: false,
  },
  updateSubscription: {
    method: 'PATCH',
    path: '/subscriptions/:id',
    auth: 'seller',
    scope: 'subscriptions:write',
    approved: false,
    own: true,
    onceByKey: true,
  },
  pauseSubscription: {
    method: 'POST',
    path: '/subscriptions/:id/pause',
    auth: 'seller',
    scope: 'subscriptions:write',
    approved: false,
    own: true,
    onceByKey: true,
  },
  resumeSubscription: {
    method: 'POST',
    path: '/subscriptions/:id/resume',
    auth: 'seller',
    scope: 'subscriptions:write',
    approved: true,
    own: true,
    onceByKey: true,
  },
  revokeSubscription: {
    method: 'DELETE',
    path: '/subscriptions/:id',
    auth: 'seller',
    scope: 'subscriptions:write',
    own: true,
  },
} as const satisfies Record<string, BillingCall>
