import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TollgateClient } from '@tollgate/client'
import type { Query } from '@tollgate/contract/types'
import { answerOf } from './answer.ts'

export type EventsQuery = Query<'adminListEvents'>

/** One page of the audit log; the page before stays while the next one is on its way. */
export const eventsQuery = (client: TollgateClient, query: EventsQuery) =>
  queryOptions({
    queryKey: ['events', query],
    queryFn: ({ signal }) => answerOf(client.adminListEvents(query, { signal })),
    placeholderData: keepPreviousData,
  })
