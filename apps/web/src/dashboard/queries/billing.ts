import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { BillingClient, Result } from '@tollgate/client'
import type { BillingQuery } from '@tollgate/contract/billing-types'
import { answerOf } from './answer.ts'

/** A page of a billing list. The next page starts at `nextCursor`; the first page has the total. */
export type ListAnswer<Item> = {
  readonly items: readonly Item[]
  readonly pagination: { readonly totalCount?: number | undefined; readonly nextCursor: string | null }
}

type Call<Data> = (options: { signal: AbortSignal }) => Promise<Result<Data>>

const keyOf = (key: readonly unknown[]): readonly unknown[] => ['billing', ...key]

/**
 * One page of a list; the page before stays while the next one is on its way. The key says which list and what was asked
 * for: `listQuery(['products', query], (options) => billing.listProducts(query, options))`.
 */
export const listQuery = <Item>(key: readonly unknown[], call: Call<ListAnswer<Item>>) =>
  pageQuery(keyOf(key), (options) => answerOf(call(options)))

/** The same for lists whose answers have another form: `read` brings them into this one. */
export const pageQuery = <Item>(
  queryKey: readonly unknown[],
  read: (options: { signal: AbortSignal }) => Promise<ListAnswer<Item>>,
) => queryOptions({ queryKey, queryFn: ({ signal }) => read({ signal }), placeholderData: keepPreviousData })

export type ListQuery<Item> = ReturnType<typeof listQuery<Item>>

/** One object: `itemQuery(['product', id], (options) => billing.getProduct({ id }, options))`. */
export const itemQuery = <Data>(key: readonly unknown[], call: Call<Data>) =>
  queryOptions({ queryKey: keyOf(key), queryFn: ({ signal }) => answerOf(call({ signal })) })

/** An organization's tax registrations and its identity on invoices. */
export const taxSettingsQuery = (billing: BillingClient, id: string) =>
  itemQuery(['tax', id], (options) => billing.getTaxSettings({ id }, options))

/** Events of one answer. */
const eventsAtOnce = 50

/** Events of a shop, a customer or a subscription, newest first, page by page. */
export const timelineQuery = (
  billing: BillingClient,
  query: Pick<BillingQuery<'listTimeline'>, 'customerId' | 'subscriptionId' | 'type'>,
) =>
  infiniteQueryOptions({
    queryKey: keyOf(['timeline', query]),
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        billing.listTimeline({ ...query, limit: eventsAtOnce, ...(pageParam && { cursor: pageParam }) }, { signal }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  })
