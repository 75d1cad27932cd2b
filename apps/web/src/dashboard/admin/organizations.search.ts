import { pageIn, pageSize } from '../paging.ts'
import type { OrganizationsQuery } from '../queries/organizations.ts'
import { textIn } from '../search.ts'

export const sorts = ['-created', 'created', 'name', '-name'] as const
export type Sort = (typeof sorts)[number]
export type SortColumn = 'created' | 'name'

/** An organization's approval status. */
export const standings = ['waiting', 'approved', 'none'] as const
export type Standing = (typeof standings)[number]

/** The address of the list of organizations, without default values. */
export type OrganizationsSearch = {
  q?: string | undefined
  selling?: Standing | undefined
  sort?: Sort | undefined
  cursor?: string | undefined
  page?: number | undefined
}

/** Parses an address; invalid values count as missing. */
export function organizationsSearchIn(given: Readonly<Record<string, unknown>>): OrganizationsSearch {
  const q = textIn(given.q)
  const selling = standings.find((each) => each === given.selling)
  const sort = sorts.find((each) => each === given.sort && each !== '-created')
  const cursor = textIn(given.cursor, 1024)
  const page = cursor ? pageIn(given.page) : undefined
  return {
    ...(q && { q }),
    ...(selling && { selling }),
    ...(sort && { sort }),
    ...(cursor && { cursor }),
    ...(page && { page }),
  }
}

/** The query that is sent to the server. */
export function organizationsQueryOf({
  q,
  selling,
  sort = '-created',
  cursor,
}: OrganizationsSearch): OrganizationsQuery {
  return {
    limit: pageSize,
    sortBy: sort.endsWith('created') ? 'createdAt' : 'name',
    sortDirection: sort.startsWith('-') ? 'desc' : 'asc',
    ...(q && { searchValue: q }),
    ...(selling && { selling }),
    ...(cursor && { cursor }),
  }
}

/** The address of an organization's members. */
export type MembersSearch = { q?: string | undefined; page?: number | undefined }

export function membersSearchIn(given: Readonly<Record<string, unknown>>): MembersSearch {
  const q = textIn(given.q)
  const page = pageIn(given.page)
  return { ...(q && { q }), ...(page && { page }) }
}
