import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type FontFile, openFontFile } from './font-file.ts'

/**
 * The fonts for letters that Noto Sans itself lacks: Noto Sans of other scripts, each a folder of files that hold a few
 * hundred letters. Only those that a document has letters of are read.
 */

const packageOf = (family: string): string => `@fontsource-variable/noto-sans-${family}`

/** Scripts with a family of their own, by their names in Unicode. */
const scripts = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Ethiopic',
  'Georgian',
  'Gujarati',
  'Gurmukhi',
  'Hebrew',
  'Kannada',
  'Khmer',
  'Lao',
  'Malayalam',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thai',
]
/** Marks that a script shares with others are among its letters. */
const ofScripts = scripts.map((script) => ({
  family: script.toLowerCase(),
  letters: new RegExp(`\\p{Script_Extensions=${script}}`, 'u'),
}))

/** Whose letters never change by their neighbours. */
const eastAsian: readonly string[] = ['sc', 'jp', 'tc', 'kr']
const eastAsianOf: Readonly<Record<string, string>> = { JP: 'jp', KR: 'kr', KP: 'kr', TW: 'tc', HK: 'tc', MO: 'tc' }

/**
 * The families to ask for the letters of a text, in their order. The same Chinese character is drawn differently in Japan,
 * Korea, Taiwan and China: what else the text is written in decides, then the country it comes from.
 */
export function familiesFor(text: string, country: string | undefined): readonly string[] {
  const own = ofScripts.filter(({ letters }) => letters.test(text)).map(({ family }) => family)
  const first = firstEastAsian(text, country)
  return [...own, first, ...eastAsian.filter((family) => family !== first)]
}

function firstEastAsian(text: string, country: string | undefined): string {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'jp'
  if (/\p{Script=Hangul}/u.test(text)) return 'kr'
  return eastAsianOf[country ?? ''] ?? 'sc'
}

/** Which file of a family has a letter, by its code point. */
const files = new Map<string, ReadonlyMap<number, string>>()

/** The name of the family's file that has a letter; undefined where none has. */
export function findSlice(family: string, point: number): string | undefined {
  const known = files.get(family) ?? readFiles(family)
  files.set(family, known)
  return known.get(point)
}

function readFiles(family: string): ReadonlyMap<number, string> {
  // The package's own list: by the name of a file's letters their ranges, such as `U+0600-06FF,U+0750`.
  const ranges = JSON.parse(readFileSync(placeOf(`${packageOf(family)}/unicode.json`), 'utf8')) as Record<
    string,
    string
  >
  const points = new Map<number, string>()
  for (const [name, list] of Object.entries(ranges))
    for (const range of list.split(',')) {
      const [from, to = from] = range
        .trim()
        .slice('U+'.length)
        .split('-')
        .map((digits) => Number.parseInt(digits, 16))
      const slice = `${packageOf(family)}/files/noto-sans-${family}-${name.replace(/[[\]]/g, '')}-wght-normal.woff2`
      for (let point = from!; point <= to!; point += 1) points.set(point, slice)
    }
  return points
}

/** Opened files; the one that was used last is at the end. */
const kept = new Map<string, FontFile>()
/** Each takes some 0.3 MB. */
const mostKept = 64

export function openSlice(family: string, slice: string): FontFile {
  const isShaped = !eastAsian.includes(family)
  const file = kept.get(slice) ?? openFontFile(readFileSync(placeOf(slice)), { isShaped })
  kept.delete(slice)
  kept.set(slice, file)
  if (kept.size > mostKept) kept.delete(kept.keys().next().value!)
  return file
}

const placeOf = (name: string): string => fileURLToPath(import.meta.resolve(name))
