import { expect, test } from 'vitest'
import { membersSearchIn, organizations } from './organizations.resource.ts'

test('an address without anything is the first page of all organizations, newest first', () => {
  const search = organizations.searchIn({})

  expect(search).toEqual({})
  expect(organizations.queryOf(search)).toEqual({ limit: 50, sortBy: 'createdAt', sortDirection: 'desc' })
})

test('an address with everything asks for exactly that', () => {
  const search = organizations.searchIn({ q: 'acme', selling: 'waiting', sort: '-name', cursor: 'abc', page: '2' })

  expect(search).toEqual({ q: 'acme', selling: 'waiting', sort: '-name', cursor: 'abc', page: 2 })
  expect(organizations.queryOf(search)).toEqual({
    limit: 50,
    searchValue: 'acme',
    selling: 'waiting',
    sortBy: 'name',
    sortDirection: 'desc',
    cursor: 'abc',
  })
})

test('what an address cannot mean counts as not said', () => {
  expect(organizations.searchIn({ q: ['a'], selling: 'maybe', sort: 'slug', page: '3', other: 'x' })).toEqual({})
  expect(organizations.searchIn({ sort: '-created' })).toEqual({})
})

test('the members of an organization are searched and paged by its address', () => {
  expect(membersSearchIn({ q: 'ada', page: '3', cursor: 'x' })).toEqual({ q: 'ada', page: 3 })
  expect(membersSearchIn({ q: ' ', page: '0' })).toEqual({})
})
