import type { BillingCall } from './call.ts'

/** An organization's public pricing page, and its way into a checkout. */
export const storefrontCalls = {
  getStorefront: { method: 'GET', path: '/storefronts/:slug', auth: 'none' },
  createStorefrontCheckout: {
    method: 'POST',
    path: '/storefronts/:slug/checkouts',
    auth: 'none',
    status: 201,
    limit: 'visit',
  },
} as const satisfies Record<string, BillingCall>
