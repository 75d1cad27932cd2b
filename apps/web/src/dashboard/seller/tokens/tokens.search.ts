import type { BillingQuery } from '@tollgate/contract/billing-types'
import { type ListSearch, listQueryOf, listSearchIn } from '../lists/list-search.ts'

export const sorts = ['-created', 'created', 'name', '-name', '-used', 'used'] as const
export type Sort = (typeof sorts)[number]

/** The address of the list of access tokens, without default values. */
export type TokensSearch = ListSearch<Sort>

/** Parses an address; invalid values count as missing. */
export const tokensSearchIn = (given: Readonly<Record<string, unknown>>): TokensSearch => listSearchIn(given, sorts)

/** The query that is sent to the server. */
export const tokensQueryOf = (search: TokensSearch): BillingQuery<'listAccessTokens'> =>
  listQueryOf(search, '-created', { created: 'created_at', name: 'comment', used: 'last_used_at' } as const)
