/** A point of a glyph's outline as fontkit has it: a corner, or off the curve a control point. */
export type Point = {
  x: number
  y: number
  readonly onCurve: boolean
  /** Whether this point closes the contour. */
  readonly endContour: boolean
  copy(): Point
}

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

  const bytes = new Uint8Array(align(2 * words.length + 5 * points.length))
  const view = new DataView(bytes.buffer)
  for (const [index, word] of words.entries()) view.setInt16(2 * index, word)
  const flags = 2 * words.length
  for (const [index, { onCurve }] of points.entries()) bytes[flags + index] = onCurve ? 1 : 0
  bytes[flags]! |= overlaps
  for (const [index, step] of [...stepsOf(xs), ...stepsOf(ys)].entries())
    view.setInt16(flags + points.length + 2 * index, step)
  return bytes
}

/** Glyphs begin at multiples of four bytes. */
const align = (size: number): number => Math.ceil(size / 4) * 4

/** The distance of each coordinate from the one before. */
const stepsOf = (values: readonly number[]): number[] => values.map((value, index) => value - (values[index - 1] ?? 0))
