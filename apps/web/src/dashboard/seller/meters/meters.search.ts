import type { BillingQuery } from '@tollgate/contract/billing-types'
import { textIn } from '../../search.ts'
import { type ListSearch, listQueryOf, listSearchIn } from '../lists/list-search.ts'

export const sorts = ['-created', 'created', 'name', '-name'] as const
export type Sort = (typeof sorts)[number]

/** The address of the list of meters, without default values. */
export type MetersSearch = ListSearch<Sort> & { q?: string | undefined }

/** Parses an address; invalid values count as missing. */
export function metersSearchIn(given: Readonly<Record<string, unknown>>): MetersSearch {
  const q = textIn(given.q)
  return { ...(q && { q }), ...listSearchIn(given, sorts) }
}

/** The query that is sent to the server. */
export function metersQueryOf({ q, ...list }: MetersSearch): BillingQuery<'listMeters'> {
  const fields = { created: 'created_at', name: 'name' } as const
  return { ...listQueryOf(list, '-created', fields), ...(q && { query: q }) }
}
