/** The fonts of scripts that the server's own font lacks, shaped by HarfBuzz. The server loads this package when it is installed. */

export type { DocumentFont } from './document-font.ts'
export { familiesFor, findSlice, openSlice } from './families.ts'
export { checkFont, type FontFile, openFontFile, type ShapedFont } from './font-file.ts'
