import type { BillingQuery } from '@tollgate/contract/billing-types'
import { rangeIn, rangeText } from '../../days.ts'
import { textIn } from '../../search.ts'
import { createdQueryOf, type ListSearch, listQueryOf, listSearchIn } from '../lists/list-search.ts'

export const sorts = ['-created', 'created', 'name', '-name', 'email', '-email'] as const
export type Sort = (typeof sorts)[number]

/** The address of the list of customers, without default values. */
export type CustomersSearch = ListSearch<Sort> & {
  q?: string | undefined
  /** The days of their creation, in the viewer's zone. */
  created?: string | undefined
}

/** Parses an address; invalid values count as missing. */
export function customersSearchIn(given: Readonly<Record<string, unknown>>): CustomersSearch {
  const q = textIn(given.q)
  const created = rangeIn(given.created)
  return { ...(q && { q }), ...(created && { created: rangeText(created) }), ...listSearchIn(given, sorts) }
}

/** The query that is sent to the server. */
export function customersQueryOf({ q, created, ...list }: CustomersSearch): BillingQuery<'listCustomers'> {
  const fields = { created: 'created_at', name: 'name', email: 'email' } as const
  return { ...listQueryOf(list, '-created', fields), ...(q && { query: q }), ...createdQueryOf(created) }
}
