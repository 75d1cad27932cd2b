import type { Point } from './outline.ts'

/** A font in one weight, in the form that pdfkit accepts in place of a file. */
export type Font = {
  readonly postscriptName: string | null
  /** From the baseline to the top of the line, in font units; `unitsPerEm` units equal the font size. */
  readonly ascent: number
  readonly unitsPerEm: number
  /** The code points of its letters. */
  readonly characterSet: readonly number[]
  hasGlyphForCodePoint(point: number): boolean
  /** The glyphs of a text, in drawing order. */
  layout(text: string, features?: unknown): { readonly direction: 'ltr' | 'rtl'; glyphs: readonly Glyph[] }
  createSubset(): Subset
  /** Forgets the glyphs drawn so far: each document maps its glyphs to letters anew. */
  beginDocument(): void
}

/** What pdfkit needs to know of a glyph. */
export type Glyph = { readonly id: number; readonly advanceWidth: number; readonly codePoints: readonly number[] }

/** The glyphs to embed in a PDF, as tables of a TrueType font. */
export type Subset = {
  includeGlyph(id: number): number
  encode(): Uint8Array
  glyf: Uint8Array[]
  loca: { readonly offsets: number[] }
  hmtx: { readonly metrics: { readonly advance: number; readonly bearing: number }[] }
  /** Size of the glyphs so far, in bytes. */
  offset: number
  _addGlyph(id: number): number
}

export type OutlinedGlyph = Glyph & {
  /** The outline, with the components of a composite glyph in place. */
  _getContours(): Point[][]
}

/** Further members of fontkit's fonts; most are internal. */
export type FontkitFont = Omit<Font, 'beginDocument'> & {
  /** Glyphs drawn so far, each with the letters that it represented first. */
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

/** Whether an axis of a variable font changes the weight. */
export const isWeight = ({ axisTag }: { readonly axisTag: string }): boolean => axisTag.trim() === 'wght'
