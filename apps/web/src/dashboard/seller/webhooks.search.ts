import { type WebhookEventType, webhookEventTypes } from '@tollgate/contract/billing'
import type { BillingQuery } from '@tollgate/contract/billing-types'
import { choiceIn, type ListSearch, listQueryOf, listSearchIn } from './list-search.ts'

export const sorts = ['-created', 'created', 'url', '-url'] as const
export type Sort = (typeof sorts)[number]

type Given = Readonly<Record<string, unknown>>

/** How the list of endpoints stands in its address. What is usual is left out. */
export type WebhooksSearch = ListSearch<Sort>

/** Reads an address; what it cannot mean counts as not said. */
export const webhooksSearchIn = (given: Given): WebhooksSearch => listSearchIn(given, sorts)

/** What the server is asked for. */
export const webhooksQueryOf = (search: WebhooksSearch): BillingQuery<'listWebhookEndpoints'> =>
  listQueryOf(search, '-created', { created: 'created_at', url: 'url' } as const)

export const deliverySorts = ['-created', 'created'] as const
export type DeliverySort = (typeof deliverySorts)[number]

export const deliveryStatuses = ['succeeded', 'failed'] as const

/** How the deliveries of an endpoint stand in its address. */
export type DeliveriesSearch = ListSearch<DeliverySort> & {
  status?: (typeof deliveryStatuses)[number] | undefined
  type?: WebhookEventType | undefined
}

export function deliveriesSearchIn(given: Given): DeliveriesSearch {
  const status = choiceIn(given.status, deliveryStatuses)
  const type = choiceIn(given.type, webhookEventTypes)
  return { ...(status && { status }), ...(type && { type }), ...listSearchIn(given, deliverySorts) }
}

export function deliveriesQueryOf(
  endpointId: string,
  { status, type, ...list }: DeliveriesSearch,
): BillingQuery<'listWebhookDeliveries'> {
  return {
    ...listQueryOf(list, '-created', { created: 'created_at' } as const),
    endpointId: [endpointId],
    ...(status && { succeeded: status === 'succeeded' }),
    ...(type && { type: [type] }),
  }
}
