import { expect, test } from 'vitest'
import { jobsQueryOf, jobsSearchIn } from './jobs.search.ts'

test('an address says which dead jobs are shown; what it cannot mean counts as not said', () => {
  expect(jobsSearchIn({ kind: 'mail', cursor: 'abc', page: '3' })).toEqual({ kind: 'mail', cursor: 'abc', page: 3 })
  expect(jobsSearchIn({ kind: '', page: 3 })).toEqual({})
  expect(jobsSearchIn({ kind: 1, cursor: '' })).toEqual({})
})

test('the server is asked for what the address says', () => {
  expect(jobsQueryOf({ kind: 'mail', cursor: 'abc', page: 3 })).toEqual({ limit: 50, kind: 'mail', cursor: 'abc' })
  expect(jobsQueryOf({})).toEqual({ limit: 50 })
})
