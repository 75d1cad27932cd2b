import type { BillingQuery } from '@tollgate/contract/billing-types'
import { textIn } from '../search.ts'
import { type ListSearch, listQueryOf, listSearchIn } from './list-search.ts'

export const sorts = ['-created', 'created', 'name', '-name'] as const
export type Sort = (typeof sorts)[number]

/** How the list of meters stands in its address. What is usual is left out. */
export type MetersSearch = ListSearch<Sort> & { q?: string | undefined }

/** Reads an address; what it cannot mean counts as not said. */
export function metersSearchIn(given: Readonly<Record<string, unknown>>): MetersSearch {
  const q = textIn(given.q)
  return { ...(q && { q }), ...listSearchIn(given, sorts) }
}

/** What the server is asked for. */
export function metersQueryOf({ q, ...list }: MetersSearch): BillingQuery<'listMeters'> {
  const fields = { created: 'created_at', name: 'name' } as const
  return { ...listQueryOf(list, '-created', fields), ...(q && { query: q }) }
}
