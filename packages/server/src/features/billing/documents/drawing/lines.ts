import { fill } from '../../../../foundation/localized-text.ts'
import type { DocumentLine } from './document-content.ts'
import { amountWidth, colours, inner, page, type Sheet, type Structure, type Style, side } from './sheet.ts'

const labelWidth = inner - amountWidth - 16
const small: Style = { size: 8, colour: colours.quiet }

/** The line items; a table that continues on the next page repeats its column heads. */
export function drawLines(sheet: Sheet): void {
  const { content, pdf } = sheet
  const table = pdf.struct('Table')
  sheet.root.add(table)
  drawTableHead(sheet, table)
  for (const line of content.lines) {
    const { amount } = line
    const label = labelOf(line, sheet)
    const labelHeight = Math.max(sheet.heightOf(label, labelWidth), 12)
    const time = line.period
      ? fill(sheet.words.period, { start: sheet.day(line.period.start), end: sheet.day(line.period.end) })
      : undefined
    const height = labelHeight + (time === undefined ? 0 : sheet.heightOf(time, labelWidth, small))
    if (sheet.makeRoom(height + 14)) drawTableHead(sheet, table)
    const row = pdf.struct('TR')
    table.add(row)
    const cell = pdf.struct('TD')
    row.add(cell)
    sheet.write(label, side, sheet.y + 7, labelWidth, { in: cell })
    if (time !== undefined) sheet.write(time, side, sheet.y + 7 + labelHeight, labelWidth, { ...small, in: cell })
    cell.end()
    const x = page.width - side - amountWidth
    sheet.write(sheet.money(amount), x, sheet.y + 7, amountWidth, { align: 'right', as: 'TD', in: row })
    row.end()
    sheet.y += height + 14
    sheet.line(sheet.y)
  }
  table.end()
  sheet.y += 8
}

/** What a line is for, with how many units and the price of one where there are several. */
function labelOf({ label, quantity, unitAmount }: DocumentLine, sheet: Sheet): string {
  if (quantity === undefined) return label
  return unitAmount === undefined ? `${quantity} × ${label}` : `${label} (${quantity} × ${sheet.money(unitAmount)})`
}

function drawTableHead(sheet: Sheet, table: Structure): void {
  const { pdf, words: say } = sheet
  const row = pdf.struct('TR')
  table.add(row)
  const style = { size: 8, colour: colours.quiet, as: 'TH', in: row }
  const height = sheet.write(say.description, side, sheet.y, labelWidth, style)
  sheet.write(say.amount, page.width - side - amountWidth, sheet.y, amountWidth, { ...style, align: 'right' })
  row.end()
  sheet.y += height + 5
  sheet.line(sheet.y, { weight: 1, colour: colours.ink })
}
