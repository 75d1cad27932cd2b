import type { BillingCall } from './call.ts'

/** Products and their prices. */
export const productCalls = {
  listProducts: { method: 'GET', path: '/products', auth: 'seller', scope: 'products:read' },
  exportProducts: { method: 'GET', path: '/products/export', auth: 'seller', scope: 'products:read', givesFile: true },
  createProduct: {
    method: 'POST',
    path: '/products',
    auth: 'seller',
    scope: 'products:write',
    status: 201,
    approved: true,
    onceByKey: true,
  },
  getProduct: { method: 'GET', path: '/products/:id', auth: 'seller', scope: 'products:read' },
  updateProduct: { method: 'PATCH', path: '/products/:id', auth: 'seller', scope: 'products:write', approved: true },
  updateProductBenefits: {
    method: 'POST',
    path: '/products/:id/benefits',
    auth: 'seller',
    scope: 'products:write',
    approved: true,
    onceByKey: true,
  },
} as const satisfies Record<string, BillingCall>
