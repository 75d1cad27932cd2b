import { choice, defineResource, id } from '../../resource.ts'

export const refundStatuses = ['pending', 'succeeded', 'failed', 'canceled'] as const
export const disputeStatuses = ['needs_response', 'under_review', 'early_warning', 'prevented', 'lost', 'won'] as const

/** What refunds and disputes have in common. */
const shared = {
  permission: 'order',
  object: 'refund',
  sorts: ['-created', 'created', '-amount', 'amount'],
  fields: { created: 'created_at', amount: 'amount' },
} as const
const owners = {
  order: id((order) => ({ orderId: [order] })),
  customer: id((customer) => ({ customerId: [customer] })),
}

export const refunds = defineResource({
  ...shared,
  path: 'refunds',
  call: 'listRefunds',
  key: 'refunds',
  file: 'exportRefunds',
  filters: { status: choice(refundStatuses, (status) => ({ status: [status] })), ...owners },
})

/** A list beside that of refunds. */
export const disputes = defineResource({
  ...shared,
  path: 'refunds/disputes',
  call: 'listDisputes',
  key: 'disputes',
  file: 'exportDisputes',
  filters: { status: choice(disputeStatuses, (status) => ({ status: [status] })), ...owners },
})
