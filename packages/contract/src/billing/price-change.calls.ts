import type { BillingCall } from './call.ts'

/** Calls by which a seller changes the price of a product for those who have subscribed to it already. */
export const priceChangeCalls = {
  listPriceChanges: { method: 'GET', path: '/price-changes', auth: 'seller', scope: 'subscriptions:read' },
  getPriceChange: { method: 'GET', path: '/price-changes/:id', auth: 'seller', scope: 'subscriptions:read' },
  previewPriceChange: {
    method: 'POST',
    path: '/price-changes/preview',
    auth: 'seller',
    scope: 'subscriptions:read',
    approved: false,
  },
  createPriceChange: {
    method: 'POST',
    path: '/price-changes',
    auth: 'seller',
    scope: 'subscriptions:write',
    status: 201,
    approved: true,
    own: true,
    onceByKey: true,
  },
  cancelPriceChange: {
    method: 'POST',
    path: '/price-changes/:id/cancel',
    auth: 'seller',
    scope: 'subscriptions:write',
    approved: false,
    own: true,
  },
} as const satisfies Record<string, BillingCall>
