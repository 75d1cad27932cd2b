import { expect, test } from 'vitest'
import { knowsWayBack, nextPlace, type Place, pageIn, previousPlace, rangeOf } from './paging.ts'

const first: Place = { page: 1, trail: [] }

test('the way back leads through the same pages as the way there', () => {
  const second = nextPlace(first, 'b')
  const third = nextPlace(second, 'c')

  expect(third).toEqual({ cursor: 'c', page: 3, trail: ['', 'b'] })
  expect(previousPlace(third)).toEqual(second)
  expect(previousPlace(second)).toEqual(first)
})

test('a shared link knows no way back but the first page', () => {
  const shared: Place = { cursor: 'c', page: 3, trail: [] }

  expect(knowsWayBack(shared)).toBe(false)
  expect(previousPlace(shared)).toEqual(first)
  expect(knowsWayBack(nextPlace(shared, 'd'))).toBe(true)
})

test('rows are counted from the first page on', () => {
  expect(rangeOf(1, 50)).toEqual({ from: 1, to: 50 })
  expect(rangeOf(3, 7)).toEqual({ from: 101, to: 107 })
})

test.each([
  ['2', 2],
  ['1', undefined],
  ['0', undefined],
  ['-3', undefined],
  ['2.5', undefined],
  ['x', undefined],
  ['1e9', undefined],
  [undefined, undefined],
])('the page %j of an address is %j', (given, page) => {
  expect(pageIn(given)).toBe(page)
})
