/// <reference path="./untyped-libraries.d.ts" />

import { brotliDecompressSync } from 'node:zlib'
import { create } from 'fontkit'
import { encodeOutline, type Point } from './outline.ts'

/**
 * Opens font files for documents: TrueType and OpenType, collections of them (of which the first is taken), and WOFF2, in two
 * weights where a font is variable. fontkit knows WOFF2 and variable fonts, but not both at once, and cannot write the part of
 * either that a PDF takes along. That is done here, by what fontkit keeps to itself; its version is fixed.
 */

/** A font in one weight, as pdfkit takes it in the place of a file. */
export type Font = {
  readonly postscriptName: string | null
  /** From the base line to where the line begins, in units of which `unitsPerEm` are as long as the size of the font. */
  readonly ascent: number
  readonly unitsPerEm: number
  hasGlyphForCodePoint(point: number): boolean
  /** Letters as their glyphs, in the order in which they are drawn. */
  layout(text: string, features?: unknown): { readonly direction: 'ltr' | 'rtl'; glyphs: readonly Glyph[] }
  createSubset(): Subset
  /** Forgets what was drawn: what a glyph stood for in one document says nothing in the next one. */
  beginDocument(): void
}
/** What pdfkit asks of a glyph. */
type Glyph = { readonly id: number; readonly advanceWidth: number; readonly codePoints: readonly number[] }

/** The glyphs that a PDF takes along, as tables of a TrueType font. */
type Subset = {
  includeGlyph(id: number): number
  encode(): Uint8Array
  glyf: Uint8Array[]
  loca: { readonly offsets: number[] }
  hmtx: { readonly metrics: { readonly advance: number; readonly bearing: number }[] }
  /** Bytes of the glyphs so far. */
  offset: number
  _addGlyph(id: number): number
}

/** A glyph as fontkit reads it: its points, or other glyphs and where they stand in it. */
type Outline = {
  readonly numberOfContours: number
  readonly points?: readonly Point[]
  readonly components?: readonly Component[]
}
type Component = { readonly glyphID: number; readonly dx: number; readonly dy: number }

type OutlinedGlyph = Glyph & { _getContours(): Point[][] }

/** What fontkit's fonts have besides. */
type FontkitFont = Omit<Font, 'beginDocument'> & {
  /** Glyphs that were drawn, each with the letters that it stood for when it was first met. */
  _glyphs: Record<number, unknown>
  readonly type: 'TTF' | 'WOFF' | 'WOFF2'
  readonly fvar?: { readonly axis: readonly { readonly axisTag: string; readonly defaultValue: number }[] }
  readonly directory: { readonly tables: Readonly<Record<string, unknown>> }
  readonly _variationProcessor: { transformPoints(id: number, points: readonly Point[]): void } | null
  readonly _tables: Record<string, unknown>
  readonly _layoutEngine: {
    readonly engine: {
      readonly GPOSProcessor: { applyAnchor(mark: unknown, anchor: unknown, letter: number): void } | null
    } | null
  }
  getVariation(axes: { readonly wght: number }): FontkitFont
  getGlyph(id: number, letters?: readonly number[]): OutlinedGlyph
}

