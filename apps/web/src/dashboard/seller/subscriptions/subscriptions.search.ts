import type { BillingQuery } from '@tollgate/contract/billing-types'
import { choiceIn, idIn, type ListSearch, listQueryOf, listSearchIn } from '../lists/list-search.ts'

export const sorts = ['-created', 'created', '-amount', 'amount', 'ends', '-ends'] as const
export type Sort = (typeof sorts)[number]

export const statuses = ['active', 'trialing', 'past_due', 'unpaid', 'canceled', 'incomplete'] as const
export type SubscriptionStatus = (typeof statuses)[number]

/** Whether they go on: running ones, those that end with their period, and those that are over. */
export const stages = ['running', 'ending', 'over'] as const
export type Stage = (typeof stages)[number]

/** The address of the list of subscriptions, without default values. */
export type SubscriptionsSearch = ListSearch<Sort> & {
  stage?: Stage | undefined
  status?: SubscriptionStatus | undefined
  /** Ids. */
  product?: string | undefined
  customer?: string | undefined
}

/** Parses an address; invalid values count as missing. */
export function subscriptionsSearchIn(given: Readonly<Record<string, unknown>>): SubscriptionsSearch {
  const stage = choiceIn(given.stage, stages)
  const status = choiceIn(given.status, statuses)
  const product = idIn(given.product)
  const customer = idIn(given.customer)
  return {
    ...(stage && { stage }),
    ...(status && { status }),
    ...(product && { product }),
    ...(customer && { customer }),
    ...listSearchIn(given, sorts),
  }
}

const asked = {
  running: { active: true },
  ending: { active: true, cancelAtPeriodEnd: true },
  over: { active: false },
} as const satisfies Record<Stage, object>

/** The query that is sent to the server. */
export function subscriptionsQueryOf({
  stage,
  status,
  product,
  customer,
  ...list
}: SubscriptionsSearch): BillingQuery<'listSubscriptions'> {
  const fields = { created: 'created_at', amount: 'amount', ends: 'current_period_end' } as const
  return {
    ...listQueryOf(list, '-created', fields),
    ...(stage && asked[stage]),
    ...(status && { status: [status] }),
    ...(product && { productId: [product] }),
    ...(customer && { customerId: [customer] }),
  }
}
