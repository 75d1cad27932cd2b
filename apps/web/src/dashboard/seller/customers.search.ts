import type { BillingQuery } from '@tollgate/contract/billing-types'
import { textIn } from '../search.ts'
import { type ListSearch, listQueryOf, listSearchIn } from './list-search.ts'

export const sorts = ['-created', 'created', 'name', '-name', 'email', '-email'] as const
export type Sort = (typeof sorts)[number]

/** How the list of customers stands in its address. What is usual is left out. */
export type CustomersSearch = ListSearch<Sort> & { q?: string | undefined }

/** Reads an address; what it cannot mean counts as not said. */
export function customersSearchIn(given: Readonly<Record<string, unknown>>): CustomersSearch {
  const q = textIn(given.q)
  return { ...(q && { q }), ...listSearchIn(given, sorts) }
}

/** What the server is asked for. */
export function customersQueryOf({ q, ...list }: CustomersSearch): BillingQuery<'listCustomers'> {
  const fields = { created: 'created_at', name: 'name', email: 'email' } as const
  return { ...listQueryOf(list, '-created', fields), ...(q && { query: q }) }
}
