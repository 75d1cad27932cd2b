import { choice, defineResource, id, text } from '../../resource.ts'

export const statuses = ['succeeded', 'failed', 'pending'] as const

export const payments = defineResource({
  path: 'payments',
  permission: 'order',
  call: 'listPayments',
  key: 'payments',
  file: 'exportPayments',
  sorts: ['-created', 'created', '-amount', 'amount'],
  fields: { created: 'created_at', amount: 'amount' },
  filters: {
    /** The payer's full address; the server does not search for parts. */
    q: text((email) => ({ customerEmail: [email] }), 320),
    status: choice(statuses, (status) => ({ status: [status] })),
    /** Such as `card`. */
    method: text((method) => ({ method: [method] }), 64),
    order: id((order) => ({ orderId: [order] })),
    checkout: id((checkout) => ({ checkoutId: [checkout] })),
    customer: id((customer) => ({ customerId: [customer] })),
  },
})
