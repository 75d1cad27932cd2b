import type { BillingQuery } from '@tollgate/contract/billing-types'
import { type ListSearch, listQueryOf, listSearchIn } from './list-search.ts'

export const sorts = ['-created', 'created', 'name', '-name', '-used', 'used'] as const
export type Sort = (typeof sorts)[number]

/** How the list of access tokens stands in its address. What is usual is left out. */
export type TokensSearch = ListSearch<Sort>

/** Reads an address; what it cannot mean counts as not said. */
export const tokensSearchIn = (given: Readonly<Record<string, unknown>>): TokensSearch => listSearchIn(given, sorts)

/** What the server is asked for. */
export const tokensQueryOf = (search: TokensSearch): BillingQuery<'listAccessTokens'> =>
  listQueryOf(search, '-created', { created: 'created_at', name: 'comment', used: 'last_used_at' } as const)
