import type { customerCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../seller/billing-routes.ts'
import {
  createCustomer,
  deleteCustomer,
  getCustomer,
  getCustomerState,
  listCustomers,
  updateCustomer,
} from './customer.service.ts'
import { createCustomerSession } from './customer-session.service.ts'
import { listCustomerPaymentMethods } from './payment-method.service.ts'

/** Maps each call of the contract to its service. */
export const customerRoutes: BillingRoutes<typeof customerCalls> = {
  listCustomers: ({ ctx, seller, query }) => listCustomers(ctx, seller, query),
  createCustomer: ({ ctx, seller, body }) => createCustomer(ctx, seller, body),
  getCustomer: ({ ctx, seller, params }) => getCustomer(ctx, seller, params),
  updateCustomer: ({ ctx, seller, params, query, body }) => updateCustomer(ctx, seller, params, body, query.force),
  deleteCustomer: ({ ctx, seller, params }) => deleteCustomer(ctx, seller, params),
  getCustomerState: ({ ctx, seller, params }) => getCustomerState(ctx, seller, params),
  getExternalCustomer: ({ ctx, seller, params }) => getCustomer(ctx, seller, params),
  updateExternalCustomer: ({ ctx, seller, params, body }) => updateCustomer(ctx, seller, params, body),
  deleteExternalCustomer: ({ ctx, seller, params }) => deleteCustomer(ctx, seller, params),
  getExternalCustomerState: ({ ctx, seller, params }) => getCustomerState(ctx, seller, params),
  listCustomerPaymentMethods: ({ ctx, seller, params, query }) =>
    listCustomerPaymentMethods(ctx, seller, params, query),
  listExternalCustomerPaymentMethods: ({ ctx, seller, params, query }) =>
    listCustomerPaymentMethods(ctx, seller, params, query),
  createCustomerSession: ({ ctx, seller, body }) => createCustomerSession(ctx, seller, body),
}
