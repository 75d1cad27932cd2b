import type { BillingQuery } from '@tollgate/contract/billing-types'
import { textIn } from '../search.ts'
import { choiceIn, idIn, type ListSearch, listQueryOf, listSearchIn } from './list-search.ts'

export const sorts = ['-created', 'created', '-amount', 'amount', 'customer', '-customer'] as const
export type Sort = (typeof sorts)[number]

export const statuses = ['paid', 'pending', 'partially_refunded', 'refunded'] as const
export type OrderStatus = (typeof statuses)[number]

/** How the list of orders stands in its address. What is usual is left out. */
export type OrdersSearch = ListSearch<Sort> & {
  q?: string | undefined
  status?: OrderStatus | undefined
  /** Ids. */
  product?: string | undefined
  customer?: string | undefined
}

/** Reads an address; what it cannot mean counts as not said. */
export function ordersSearchIn(given: Readonly<Record<string, unknown>>): OrdersSearch {
  const q = textIn(given.q)
  const status = choiceIn(given.status, statuses)
  const product = idIn(given.product)
  const customer = idIn(given.customer)
  return {
    ...(q && { q }),
    ...(status && { status }),
    ...(product && { product }),
    ...(customer && { customer }),
    ...listSearchIn(given, sorts),
  }
}

/** What the server is asked for. */
export function ordersQueryOf({ q, status, product, customer, ...list }: OrdersSearch): BillingQuery<'listOrders'> {
  const fields = { created: 'created_at', amount: 'net_amount', customer: 'customer' } as const
  return {
    ...listQueryOf(list, '-created', fields),
    ...(q && { query: q }),
    ...(status && { status: [status] }),
    ...(product && { productId: [product] }),
    ...(customer && { customerId: [customer] }),
  }
}
