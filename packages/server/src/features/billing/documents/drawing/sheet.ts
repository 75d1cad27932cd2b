import type PDFDocument from 'pdfkit'
import { dayText } from '../../../../foundation/localized-text.ts'
import { moneyText } from '../../../../foundation/money-text.ts'
import { type DocumentWords, documentWords } from '../locales/all.ts'
import type { DrawnContent } from './document-content.ts'
import { Fonts, type FurtherFonts, type Weight } from './fonts.ts'
import { type Line, layOut } from './layout.ts'
import { type Spelled, spell } from './letters.ts'

export type Pdf = InstanceType<typeof PDFDocument>
export type Structure = ReturnType<Pdf['struct']>

/** The colours of paper and ink, always those of the light theme. */
export const colours = {
  ink: '#131c1e',
  quiet: '#4a5557',
  line: '#c9cbc7',
  ok: '#1e7546',
  warn: '#f0b135',
  warnInk: '#724d0b',
}

/** Points. */
export const page = { width: 595.28, height: 841.89 }
export const side = 56
const top = 60
/** Only the foot is drawn below this. */
const floor = page.height - 84
export const inner = page.width - 2 * side
export const amountWidth = 130

const ordinarySize = 9.5
const lineGap = 2.5
const edge = 6

const weightOf = (strong: boolean): Weight => (strong ? 'strong' : 'regular')

export type Style = {
  readonly size?: number
  readonly strong?: boolean
  readonly colour?: string
  readonly align?: 'left' | 'right'
  /** The most lines; longer text ends with an ellipsis. */
  readonly lines?: number
  /** The country of the text, by default the seller's: Chinese characters look different by country. */
  readonly country?: string | undefined
  /** The structure tag for screen readers. */
  readonly as?: string
  readonly in?: Structure
}

/** The pages of one document, and the current vertical position. */
export class Sheet {
  readonly pdf: Pdf
  readonly content: DrawnContent
  readonly words: DocumentWords
  readonly root: Structure
  y = top
  /** Whether some letters are written as code points. */
  hasNumbered = false

  readonly #fonts: Fonts

  constructor(pdf: Pdf, content: DrawnContent, further: FurtherFonts) {
    this.pdf = pdf
    this.#fonts = new Fonts(pdf, further)
    this.content = content
    this.words = documentWords[content.locale]
    this.root = pdf.struct('Document')
    pdf.addStructure(this.root)
    this.#edge()
  }

  money(amount: number): string {
    return moneyText(amount, this.content.currency, this.content.locale)
  }

  /** Formats a day in the document's language, in UTC like the order's times. */
  day(time: string): string {
    return dayText(time, this.content.locale)
  }

  /** A text in the letters of the document's fonts. */
  spell(text: string, { strong = false, country = this.content.seller.address?.country }: Style = {}): Spelled {
    const spelled = spell(text, this.#fonts, weightOf(strong), country)
    this.hasNumbered ||= spelled.hasNumbers
    return spelled
  }

  /** The height of a text in a column. */
  heightOf(text: string, width: number, style: Style = {}): number {
    const spelled = this.spell(text, style)
    if (!spelled.isOrdinary) return this.#layOut(spelled, width, style).length * this.#lineHeight(style)
    this.#set(style)
    return this.pdf.heightOfString(spelled.text, { width, lineGap })
  }

  /** Writes a text in a column at a position of this page; returns its height. */
  write(text: string, x: number, y: number, width: number, style: Style = {}): number {
    const { colour = colours.ink, align = 'left', lines, as = 'P', in: structParent = this.root } = style
    const spelled = this.spell(text, style)
    if (spelled.text === '') return 0
    if (!spelled.isOrdinary) {
      // Screen readers read the logical text, whatever the fonts and drawing order are.
      structParent.add(this.pdf.struct(as, { actual: spelled.text }, [this.pdf.markStructureContent(as)]))
      return this.draw(spelled, x, y, width, style)
    }
    const limit = lines === undefined ? undefined : lines * this.#lineHeight(style)
    this.#set(style)
    const column = { width, lineGap, align }
    // A mere measurement gets no tag.
    const height = this.pdf.heightOfString(spelled.text, column)
    this.pdf.fillColor(colour).text(spelled.text, x, y, {
      ...column,
      structParent,
      structType: as,
      ...(limit !== undefined && height > limit && { height: limit, ellipsis: true }),
    })
    return limit === undefined ? height : Math.min(height, limit)
  }

  /** Draws a text of several fonts and returns its height. All lines have the height of the ordinary font. */
  draw(spelled: Spelled, x: number, y: number, width: number, style: Style): number {
    const { size = ordinarySize, strong = false, colour = colours.ink, align = 'left' } = style
    const lines = this.#layOut(spelled, width, style)
    const height = this.#lineHeight(style)
    const { ascent, unitsPerEm } = this.#fonts.ordinary(weightOf(strong)).font
    for (const [index, line] of lines.entries()) {
      const base = y + index * height + (ascent / unitsPerEm) * size
      let left = align === 'right' ? x + width - line.width : x
      for (const run of line.runs) {
        const options = { lineBreak: false, features: [], baseline: 'alphabetic' as const }
        this.pdf.font(run.face.name).fontSize(size).fillColor(colour).text(run.text, left, base, options)
        left += run.width
      }
    }
    return lines.length * height
  }

  #layOut({ letters }: Spelled, width: number, { size = ordinarySize, strong = false, lines }: Style): Line[] {
    return layOut(letters, {
      width,
      lines,
      ordinary: this.#fonts.ordinary(weightOf(strong)),
      widthOf: (text, face) => this.pdf.font(face.name).fontSize(size).widthOfString(text, { features: [] }),
    })
  }

  #lineHeight(style: Style): number {
    this.#set(style)
    return this.pdf.currentLineHeight(true) + lineGap
  }

  /** Draws decoration that screen readers skip. */
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

  /** Starts the next page if a block of this height does not fit; returns whether it did. */
  makeRoom(height: number): boolean {
    if (this.y + height <= floor) return false
    this.pdf.addPage()
    this.y = top
    this.#edge()
    return true
  }

  /** A striped edge at the top of test documents. */
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

  #set({ size = ordinarySize, strong = false }: Style): void {
    this.pdf.font(weightOf(strong)).fontSize(size)
  }
}
