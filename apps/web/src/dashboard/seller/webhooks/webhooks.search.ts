import type { BillingQuery } from '@tollgate/contract/billing-types'
import { textIn } from '../../search.ts'
import { choiceIn, type ListSearch, listQueryOf, listSearchIn } from '../lists/list-search.ts'

export const sorts = ['-created', 'created', 'url', '-url'] as const
export type Sort = (typeof sorts)[number]

type Given = Readonly<Record<string, unknown>>

/** The address of the list of endpoints, without default values. */
export type WebhooksSearch = ListSearch<Sort>

/** Parses an address; invalid values count as missing. */
export const webhooksSearchIn = (given: Given): WebhooksSearch => listSearchIn(given, sorts)

/** The query that is sent to the server. */
export const webhooksQueryOf = (search: WebhooksSearch): BillingQuery<'listWebhookEndpoints'> =>
  listQueryOf(search, '-created', { created: 'created_at', url: 'url' } as const)

export const deliverySorts = ['-created', 'created'] as const
export type DeliverySort = (typeof deliverySorts)[number]

export const deliveryStatuses = ['succeeded', 'failed'] as const

/** The address of the deliveries of an endpoint. */
export type DeliveriesSearch = ListSearch<DeliverySort> & {
  status?: (typeof deliveryStatuses)[number] | undefined
  /** Any text: every page loads this file, and the table of events is for those that name events. */
  type?: string | undefined
}

export function deliveriesSearchIn(given: Given): DeliveriesSearch {
  const status = choiceIn(given.status, deliveryStatuses)
  const type = textIn(given.type, 64)
  return { ...(status && { status }), ...(type && { type }), ...listSearchIn(given, deliverySorts) }
}
