import type { BillingCall } from './call.ts'

/** What an organization sells, for everybody who comes by: its pricing page, and the way from there into a checkout. */
export const storefrontCalls = {
  getStorefront: { method: 'GET', path: '/storefronts/:slug', auth: 'none' },
  createStorefrontCheckout: { method: 'POST', path: '/storefronts/:slug/checkouts', auth: 'none', status: 201 },
} as const satisfies Record<string, BillingCall>
