import type { BillingCall } from './call.ts'

/** Price reductions. */
export const discountCalls = {
  listDiscounts: { method: 'GET', path: '/discounts', auth: 'seller', scope: 'discounts:read' },
  exportDiscounts: {
    method: 'GET',
    path: '/discounts/export',
    auth: 'seller',
    scope: 'discounts:read',
    givesFile: true,
  },
  createDiscount: {
    method: 'POST',
    path: '/discounts',
    auth: 'seller',
    scope: 'discounts:write',
    status: 201,
    approved: true,
    onceByKey: true,
  },
  getDiscount: { method: 'GET', path: '/discounts/:id', auth: 'seller', scope: 'discounts:read' },
  updateDiscount: { method: 'PATCH', path: '/discounts/:id', auth: 'seller', scope: 'discounts:write', approved: true },
  deleteDiscount: {
    method: 'DELETE',
    path: '/discounts/:id',
    auth: 'seller',
    scope: 'discounts:write',
    status: 204,
    own: true,
  },
} as const satisfies Record<string, BillingCall>
