import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findSlice, openSlice } from './families.ts'
import type { Font } from './font.ts'
import { type FontFile, openFontFile } from './font-file.ts'
import type { Pdf } from './sheet.ts'

const ordinaryFiles = {
  regular: '400Regular/NotoSans_400Regular.ttf',
  strong: '600SemiBold/NotoSans_600SemiBold.ttf',
} as const
export type Weight = keyof typeof ordinaryFiles
const weights: Readonly<Record<Weight, number>> = { regular: 400, strong: 600 }

/** A font, under the name by which a document knows it. */
export type Face = { readonly name: string; readonly font: Font }

/** Fonts that stay open for the next document, which then has nothing to read a second time. */
const opened = new Map<string, FontFile>()

function open(place: string): FontFile {
  const file = opened.get(place) ?? openFontFile(readFileSync(place))
  opened.set(place, file)
  return file
}

/**
 * Files of the shipped families that one document may use. Each takes some hundredths of a second to open; ordinary names
 * need less than ten, and nobody can have a document drawn that needs hundreds.
 */
const mostSlices = 64

/** The fonts of one document: the ordinary one, and others once something is written that it has no letters for. */
export class Fonts {
  readonly #pdf: Pdf
  readonly #more: readonly string[]
  readonly #faces = new Map<string, Face>()
  readonly #slices = new Set<string>()

  /** `more`: font files that are asked for what the shipped ones lack. */
  constructor(pdf: Pdf, more: readonly string[]) {
    this.#pdf = pdf
    this.#more = more
    // Used in the same order in each document, so that they have the same names in it.
    for (const weight of Object.keys(ordinaryFiles) as Weight[]) pdf.font(this.ordinary(weight).name)
  }

  ordinary(weight: Weight): Face {
    const file = `@expo-google-fonts/noto-sans/${ordinaryFiles[weight]}`
    return this.#face(weight, () => open(fileURLToPath(import.meta.resolve(file)))(weights[weight]))
  }

  /** The first face that has all of these letters: the ordinary one, those of the families, those of the operator. */
  find(letters: string, weight: Weight, families: readonly string[]): Face | undefined {
    const points = Array.from(letters, (letter) => letter.codePointAt(0)!).filter((point) => !isJoiner(point))
    const has = ({ font }: Face) => points.every((point) => font.hasGlyphForCodePoint(point))
    const ordinary = this.ordinary(weight)
    if (has(ordinary)) return ordinary
    return this.#ofFamilies(points, weight, families, has) ?? this.#ofOperator(weight, has)
  }

  #ofFamilies(
    points: readonly number[],
    weight: Weight,
    families: readonly string[],
    has: (face: Face) => boolean,
  ): Face | undefined {
    for (const family of families) {
      const slice = findSlice(family, points[0]!)
      if (slice === undefined || (!this.#slices.has(slice) && this.#slices.size === mostSlices)) continue
      this.#slices.add(slice)
      const face = this.#face(`${slice} ${weight}`, () => openSlice(family, slice)(weights[weight]))
      if (has(face)) return face
    }
    return undefined
  }

  #ofOperator(weight: Weight, has: (face: Face) => boolean): Face | undefined {
    for (const place of this.#more) {
      const face = this.#face(`${place} ${weight}`, () => open(place)(weights[weight]))
      if (has(face)) return face
    }
    return undefined
  }

  #face(name: string, find: () => Font): Face {
    const known = this.#faces.get(name)
    if (known) return known
    const face = { name, font: find() }
    face.font.beginDocument()
    this.#faces.set(name, face)
    // Whatever can lay out text is a font to pdfkit; its types know files only.
    this.#pdf.registerFont(name, face.font as unknown as Buffer)
    return face
  }
}

/** What keeps letters apart or together is drawn by no font, and understood by each. */
const isJoiner = (point: number): boolean => point === 0x200c || point === 0x200d
