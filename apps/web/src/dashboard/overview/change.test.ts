import { expect, test } from 'vitest'
import { changeOf } from './change.ts'

test.each([
  [112, 100, 'up', '+12%'],
  [50, 100, 'down', '-50%'],
  [1034, 1000, 'up', '+3.4%'],
  [100, 100, 'same', '0%'],
  [0, 0, 'same', '0%'],
  [5, 0, 'up', undefined],
  [0, 5, 'down', '-100%'],
  [1099, 100, 'up', '+999%'],
  [1100, 100, 'up', undefined],
  [100, -50, 'up', undefined],
])('%i after %i: %s %s', (total, before, direction, percent) => {
  expect(changeOf(total, before)).toEqual({ direction, percent })
})
