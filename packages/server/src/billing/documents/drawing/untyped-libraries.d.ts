/** What documents need of libraries that bring no types, or wrong ones. */

declare module 'fontkit' {
  /** Opens a font in any format: TrueType, OpenType, collections, WOFF, WOFF2. Throws for what is none. */
  export function create(bytes: Uint8Array): unknown
}

declare module 'linebreak' {
  /** Where lines may break (Unicode, annex 14). */
  export default class LineBreaker {
    constructor(text: string)
    /** The next place, in code units; null after the last one, which is the end of the text. */
    nextBreak(): { readonly position: number; readonly required: boolean } | null
  }
}

// Its own types say that its function is a member of what it is.
declare module 'bidi-js' {
  /** Which way letters are read (Unicode, annex 9). */
  export default function makeBidi(): {
    /** How deep each code unit is in text of the other direction; of a paragraph that begins with its first letter that has one. */
    getEmbeddingLevels(text: string, direction: 'auto'): { readonly levels: Uint8Array }
    /** What stands for a sign in text that is read from the right, such as `(` for `)`; null of what stays as it is. */
    getMirroredCharacter(sign: string): string | null
  }
}
