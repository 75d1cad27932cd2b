import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { firstOf, namesOf, proven } from '../../../../foundation/proof/proven.ts'
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

/** A font, with its name within a document. */
export type Face = { readonly name: string; readonly font: Font }

/** Fonts stay open between documents, so that the next one reads nothing twice. */
const opened = new Map<string, FontFile>()

function open(place: string): FontFile {
  const file = opened.get(place) ?? openFontFile(readFileSync(place))
  opened.set(place, file)
  return file
}

/**
 * The most files of the shipped families in one document. Each takes some hundredths of a second to open, and ordinary
 * names need less than ten. The limit stops documents that would need hundreds.
 */
const mostSlices = 64

/** The fonts of one document: the ordinary one, and others once a letter needs them. */
export class Fonts {
  readonly #pdf: Pdf
  readonly #more: readonly string[]
  readonly #faces = new Map<string, Face>()
  readonly #slices = new Set<string>()

  /** `more`: font files to search for letters that the shipped fonts lack. */
  constructor(pdf: Pdf, more: readonly string[]) {
    this.#pdf = pdf
    this.#more = more
    // Each document uses the weights in the same order, so that its font names stay the same.
    for (const weight of namesOf(ordinaryFiles)) pdf.font(this.ordinary(weight).name)
  }

  ordinary(weight: Weight): Face {
    const file = `@expo-google-fonts/noto-sans/${ordinaryFiles[weight]}`
    return this.#face(weight, () => open(fileURLToPath(import.meta.resolve(file)))(weights[weight]))
  }

  /** The first face with all of these letters: the ordinary one, then the families', then the operator's. */
  find(letters: string, weight: Weight, families: readonly string[]): Face | undefined {
    const points = Array.from(letters, (letter) => proven(letter.codePointAt(0), 'a letter has a code point')).filter(
      (point) => !isJoiner(point),
    )
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
      const slice = findSlice(family, firstOf(points, 'a cluster has letters besides joiners'))
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
    // pdfkit accepts any object that can lay out text as a font; its types know files only.
    this.#pdf.registerFont(name, face.font as unknown as Buffer)
    return face
  }
}

/** No font has a glyph for joiners and the like, and every font understands them. */
const isJoiner = (point: number): boolean => point === 0x200c || point === 0x200d
