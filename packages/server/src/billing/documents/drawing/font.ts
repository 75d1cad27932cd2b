import type { Point } from './outline.ts'

/** A font in one weight, as pdfkit takes it in the place of a file. */
export type Font = {
  readonly postscriptName: string | null
  /** From the base line to where the line begins, in units of which `unitsPerEm` are as long as the size of the font. */
  readonly ascent: number
  readonly unitsPerEm: number
  /** The code points of its letters. */
  readonly characterSet: readonly number[]
  hasGlyphForCodePoint(point: number): boolean
  /** Letters as their glyphs, in the order in which they are drawn. */
  layout(text: string, features?: unknown): { readonly direction: 'ltr' | 'rtl'; glyphs: readonly Glyph[] }
  createSubset(): Subset
  /** Forgets what was drawn: what a glyph stood for in one document says nothing in the next one. */
  beginDocument(): void
}

/** What pdfkit asks of a glyph. */
export type Glyph = { readonly id: number; readonly advanceWidth: number; readonly codePoints: readonly number[] }

/** The glyphs that a PDF takes along, as tables of a TrueType font. */
export type Subset = {
  includeGlyph(id: number): number
  encode(): Uint8Array
  glyf: Uint8Array[]
  loca: { readonly offsets: number[] }
  hmtx: { readonly metrics: { readonly advance: number; readonly bearing: number }[] }
  /** Bytes of the glyphs so far. */
  offset: number
  _addGlyph(id: number): number
}

export type OutlinedGlyph = Glyph & {
  /** Its points, those of the glyphs that it is made of in their places. */
  _getContours(): Point[][]
}

/** What fontkit's fonts have besides, most of which it keeps to itself. */
export type FontkitFont = Omit<Font, 'beginDocument'> & {
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
  readonly maxp: {
    maxPoints: number
    maxContours: number
    readonly maxComponentPoints: number
    readonly maxComponentContours: number
  }
  getVariation(axes: { readonly wght: number }): FontkitFont
  getGlyph(id: number, letters?: readonly number[]): OutlinedGlyph
}

/** Whether it is this that an axis of a variable font changes. */
export const isWeight = ({ axisTag }: { readonly axisTag: string }): boolean => axisTag.trim() === 'wght'
