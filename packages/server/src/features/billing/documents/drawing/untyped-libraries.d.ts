/** Types for libraries that documents need and that have none, or wrong ones. */

declare module 'fontkit' {
  export type FontkitGlyph = {
    readonly id: number
    readonly advanceWidth: number
    readonly codePoints: readonly number[]
  }
  export type FontkitFont = {
    readonly ascent: number
    readonly unitsPerEm: number
    /** The code points of its letters. */
    readonly characterSet: readonly number[]
    hasGlyphForCodePoint(point: number): boolean
    glyphForCodePoint(point: number): FontkitGlyph
    layout(
      text: string,
      features?: unknown,
    ): { readonly direction: 'ltr' | 'rtl'; readonly glyphs: readonly FontkitGlyph[] }
  }
  /** Opens a TrueType font. Throws if the bytes are not a font. */
  export function create(bytes: Uint8Array): FontkitFont
}

declare module 'linebreak' {
  /** Line break opportunities (Unicode, annex 14). */
  export default class LineBreaker {
    constructor(text: string)
    /** The next opportunity, in code units; null after the last one, the end of the text. */
    nextBreak(): { readonly position: number; readonly required: boolean } | null
  }
}

// Its own types wrongly make the function a member of the export.
declare module 'bidi-js' {
  /** Text direction (Unicode, annex 9). */
  export default function makeBidi(): {
    /** The embedding level of each code unit; a paragraph takes the direction of its first letter with one. */
    getEmbeddingLevels(text: string, direction: 'auto'): { readonly levels: Uint8Array }
    /** The mirrored sign for text that is read from the right, such as `(` for `)`; null if the sign has none. */
    getMirroredCharacter(sign: string): string | null
  }
}
