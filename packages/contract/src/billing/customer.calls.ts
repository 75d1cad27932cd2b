import type { BillingCall } from './call.ts'

/** Who buys, by our id and by the seller's own, and the sessions that let them into the portal. */
export const customerCalls = {
  listCustomers: { method: 'GET', path: '/customers', auth: 'seller', scope: 'customers:read' },
  createCustomer: { method: 'POST', path: '/customers', auth: 'seller', scope: 'customers:write', status: 201 },
  getCustomer: { method: 'GET', path: '/customers/:id', auth: 'seller', scope: 'customers:read' },
  updateCustomer: { method: 'PATCH', path: '/customers/:id', auth: 'seller', scope: 'customers:write' },
  deleteCustomer: {
    method: 'DELETE',
    path: '/customers/:id',
    auth: 'seller',
    scope: 'customers:write',
    status: 204,
    own: true,
  },
  getCustomerState: { method: 'GET', path: '/customers/:id/state', auth: 'seller', scope: 'customers:read' },
  getExternalCustomer: {
    method: 'GET',
    path: '/customers/external/:externalId',
    auth: 'seller',
    scope: 'customers:read',
  },
  updateExternalCustomer: {
    method: 'PATCH',
    path: '/customers/external/:externalId',
    auth: 'seller',
    scope: 'customers:write',
  },
  deleteExternalCustomer: {
    method: 'DELETE',
    path: '/customers/external/:externalId',
    auth: 'seller',
    scope: 'customers:write',
    status: 204,
    own: true,
  },
  getExternalCustomerState: {
    method: 'GET',
    path: '/customers/external/:externalId/state',
    auth: 'seller',
    scope: 'customers:read',
  },
  /** The cards and the like that a customer has left for later charges; never more of a number than its end. */
  listCustomerPaymentMethods: {
    method: 'GET',
    path: '/customers/:id/payment-methods',
    auth: 'seller',
    scope: 'customers:read',
  },
  listExternalCustomerPaymentMethods: {
    method: 'GET',
    path: '/customers/external/:externalId/payment-methods',
    auth: 'seller',
    scope: 'customers:read',
  },
  createCustomerSession: {
    method: 'POST',
    path: '/customer-sessions',
    auth: 'seller',
    scope: 'customer_sessions:write',
    status: 201,
    own: true,
  },
} as const satisfies Record<string, BillingCall>
