import { Blob, Face, Font, Variation } from 'harfbuzzjs'
import { DocumentFont } from './document-font.ts'
import { isWoff2, unpackWoff2 } from './woff2.ts'

/** A font in one weight. */
export type ShapedFont = {
  hasGlyph(point: number): boolean
  /** The font for one document: `number` tells it apart from the document's other fonts. */
  inDocument(number: number): DocumentFont
}

/** A font file in any weight; a font with only one weight returns the same for all. */
export type FontFile = (weight: number) => ShapedFont

/**
 * Opens font files for documents: TrueType and OpenType, collections of them (the first font counts), and WOFF2.
 * Variable fonts give all their weights. Throws if the bytes are no font.
 */
export function openFontFile(bytes: Uint8Array): FontFile {
  const face = new Face(new Blob(isWoff2(bytes) ? unpackWoff2(bytes) : bytes))
  if (!face.referenceTable('head')?.length) throw new Error('its format is unknown')
  if (!('wght' in face.getAxisInfos())) {
    const inAllWeights = shaped(face, new Font(face), '')
    return () => inAllWeights
  }
  const made = new Map<number, ShapedFont>()
  return (weight) => {
    const known = made.get(weight) ?? shaped(face, inWeight(face, weight), `-${weight}`)
    made.set(weight, known)
    return known
  }
}

function inWeight(face: Face, weight: number): Font {
  const font = new Font(face)
  font.setVariations([new Variation('wght', weight)])
  return font
}

const shaped = (face: Face, font: Font, weight: string): ShapedFont => ({
  hasGlyph: (point) => font.nominalGlyph(point) !== undefined,
  inDocument: (number) => new DocumentFont(face, font, weight, number),
})

/** Throws if documents cannot be drawn with a font file. Only embedding a glyph shows whether its outlines can be read. */
export function checkFont(bytes: Uint8Array): void {
  const font = openFontFile(bytes)(400).inDocument(0)
  const letter = font.someLetter()
  if (letter === undefined) throw new Error('it has no letters')
  const subset = font.createSubset()
  for (const { id } of font.layout(letter).glyphs) subset.includeGlyph(id)
  subset.encode()
}
