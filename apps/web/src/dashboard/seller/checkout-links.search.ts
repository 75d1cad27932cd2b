import type { BillingQuery } from '@tollgate/contract/billing-types'
import { idIn, type ListSearch, listQueryOf, listSearchIn } from './list-search.ts'

export const sorts = ['-created', 'created', 'label', '-label'] as const
export type Sort = (typeof sorts)[number]

/** How the list of checkout links stands in its address. What is usual is left out. */
export type CheckoutLinksSearch = ListSearch<Sort> & {
  /** Its id. */
  product?: string | undefined
}

/** Reads an address; what it cannot mean counts as not said. */
export function checkoutLinksSearchIn(given: Readonly<Record<string, unknown>>): CheckoutLinksSearch {
  const product = idIn(given.product)
  return { ...(product && { product }), ...listSearchIn(given, sorts) }
}

/** What the server is asked for. */
export function checkoutLinksQueryOf({ product, ...list }: CheckoutLinksSearch): BillingQuery<'listCheckoutLinks'> {
  const fields = { created: 'created_at', label: 'label' } as const
  return { ...listQueryOf(list, '-created', fields), ...(product && { productId: [product] }) }
}
