import type { BillingCall } from './call.ts'

/** Checkouts for the seller, their buyer's side by its secret, and links that create one. */
export const checkoutCalls = {
  listCheckouts: { method: 'GET', path: '/checkouts', auth: 'seller', scope: 'checkouts:read' },
  createCheckout: {
    method: 'POST',
    path: '/checkouts',
    auth: 'seller',
    scope: 'checkouts:write',
    status: 201,
    approved: true,
    onceByKey: true,
  },
  getCheckout: { method: 'GET', path: '/checkouts/:id', auth: 'seller', scope: 'checkouts:read' },
  updateCheckout: { method: 'PATCH', path: '/checkouts/:id', auth: 'seller', scope: 'checkouts:write', approved: true },
  getClientCheckout: {
    method: 'GET',
    path: '/checkouts/client/:clientSecret',
    auth: 'secret',
    secrets: ['clientSecret'],
  },
  updateClientCheckout: {
    method: 'PATCH',
    path: '/checkouts/client/:clientSecret',
    auth: 'secret',
    secrets: ['clientSecret'],
  },
  confirmClientCheckout: {
    method: 'POST',
    path: '/checkouts/client/:clientSecret/confirm',
    auth: 'secret',
    limit: 'payment',
    secrets: ['clientSecret'],
    onceByKey: true,
  },
  listCheckoutLinks: { method: 'GET', path: '/checkout-links', auth: 'seller', scope: 'checkout_links:read' },
  createCheckoutLink: {
    method: 'POST',
    path: '/checkout-links',
    auth: 'seller',
    scope: 'checkout_links:write',
    status: 201,
    approved: true,
    onceByKey: true,
  },
  getCheckoutLink: { method: 'GET', path: '/checkout-links/:id', auth: 'seller', scope: 'checkout_links:read' },
  updateCheckoutLink: {
    method: 'PATCH',
    path: '/checkout-links/:id',
    auth: 'seller',
    scope: 'checkout_links:write',
    approved: true,
  },
  deleteCheckoutLink: {
    method: 'DELETE',
    path: '/checkout-links/:id',
    auth: 'seller',
    scope: 'checkout_links:write',
    status: 204,
    own: true,
  },
} as const satisfies Record<string, BillingCall>
