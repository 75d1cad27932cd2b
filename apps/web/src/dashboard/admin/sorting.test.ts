import { expect, test } from 'vitest'
import { ariaSort, sortAfterPress } from './sorting.ts'

test('a column is first sorted as people expect, then the other way round', () => {
  expect(sortAfterPress('name', '-created')).toBe('name')
  expect(sortAfterPress('name', 'name')).toBe('-name')
  expect(sortAfterPress('name', '-name')).toBe('name')
  expect(sortAfterPress('created', 'name')).toBe('-created')
  expect(sortAfterPress('created', '-created')).toBe('created')
  expect([ariaSort('name', 'name'), ariaSort('name', '-name'), ariaSort('name', 'email')]).toEqual([
    'ascending',
    'descending',
    'none',
  ])
})
