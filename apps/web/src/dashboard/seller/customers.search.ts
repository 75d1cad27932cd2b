import type { BillingQuery } from '@tollgate/contract/billing-types'
import { textIn } from '../search.ts'
import { type ListSearch, listQueryOf, listSearchIn } from './list-search.ts'

export const sorts = ['-created', 'created', 'name', '-name', 'email', '-email'] as const
export type Sort = (typeof sorts)[number]

/** The address of the list of customers, without default values. */
export type CustomersSearch = ListSearch<Sort> & { q?: string | undefined }

/** Parses an address; invalid values count as missing. */
export function customersSearchIn(given: Readonly<Record<string, unknown>>): CustomersSearch {
  const q = textIn(given.q)
  return { ...(q && { q }), ...listSearchIn(given, sorts) }
}

/** The query that is sent to the server. */
export function customersQueryOf({ q, ...list }: CustomersSearch): BillingQuery<'listCustomers'> {
  const fields = { created: 'created_at', name: 'name', email: 'email' } as const
  return { ...listQueryOf(list, '-created', fields), ...(q && { query: q }) }
}
