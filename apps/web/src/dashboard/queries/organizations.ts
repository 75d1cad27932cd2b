import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TollgateClient } from '@tollgate/client'
import type { Answer, Query } from '@tollgate/contract/types'
import { pageSize } from '../paging.ts'
import { answerOf } from './answer.ts'
import { pageQuery } from './billing.ts'

export type OrganizationsQuery = Query<'adminListOrganizations'>
export type OrganizationDetails = Answer<'adminGetOrganization'>
export type UserOrganization = Answer<'adminListUserOrganizations'>['organizations'][number]

/** One page of the organizations; the previous page stays while the next one loads. */
export const organizationsQuery = (client: TollgateClient, query: OrganizationsQuery) =>
  pageQuery(['organizations', query], async (options) => {
    const {
      organizations: items,
      total: totalCount,
      nextCursor,
    } = await answerOf(client.adminListOrganizations(query, options))
    return { items, pagination: { totalCount, nextCursor } }
  })

export const organizationQuery = (client: TollgateClient, id: string) =>
  queryOptions({
    queryKey: ['organization', id],
    queryFn: ({ signal }) => answerOf(client.adminGetOrganization({ id }, { signal })),
  })

/** One page, counted from 1, of the members of an organization. */
export const organizationMembersQuery = (
  client: TollgateClient,
  organizationId: string,
  { q, page = 1 }: { readonly q?: string | undefined; readonly page?: number | undefined },
) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'members', q, page],
    queryFn: ({ signal }) => {
      const query = { organizationId, limit: pageSize, offset: (page - 1) * pageSize, ...(q && { search: q }) }
      return answerOf(client.adminListOrganizationMembers(query, { signal }))
    },
    placeholderData: keepPreviousData,
  })

/** What deleting an organization ends. */
export const organizationDeletionQuery = (client: TollgateClient, organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'deletion'],
    queryFn: ({ signal }) => answerOf(client.adminPreviewOrganizationDeletion({ organizationId }, { signal })),
  })

/** What deleting a user ends. */
export const userRemovalQuery = (client: TollgateClient, userId: string) =>
  queryOptions({
    queryKey: ['user', userId, 'removal'],
    queryFn: ({ signal }) => answerOf(client.adminPreviewUserRemoval({ userId }, { signal })),
  })

/** Organizations of one answer: as many as the server gives. */
const mostOrganizations = 200

/** A user's organizations, page by page. */
export const userOrganizationsQuery = (client: TollgateClient, userId: string) =>
  infiniteQueryOptions({
    queryKey: ['user', userId, 'organizations'],
    queryFn: ({ pageParam, signal }) =>
      answerOf(client.adminListUserOrganizations({ userId, limit: mostOrganizations, offset: pageParam }, { signal })),
    initialPageParam: 0,
    getNextPageParam: ({ organizations }, _, offset) =>
      organizations.length === mostOrganizations ? offset + mostOrganizations : undefined,
  })
