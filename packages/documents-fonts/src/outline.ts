/** A point of a TrueType outline: a corner, or off the curve a control point. */
export type Point = {
  readonly x: number
  readonly y: number
  readonly onCurve: boolean
  /** Whether this point closes the contour. */
  readonly endContour: boolean
}

/** A step of a drawn outline, as HarfBuzz gives it: `M`, `L`, `Q`, `C` and `Z` of SVG paths. */
type Step = { readonly type: string; readonly values: readonly number[] }

/** The greatest distance between a cubic curve and its quadratic pieces, in font units. */
const tolerance = 0.5

/** The points of a drawn outline. Cubic curves, which TrueType does not have, become quadratic ones. */
export function pointsOf(steps: readonly Step[]): Point[] {
  const contours: Point[][] = []
  for (const { type, values } of steps) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = values
    const contour = contours.at(-1) ?? []
    if (type === 'M') contours.push([at(a, b)])
    if (type === 'L') contour.push(at(a, b))
    if (type === 'Q') contour.push(control(a, b), at(c, d))
    if (type === 'C') contour.push(...quadratic(contour.at(-1) ?? at(a, b), at(a, b), at(c, d), at(e, f)))
  }
  return contours.flatMap((contour) => {
    const [first, last] = [contour[0], contour.at(-1)]
    // A contour closes itself: its end need not repeat its start.
    const isRepeated = contour.length > 1 && last?.onCurve && first?.x === last.x && first.y === last.y
    const points = isRepeated ? contour.slice(0, -1) : contour
    return points.map((point, index) => ({ ...point, endContour: index === points.length - 1 }))
  })
}

const at = (x: number, y: number): Point => ({ x, y, onCurve: true, endContour: false })
const control = (x: number, y: number): Point => ({ x, y, onCurve: false, endContour: false })

/** The control points and ends of a cubic curve's quadratic pieces; as many as the tolerance needs. */
function quadratic(from: Point, first: Point, second: Point, to: Point): Point[] {
  const cubic = (axis: 'x' | 'y', t: number) => {
    const s = 1 - t
    return s * s * s * from[axis] + 3 * s * s * t * first[axis] + 3 * s * t * t * second[axis] + t * t * t * to[axis]
  }
  const slope = (axis: 'x' | 'y', t: number) => {
    const s = 1 - t
    const [p, q, r] = [first[axis] - from[axis], second[axis] - first[axis], to[axis] - second[axis]]
    return 3 * (s * s * p + 2 * s * t * q + t * t * r)
  }
  const bend = Math.hypot(
    ...(['x', 'y'] as const).map((axis) => to[axis] - 3 * second[axis] + 3 * first[axis] - from[axis]),
  )
  const pieces = Math.max(1, Math.ceil(Math.cbrt((Math.sqrt(3) / 36) * (bend / tolerance))))
  return Array.from({ length: pieces }, (_, piece) => {
    const [start, end] = [piece / pieces, (piece + 1) / pieces]
    // The quadratic curve with the same ends, whose middle is nearest to the cubic one.
    const middle = (axis: 'x' | 'y') =>
      (cubic(axis, start) + cubic(axis, end)) / 2 + ((slope(axis, start) - slope(axis, end)) * (end - start)) / 4
    return [control(middle('x'), middle('y')), at(cubic('x', end), cubic('y', end))]
  }).flat()
}

/** The least horizontal coordinate of an outline, as tables of fonts hold it; 0 for a blank glyph. */
export const leftOf = (points: readonly Point[]): number =>
  points.length === 0 ? 0 : Math.round(points.reduce((least, { x }) => Math.min(least, x), Number.POSITIVE_INFINITY))

/** Flag of the first point: contours may overlap, as in variable fonts. */
const overlaps = 0x40

/** Encodes a TrueType glyph without instructions (OpenType, table `glyf`, simple glyphs); empty for a blank one. */
export function encodeOutline(points: readonly Point[]): Uint8Array {
  if (points.length === 0) return new Uint8Array()
  const xs = points.map(({ x }) => Math.round(x))
  const ys = points.map(({ y }) => Math.round(y))
  const ends = points.flatMap(({ endContour }, index) => (endContour ? [index] : []))
  const head = [ends.length, Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
  const noInstructions = 0
  const words = [...head, ...ends, noInstructions]

  const bytes = new Uint8Array(aligned(2 * words.length + 5 * points.length))
  const view = new DataView(bytes.buffer)
  for (const [index, word] of words.entries()) view.setInt16(2 * index, word)
  const flags = 2 * words.length
  for (const [index, { onCurve }] of points.entries())
    bytes[flags + index] = (onCurve ? 1 : 0) | (index === 0 ? overlaps : 0)
  for (const [index, step] of [...stepsOf(xs), ...stepsOf(ys)].entries())
    view.setInt16(flags + points.length + 2 * index, step)
  return bytes
}

/** Glyphs and tables begin at multiples of four bytes. */
export const aligned = (size: number): number => Math.ceil(size / 4) * 4

/** The distance of each coordinate from the one before. */
const stepsOf = (values: readonly number[]): number[] => values.map((value, index) => value - (values[index - 1] ?? 0))
