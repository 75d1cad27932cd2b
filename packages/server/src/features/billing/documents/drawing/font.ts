/** A font of one document, with the members that the layout of text asks for. */
export type Font = {
  /** From the baseline to the top of the line, in font units; `unitsPerEm` units equal the font size. */
  readonly ascent: number
  readonly unitsPerEm: number
  /** Shapes a text; text that begins with a right-to-left letter runs to the left. */
  layout(text: string): { readonly direction: 'ltr' | 'rtl' }
}
