/// <reference path="./untyped-libraries.d.ts" />

import { create } from 'fontkit'
import { type Font, type FontkitFont, isWeight } from './font.ts'
import { openWoff2, type Woff2Font } from './woff2-font.ts'
import { withWrittenOutlines } from './written-font.ts'

/**
 * Opens font files for documents: TrueType and OpenType, collections of them (of which the first is taken), and WOFF2, in two
 * weights where a font is variable. fontkit knows WOFF2 and variable fonts, but not both at once, and cannot write the part of
 * either that a PDF takes along. That is done by `woff2-font.ts` and `written-font.ts`, with what fontkit keeps to itself; its
 * version is fixed.
 */

/** A font file in any weight; those of a font that has only one are the same. */
export type FontFile = (weight: number) => Font

/** `isShaped` is false where letters never change by their neighbours: the tables that say so are then not read. */
export function openFontFile(bytes: Uint8Array, { isShaped = true } = {}): FontFile {
  // What it is was asked of the bytes by fontkit.
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

/** Two letters may share a glyph, such as two kinds of blanks, and then stand for the first one. */
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

/** Where a font names no place for a mark on a letter, which fontkit does not expect, the mark stays behind the letter. */
function withPlacedMarks(font: FontkitFont): FontkitFont {
  const places = font._layoutEngine.engine?.GPOSProcessor
  if (!places) return font
  const place = places.applyAnchor
  places.applyAnchor = (mark, anchor, letter) => {
    if (anchor) place.call(places, mark, anchor, letter)
  }
  return font
}
