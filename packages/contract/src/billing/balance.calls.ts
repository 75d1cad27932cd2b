import type { BillingCall } from './call.ts'

/** What a customer has to their credit, or owes, beside their orders. */
export const balanceCalls = {
  listCustomerBalance: { method: 'GET', path: '/customers/:id/balance', auth: 'seller', scope: 'customers:read' },
  changeCustomerBalance: {
    method: 'POST',
    path: '/customers/:id/balance',
    auth: 'seller',
    scope: 'customers:write',
    status: 201,
    approved: true,
    own: true,
    onceByKey: true,
  },
} as const satisfies Record<string, BillingCall>
