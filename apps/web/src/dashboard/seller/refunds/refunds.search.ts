import type { BillingQuery } from '@tollgate/contract/billing-types'
import { choiceIn, idIn, type ListSearch, listQueryOf, listSearchIn } from '../lists/list-search.ts'

export const sorts = ['-created', 'created', '-amount', 'amount'] as const
export type Sort = (typeof sorts)[number]

export const refundStatuses = ['pending', 'succeeded', 'failed', 'canceled'] as const
export const disputeStatuses = ['needs_response', 'under_review', 'early_warning', 'prevented', 'lost', 'won'] as const

/** The address of the list of refunds, or of disputes,, without default values. */
type Search<Status> = ListSearch<Sort> & {
  status?: Status | undefined
  /** Ids. */
  order?: string | undefined
  customer?: string | undefined
}
export type RefundsSearch = Search<(typeof refundStatuses)[number]>
export type DisputesSearch = Search<(typeof disputeStatuses)[number]>

type Given = Readonly<Record<string, unknown>>

/** Parses an address; invalid values count as missing. */
function searchIn<Status extends string>(given: Given, statuses: readonly Status[]): Search<Status> {
  const status = choiceIn(given.status, statuses)
  const order = idIn(given.order)
  const customer = idIn(given.customer)
  return {
    ...(status && { status }),
    ...(order && { order }),
    ...(customer && { customer }),
    ...listSearchIn(given, sorts),
  }
}

export const refundsSearchIn = (given: Given): RefundsSearch => searchIn(given, refundStatuses)
export const disputesSearchIn = (given: Given): DisputesSearch => searchIn(given, disputeStatuses)

/** The query that is sent to the server. */
function queryOf<Status>({ status, order, customer, ...list }: Search<Status>) {
  return {
    ...listQueryOf<Sort, 'created_at' | 'amount'>(list, '-created', { created: 'created_at', amount: 'amount' }),
    ...(status && { status: [status] }),
    ...(order && { orderId: [order] }),
    ...(customer && { customerId: [customer] }),
  }
}

export const refundsQueryOf = (search: RefundsSearch): BillingQuery<'listRefunds'> => queryOf(search)
export const disputesQueryOf = (search: DisputesSearch): BillingQuery<'listDisputes'> => queryOf(search)
