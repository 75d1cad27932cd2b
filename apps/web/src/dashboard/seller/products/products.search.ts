import type { BillingQuery } from '@tollgate/contract/billing-types'
import { textIn } from '../../search.ts'
import { choiceIn, type ListSearch, listQueryOf, listSearchIn } from '../lists/list-search.ts'

export const sorts = ['-created', 'created', 'name', '-name'] as const
export type Sort = (typeof sorts)[number]

/** What is shown besides products that are for sale. */
export const archives = ['archived', 'all'] as const
export const intervals = ['recurring', 'one_time'] as const

/** The address of the list of products, without default values. */
export type ProductsSearch = ListSearch<Sort> & {
  q?: string | undefined
  archive?: (typeof archives)[number] | undefined
  interval?: (typeof intervals)[number] | undefined
}

/** Parses an address; invalid values count as missing. */
export function productsSearchIn(given: Readonly<Record<string, unknown>>): ProductsSearch {
  const q = textIn(given.q)
  const archive = choiceIn(given.archive, archives)
  const interval = choiceIn(given.interval, intervals)
  return {
    ...(q && { q }),
    ...(archive && { archive }),
    ...(interval && { interval }),
    ...listSearchIn(given, sorts),
  }
}

/** The query that is sent to the server. */
export function productsQueryOf({ q, archive, interval, ...list }: ProductsSearch): BillingQuery<'listProducts'> {
  const fields = { created: 'created_at', name: 'name' } as const
  return {
    ...listQueryOf(list, '-created', fields),
    ...(archive === 'all' ? {} : { isArchived: archive === 'archived' }),
    ...(interval && { isRecurring: interval === 'recurring' }),
    ...(q && { query: q }),
  }
}
