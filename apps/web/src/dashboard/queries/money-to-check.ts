import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TollgateClient } from '@tollgate/client'
import type { Query } from '@tollgate/contract/types'
import { answerOf } from './answer.ts'

export type MoneyToCheckQuery = Query<'adminListAttention'>

/** One page of the attention list; the previous page stays while the next one loads. */
export const moneyToCheckQuery = (client: TollgateClient, query: MoneyToCheckQuery) =>
  queryOptions({
    queryKey: ['money-to-check', query],
    queryFn: ({ signal }) => answerOf(client.adminListAttention(query, { signal })),
    placeholderData: keepPreviousData,
  })
