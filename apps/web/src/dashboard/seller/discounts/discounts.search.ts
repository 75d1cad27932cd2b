import type { BillingQuery } from '@tollgate/contract/billing-types'
import { textIn } from '../../search.ts'
import { type ListSearch, listQueryOf, listSearchIn } from '../lists/list-search.ts'

export const sorts = ['-created', 'created', 'name', '-name', 'code', '-code', '-redeemed', 'redeemed'] as const
export type Sort = (typeof sorts)[number]

/** The address of the list of discounts, without default values. */
export type DiscountsSearch = ListSearch<Sort> & { q?: string | undefined }

/** Parses an address; invalid values count as missing. */
export function discountsSearchIn(given: Readonly<Record<string, unknown>>): DiscountsSearch {
  const q = textIn(given.q)
  return { ...(q && { q }), ...listSearchIn(given, sorts) }
}

/** The query that is sent to the server. */
export function discountsQueryOf({ q, ...list }: DiscountsSearch): BillingQuery<'listDiscounts'> {
  const fields = { created: 'created_at', name: 'name', code: 'code', redeemed: 'redemptions_count' } as const
  return { ...listQueryOf(list, '-created', fields), ...(q && { query: q }) }
}
