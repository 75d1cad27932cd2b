import { queryOptions } from '@tanstack/react-query'
import type { TollgateClient } from '@tollgate/client'
import type { Query } from '@tollgate/contract/types'
import { answerOf } from './answer.ts'
import { pageQuery } from './billing.ts'

export type UsersQuery = Query<'adminListUsers'>

/** One page of the users; the previous page stays while the next one loads. */
export const usersQuery = (client: TollgateClient, query: UsersQuery) =>
  pageQuery(['users', query], async (options) => {
    const { users: items, total: totalCount, nextCursor } = await answerOf(client.adminListUsers(query, options))
    return { items, pagination: { totalCount, nextCursor } }
  })

export const userQuery = (client: TollgateClient, id: string) =>
  queryOptions({
    queryKey: ['user', id],
    queryFn: ({ signal }) => answerOf(client.adminGetUser({ id }, { signal })),
  })

export const userAccountsQuery = (client: TollgateClient, userId: string) =>
  queryOptions({
    queryKey: ['user', userId, 'accounts'],
    queryFn: ({ signal }) => answerOf(client.adminListUserAccounts({ userId }, { signal })),
  })

export const userSessionsQuery = (client: TollgateClient, userId: string) =>
  queryOptions({
    queryKey: ['user', userId, 'sessions'],
    queryFn: ({ signal }) => answerOf(client.adminListUserSessions({ userId }, { signal })),
  })

/** The id of the user with an address; null if there is none. */
export async function findUserId(client: TollgateClient, email: string): Promise<string | null> {
  const query = { filterField: 'email', filterValue: email.toLowerCase(), filterOperator: 'eq', limit: 1 } as const
  const { users } = await answerOf(client.adminListUsers(query))
  return users[0]?.id ?? null
}
