import { colours, fill, inner, page, type Sheet, side } from './sheet.ts'

/** What the law asks to be said, and what else a reader should know. */
export function drawNotes(sheet: Sheet): void {
  const { content, words: say } = sheet
  const notes = [
    ...(content.voidedAt === undefined ? [] : [say.voidNote]),
    ...(content.tax?.treatment === 'reverse_charge' ? [say.reverseCharge] : []),
    ...(content.tax?.treatment === 'exempt' ? [say.exempt] : []),
    ...(sheet.hasNumbered ? [say.numbered] : []),
  ]
  for (const note of notes) {
    sheet.makeRoom(sheet.heightOf(note, inner))
    sheet.y += sheet.write(note, side, sheet.y, inner) + 6
  }
  if (!content.isTest) return
  sheet.makeRoom(sheet.heightOf(say.testMode, inner))
  sheet.y += sheet.write(say.testMode, side, sheet.y, inner, { strong: true, colour: colours.warnInk }) + 6
}

/** On every page what it belongs to, and which one it is. */
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
