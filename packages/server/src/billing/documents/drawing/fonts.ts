import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Pdf } from './sheet.ts'

const fontFiles = {
  regular: '400Regular/NotoSans_400Regular.ttf',
  strong: '600SemiBold/NotoSans_600SemiBold.ttf',
} as const
type Weight = keyof typeof fontFiles

/** A font as pdfkit has opened it; it takes it back for the next document, and has nothing to read a second time. */
type OpenedFont = {
  hasGlyphForCodePoint(point: number): boolean
  /** Glyphs that were drawn, each with the letters that it stood for when it was first met. */
  _glyphs: Record<number, unknown>
}
const opened = new Map<Weight, OpenedFont>()

/** The font that a document is written in at this moment. pdfkit names it nowhere; its version is fixed. */
export const currentFont = (pdf: Pdf): OpenedFont => (pdf as unknown as { _font: { font: OpenedFont } })._font.font

export function registerFonts(pdf: Pdf): void {
  for (const weight of Object.keys(fontFiles) as Weight[]) {
    const known = opened.get(weight)
    const place = () => fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans/${fontFiles[weight]}`))
    // Whatever can lay out text is a font to pdfkit; its types know files only.
    pdf.registerFont(weight, (known as unknown as Buffer | undefined) ?? readFileSync(place()))
    // Opened in the same order in each document, so that they have the same names in it.
    pdf.font(weight)
    if (!known) opened.set(weight, currentFont(pdf))
    // Two letters may share a glyph, such as two kinds of blanks: what one document has met says nothing in the next one.
    else known._glyphs = {}
  }
}
