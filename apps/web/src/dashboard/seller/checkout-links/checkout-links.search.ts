import type { BillingQuery } from '@tollgate/contract/billing-types'
import { idIn, type ListSearch, listQueryOf, listSearchIn } from '../lists/list-search.ts'

export const sorts = ['-created', 'created', 'label', '-label'] as const
export type Sort = (typeof sorts)[number]

/** The address of the list of checkout links, without default values. */
export type CheckoutLinksSearch = ListSearch<Sort> & {
  /** Its id. */
  product?: string | undefined
}

/** Parses an address; invalid values count as missing. */
export function checkoutLinksSearchIn(given: Readonly<Record<string, unknown>>): CheckoutLinksSearch {
  const product = idIn(given.product)
  return { ...(product && { product }), ...listSearchIn(given, sorts) }
}

/** The query that is sent to the server. */
export function checkoutLinksQueryOf({ product, ...list }: CheckoutLinksSearch): BillingQuery<'listCheckoutLinks'> {
  const fields = { created: 'created_at', label: 'label' } as const
  return { ...listQueryOf(list, '-created', fields), ...(product && { productId: [product] }) }
}
