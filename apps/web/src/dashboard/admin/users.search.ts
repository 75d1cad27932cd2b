import { pageIn, pageSize } from '../paging.ts'
import type { UsersQuery } from '../queries/users.ts'
import { textIn } from '../search.ts'

export const searchFields = ['email', 'name', 'username', 'id'] as const
export type SearchField = (typeof searchFields)[number]

export const sorts = ['-created', 'created', 'name', '-name', 'email', '-email'] as const
export type Sort = (typeof sorts)[number]

/** The address of the list of users, without default values. */
export type UsersSearch = {
  q?: string | undefined
  field?: SearchField | undefined
  /** `verified`, `unverified`, `banned`, `allowed`, `role:admin`, `provider:github`; the server takes one at a time. */
  filter?: string | undefined
  sort?: Sort | undefined
  cursor?: string | undefined
  page?: number | undefined
}

const simpleFilters = {
  verified: { filterField: 'emailVerified', filterValue: 'true' },
  unverified: { filterField: 'emailVerified', filterValue: 'false' },
  banned: { filterField: 'banned', filterValue: 'true' },
  allowed: { filterField: 'banned', filterValue: 'false' },
} as const

export type SimpleFilter = keyof typeof simpleFilters

/** Parses an address; invalid values count as missing. */
export function usersSearchIn(given: Readonly<Record<string, unknown>>): UsersSearch {
  const q = textIn(given.q)
  const field = searchFields.find((each) => each === given.field && each !== 'email')
  const filter = textIn(given.filter)
  const sort = sorts.find((each) => each === given.sort && each !== '-created')
  const cursor = textIn(given.cursor, 1024)
  const page = cursor ? pageIn(given.page) : undefined
  return {
    ...(q && { q }),
    ...(field && { field }),
    ...(filter && filterOf(filter) && { filter }),
    ...(sort && { sort }),
    ...(cursor && { cursor }),
    ...(page && { page }),
  }
}

/** The query that is sent to the server. */
export function usersQueryOf({ q, field = 'email', filter, sort = '-created', cursor }: UsersSearch): UsersQuery {
  const column = sort.replace('-', '')
  return {
    limit: pageSize,
    sortBy: column === 'created' ? 'createdAt' : column === 'name' ? 'name' : 'email',
    sortDirection: sort.startsWith('-') ? 'desc' : 'asc',
    ...(q && { searchValue: q, searchField: field, searchOperator: field === 'id' ? 'starts_with' : 'contains' }),
    ...(filter && filterOf(filter)),
    ...(cursor && { cursor }),
  }
}

function filterOf(filter: string): Pick<UsersQuery, 'filterField' | 'filterValue' | 'filterOperator'> | undefined {
  if (isSimple(filter)) return { ...simpleFilters[filter], filterOperator: 'eq' }
  const [, field, value] = /^(role|provider):(.+)$/.exec(filter) ?? []
  if (!field || !value) return undefined
  return { filterField: field === 'role' ? 'role' : 'provider', filterValue: value, filterOperator: 'eq' }
}

const isSimple = (filter: string): filter is SimpleFilter => Object.hasOwn(simpleFilters, filter)
