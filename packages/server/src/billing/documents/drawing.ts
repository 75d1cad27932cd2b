import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cardBrandName } from '@tollgate/contract/billing'
import type { Address } from '@tollgate/contract/billing-types'
import type PDFDocument from 'pdfkit'
import { moneyText } from '../../money-text.ts'
import { percentText, taxName } from '../../tax-names.ts'
import type { DocumentLocale, DrawnContent, Party } from './document-content.ts'
import { de } from './locales/de.ts'
import { en } from './locales/en.ts'
import { es } from './locales/es.ts'
import { fr } from './locales/fr.ts'
import { pl } from './locales/pl.ts'
import { ru } from './locales/ru.ts'
import { tr } from './locales/tr.ts'
import { uk } from './locales/uk.ts'
import type { DocumentWords } from './locales/words.ts'

/**
 * Draws documents as PDF, on A4, in the look of our pages (design, "Visual direction"): ink on paper, amounts in one column,
 * the total below a double line, one green sign for what is settled, and a striped edge where no real money has moved. The
 * same content gives the same bytes, whenever it is drawn. Everything that is read aloud is tagged.
 */

type Pdf = InstanceType<typeof PDFDocument>
type Structure = ReturnType<Pdf['struct']>

const words: Readonly<Record<DocumentLocale, DocumentWords>> = { en, de, es, fr, pl, ru, tr, uk }

/** The colours of paper and ink, in the light; there is no dark paper. */
const colours = {
  ink: '#131c1e',
  quiet: '#4a5557',
  line: '#c9cbc7',
  ok: '#1e7546',
  warn: '#f0b135',
  warnInk: '#724d0b',
}

/** Points. */
const page = { width: 595.28, height: 841.89 }
const side = 56
const top = 60
/** Below this nothing but the foot is drawn. */
const floor = page.height - 84
const inner = page.width - 2 * side
const amountWidth = 130
const labelWidth = inner - amountWidth - 16
const sumWidth = 268

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
const currentFont = (pdf: Pdf): OpenedFont => (pdf as unknown as { _font: { font: OpenedFont } })._font.font

function registerFonts(pdf: Pdf): void {
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

/** A document's bytes. `compress` is switched off by tests, which look into them. */
export async function drawDocument(content: DrawnContent, { compress = true } = {}): Promise<Uint8Array> {
  const { default: Document } = await import('pdfkit')
  const { title } = words[content.locale]
  const issuedAt = new Date(content.issuedAt)
  const pdf = new Document({
    size: 'A4',
    // Not Helvetica, which would be read for each document and never used.
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
  drawOn(pdf, content)
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

function drawOn(pdf: Pdf, content: DrawnContent): void {
  registerFonts(pdf)
  const sheet = new Sheet(pdf, content)
  drawHead(sheet)
  drawParties(sheet)
  drawLines(sheet)
  drawSums(sheet)
  drawNotes(sheet)
  drawFeet(sheet)
}

type Style = {
  readonly size?: number
  readonly strong?: boolean
  readonly colour?: string
  readonly align?: 'left' | 'right'
  /** How many lines it may have; what is longer ends with an ellipsis. */
  readonly lines?: number
  /** What it is to whoever has it read aloud. */
  readonly as?: string
  readonly in?: Structure
}

/** The pages of one document, and how far down it is drawn. */
class Sheet {
  readonly pdf: Pdf
  readonly content: DrawnContent
  readonly words: DocumentWords
  readonly root: Structure
  y = top
  /** Whether something was written by the numbers of its letters. */
  hasNumbered = false

  constructor(pdf: Pdf, content: DrawnContent) {
    this.pdf = pdf
    this.content = content
    this.words = words[content.locale]
    this.root = pdf.struct('Document')
    pdf.addStructure(this.root)
    this.#edge()
  }

  money(amount: number): string {
    return moneyText(amount, this.content.currency, this.content.locale)
  }

  /** Days as their language writes them; of what an order says they are those of UTC. */
  day(time: string): string {
    return new Intl.DateTimeFormat(this.content.locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time))
  }

  /** How high a text is in a column. */
  heightOf(text: string, width: number, style: Style = {}): number {
    this.#set(style)
    return this.pdf.heightOfString(this.shown(text), { width, lineGap })
  }

  /** Writes a text in a column at a place of this page; answers its height. */
  write(text: string, x: number, y: number, width: number, style: Style = {}): number {
    const { colour = colours.ink, align = 'left', lines, as = 'P', in: structParent = this.root } = style
    this.#set(style)
    const shown = this.shown(text)
    if (shown === '') return 0
    const column = { width, lineGap, align }
    const limit = lines === undefined ? undefined : lines * (this.pdf.currentLineHeight(true) + lineGap)
    // What is only measured is nothing to read aloud.
    const height = this.pdf.heightOfString(shown, column)
    this.pdf.fillColor(colour).text(shown, x, y, {
      ...column,
      structParent,
      structType: as,
      ...(limit !== undefined && height > limit && { height: limit, ellipsis: true }),
    })
    return limit === undefined ? height : Math.min(height, limit)
  }

  /** Draws what nobody has to have read aloud. */
  decorate(draw: (pdf: Pdf) => void): void {
    this.pdf.markContent('Artifact', { type: 'Layout' })
    draw(this.pdf)
    this.pdf.endMarkedContent()
  }

  line(y: number, { x = side, width = inner, weight = 0.5, colour = colours.line } = {}): void {
    this.decorate((pdf) => {
      pdf
        .moveTo(x, y)
        .lineTo(x + width, y)
        .lineWidth(weight)
        .strokeColor(colour)
        .stroke()
    })
  }

  /** Goes on with the next page where something of this height would not fit any more; answers whether it has. */
  makeRoom(height: number): boolean {
    if (this.y + height <= floor) return false
    this.pdf.addPage()
    this.y = top
    this.#edge()
    return true
  }

  /** A striped edge at the top where no real money has moved. */
  #edge(): void {
    if (!this.content.isTest) return
    this.decorate((pdf) => {
      pdf.rect(0, 0, page.width, edge).fill(colours.warn)
      for (let x = -edge; x < page.width; x += 4 * edge)
        pdf
          .moveTo(x, edge)
          .lineTo(x + edge, 0)
          .lineTo(x + 3 * edge, 0)
          .lineTo(x + 2 * edge, edge)
          .fill(colours.ink)
    })
  }

  #set({ size = 9.5, strong = false }: Style): void {
    this.pdf.font(strong ? 'strong' : 'regular').fontSize(size)
  }

  /**
   * A text in the letters of the font. What it has no letters for, such as Chinese or an emoji, is written by its numbers in
   * Unicode, word by word: nothing is lost, and nothing is made up. Both weights have the same characters.
   */
  shown(text: string): string {
    const font = currentFont(this.pdf)
    const canShow = (letter: string) => letter === '\n' || font.hasGlyphForCodePoint(letter.codePointAt(0)!)
    const letters = Array.from(plain(text), (letter) => (!canShow(letter) && /\s/u.test(letter) ? '\u00a0' : letter))
    let shown = ''
    let numbers: string[] = []
    const endNumbers = () => {
      if (numbers.length === 0) return
      shown += `[${numbers.join(' ')}]`
      numbers = []
      this.hasNumbered = true
    }
    for (const letter of letters) {
      if (canShow(letter)) {
        endNumbers()
        shown += letter
      } else numbers.push(`U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`)
    }
    endNumbers()
    return shown
  }
}

const lineGap = 2.5
const edge = 6

/**
 * Letters with their marks as one, without what steers a terminal, turns the direction of writing, or only says which form
 * of a letter is meant.
 */
const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{C}\n]|\p{Variation_Selector}/gu, '')

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

