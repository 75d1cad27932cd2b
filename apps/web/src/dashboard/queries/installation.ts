import { queryOptions } from '@tanstack/react-query'
import type { TollgateClient } from '@tollgate/client'
import { answerOf } from './answer.ts'

/** The figures of the installation, and what needs an administrator. */
export const installationQuery = (client: TollgateClient) =>
  queryOptions({
    queryKey: ['installation'],
    queryFn: ({ signal }) => answerOf(client.adminGetOverview(undefined, { signal })),
  })
