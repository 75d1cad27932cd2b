/// <reference path="./untyped-libraries.d.ts" />

import makeBidi from 'bidi-js'
import LineBreaker from 'linebreak'
import type { Face } from './fonts.ts'
import type { Letter } from './letters.ts'

/**
 * Lays out text of several fonts, which pdfkit does not. Lines break by the rules of their languages (Unicode, annex
 * 14). Each is drawn in reading order (annex 9): Hebrew and Arabic run to the left, and Latin within them does not.
 */

/** A run of letters drawn in one call; the font itself reverses right-to-left letters. */
export type Run = { readonly text: string; readonly face: Face; readonly width: number }
export type Line = { readonly runs: readonly Run[]; readonly width: number }

type Column = {
  /** Points, like all widths. */
  readonly width: number
  /** The most lines; longer text ends with an ellipsis. */
  readonly lines?: number | undefined
  /** The face that draws the ellipsis. */
  readonly ordinary: Face
  widthOf(text: string, face: Face): number
}

/** A letter with its embedding level; odd levels are read from the right. */
type Placed = Letter & { readonly level: number }

const bidi = makeBidi()

export function layOut(letters: readonly Letter[], column: Column): Line[] {
  const lines = paragraphsOf(letters).flatMap((paragraph) => breakLines(placed(paragraph), column))
  const shown = lines.slice(0, column.lines)
  if (shown.length < lines.length) shown.push(shortened(shown.pop()!, column))
  return shown.map((line) => drawnLine(line, column))
}

function paragraphsOf(letters: readonly Letter[]): Letter[][] {
  const paragraphs: Letter[][] = [[]]
  for (const letter of letters)
    if (letter.text === '\n') paragraphs.push([])
    else paragraphs.at(-1)!.push(letter)
  return paragraphs
}

const textOf = (letters: readonly Letter[]): string => letters.map(({ text }) => text).join('')

/** A paragraph takes the direction of its first letter with one. */
function placed(paragraph: readonly Letter[]): Placed[] {
  const { levels } = bidi.getEmbeddingLevels(textOf(paragraph), 'auto')
  let unit = 0
  return paragraph.map((letter) => {
    const level = levels[unit]!
    unit += letter.text.length
    return { ...letter, level }
  })
}

function breakLines(letters: readonly Placed[], column: Column): Placed[][] {
  const lines: Placed[][] = [[]]
  let taken = 0
  const add = (part: readonly Placed[]) => {
    const width = widthOf(part, column)
    // Trailing blanks take no room.
    const isFull = taken + widthOf(withoutEnd(part), column) > column.width
    if (isFull && lines.at(-1)!.length > 0) {
      lines.push([])
      taken = 0
    }
    lines.at(-1)!.push(...part)
    taken += width
  }
  for (const part of unbreakableParts(letters))
    if (widthOf(withoutEnd(part), column) <= column.width) add(part)
    else for (const letter of part) add([letter])
  return lines.map(withoutEnd)
}

function withoutEnd(letters: readonly Placed[]): Placed[] {
  const last = letters.findLastIndex(({ text }) => text !== ' ')
  return letters.slice(0, last + 1)
}

function unbreakableParts(letters: readonly Placed[]): Placed[][] {
  const breaks = breaksOf(textOf(letters))
  const parts: Placed[][] = [[]]
  let unit = 0
  for (const letter of letters) {
    if (breaks.has(unit)) parts.push([])
    parts.at(-1)!.push(letter)
    unit += letter.text.length
  }
  return parts
}

/** These scripts write no blanks between words. */
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const words = new Intl.Segmenter('und', { granularity: 'word' })

/** The break opportunities of a text, in code units. */
function breaksOf(text: string): Set<number> {
  const breaks = new Set<number>()
  const breaker = new LineBreaker(text)
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) breaks.add(next.position)
  for (const { segment, index } of words.segment(text))
    if (unspaced.test(segment) && unspaced.test(text[index - 1] ?? '')) breaks.add(index)
  return breaks
}

/** The start of a line that leaves room for an ellipsis. */
function shortened(line: readonly Placed[], column: Column): Placed[] {
  const ellipsis = { text: '…', face: column.ordinary, level: Math.min(...line.map(({ level }) => level), 1) }
  let rest = [...line]
  while (rest.length > 0 && widthOf([...rest, ellipsis], column) > column.width) rest = withoutEnd(rest.slice(0, -1))
  return [...rest, ellipsis]
}

type LogicalRun = { readonly face: Face; readonly level: number; readonly letters: Placed[] }

function runsOf(letters: readonly Placed[]): LogicalRun[] {
  const runs: LogicalRun[] = []
  for (const letter of letters) {
    const { face, level } = letter
    const last = runs.at(-1)
    if (last && last.face === face && last.level === level) last.letters.push(letter)
    else runs.push({ face, level, letters: [letter] })
  }
  return runs
}

const widthOf = (letters: readonly Placed[], column: Column): number =>
  runsOf(letters).reduce((sum, run) => sum + column.widthOf(textOf(run.letters), run.face), 0)

function drawnLine(letters: readonly Placed[], column: Column): Line {
  const runs = inVisualOrder(runsOf(letters)).map((run) => {
    const text = drawnText(run)
    return { text, face: run.face, width: column.widthOf(text, run.face) }
  })
  return { runs, width: runs.reduce((sum, { width }) => sum + width, 0) }
}

/** From the deepest level down, reverses the runs of at least that level (annex 9, rule L2). */
function inVisualOrder(runs: readonly LogicalRun[]): LogicalRun[] {
  const deepest = Math.max(0, ...runs.map(({ level }) => level))
  let ordered = [...runs]
  for (let level = deepest; level > 0; level -= 1) {
    const next: LogicalRun[] = []
    let turned: LogicalRun[] = []
    for (const run of ordered)
      if (run.level >= level) turned.unshift(run)
      else {
        next.push(...turned, run)
        turned = []
      }
    ordered = [...next, ...turned]
  }
  return ordered
}

/** The text to give the font. The font reverses text that begins with a right-to-left letter, and nothing else. */
function drawnText({ face, level, letters }: LogicalRun): string {
  const isTurned = level % 2 === 1
  const texts = letters.map(({ text }) => (isTurned ? (bidi.getMirroredCharacter(text) ?? text) : text))
  const isTurnedByFont = face.font.layout(texts.join('')).direction === 'rtl'
  return (isTurned === isTurnedByFont ? texts : texts.reverse()).join('')
}