function drawHead(sheet: Sheet): void {
  const { content, words: say } = sheet
  const { kind, seller } = content
  const isBack = kind === 'credit_note'
  const called = seller.name ?? seller.legalName ?? ''
  const height = sheet.write(called, side, sheet.y, inner / 2, { size: 10.5, strong: true, lines: 2 })
  if (content.voidedAt !== undefined) drawVoid(sheet, `${say.voidSince} ${sheet.day(content.voidedAt)}`)
  else drawStanding(sheet, `${isBack ? say.refundedOn : say.paidOn} ${sheet.day(content.paidAt)}`)
  sheet.y += Math.max(20, height) + 18
  sheet.y += sheet.write(say.title[kind], side, sheet.y, inner, { size: 27, strong: true, as: 'H1' }) + 10

  const facts = [
    [say.number, content.number],
    ...(kind === 'invoice' ? [] : [[isBack ? say.forInvoice : say.title.invoice, content.invoiceNumber]]),
    [say.issued, sheet.day(content.issuedAt)],
  ] as const
  const width = (inner - 2 * 16) / 3
  let highest = 0
  for (const [index, [label, value]] of facts.entries()) {
    const x = side + index * (width + 16)
    const labelHeight = sheet.write(label!, x, sheet.y, width, { size: 8, colour: colours.quiet })
    const valueHeight = sheet.write(value!, x, sheet.y + labelHeight, width, { strong: true })
    highest = Math.max(highest, labelHeight + valueHeight)
  }
  sheet.y += highest + 14
}

/** The one green sign: that the money has gone where it should. */
function drawStanding(sheet: Sheet, text: string): void {
  const style: Style = { size: 9.5, strong: true, colour: colours.ok, align: 'right' }
  const x = side + inner / 2
  sheet.write(text, x, sheet.y, inner / 2, style)
  const left = page.width - side - Math.min(inner / 2, sheet.pdf.widthOfString(text)) - 11
  sheet.decorate((pdf) => pdf.circle(left, sheet.y + 7, 3.2).fill(colours.ok))
}

/** In the place of the green sign: the money has come back, and the document counts no more. */
function drawVoid(sheet: Sheet, text: string): void {
  const style: Style = { size: 9.5, strong: true, colour: colours.warnInk, align: 'right' }
  sheet.write(text, side + inner / 2, sheet.y, inner / 2, style)
}

