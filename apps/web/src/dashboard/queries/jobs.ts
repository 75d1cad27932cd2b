import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TollgateClient } from '@tollgate/client'
import type { Query } from '@tollgate/contract/types'
import { answerOf } from './answer.ts'

export type DeadJobsQuery = Query<'adminListDeadJobs'>

/** One page of dead jobs; the previous page stays while the next one loads. */
export const deadJobsQuery = (client: TollgateClient, query: DeadJobsQuery) =>
  queryOptions({
    queryKey: ['jobs', query],
    queryFn: ({ signal }) => answerOf(client.adminListDeadJobs(query, { signal })),
    placeholderData: keepPreviousData,
  })
