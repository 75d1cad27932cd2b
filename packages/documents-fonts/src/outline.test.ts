import { expect, test } from 'vitest'
import { encodeOutline, pointsOf } from './outline.ts'

const step = (type: string, ...values: number[]) => ({ type, values })

test('contours close themselves, and keep corners and control points', () => {
  const points = pointsOf([
    step('M', 0, 0),
    step('L', 100, 0),
    step('Q', 100, 100, 0, 100),
    step('L', 0, 0),
    step('Z'),
    step('M', 10, 10),
    step('L', 20, 20),
    step('Z'),
  ])

  expect(points.map(({ x, y, onCurve, endContour }) => [x, y, onCurve, endContour])).toEqual([
    [0, 0, true, false],
    [100, 0, true, false],
    [100, 100, false, false],
    [0, 100, true, true],
    [10, 10, true, false],
    [20, 20, true, true],
  ])
})

test('a cubic curve becomes quadratic ones that leave it by less than a unit', () => {
  // A quarter of a circle of 500 units.
  const radius = 500
  const handle = 276.142
  const [start, ...rest] = pointsOf([
    step('M', radius, 0),
    step('C', radius, handle, handle, radius, 0, radius),
    step('Z'),
  ])

  expect(rest.length).toBeGreaterThan(2)
  let from = start!
  for (let index = 0; index < rest.length; index += 2) {
    const [control, to] = [rest[index]!, rest[index + 1]!]
    const middle = (axis: 'x' | 'y') => (from[axis] + 2 * control[axis] + to[axis]) / 4
    expect(Math.abs(Math.hypot(middle('x'), middle('y')) - radius)).toBeLessThan(1)
    from = to
  }
  expect([from.x, from.y]).toEqual([0, radius])
})

test('a blank glyph has no bytes, and others begin with their bounds', () => {
  expect(encodeOutline([])).toHaveLength(0)
  const bytes = encodeOutline(pointsOf([step('M', -5, 1), step('L', 7, 1), step('L', 7, 9), step('Z')]))
  const view = new DataView(bytes.buffer)
  expect([0, 2, 4, 6, 8].map((at) => view.getInt16(at))).toEqual([1, -5, 1, 7, 9])
  expect(bytes.length % 4).toBe(0)
})
