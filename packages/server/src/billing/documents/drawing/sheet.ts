import type PDFDocument from 'pdfkit'
import { moneyText } from '../../../money-text.ts'
import type { DrawnContent } from '../document-content.ts'
import { documentWords } from '../locales/all.ts'
import type { DocumentWords } from '../locales/words.ts'
import { currentFont } from './fonts.ts'
import { plain } from './letters.ts'

export type Pdf = InstanceType<typeof PDFDocument>
export type Structure = ReturnType<Pdf['struct']>

/** The colours of paper and ink, in the light; there is no dark paper. */
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
/** Below this nothing but the foot is drawn. */
const floor = page.height - 84
export const inner = page.width - 2 * side
export const amountWidth = 130

const lineGap = 2.5
const edge = 6

export type Style = {
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
export class Sheet {
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
    this.words = documentWords[content.locale]
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

/** A sentence with its values in the place of braces. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
