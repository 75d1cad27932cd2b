import { brotliDecompressSync } from 'node:zlib'
import { type FontkitFont, isWeight } from './font.ts'
import type { Point } from './outline.ts'

/** A glyph as fontkit reads it: its points, or its components with their positions. */
type Outline = {
  readonly numberOfContours: number
  readonly points?: readonly Point[]
  readonly components?: readonly Component[]
}
type Component = { readonly glyphID: number; readonly dx: number; readonly dy: number }

/** Further members that fontkit's fonts read from WOFF2. */
export type Woff2Font = FontkitFont & {
  stream: { pos: number; readBuffer(length: number): Uint8Array }
  readonly directory: {
    readonly totalCompressedSize: number
    readonly tables: Readonly<
      Record<string, { offset: number; readonly length: number; readonly transformLength?: number }>
    >
  }
  readonly _dataPos: number
  _decompressed: boolean
  variationCoords: readonly number[] | null
  _transformedGlyphs: readonly Outline[]
  _transformGlyfTable(): void
}

/** A WOFF2 font, in any of its weights. */
export function openWoff2(file: Woff2Font, isShaped: boolean): (weight: number) => FontkitFont {
  unpack(file)
  // WOFF2 has no such table; the written font needs the offsets of large files.
  file._tables.loca = { version: 1, offsets: [] }
  if (!isShaped) Object.assign(file._tables, { GSUB: undefined, GPOS: undefined })
  const outlines = readOutlines(file)
  return (weight) => inWeight(file, outlines, weight)
}

/** fontkit does the same, a few times slower. */
function unpack(file: Woff2Font): void {
  const { stream, directory } = file
  stream.pos = file._dataPos
  const bytes = brotliDecompressSync(stream.readBuffer(directory.totalCompressedSize))
  let offset = 0
  for (const table of Object.values(directory.tables)) {
    table.offset = offset
    offset += table.transformLength ?? table.length
  }
  // Must be the stream library that fontkit itself uses.
  const Stream = stream.constructor as new (bytes: Uint8Array) => Woff2Font['stream']
  file.stream = new Stream(bytes)
  file._decompressed = true
}

/** Packed outlines: a point takes 5 bytes instead of an object. */
type Packed = { readonly xs: Int16Array; readonly ys: Int16Array; readonly flags: Uint8Array } | readonly Component[]

function readOutlines(file: Woff2Font): readonly Packed[] {
  // Read from the base font, before any weight; fontkit's caches stay with this object.
  const reader = Object.create(file) as Woff2Font
  reader._transformGlyfTable()
  return reader._transformedGlyphs.map(({ points = [], components }): Packed => {
    if (components) return components
    return {
      xs: Int16Array.from(points, ({ x }) => x),
      ys: Int16Array.from(points, ({ y }) => y),
      flags: Uint8Array.from(points, ({ onCurve, endContour }) => (onCurve ? 1 : 0) + (endContour ? 2 : 0)),
    }
  })
}

/** Shares the data that does not depend on the weight with the other weights. */
function inWeight(file: Woff2Font, outlines: readonly Packed[], weight: number): FontkitFont {
  const axes = file.fvar?.axis ?? []
  const font = Object.create(file, {
    postscriptName: { value: `${file.postscriptName?.replace(/-.*/, '') ?? 'Font'}-${weight}` },
  })
  font._glyphs = {}
  font.variationCoords = axes.map((axis) => (isWeight(axis) ? weight : axis.defaultValue))
  const varied = new Map<number, Outline>()
  font._transformedGlyphs = new Proxy<readonly Outline[]>([], {
    get: (_, name) => {
      const id = Number(name)
      const outline = varied.get(id) ?? vary(font, id, outlines[id]!)
      varied.set(id, outline)
      return outline
    },
  })
  return font
}

/** A glyph in one weight of a font. */
function vary(font: FontkitFont, id: number, outline: Packed): Outline {
  const isComposite = !('xs' in outline)
  const points = isComposite
    ? outline.map(({ dx, dy }) => pointAt(dx, dy, 3))
    : Array.from(outline.xs, (x, index) => pointAt(x, outline.ys[index]!, outline.flags[index]!))
  // The last four points are the glyph's margins, which these fonts keep in a table of their own.
  if (points.length > 0)
    font._variationProcessor?.transformPoints(id, [...points, ...Array.from({ length: 4 }, () => pointAt(0, 0, 3))])
  if (!isComposite) return { numberOfContours: points.filter(({ endContour }) => endContour).length, points }
  const components = outline.map((component, index) => ({ ...component, dx: points[index]!.x, dy: points[index]!.y }))
  return { numberOfContours: -1, components }
}

const pointAt = (x: number, y: number, flags: number): Point => ({
  x,
  y,
  onCurve: (flags & 1) !== 0,
  endContour: (flags & 2) !== 0,
  copy() {
    return pointAt(this.x, this.y, flags)
  },
})
