import type { BillingCall } from './call.ts'

/** What a seller decides about an order that waits for its payment. */
export const openOrderCalls = {
  voidOrder: {
    method: 'POST',
    path: '/orders/:id/void',
    auth: 'seller',
    scope: 'orders:write',
    approved: false,
    own: true,
    onceByKey: true,
  },
  markOrderPaid: {
    method: 'POST',
    path: '/orders/:id/mark-paid',
    auth: 'seller',
    scope: 'orders:write',
    approved: false,
    own: true,
    onceByKey: true,
  },
} as const satisfies Record<string, BillingCall>
