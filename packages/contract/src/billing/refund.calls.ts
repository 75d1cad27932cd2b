import type { BillingCall } from './call.ts'

/** Refunds by the seller, and disputes by buyers. */
export const refundCalls = {
  listRefunds: { method: 'GET', path: '/refunds', auth: 'seller', scope: 'refunds:read' },
  /** 200, not 201: the matching SDK drops the body of a 201 (REF-8). */
  createRefund: {
    method: 'POST',
    path: '/refunds',
    auth: 'seller',
    scope: 'refunds:write',
    own: true,
    approved: false,
    onceByKey: true,
  },
  getRefund: { method: 'GET', path: '/refunds/:id', auth: 'seller', scope: 'refunds:read' },
  listDisputes: { method: 'GET', path: '/disputes', auth: 'seller', scope: 'refunds:read' },
  getDispute: { method: 'GET', path: '/disputes/:id', auth: 'seller', scope: 'refunds:read' },
} as const satisfies Record<string, BillingCall>
