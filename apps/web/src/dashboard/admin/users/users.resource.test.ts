import { expect, test } from 'vitest'
import { users } from './users.resource.ts'

test('an address without anything is the first page of everybody, newest first', () => {
  const search = users.searchIn({})

  expect(search).toEqual({})
  expect(users.queryOf(search)).toEqual({ limit: 50, sortBy: 'createdAt', sortDirection: 'desc' })
})

test('an address with everything asks for exactly that', () => {
  const search = users.searchIn({ q: 'ada', field: 'name', filter: 'banned', sort: '-email', cursor: 'abc', page: '2' })

  expect(search).toEqual({ q: 'ada', field: 'name', filter: 'banned', sort: '-email', cursor: 'abc', page: 2 })
  expect(users.queryOf(search)).toEqual({
    limit: 50,
    searchValue: 'ada',
    searchField: 'name',
    searchOperator: 'contains',
    filterField: 'banned',
    filterValue: 'true',
    filterOperator: 'eq',
    sortBy: 'email',
    sortDirection: 'desc',
    cursor: 'abc',
  })
})

test('what an address cannot mean counts as not said', () => {
  const given = { q: ['a'], field: 'password', filter: 'password:x', sort: 'role', page: '3', other: 'x' }

  expect(users.searchIn(given)).toEqual({})
  expect(users.searchIn({ field: 'email', sort: '-created' })).toEqual({})
  expect(users.searchIn({ filter: 'constructor' })).toEqual({})
})

test.each([
  ['verified', 'emailVerified', 'true'],
  ['unverified', 'emailVerified', 'false'],
  ['banned', 'banned', 'true'],
  ['allowed', 'banned', 'false'],
  ['role:admin', 'role', 'admin'],
  ['provider:github', 'provider', 'github'],
  ['role:a:b', 'role', 'a:b'],
])('the filter %s asks for %s %s', (filter, filterField, filterValue) => {
  expect(users.queryOf(users.searchIn({ filter }))).toMatchObject({ filterField, filterValue, filterOperator: 'eq' })
})

test('an id is searched from its beginning', () => {
  const query = users.queryOf({ q: 'abc', field: 'id' })

  expect(query).toMatchObject({ searchField: 'id', searchOperator: 'starts_with' })
})
