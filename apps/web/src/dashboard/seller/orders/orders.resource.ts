import { choice, defineResource, id, text } from '../../resource.ts'

export const statuses = ['paid', 'pending', 'partially_refunded', 'refunded'] as const

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
    status: choice(statuses, (status) => ({ status: [status] })),
    product: id((product) => ({ productId: [product] })),
    customer: id((customer) => ({ customerId: [customer] })),
  },
})
