import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type FontFile, openFontFile } from './font-file.ts'

/**
 * The fonts for letters that Noto Sans lacks: Noto Sans families of other scripts. Each is a folder of files with a
 * few hundred letters each. Only the files whose letters a document uses are read.
 */

const packageOf = (family: string): string => `@fontsource-variable/noto-sans-${family}`

/** Scripts with a family of their own, by Unicode script name. */
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
/** Marks that several scripts share belong to each of them. */
const ofScripts = scripts.map((script) => ({
  family: script.toLowerCase(),
  letters: new RegExp(`\\p{Script_Extensions=${script}}`, 'u'),
}))

/** The families of Chinese characters. */
const eastAsian: readonly string[] = ['sc', 'jp', 'tc', 'kr']
const eastAsianOf: Readonly<Record<string, string>> = { JP: 'jp', KR: 'kr', KP: 'kr', TW: 'tc', HK: 'tc', MO: 'tc' }

/**
 * The families to search for the letters of a text, in order. A Chinese character looks different in Japan, Korea,
 * Taiwan and China. The other scripts in the text decide, then its country.
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

/** The file of a family that has a letter, by code point. */
const files = new Map<string, ReadonlyMap<number, string>>()

/** The name of the family's file that has a letter; undefined if none has. */
export function findSlice(family: string, point: number): string | undefined {
  const known = files.get(family) ?? readFiles(family)
  files.set(family, known)
  return known.get(point)
}

function readFiles(family: string): ReadonlyMap<number, string> {
  // The package's own index: Unicode ranges such as `U+0600-06FF,U+0750`, by file.
  const ranges: Record<string, string> = JSON.parse(readFileSync(placeOf(`${packageOf(family)}/unicode.json`), 'utf8'))
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

/** Open files, in order of use; the last entry is the latest. */
const kept = new Map<string, FontFile>()
/** Each takes about 0.3 MB. */
const mostKept = 64

/** A file of a family, open. */
export function openSlice(slice: string): FontFile {
  const file = kept.get(slice) ?? openFontFile(readFileSync(placeOf(slice)))
  kept.delete(slice)
  kept.set(slice, file)
  for (const oldest of [...kept.keys()].slice(0, -mostKept)) kept.delete(oldest)
  return file
}

const placeOf = (name: string): string => fileURLToPath(import.meta.resolve(name))
