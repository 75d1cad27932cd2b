import type { BillingCall } from './call.ts'

/** Invoices, receipts and credit notes, and CSV exports for bookkeeping. */
export const documentCalls = {
  updateOrder: { method: 'PATCH', path: '/orders/:id', auth: 'seller', scope: 'orders:write', approved: false },
  // The scope that reads orders also issues their invoices, as in the SDK: reading an unissued invoice issues it.
  createOrderInvoice: {
    method: 'POST',
    path: '/orders/:id/invoice',
    auth: 'seller',
    scope: 'orders:read',
    status: 202,
    approved: false,
    onceByKey: true,
  },
  getOrderInvoice: { method: 'GET', path: '/orders/:id/invoice', auth: 'seller', scope: 'orders:read' },
  getOrderReceipt: { method: 'GET', path: '/orders/:id/receipt', auth: 'seller', scope: 'orders:read' },
  listOrderDocuments: { method: 'GET', path: '/orders/:id/documents', auth: 'seller', scope: 'orders:read' },
  exportOrders: { method: 'GET', path: '/orders/export', auth: 'seller', scope: 'orders:read', givesFile: true },
  exportPayments: { method: 'GET', path: '/payments/export', auth: 'seller', scope: 'payments:read', givesFile: true },
  exportRefunds: { method: 'GET', path: '/refunds/export', auth: 'seller', scope: 'refunds:read', givesFile: true },
  exportDisputes: { method: 'GET', path: '/disputes/export', auth: 'seller', scope: 'refunds:read', givesFile: true },
  exportSubscriptions: {
    method: 'GET',
    path: '/subscriptions/export',
    auth: 'seller',
    scope: 'subscriptions:read',
    givesFile: true,
  },
} as const satisfies Record<string, BillingCall>
