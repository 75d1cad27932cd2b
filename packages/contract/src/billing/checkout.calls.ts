import type { BillingCall } from './call.ts'

/** Checkouts by the seller, the buyer's side of one by its secret, and links that make one. */
export const checkoutCalls = {
  listCheckouts: { method: 'GET', path: '/checkouts', auth: 'seller', scope: 'checkouts:read' },
  createCheckout: { method: 'POST', path: '/checkouts', auth: 'seller', scope: 'checkouts:write', status: 201 },
  getCheckout: { method: 'GET', path: '/checkouts/:id', auth: 'seller', scope: 'checkouts:read' },
  updateCheckout: { method: 'PATCH', path: '/checkouts/:id', auth: 'seller', scope: 'checkouts:write' },
  getClientCheckout: { method: 'GET', path: '/checkouts/client/:clientSecret', auth: 'secret' },
  updateClientCheckout: { method: 'PATCH', path: '/checkouts/client/:clientSecret', auth: 'secret' },
  confirmClientCheckout: { method: 'POST', path: '/checkouts/client/:clientSecret/confirm', auth: 'secret' },
  listCheckoutLinks: { method: 'GET', path: '/checkout-links', auth: 'seller', scope: 'checkout_links:read' },
  createCheckoutLink: {
    method: 'POST',
    path: '/checkout-links',
    auth: 'seller',
    scope: 'checkout_links:write',
    status: 201,
  },
  getCheckoutLink: { method: 'GET', path: '/checkout-links/:id', auth: 'seller', scope: 'checkout_links:read' },
  updateCheckoutLink: { method: 'PATCH', path: '/checkout-links/:id', auth: 'seller', scope: 'checkout_links:write' },
  deleteCheckoutLink: {
    method: 'DELETE',
    path: '/checkout-links/:id',
    auth: 'seller',
    scope: 'checkout_links:write',
    status: 204,
    own: true,
  },
} as const satisfies Record<string, BillingCall>
