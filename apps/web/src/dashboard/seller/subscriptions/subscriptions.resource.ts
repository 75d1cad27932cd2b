import { choice, defineResource, id } from '../../resource.ts'

export const statuses = ['active', 'trialing', 'past_due', 'unpaid', 'canceled', 'incomplete'] as const

/** Whether they go on: running ones, those that end with their period, and those that are over. */
export const stages = ['running', 'ending', 'over'] as const

const asked = {
  running: { active: true },
  ending: { active: true, cancelAtPeriodEnd: true },
  over: { active: false },
} as const

export const subscriptions = defineResource({
  path: 'subscriptions',
  permission: 'subscription',
  object: 'subscription',
  call: 'listSubscriptions',
  key: 'subscriptions',
  file: 'exportSubscriptions',
  sorts: ['-created', 'created', '-amount', 'amount', 'ends', '-ends'],
  fields: { created: 'created_at', amount: 'amount', ends: 'current_period_end' },
  filters: {
    stage: choice(stages, (stage) => asked[stage]),
    status: choice(statuses, (status) => ({ status: [status] })),
    product: id((product) => ({ productId: [product] })),
    customer: id((customer) => ({ customerId: [customer] })),
  },
})