/** … and those that it has read from WOFF2. */
type Woff2Font = FontkitFont & {
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

/** A font file in any weight; those of a font that has only one are the same. */
export type FontFile = (weight: number) => Font

/** `isShaped` is false where letters never change by their neighbours: the tables that say so are then not read. */
export function openFontFile(bytes: Uint8Array, { isShaped = true } = {}): FontFile {
  // What it is was asked of the bytes by fontkit.
  const opened = create(bytes) as FontkitFont | { readonly fonts: readonly FontkitFont[] }
  const font = 'fonts' in opened ? opened.fonts[0]! : opened
  if (font.type === 'WOFF2') return onceEach(openWoff2(font as Woff2Font, isShaped))
  if (!font.fvar?.axis.some(isWeight)) {
    const inAllWeights = asDrawn(withPlacedMarks(font))
    return () => inAllWeights
  }
  if (!font.directory.tables.gvar) throw new Error('its weights are of a kind (CFF2) that cannot be drawn')
  return onceEach((weight) => font.getVariation({ wght: weight }))
}

/** Two letters may share a glyph, such as two kinds of blanks, and then stand for the first one. */
const asDrawn = (font: FontkitFont): Font =>
  Object.assign(font, {
    beginDocument: () => {
      font._glyphs = {}
    },
  })

function onceEach(make: (weight: number) => FontkitFont): FontFile {
  const made = new Map<number, Font>()
  return (weight) => {
    const font = made.get(weight) ?? withWrittenOutlines(withPlacedMarks(make(weight)))
    made.set(weight, font)
    return font
  }
}

const isWeight = ({ axisTag }: { readonly axisTag: string }): boolean => axisTag.trim() === 'wght'

/** Where a font names no place for a mark on a letter, which fontkit does not expect, the mark stays behind the letter. */
function withPlacedMarks(font: FontkitFont): FontkitFont {
  const places = font._layoutEngine.engine?.GPOSProcessor
  if (!places) return font
  const place = places.applyAnchor
  places.applyAnchor = (mark, anchor, letter) => {
    if (anchor) place.call(places, mark, anchor, letter)
  }
  return font
}

function openWoff2(file: Woff2Font, isShaped: boolean): (weight: number) => FontkitFont {
  unpack(file)
  // There is no such table in WOFF2; that of what is written holds the places of large files.
  file._tables.loca = { version: 1, offsets: [] }
  if (!isShaped) Object.assign(file._tables, { GSUB: undefined, GPOS: undefined })
  const outlines = readOutlines(file)
  return (weight) => inWeight(file, outlines, weight)
}

/** What fontkit does as well, a few times faster. */
function unpack(file: Woff2Font): void {
  const { stream, directory } = file
  stream.pos = file._dataPos
  const bytes = brotliDecompressSync(stream.readBuffer(directory.totalCompressedSize))
  let offset = 0
  for (const table of Object.values(directory.tables)) {
    table.offset = offset
    offset += table.transformLength ?? table.length
  }
  // The library that reads streams is fontkit's own.
  const Stream = stream.constructor as new (bytes: Uint8Array) => Woff2Font['stream']
  file.stream = new Stream(bytes)
  file._decompressed = true
}

/** Outlines as they are kept: a point takes 5 bytes in the place of an object. */
type Packed = { readonly xs: Int16Array; readonly ys: Int16Array; readonly flags: Uint8Array } | readonly Component[]

function readOutlines(file: Woff2Font): readonly Packed[] {
  // Read as the font that has no weight yet; what fontkit keeps of that stays with this object.
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

/** Shares with the other weights what does not depend on it. */
function inWeight(file: Woff2Font, outlines: readonly Packed[], weight: number): FontkitFont {
  const axes = file.fvar?.axis ?? []
  const font = Object.create(file, {
    postscriptName: { value: `${file.postscriptName?.replace(/-.*/, '') ?? 'Font'}-${weight}` },
  }) as Woff2Font
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

/** A glyph in the weight of a font. */
function vary(font: FontkitFont, id: number, outline: Packed): Outline {
  const isComposite = !('xs' in outline)
  const points = isComposite
    ? outline.map(({ dx, dy }) => pointAt(dx, dy, 3))
    : Array.from(outline.xs, (x, index) => pointAt(x, outline.ys[index]!, outline.flags[index]!))
  // Four more stand for the glyph's margins, which these fonts keep in a table of their own.
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

/**
 * Has what a PDF takes along written by us: glyphs as the weight makes them, none of them made of others. A glyph that stands
 * for several letters, as the bodies of Arabic ones without their dots do, is taken along once for each, so that whoever copies
 * or searches a name finds what was typed.
 */
function withWrittenOutlines(font: FontkitFont): Font {
  const { getGlyph, layout, createSubset } = font
  let glyphs = new Map<string, Glyph>()
  /** The number that pdfkit gets of a glyph, and which glyph is meant by it; the first is what is drawn for no letter. */
  let numbers = new Map<Glyph, number>()
  let ids = [0]
  const numberOf = (glyph: Glyph): number => {
    const number = numbers.get(glyph) ?? ids.push(glyph.id) - 1
    numbers.set(glyph, number)
    return number
  }

  return Object.assign(font, {
    beginDocument: () => {
      glyphs = new Map()
      numbers = new Map()
      ids = [0]
    },
    getGlyph: (id: number, letters: readonly number[] = []) => {
      const key = `${id} ${letters}`
      const known = glyphs.get(key)
      if (known) return known
      // Or fontkit would answer with the one that stood for other letters.
      delete font._glyphs[id]
      const glyph = getGlyph.call(font, id, letters)
      glyphs.set(key, glyph)
      return glyph
    },
    layout: (text: string, features?: unknown) => {
      const run = layout.call(font, text, features)
      run.glyphs = run.glyphs.map((glyph) => {
        const { advanceWidth, codePoints } = glyph
        return { id: numberOf(glyph), advanceWidth, codePoints }
      })
      return run
    },
    createSubset: () => {
      const subset = createSubset.call(font)
      subset._addGlyph = (number) => addGlyph(subset, getGlyph.call(font, ids[number]!))
      return subset
    },
  })
}

/** Writes a glyph behind those that a PDF takes along already; answers its place among them. */
function addGlyph(subset: Subset, glyph: OutlinedGlyph): number {
  const points = glyph._getContours().flat()
  const outline = encodeOutline(points)
  subset.glyf.push(outline)
  subset.loca.offsets.push(subset.offset)
  const bearing = points.length === 0 ? 0 : Math.round(Math.min(...points.map(({ x }) => x)))
  subset.hmtx.metrics.push({ advance: glyph.advanceWidth, bearing })
  subset.offset += outline.length
  return subset.glyf.length - 1
}
