import { expect, test } from 'vitest'
import { ariaSort } from './aria-sort.ts'

test.each([
  ['name', 'ascending'],
  ['-name', 'descending'],
  ['-created', 'none'],
])('in the order %s the column of names is %s', (order, sort) => {
  expect(ariaSort('name', order)).toBe(sort)
})
