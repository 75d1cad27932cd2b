import { queryOptions } from '@tanstack/react-query'
import type { TollgateClient } from '@tollgate/client'
import { answerOf } from './answer.ts'

/** How the pages and mails of the installation look. */
export const brandQuery = (client: TollgateClient) =>
  queryOptions({
    queryKey: ['brand'],
    queryFn: ({ signal }) => answerOf(client.adminGetBrand(undefined, { signal })),
  })

/** The figures of the installation, and what needs an administrator. */
export const installationQuery = (client: TollgateClient) =>
  queryOptions({
    queryKey: ['installation'],
    queryFn: ({ signal }) => answerOf(client.adminGetOverview(undefined, { signal })),
  })
