/// <reference path="./untyped-libraries.d.ts" />

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FontFile, ShapedFont } from '@tollgate/documents-fonts'
import { create, type FontkitFont } from 'fontkit'
import { firstOf, namesOf, proven } from '../../../../foundation/proof/proven.ts'
import type { Font } from './font.ts'
import type { ScriptFonts } from './script-fonts.ts'
import type { Pdf } from './sheet.ts'

const ordinaryFiles = {
  regular: '400Regular/NotoSans_400Regular.ttf',
  strong: '600SemiBold/NotoSans_600SemiBold.ttf',
} as const
export type Weight = keyof typeof ordinaryFiles
const weights: Readonly<Record<Weight, number>> = { regular: 400, strong: 600 }

/** A font, with its name within a document. */
export type Face = { readonly name: string; readonly font: Font; hasGlyph(point: number): boolean }

/** The ordinary fonts and the operator's stay open between documents, so that the next one reads no file twice. */
const ordinary = new Map<Weight, FontkitFont>()
const opened = new Map<string, FontFile>()

function openOrdinary(weight: Weight): FontkitFont {
  const known = ordinary.get(weight)
  if (known) return known
  const file = `@expo-google-fonts/noto-sans/${ordinaryFiles[weight]}`
  const font = withOwnLetters(create(readFileSync(fileURLToPath(import.meta.resolve(file)))))
  ordinary.set(weight, font)
  return font
}

/**
 * Letters such as two kinds of blanks share a glyph, and fontkit keeps the one that came first. What a document says to
 * its readers would then depend on the documents before it, so each glyph stands for one letter of the font, always.
 */
function withOwnLetters(font: FontkitFont): FontkitFont {
  const letters = new Map<number, readonly number[]>()
  for (const point of font.characterSet.toSorted(byForm)) {
    const { id } = font.glyphForCodePoint(point)
    if (!letters.has(id)) letters.set(id, isLigature(point) ? pointsOf(formOf(point)) : [point])
  }
  const { layout } = font
  return Object.assign(font, {
    layout: (text: string, features?: unknown) => {
      const run = layout.call(font, text, features)
      const glyphs = run.glyphs.map(({ id, advanceWidth, codePoints }) => ({
        id,
        advanceWidth,
        codePoints: letters.get(id) ?? codePoints,
      }))
      return Object.assign(run, { glyphs })
    },
  })
}

const pointsOf = (text: string): number[] => Array.from(text, pointOf)

/** The usual form of a letter (Unicode, annex 15), such as a blank for one that does not break. */
const formOf = (point: number): string => String.fromCodePoint(point).normalize('NFKC')

/** Letters in their usual form come first. */
const byForm = (a: number, b: number): number => Number(isVariant(a)) - Number(isVariant(b)) || a - b
const isVariant = (point: number): boolean => formOf(point) !== String.fromCodePoint(point)

/** The Latin ligatures, which texts spell with several letters. */
const isLigature = (point: number): boolean => point >= 0xfb00 && point <= 0xfb06

/** Whether the ordinary font has a letter. */
export const isOrdinary = (letter: string): boolean => openOrdinary('regular').hasGlyphForCodePoint(pointOf(letter))

const pointOf = (letter: string): number => proven(letter.codePointAt(0), 'a letter has a code point')

/**
 * The most files of the script fonts in one document. Each takes some hundredths of a second to open, and ordinary
 * names need less than ten. The limit stops documents that would need hundreds.
 */
const mostSlices = 64

/** Where a document's fonts come from besides the ordinary one. */
export type FurtherFonts = {
  /** The optional package; undefined where it is missing or not needed. */
  readonly scripts: ScriptFonts | undefined
  /** The operator's font files, to search for letters that the other fonts lack. */
  readonly places: readonly string[]
}

/** The fonts of one document: the ordinary one, and others once a letter needs them. */
export class Fonts {
  readonly #pdf: Pdf
  readonly #further: FurtherFonts
  readonly #faces = new Map<string, Face>()
  readonly #slices = new Set<string>()

  constructor(pdf: Pdf, further: FurtherFonts) {
    this.#pdf = pdf
    this.#further = further
    // Each document uses the weights in the same order, so that its font names stay the same.
    for (const weight of namesOf(ordinaryFiles)) pdf.font(this.ordinary(weight).name)
  }

  ordinary(weight: Weight): Face {
    const known = this.#faces.get(weight)
    if (known) return known
    const font = openOrdinary(weight)
    const face = { name: weight, font, hasGlyph: (point: number) => font.hasGlyphForCodePoint(point) }
    return this.#register(face)
  }

  /** The families to search for the letters of a text, in order; none without the optional package. */
  familiesFor(text: string, country: string | undefined): readonly string[] {
    return this.#further.scripts?.familiesFor(text, country) ?? []
  }

  /** The first face with all of these letters: the ordinary one, then the families', then the operator's. */
  find(letters: string, weight: Weight, families: readonly string[]): Face | undefined {
    const points = Array.from(letters, pointOf).filter((point) => !isJoiner(point))
    const has = (face: Face) => points.every((point) => face.hasGlyph(point))
    const usual = this.ordinary(weight)
    if (has(usual)) return usual
    const { scripts, places } = this.#further
    if (!scripts) return undefined
    return this.#ofFamilies(scripts, points, weight, families, has) ?? this.#ofOperator(scripts, places, weight, has)
  }

  #ofFamilies(
    { findSlice, openSlice }: ScriptFonts,
    points: readonly number[],
    weight: Weight,
    families: readonly string[],
    has: (face: Face) => boolean,
  ): Face | undefined {
    for (const family of families) {
      const slice = findSlice(family, firstOf(points, 'a cluster has letters besides joiners'))
      if (slice === undefined || (!this.#slices.has(slice) && this.#slices.size === mostSlices)) continue
      this.#slices.add(slice)
      const face = this.#face(`${slice} ${weight}`, () => openSlice(slice)(weights[weight]))
      if (has(face)) return face
    }
    return undefined
  }

  #ofOperator(
    { openFontFile }: ScriptFonts,
    places: readonly string[],
    weight: Weight,
    has: (face: Face) => boolean,
  ): Face | undefined {
    for (const place of places) {
      const file = opened.get(place) ?? openFontFile(readFileSync(place))
      opened.set(place, file)
      const face = this.#face(`${place} ${weight}`, () => file(weights[weight]))
      if (has(face)) return face
    }
    return undefined
  }

  #face(name: string, open: () => ShapedFont): Face {
    const known = this.#faces.get(name)
    if (known) return known
    const shaped = open()
    const font = shaped.inDocument(this.#faces.size)
    const face = { name, font, hasGlyph: shaped.hasGlyph }
    return this.#register(face)
  }

  #register(face: Face): Face {
    this.#faces.set(face.name, face)
    // pdfkit accepts any object that can lay out text as a font; its types know files only.
    this.#pdf.registerFont(face.name, face.font as unknown as Buffer)
    return face
  }
}

/** No font has a glyph for joiners and the like, and every font understands them. */
const isJoiner = (point: number): boolean => point === 0x200c || point === 0x200d
