import type { BillingQuery } from '@tollgate/contract/billing-types'
import { rangeIn, rangeText } from '../../days.ts'
import { textIn } from '../../search.ts'
import { choiceIn, createdQueryOf, idIn, type ListSearch, listQueryOf, listSearchIn } from '../lists/list-search.ts'

export const sorts = ['-created', 'created', '-amount', 'amount', 'customer', '-customer'] as const
export type Sort = (typeof sorts)[number]

export const statuses = ['paid', 'pending', 'partially_refunded', 'refunded'] as const
export type OrderStatus = (typeof statuses)[number]

/** The address of the list of orders, without default values. */
export type OrdersSearch = ListSearch<Sort> & {
  q?: string | undefined
  status?: OrderStatus | undefined
  /** Ids. */
  product?: string | undefined
  customer?: string | undefined
  /** The days of their creation, in the viewer's zone. */
  created?: string | undefined
}

/** Parses an address; invalid values count as missing. */
export function ordersSearchIn(given: Readonly<Record<string, unknown>>): OrdersSearch {
  const q = textIn(given.q)
  const status = choiceIn(given.status, statuses)
  const product = idIn(given.product)
  const customer = idIn(given.customer)
  const created = rangeIn(given.created)
  return {
    ...(q && { q }),
    ...(status && { status }),
    ...(product && { product }),
    ...(customer && { customer }),
    ...(created && { created: rangeText(created) }),
    ...listSearchIn(given, sorts),
  }
}

/** The query that is sent to the server. */
export function ordersQueryOf({
  q,
  status,
  product,
  customer,
  created,
  ...list
}: OrdersSearch): BillingQuery<'listOrders'> {
  const fields = { created: 'created_at', amount: 'net_amount', customer: 'customer' } as const
  return {
    ...listQueryOf(list, '-created', fields),
    ...(q && { query: q }),
    ...(status && { status: [status] }),
    ...(product && { productId: [product] }),
    ...(customer && { customerId: [customer] }),
    ...createdQueryOf(created),
  }
}
