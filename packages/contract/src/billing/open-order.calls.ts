import type { BillingCall } from './call.ts'

/** What a seller does with an order that is not paid: void it, or mark it as paid. */
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
