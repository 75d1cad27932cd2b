import { choice, defineResource, id, text } from '../../resource.ts'

/** The statuses of an order, and one for all that were paid, whatever was given back later: the figures count these. */
export const statuses = ['collected', 'paid', 'pending', 'partially_refunded', 'refunded'] as const

const paidOnce = ['paid', 'partially_refunded', 'refunded'] as const

export const orders = defineResource({
  path: 'orders',
  permission: 'order',
  object: 'order',
  call: 'listOrders',
  key: 'orders',
  file: 'exportOrders',
  sorts: ['-created', 'created', '-amount', 'amount', 'customer', '-customer'],
  fields: { created: 'created_at', amount: 'net_amount', customer: 'customer' },
  filters: {
    q: text(),
    status: choice(statuses, (status) => ({ status: status === 'collected' ? [...paidOnce] : [status] })),
    product: id((product) => ({ productId: [product] })),
    customer: id((customer) => ({ customerId: [customer] })),
  },
})
