import type { BillingCall } from './call.ts'

/** A customer's balance: credit that their next order uses, or a debt that their next renewal collects. */
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
