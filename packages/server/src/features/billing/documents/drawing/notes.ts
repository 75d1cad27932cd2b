import { fill } from '../../../../foundation/localized-text.ts'
import { colours, inner, page, type Sheet, type Style, side } from './sheet.ts'

/** With this many lines, the seller's text fits on a page with room to spare. */
const ownNote: Style = { size: 8.5, colour: colours.quiet, lines: 30 }

/** The notes: texts that the law requires, the seller's own text, and other facts for the reader. */
export function drawNotes(sheet: Sheet): void {
  const { content, words: say } = sheet
  if (content.kind === 'invoice' && content.dueAt) drawHowToPay(sheet, content.dueAt)
  if (content.voidedAt !== undefined) drawNote(sheet, say.voidNote)
  if (content.tax?.treatment === 'reverse_charge') drawNote(sheet, say.reverseCharge)
  if (content.tax?.treatment === 'exempt') drawNote(sheet, say.exempt)
  if (content.seller.note) drawNote(sheet, content.seller.note, ownNote)
  if (sheet.hasNumbered) drawNote(sheet, say.numbered)
  if (content.isTest) drawNote(sheet, say.testMode, { strong: true, colour: colours.warnInk })
}

/** Until when an open invoice is to be paid, and the link to pay it by card. */
function drawHowToPay(sheet: Sheet, dueAt: string): void {
  const { content, words: say } = sheet
  const reference = fill(say.payUntil, { date: sheet.day(dueAt), number: content.number })
  drawNote(sheet, reference)
  if (!content.payUrl) return
  const style: Style = { strong: true }
  const height = sheet.heightOf(say.payOnline, inner, style)
  const width = sheet.pdf.widthOfString(say.payOnline)
  sheet.makeRoom(height)
  sheet.pdf.link(side, sheet.y, width, height, content.payUrl)
  sheet.line(sheet.y + height - 2, { width, colour: colours.ink })
  drawNote(sheet, say.payOnline, style)
}

function drawNote(sheet: Sheet, text: string, style: Style = {}): void {
  sheet.makeRoom(sheet.heightOf(text, inner, style))
  sheet.y += sheet.write(text, side, sheet.y, inner, style) + 6
}

/** The foot of every page: document number and page number. */
export function drawFeet(sheet: Sheet): void {
  const { pdf, content, words: say } = sheet
  const { count } = pdf.bufferedPageRange()
  const y = page.height - 52
  const seller = content.seller.legalName ?? content.seller.name ?? ''
  const left = sheet.spell(`${content.number} · ${seller}`)
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(index)
    sheet.line(y - 9)
    const text = (shown: string, options: object) =>
      sheet.decorate(() => pdf.font('regular').fontSize(8).fillColor(colours.quiet).text(shown, side, y, options))
    if (left.isOrdinary)
      text(left.text.slice(0, 90), { width: inner - 100, lineBreak: false, ellipsis: true, height: 10 })
    else sheet.decorate(() => sheet.draw(left, side, y, inner - 100, { size: 8, colour: colours.quiet, lines: 1 }))
    text(fill(say.page, { page: `${index + 1}`, pages: `${count}` }), { width: inner, align: 'right' })
  }
}
