import type { BillingQuery } from '@tollgate/contract/billing-types'
import { textIn } from '../../search.ts'
import { choiceIn, idIn, type ListSearch, listQueryOf, listSearchIn } from '../lists/list-search.ts'

export const sorts = ['-created', 'created', '-amount', 'amount'] as const
export type Sort = (typeof sorts)[number]

export const statuses = ['succeeded', 'failed', 'pending'] as const
export type PaymentStatus = (typeof statuses)[number]

/** The address of the list of payments, without default values. */
export type PaymentsSearch = ListSearch<Sort> & {
  /** The payer's full address; the server does not search for parts. */
  q?: string | undefined
  status?: PaymentStatus | undefined
  /** Such as `card`. */
  method?: string | undefined
  /** Ids. */
  order?: string | undefined
  checkout?: string | undefined
  customer?: string | undefined
}

/** Parses an address; invalid values count as missing. */
export function paymentsSearchIn(given: Readonly<Record<string, unknown>>): PaymentsSearch {
  const q = textIn(given.q, 320)
  const status = choiceIn(given.status, statuses)
  const method = textIn(given.method, 64)
  const order = idIn(given.order)
  const checkout = idIn(given.checkout)
  const customer = idIn(given.customer)
  return {
    ...(q && { q }),
    ...(status && { status }),
    ...(method && { method }),
    ...(order && { order }),
    ...(checkout && { checkout }),
    ...(customer && { customer }),
    ...listSearchIn(given, sorts),
  }
}

/** The query that is sent to the server. */
export function paymentsQueryOf(search: PaymentsSearch): BillingQuery<'listPayments'> {
  const { q, status, method, order, checkout, customer, ...list } = search
  return {
    ...listQueryOf(list, '-created', { created: 'created_at', amount: 'amount' } as const),
    ...(q && { customerEmail: [q] }),
    ...(status && { status: [status] }),
    ...(method && { method: [method] }),
    ...(order && { orderId: [order] }),
    ...(checkout && { checkoutId: [checkout] }),
    ...(customer && { customerId: [customer] }),
  }
}
