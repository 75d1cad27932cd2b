import type { BillingCall } from './call.ts'

/** Sales and their payments. */
export const orderCalls = {
  listOrders: { method: 'GET', path: '/orders', auth: 'seller', scope: 'orders:read' },
  getOrder: { method: 'GET', path: '/orders/:id', auth: 'seller', scope: 'orders:read' },
  listSubscriptions: { method: 'GET', path: '/subscriptions', auth: 'seller', scope: 'subscriptions:read' },
  getRecurringRevenue: {
    method: 'GET',
    path: '/subscriptions/recurring-revenue',
    auth: 'seller',
    scope: 'subscriptions:read',
  },
  getSubscription: { method: 'GET', path: '/subscriptions/:id', auth: 'seller', scope: 'subscriptions:read' },
  listPayments: { method: 'GET', path: '/payments', auth: 'seller', scope: 'payments:read' },
  getPayment: { method: 'GET', path: '/payments/:id', auth: 'seller', scope: 'payments:read' },
  getOverview: { method: 'GET', path: '/overview', auth: 'seller', scope: 'metrics:read' },
} as const satisfies Record<string, BillingCall>
