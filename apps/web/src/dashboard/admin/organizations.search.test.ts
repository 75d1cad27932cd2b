import { expect, test } from 'vitest'
import { membersSearchIn, organizationsQueryOf, organizationsSearchIn } from './organizations.search.ts'

test('an address without anything is the first page of all organizations, newest first', () => {
  const search = organizationsSearchIn({})

  expect(search).toEqual({})
  expect(organizationsQueryOf(search)).toEqual({ limit: 50, sortBy: 'createdAt', sortDirection: 'desc' })
})

test('an address with everything asks for exactly that', () => {
  const search = organizationsSearchIn({ q: 'acme', selling: 'waiting', sort: '-name', cursor: 'abc', page: '2' })

  expect(search).toEqual({ q: 'acme', selling: 'waiting', sort: '-name', cursor: 'abc', page: 2 })
  expect(organizationsQueryOf(search)).toEqual({
    limit: 50,
    searchValue: 'acme',
    selling: 'waiting',
    sortBy: 'name',
    sortDirection: 'desc',
    cursor: 'abc',
  })
})

test('what an address cannot mean counts as not said', () => {
  expect(organizationsSearchIn({ q: ['a'], selling: 'maybe', sort: 'slug', page: '3', other: 'x' })).toEqual({})
  expect(organizationsSearchIn({ sort: '-created' })).toEqual({})
})

test('the members of an organization are searched and paged by its address', () => {
  expect(membersSearchIn({ q: 'ada', page: '3', cursor: 'x' })).toEqual({ q: 'ada', page: 3 })
  expect(membersSearchIn({ q: ' ', page: '0' })).toEqual({})
})
