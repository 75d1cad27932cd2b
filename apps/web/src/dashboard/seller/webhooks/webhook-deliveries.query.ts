import type { BillingQuery } from '@tollgate/contract/billing-types'
import { type WebhookEventType, webhookEventTypes } from '@tollgate/contract/events'
import { choiceIn, listQueryOf } from '../lists/list-search.ts'
import type { DeliveriesSearch } from './webhook-deliveries.search.ts'

/** The type that an address narrows the list to; a type that does not exist narrows nothing. */
export const typeIn = ({ type }: DeliveriesSearch): WebhookEventType | undefined => choiceIn(type, webhookEventTypes)

/** The query for the deliveries of an endpoint. */
export function deliveriesQueryOf(endpointId: string, search: DeliveriesSearch): BillingQuery<'listWebhookDeliveries'> {
  const { status } = search
  const type = typeIn(search)
  return {
    ...listQueryOf(search, '-created', { created: 'created_at' } as const),
    endpointId: [endpointId],
    ...(status && { succeeded: status === 'succeeded' }),
    ...(type && { type: [type] }),
  }
}
