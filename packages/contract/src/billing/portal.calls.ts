import type { BillingCall } from './call.ts'

/** Calls of the customer portal, which a customer makes with the token of their session. */
export const portalCalls = {
  getPortalCustomer: { method: 'GET', path: '/customer-portal/customers/me', auth: 'customer' },
  updatePortalCustomer: { method: 'PATCH', path: '/customer-portal/customers/me', auth: 'customer' },
  listPortalPaymentMethods: { method: 'GET', path: '/customer-portal/customers/me/payment-methods', auth: 'customer' },
  addPortalPaymentMethod: {
    method: 'POST',
    path: '/customer-portal/customers/me/payment-methods',
    auth: 'customer',
    limit: 'payment',
    status: 201,
    onceByKey: true,
  },
  /** Follows `addPortalPaymentMethod` once the cardholder has authenticated the card. */
  confirmPortalPaymentMethod: {
    method: 'POST',
    path: '/customer-portal/customers/me/payment-methods/confirm',
    auth: 'customer',
    limit: 'payment',
    status: 201,
  },
  deletePortalPaymentMethod: {
    method: 'DELETE',
    path: '/customer-portal/customers/me/payment-methods/:id',
    auth: 'customer',
    status: 204,
  },
} as const satisfies Record<string, BillingCall>
