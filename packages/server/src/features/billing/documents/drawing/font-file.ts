/// <reference path="./untyped-libraries.d.ts" />

import { create } from 'fontkit'
import { type Font, type FontkitFont, isWeight } from './font.ts'
import { openWoff2, type Woff2Font } from './woff2-font.ts'
import { withWrittenOutlines } from './written-font.ts'

/**
 * Opens font files for documents: TrueType and OpenType, collections of them (the first font counts), and WOFF2.
 * Variable fonts give two weights. fontkit reads WOFF2 and variable fonts but not both at once, and cannot write a
 * subset of either for a PDF. `woff2-font.ts` and `written-font.ts` do that with fontkit's internals, so its version
 * is pinned.
 */

/** A font file in any weight; a font with only one weight returns the same for all. */
export type FontFile = (weight: number) => Font

/** `isShaped` is false if letters never change by their neighbours: the shaping tables are then not read. */
export function openFontFile(bytes: Uint8Array, { isShaped = true } = {}): FontFile {
  // fontkit has identified the format from the bytes.
  const opened = create(bytes) as FontkitFont | { readonly fonts: readonly FontkitFont[] }
  const font = 'fonts' in opened ? opened.fonts[0]! : opened
  if (font.type === 'WOFF2') return onceEach(openWoff2(font as Woff2Font, isShaped))
  if (!font.fvar?.axis.some(isWeight)) {
    const inAllWeights = asDrawn(withPlacedMarks(font))
    return () => inAllWeights
  }
  if (!font.directory.tables.gvar) throw new Error('its weights are of a kind (CFF2) that cannot be drawn')
  return onceEach((weight) => font.getVariation({ wght: weight }))
}

/** Two letters, such as two kinds of blanks, may share a glyph; the glyph then counts as the first letter. */
const asDrawn = (font: FontkitFont): Font =>
  Object.assign(font, {
    beginDocument: () => {
      font._glyphs = {}
    },
  })

function onceEach(make: (weight: number) => FontkitFont): FontFile {
  const made = new Map<number, Font>()
  return (weight) => {
    const font = made.get(weight) ?? withWrittenOutlines(withPlacedMarks(make(weight)))
    made.set(weight, font)
    return font
  }
}

/** fontkit expects an anchor for each mark. Where the font has none, the mark stays behind the letter. */
function withPlacedMarks(font: FontkitFont): FontkitFont {
  const places = font._layoutEngine.engine?.GPOSProcessor
  if (!places) return font
  const place = places.applyAnchor
  places.applyAnchor = (mark, anchor, letter) => {
    if (anchor) place.call(places, mark, anchor, letter)
  }
  return font
}
