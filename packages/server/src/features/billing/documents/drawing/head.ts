import { colours, inner, page, type Sheet, type Style, side } from './sheet.ts'

/** The head of a document: seller, status, title and numbers. */
export function drawHead(sheet: Sheet): void {
  const { content, words: say } = sheet
  const { kind, seller } = content
  const isBack = kind === 'credit_note'
  const called = seller.name ?? seller.legalName ?? ''
  const height = sheet.write(called, side, sheet.y, inner / 2, { size: 10.5, strong: true, lines: 2 })
  drawStatus(sheet)
  sheet.y += Math.max(20, height) + 18
  sheet.y += sheet.write(say.title[kind], side, sheet.y, inner, { size: 27, strong: true, as: 'H1' }) + 10

  const facts = [
    [say.number, content.number],
    ...(kind === 'invoice' || content.invoiceNumber === null
      ? []
      : [[isBack ? say.forInvoice : say.title.invoice, content.invoiceNumber]]),
    [say.issued, sheet.day(content.issuedAt)],
    ...(kind === 'invoice' && content.suppliedAt ? [[say.supplied, sheet.day(content.suppliedAt)]] : []),
  ] as const
  const width = (inner - 2 * 16) / 3
  let highest = 0
  for (const [index, [label, value]] of facts.entries()) {
    const x = side + index * (width + 16)
    const labelHeight = sheet.write(label, x, sheet.y, width, { size: 8, colour: colours.quiet })
    const valueHeight = sheet.write(value, x, sheet.y + labelHeight, width, { strong: true })
    highest = Math.max(highest, labelHeight + valueHeight)
  }
  sheet.y += highest + 14
}

/**
 * The one green sign: the money has reached its destination. A void credit note has none, because its money has come
 * back, and neither has an invoice that is still to be paid.
 */
function drawStatus(sheet: Sheet): void {
  const { content, words: say } = sheet
  const { kind, paidAt, voidedAt, cancels } = content
  const dueAt = kind === 'invoice' ? content.dueAt : undefined
  const back = cancels ? say.canceledOn : say.refundedOn
  const label = voidedAt ? say.voidSince : kind === 'credit_note' ? back : dueAt ? say.dueOn : say.paidOn
  const text = `${label} ${sheet.day(voidedAt ?? dueAt ?? paidAt)}`
  const style: Style = {
    size: 9.5,
    strong: true,
    colour: voidedAt ? colours.warnInk : dueAt ? colours.ink : colours.ok,
    align: 'right',
  }
  sheet.write(text, side + inner / 2, sheet.y, inner / 2, style)
  if (voidedAt || dueAt) return
  const left = page.width - side - Math.min(inner / 2, sheet.pdf.widthOfString(text)) - 11
  sheet.decorate((pdf) => pdf.circle(left, sheet.y + 7, 3.2).fill(colours.ok))
}
