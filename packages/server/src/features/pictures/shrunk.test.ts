import { expect, test } from 'vitest'
import { shrunk } from './shrunk.ts'

const clear = [255, 255, 255, 0]
const red = [180, 60, 30, 255]
const black = [0, 0, 0, 255]
const white = [255, 255, 255, 255]
const pixels = (width: number, height: number, colors: readonly number[][]) => ({
  data: Uint8ClampedArray.from(colors.flat()),
  width,
  height,
  colorSpace: 'srgb' as const,
})

test.each([
  ['one color stays', Array(8).fill(red), [...red, ...red]],
  [
    'a transparent pixel gives only its transparency',
    [red, clear, red, red, clear, red, red, red],
    [180, 60, 30, 128, 180, 60, 30, 255],
  ],
  [
    'black and white have the average of their light',
    [black, white, black, black, white, black, white, white],
    [188, 188, 188, 255, 188, 188, 188, 255],
  ],
  ['transparent pixels stay', Array(8).fill(clear), Array(8).fill(0)],
])('of a picture that is made smaller, %s', (_, colors, expected) => {
  const { data, width, height } = shrunk(pixels(4, 2, colors), 2)

  expect([width, height, [...data]]).toEqual([2, 1, expected])
})

test('a rest at the edges becomes pixels of its own', () => {
  const { data, width, height } = shrunk(pixels(5, 1, [black, black, white, white, red]), 2)

  expect([width, height, [...data]]).toEqual([3, 1, [...black, ...white, ...red]])
})

test('a picture that is small enough stays as it is', () => {
  const small = pixels(3, 1, [red, red, red])

  expect(shrunk(small, 2)).toBe(small)
})
