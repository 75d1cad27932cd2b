import type { DrawnContent } from './drawing/document-content.ts'
import { type FurtherFonts, isOrdinary } from './drawing/fonts.ts'
import { drawHead } from './drawing/head.ts'
import { plain } from './drawing/letters.ts'
import { drawLines } from './drawing/lines.ts'
import { drawFeet, drawNotes } from './drawing/notes.ts'
import { drawParties } from './drawing/parties.ts'
import { loadScriptFonts } from './drawing/script-fonts.ts'
import { Sheet } from './drawing/sheet.ts'
import { drawSums } from './drawing/sums.ts'
import { documentWords } from './locales/all.ts'

/**
 * Draws documents as PDF, on A4, in the look of the pages (design, "Visual direction"): ink on paper, amounts in one
 * column, the total below a double line, one green sign for settled documents, and a striped edge on test documents.
 * The same content always gives the same bytes. All text is tagged for screen readers.
 */

type Drawing = {
  /** Font files to search for letters that the shipped fonts lack. */
  readonly moreFonts?: readonly string[]
  /** Finds the optional package; tests leave it out. */
  readonly load?: typeof loadScriptFonts
  /** Tests switch compression off to read the bytes. */
  readonly compress?: boolean
}

/** The PDF of a document. */
export async function drawDocument(
  content: DrawnContent,
  { moreFonts = [], load = loadScriptFonts, compress = true }: Drawing = {},
): Promise<Uint8Array> {
  const { default: Document } = await import('pdfkit')
  const further: FurtherFonts = { scripts: isAllOrdinary(content) ? undefined : await load(), places: moreFonts }
  const { title } = documentWords[content.locale]
  const issuedAt = new Date(content.issuedAt)
  const pdf = new Document({
    size: 'A4',
    // Not Helvetica: pdfkit would load it for each document and never use it.
    font: '',
    margin: 0,
    compress,
    pdfVersion: '1.7',
    lang: content.locale,
    tagged: true,
    displayTitle: true,
    bufferPages: true,
    info: {
      Title: `${title[content.kind]} ${content.number}`,
      Author: plain(content.seller.legalName ?? content.seller.name ?? ''),
      Producer: 'Tollgate',
      Creator: 'Tollgate',
      CreationDate: issuedAt,
      ModDate: issuedAt,
    },
  })
  const chunks: Uint8Array[] = []
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    pdf.on('end', resolve)
    pdf.on('error', reject)
  })
  drawOn(new Sheet(pdf, content, further))
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

/** Most documents need no further fonts, which then are not loaded. */
const isAllOrdinary = (content: DrawnContent): boolean => Array.from(JSON.stringify(content)).every(isOrdinary)

function drawOn(sheet: Sheet): void {
  drawHead(sheet)
  drawParties(sheet)
  drawLines(sheet)
  drawSums(sheet)
  drawNotes(sheet)
  drawFeet(sheet)
}
