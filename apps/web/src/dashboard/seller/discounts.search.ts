import type { BillingQuery } from '@tollgate/contract/billing-types'
import { textIn } from '../search.ts'
import { type ListSearch, listQueryOf, listSearchIn } from './list-search.ts'

export const sorts = ['-created', 'created', 'name', '-name', 'code', '-code', '-redeemed', 'redeemed'] as const
export type Sort = (typeof sorts)[number]

/** How the list of discounts stands in its address. What is usual is left out. */
export type DiscountsSearch = ListSearch<Sort> & { q?: string | undefined }

/** Reads an address; what it cannot mean counts as not said. */
export function discountsSearchIn(given: Readonly<Record<string, unknown>>): DiscountsSearch {
  const q = textIn(given.q)
  return { ...(q && { q }), ...listSearchIn(given, sorts) }
}

/** What the server is asked for. */
export function discountsQueryOf({ q, ...list }: DiscountsSearch): BillingQuery<'listDiscounts'> {
  const fields = { created: 'created_at', name: 'name', code: 'code', redeemed: 'redemptions_count' } as const
  return { ...listQueryOf(list, '-created', fields), ...(q && { query: q }) }
}
