import type { BillingCall } from './call.ts'

/** Links by which a customer pays what a saved card did not: an order that is due, or a change that waits. */
export const payLinkCalls = {
  createPayLink: {
    method: 'POST',
    path: '/orders/:id/pay-link',
    auth: 'seller',
    scope: 'orders:write',
    approved: false,
  },
  getPayLink: { method: 'GET', path: '/pay-links/:payToken', auth: 'secret', secrets: ['payToken'] },
  payByLink: {
    method: 'POST',
    path: '/pay-links/:payToken/confirm',
    auth: 'secret',
    limit: 'payment',
    secrets: ['payToken'],
    onceByKey: true,
  },
} as const satisfies Record<string, BillingCall>
