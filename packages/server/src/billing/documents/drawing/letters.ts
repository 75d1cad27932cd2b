import { familiesFor } from './families.ts'
import type { Face, Fonts, Weight } from './fonts.ts'

/** A letter with its marks, or a part of what stands for one, and the face it is drawn in. */
export type Letter = { readonly text: string; readonly face: Face }

/** A text as it can be drawn. */
export type Spelled = {
  readonly letters: readonly Letter[]
  readonly text: string
  /** Whether the ordinary font draws all of it. */
  readonly isOrdinary: boolean
  /** Whether something is written by the numbers of its letters. */
  readonly hasNumbers: boolean
}

/**
 * Letters with their marks as one, without what steers a terminal, turns the direction of writing, or only says which form
 * of a letter is meant. Joiners stay in the scripts whose words they are a part of.
 */
export const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{C}\n\u200c\u200d]|\p{Variation_Selector}/gu, '')
    .replace(
      /(?<![[\p{L}\p{M}]--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Inherited}]])[\u200c\u200d]/gv,
      '',
    )

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * A text in the letters of the fonts. What no font has letters for, such as an emoji, is written by its numbers in Unicode,
 * word by word: nothing is lost, and nothing is made up. `country` is where the text comes from.
 */
export function spell(given: string, fonts: Fonts, weight: Weight, country?: string): Spelled {
  const ordinary = fonts.ordinary(weight)
  const text = plain(given)
  const has = (letter: string) => letter === '\n' || ordinary.font.hasGlyphForCodePoint(letter.codePointAt(0)!)
  if (Array.from(text).every(has)) return { letters: [], text, isOrdinary: true, hasNumbers: false }

  const families = familiesFor(text, country)
  const letters: Letter[] = []
  let numbers: string[] = []
  let hasNumbers = false
  const endNumbers = () => {
    if (numbers.length === 0) return
    letters.push(...Array.from(`[${numbers.join(' ')}]`, (sign) => ({ text: sign, face: ordinary })))
    numbers = []
    hasNumbers = true
  }
  const add = (part: string, face: Face | undefined) => {
    if (face) {
      endNumbers()
      letters.push({ text: part, face })
    } else numbers.push(numberOf(part))
  }
  for (const { segment } of graphemes.segment(text)) {
    const blank = !has(segment) && /^\s$/u.test(segment) ? '\u00a0' : segment
    const face = blank === '\n' ? ordinary : fonts.find(blank, weight, families)
    if (face || blank.length === 1) add(blank, face)
    // No font has all of it: a mark of another script, or several signs that are meant as one.
    else for (const part of blank) add(part, fonts.find(part, weight, families))
  }
  endNumbers()
  return {
    letters,
    text: letters.map((letter) => letter.text).join(''),
    isOrdinary: letters.every(({ face }) => face === ordinary),
    hasNumbers,
  }
}

const numberOf = (letter: string): string => `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
