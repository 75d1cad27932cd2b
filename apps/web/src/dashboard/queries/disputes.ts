import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TollgateClient } from '@tollgate/client'
import type { Query } from '@tollgate/contract/types'
import { answerOf } from './answer.ts'

export type OpenDisputesQuery = Query<'adminListDisputes'>

/** One page of the open disputes of all organizations; the previous page stays while the next one loads. */
export const openDisputesQuery = (client: TollgateClient, query: OpenDisputesQuery) =>
  queryOptions({
    queryKey: ['open-disputes', query],
    queryFn: ({ signal }) => answerOf(client.adminListDisputes(query, { signal })),
    placeholderData: keepPreviousData,
  })
