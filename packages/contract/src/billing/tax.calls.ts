import type { BillingCall } from './call.ts'

/** Where an organization collects tax, and at which rates. */
export const taxCalls = {
  getTaxSettings: { method: 'GET', path: '/organizations/:id/tax', auth: 'seller', scope: 'organizations:read' },
  updateTaxSettings: {
    method: 'PATCH',
    path: '/organizations/:id/tax',
    auth: 'seller',
    scope: 'organizations:write',
    approved: false,
  },
  /** The shipped standard rates. */
  listTaxRates: { method: 'GET', path: '/tax/rates', auth: 'seller', scope: 'organizations:read' },
} as const satisfies Record<string, BillingCall>