/** Lines that a name and each part of an address may take: both addresses always fit on the first page. */
const nameLimit = 6
const partyLimit = 3

function drawParties(sheet: Sheet): void {
  const { content, words: say } = sheet
  const { seller, buyer, locale } = content
  sheet.line(sheet.y)
  sheet.y += 14
  const width = (inner - 24) / 2
  const sellerName = seller.legalName ?? seller.name
  const columns = [
    { heading: say.seller, party: { ...seller, name: sellerName }, more: seller.website },
    { heading: say.buyer, party: buyer, more: null },
  ]
  const heights = columns.map(({ heading, party, more }, index) => {
    const x = side + index * (width + 24)
    let y = sheet.y + sheet.write(heading, x, sheet.y, width, { size: 8, colour: colours.quiet, as: 'H2' }) + 1
    if (party.name) y += sheet.write(party.name, x, y, width, { strong: true, lines: nameLimit })
    const texts = [...partyLines(party, say, locale), ...(more ? [more] : [])]
    for (const text of texts) y += sheet.write(text, x, y, width, { lines: partyLimit })
    return y
  })
  sheet.y = Math.max(...heights) + 20
}

const partyLines = ({ address, taxId, email }: Party, say: DocumentWords, locale: DocumentLocale): string[] => [
  ...(address ? addressLines(address, locale) : []),
  ...(taxId ? [`${say.taxId}: ${taxId}`] : []),
  ...(email ? [email] : []),
]

/** Where the town stands before the state, and both before the postal code. */
const stateFirst: readonly string[] = ['US', 'CA', 'AU']

function addressLines({ line1, line2, postalCode, city, state, country }: Address, locale: DocumentLocale): string[] {
  const shortState = state?.replace(/^[A-Z]{2}-/, '') ?? null
  const place = stateFirst.includes(country)
    ? [[city, shortState].filter(Boolean).join(', '), postalCode].filter(Boolean).join(' ')
    : [[postalCode, city].filter(Boolean).join(' '), shortState].filter(Boolean).join(', ')
  const countryName = new Intl.DisplayNames(locale, { type: 'region' }).of(country) ?? country
  return [line1, line2, place, countryName].filter((text): text is string => Boolean(text))
}

const small: Style = { size: 8, colour: colours.quiet }

function drawLines(sheet: Sheet): void {
  const { content, pdf } = sheet
  const table = pdf.struct('Table')
  sheet.root.add(table)
  drawTableHead(sheet, table)
  for (const { label, amount, period } of content.lines) {
    const labelHeight = Math.max(sheet.heightOf(label, labelWidth), 12)
    const time = period
      ? fill(sheet.words.period, { start: sheet.day(period.start), end: sheet.day(period.end) })
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

/** What it comes to: the sums before it, and the total below a double line, as in a ledger. */
function drawSums(sheet: Sheet): void {
  const { content, words: say } = sheet
  const sums = sumsOf(sheet)
  const x = page.width - side - sumWidth
  const labels = sumWidth - amountWidth
  const heights = sums.map(({ label }) => sheet.heightOf(label, labels) + 4)
  const total = `${sheet.money(content.totalAmount)} ${content.currency.toUpperCase()}`
  sheet.makeRoom(heights.reduce((sum, height) => sum + height, 0) + 60)
  for (const [index, { label, amount }] of sums.entries()) {
    sheet.write(label, x, sheet.y, labels, { colour: colours.quiet })
    sheet.write(amount, x + labels, sheet.y, amountWidth, { align: 'right' })
    sheet.y += heights[index]!
  }
  sheet.y += 4
  sheet.line(sheet.y, { x, width: sumWidth, weight: 0.75, colour: colours.ink })
  sheet.line(sheet.y + 2.5, { x, width: sumWidth, weight: 0.75, colour: colours.ink })
  sheet.y += 9
  const label = content.kind === 'credit_note' ? say.refunded : say.total
  const style = { size: 12.5, strong: true }
  sheet.write(label, x, sheet.y, labels, style)
  const totalWidth = sumWidth - Math.min(labels, sheet.pdf.widthOfString(label)) - 8
  sheet.y += sheet.write(total, page.width - side - totalWidth, sheet.y, totalWidth, { ...style, align: 'right' }) + 4
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

function drawNotes(sheet: Sheet): void {
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
function drawFeet(sheet: Sheet): void {
  const { pdf, content, words: say } = sheet
  const { count } = pdf.bufferedPageRange()
  const y = page.height - 52
  const seller = content.seller.legalName ?? content.seller.name ?? ''
  const left = sheet.shown(`${content.number} · ${seller}`).slice(0, 90)
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(index)
    sheet.line(y - 9)
    const text = (shown: string, options: object) =>
      sheet.decorate(() => pdf.font('regular').fontSize(8).fillColor(colours.quiet).text(shown, side, y, options))
    text(left, { width: inner - 100, lineBreak: false, ellipsis: true, height: 10 })
    text(fill(say.page, { page: `${index + 1}`, pages: `${count}` }), { width: inner, align: 'right' })
  }
}
