import { expect, test } from 'vitest'
import { aspectOf, fileSize, inside, middle, mostZoom, moved, regionOf, zoomed } from './crop.ts'

const wide = { width: 800, height: 400 }

test('the first crop is the largest part in the middle', () => {
  expect(regionOf(wide, 1, middle)).toEqual({ left: 200, top: 0, width: 400, height: 400 })
  expect(regionOf(wide, aspectOf('original', wide), middle)).toEqual({ left: 0, top: 0, width: 800, height: 400 })
  expect(regionOf({ width: 300, height: 900 }, aspectOf('landscape', wide), middle)).toEqual({
    left: 0,
    top: 337.5,
    width: 300,
    height: 225,
  })
})

test.each([
  [1, 0, { left: 400, top: 0 }],
  [-9, 0, { left: 0, top: 0 }],
  [0.25, 5, { left: 300, top: 0 }],
])('a move by %d and %d stays inside the picture', (across, down, place) => {
  expect(regionOf(wide, 1, moved(wide, 1, middle, across, down))).toMatchObject(place)
})

test('zooming keeps the center, and comes back inside the picture', () => {
  const near = zoomed(wide, 1, middle, 2)
  expect(regionOf(wide, 1, near)).toEqual({ left: 300, top: 100, width: 200, height: 200 })

  const corner = moved(wide, 1, near, 9, 9)
  expect(regionOf(wide, 1, corner)).toMatchObject({ left: 600, top: 200 })
  expect(regionOf(wide, 1, zoomed(wide, 1, corner, 1))).toMatchObject({ left: 400, top: 0 })
})

test('the zoom has limits', () => {
  expect(zoomed(wide, 1, middle, 0.1).zoom).toBe(1)
  expect(zoomed(wide, 1, middle, 99).zoom).toBe(mostZoom)
})

test('another shape keeps the crop inside the picture', () => {
  const left = moved(wide, 1, middle, -9, 0)
  expect(regionOf(wide, 2, inside(wide, 2, left))).toEqual({ left: 0, top: 0, width: 800, height: 400 })
})

test('a file is made smaller, but never larger', () => {
  expect(fileSize({ width: 3000, height: 1500 }, 512)).toEqual({ width: 512, height: 256 })
  expect(fileSize({ width: 100, height: 80 }, 512)).toEqual({ width: 100, height: 80 })
  expect(fileSize({ width: 9000, height: 1 }, 512)).toEqual({ width: 512, height: 1 })
})
