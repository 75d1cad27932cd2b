import { textIn } from '../../search.ts'
import { choiceIn, type ListSearch, listSearchIn } from '../lists/list-search.ts'

type Given = Readonly<Record<string, unknown>>

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
