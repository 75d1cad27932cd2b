import { choice, choices, defineResource, id } from '../../resource.ts'

export const statuses = ['active', 'trialing', 'past_due', 'unpaid', 'canceled', 'incomplete'] as const

/** The views of the list: what goes on, what is to be done about it, and what is over. */
export const stages = ['running', 'due', 'past_due', 'ending', 'over'] as const

const asked = {
  running: { active: true },
  /** The next charges: those of the next seven days. */
  due: { renewsWithinDays: 7 },
  past_due: { status: ['past_due'] },
  ending: { active: true, cancelAtPeriodEnd: true },
  over: { status: ['canceled', 'incomplete_expired'] },
} as const

/** Whether a view is of certain statuses: it leaves none to choose. */
export const hasStatus = (stage: (typeof stages)[number] | undefined): boolean =>
  stage !== undefined && 'status' in asked[stage]

export const subscriptions = defineResource({
  path: 'subscriptions',
  permission: 'subscription',
  object: 'subscription',
  call: 'listSubscriptions',
  key: 'subscriptions',
  file: 'exportSubscriptions',
  sorts: ['-created', 'created', '-amount', 'amount', 'ends', '-ends', 'overdue', '-overdue'],
  fields: { created: 'created_at', amount: 'amount', ends: 'current_period_end', overdue: 'past_due_at' },
  filters: {
    status: choices(statuses, (status) => ({ status })),
    // After the status: views of one status have theirs.
    stage: choice(stages, (stage) => asked[stage]),
    product: id((product) => ({ productId: [product] })),
    customer: id((customer) => ({ customerId: [customer] })),
  },
})
