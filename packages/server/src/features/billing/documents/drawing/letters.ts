import { proven } from '../../../../foundation/proof/proven.ts'
import type { Face, Fonts, Weight } from './fonts.ts'

/** A letter with its marks, or part of its replacement, with the face that draws it. */
export type Letter = { readonly text: string; readonly face: Face }

/** A text ready to draw. */
export type Spelled = {
  readonly letters: readonly Letter[]
  readonly text: string
  /** Whether the ordinary font draws all letters. */
  readonly isOrdinary: boolean
  /** Whether some letters are written as code points. */
  readonly hasNumbers: boolean
}

/**
 * Splits a text into letters with their marks. Removes terminal controls, direction controls and variation selectors.
 * Keeps joiners in the scripts whose spelling needs them.
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
 * A text in the letters of the fonts. A letter that no font has, such as an emoji, is written as its code point, word
 * by word, so that no information is lost. `country` is where the text comes from.
 */
export function spell(given: string, fonts: Fonts, weight: Weight, country?: string): Spelled {
  const ordinary = fonts.ordinary(weight)
  const text = plain(given)
  const has = (letter: string) =>
    letter === '\n' || ordinary.hasGlyph(proven(letter.codePointAt(0), 'a letter has a code point'))
  if (Array.from(text).every(has)) return { letters: [], text, isOrdinary: true, hasNumbers: false }

  const families = fonts.familiesFor(text, country)
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
    // No single font has the whole cluster: a mark of another script, or several signs combined into one.
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

const numberOf = (letter: string): string =>
  `U+${proven(letter.codePointAt(0), 'a letter has a code point').toString(16).toUpperCase().padStart(4, '0')}`
