import { type UsersQuery, usersQuery } from '../../queries/users.ts'
import { choice, defineAdminResource, text } from '../../resource.ts'
import { textIn } from '../../search.ts'

export const searchFields = ['email', 'name', 'username', 'id'] as const

const simpleFilters = {
  verified: { filterField: 'emailVerified', filterValue: 'true' },
  unverified: { filterField: 'emailVerified', filterValue: 'false' },
  banned: { filterField: 'banned', filterValue: 'true' },
  allowed: { filterField: 'banned', filterValue: 'false' },
} as const

export const users = defineAdminResource({
  sorts: ['-created', 'created', 'name', '-name', 'email', '-email'],
  fields: { created: 'createdAt', name: 'name', email: 'email' },
  filters: {
    q: text((searchValue) => ({ searchValue })),
    /** What `q` is searched in; the address leaves out the email. */
    field: choice(['name', 'username', 'id'], () => ({})),
    /** `verified`, `unverified`, `banned`, `allowed`, `role:admin`, `provider:github`; the server takes one at a time. */
    filter: {
      read(value) {
        const filter = textIn(value)
        return filter && filterOf(filter) && filter
      },
      ask: (filter) => (filter ? { ...filterOf(filter) } : {}),
    },
  },
  ask: ({ q, field }) => (q ? searchIn(searchFields.find((each) => each === field) ?? 'email') : {}),
  page: usersQuery,
})

const searchIn = (searchField: (typeof searchFields)[number]): Partial<UsersQuery> => ({
  searchField,
  searchOperator: searchField === 'id' ? 'starts_with' : 'contains',
})

function filterOf(filter: string): Pick<UsersQuery, 'filterField' | 'filterValue' | 'filterOperator'> | undefined {
  if (isSimple(filter)) return { ...simpleFilters[filter], filterOperator: 'eq' }
  const [, field, value] = /^(role|provider):(.+)$/.exec(filter) ?? []
  if (!field || !value) return undefined
  return { filterField: field === 'role' ? 'role' : 'provider', filterValue: value, filterOperator: 'eq' }
}

const isSimple = (filter: string): filter is keyof typeof simpleFilters => Object.hasOwn(simpleFilters, filter)
