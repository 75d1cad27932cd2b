import { cardBrandName } from '@tollgate/contract/billing'
import { fill } from '../../../../foundation/localized-text.ts'
import { percentText, taxName } from '../../../../foundation/tax/tax-names.ts'
import { amountWidth, colours, page, type Sheet, side } from './sheet.ts'

const sumWidth = 268

/** The sums: subtotals, and the total below a double line, as in a ledger. */
export function drawSums(sheet: Sheet): void {
  const { content, words: say } = sheet
  const sums = sumsOf(sheet)
  const x = page.width - side - sumWidth
  const labels = sumWidth - amountWidth
  const heights = sums.map(({ label }) => sheet.heightOf(label, labels) + 4)
  const total = `${sheet.money(content.totalAmount)} ${content.currency.toUpperCase()}`
  sheet.makeRoom(heights.reduce((sum, height) => sum + height, 0) + (content.balanceAmount === undefined ? 60 : 96))
  for (const [index, { label, amount }] of sums.entries()) {
    sheet.write(label, x, sheet.y, labels, { colour: colours.quiet })
    sheet.write(amount, x + labels, sheet.y, amountWidth, { align: 'right' })
    sheet.y += heights[index]!
  }
  sheet.y += 4
  sheet.line(sheet.y, { x, width: sumWidth, weight: 0.75, colour: colours.ink })
  sheet.line(sheet.y + 2.5, { x, width: sumWidth, weight: 0.75, colour: colours.ink })
  sheet.y += 9
  const back = content.cancels ? say.canceled : say.refunded
  const label = content.kind === 'credit_note' ? back : say.total
  const style = { size: 12.5, strong: true }
  sheet.write(label, x, sheet.y, labels, style)
  const totalWidth = sumWidth - Math.min(labels, sheet.pdf.widthOfString(label)) - 8
  sheet.y += sheet.write(total, page.width - side - totalWidth, sheet.y, totalWidth, { ...style, align: 'right' }) + 4
  if (content.balanceAmount !== undefined && content.kind !== 'credit_note') {
    const label = content.balanceAmount < 0 ? say.credit : say.debt
    const due = content.totalAmount + content.balanceAmount
    for (const [name, amount] of [
      [label, content.balanceAmount],
      [content.dueAt ? say.due : say.paid, Math.max(0, due)],
    ] as const) {
      const height = sheet.heightOf(name, labels)
      sheet.write(name, x, sheet.y, labels, { colour: colours.quiet })
      sheet.write(sheet.money(amount), x + labels, sheet.y, amountWidth, { align: 'right' })
      sheet.y += height + 4
    }
  }
  if (content.card) {
    const card = fill(say.card, { brand: cardBrandName(content.card.brand), digits: content.card.lastFour })
    sheet.y += sheet.write(card, x, sheet.y, sumWidth, { size: 8.5, colour: colours.quiet, align: 'right' })
  }
  sheet.y += 22
}

function sumsOf(sheet: Sheet): { readonly label: string; readonly amount: string }[] {
  const { content, words: say } = sheet
  const { lines, discount, netAmount, tax, taxAmount, locale } = content
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0)
  const taxLines = (tax?.lines ?? []).map((line) => {
    const place = [line.country, line.state?.replace(/^[A-Z]{2}-/, '')].filter(Boolean).join('-')
    const base = fill(say.taxedAmount, { amount: sheet.money(line.taxableAmount) })
    const label = `${taxName(line.name, locale)} ${place} ${percentText(line.percent, locale)} ${base}`
    return { label, amount: sheet.money(line.amount) }
  })
  return [
    ...(lines.length > 1 || discount ? [{ label: say.subtotal, amount: sheet.money(subtotal) }] : []),
    ...(discount ? [{ label: `${say.discount} ${discount.name}`.trim(), amount: sheet.money(-discount.amount) }] : []),
    { label: say.net, amount: sheet.money(netAmount) },
    ...(taxLines.length > 0 ? taxLines : [{ label: say.tax, amount: sheet.money(taxAmount) }]),
  ]
}
