import type { BillingCall } from './call.ts'

/** Money that goes back: by the seller's will, or because a buyer disputes what was taken. */
export const refundCalls = {
  listRefunds: { method: 'GET', path: '/refunds', auth: 'seller', scope: 'refunds:read' },
  /** 200, not 201: the matching SDK drops the body of a 201 (REF-8). */
  createRefund: { method: 'POST', path: '/refunds', auth: 'seller', scope: 'refunds:write', own: true },
  getRefund: { method: 'GET', path: '/refunds/:id', auth: 'seller', scope: 'refunds:read' },
  listDisputes: { method: 'GET', path: '/disputes', auth: 'seller', scope: 'refunds:read' },
  getDispute: { method: 'GET', path: '/disputes/:id', auth: 'seller', scope: 'refunds:read' },
} as const satisfies Record<string, BillingCall>
