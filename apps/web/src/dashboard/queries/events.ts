import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TollgateClient } from '@tollgate/client'
import type { Query } from '@tollgate/contract/types'
import { answerOf } from './answer.ts'

export type EventsQuery = Query<'adminListEvents'>

/** One page of the audit log; the previous page stays while the next one loads. */
export const eventsQuery = (client: TollgateClient, query: EventsQuery) =>
  queryOptions({
    queryKey: ['events', query],
    queryFn: ({ signal }) => answerOf(client.adminListEvents(query, { signal })),
    placeholderData: keepPreviousData,
  })

/** Events of a user or an organization, newest first, page by page. */
export const timelineQuery = (
  client: TollgateClient,
  of: { readonly userId: string } | { readonly organizationId: string },
) =>
  infiniteQueryOptions({
    queryKey: ['events', 'timeline', of],
    queryFn: ({ pageParam, signal }) =>
      answerOf(client.adminListEvents({ ...of, limit: 20, ...(pageParam && { cursor: pageParam }) }, { signal })),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  })
