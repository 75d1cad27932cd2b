import type { Font, FontkitFont, Glyph, OutlinedGlyph, Subset } from './font.ts'
import { encodeOutline } from './outline.ts'

/**
 * Has what a PDF takes along written by us: glyphs as the weight makes them, none of them made of others. A glyph that stands
 * for several letters, as the bodies of Arabic ones without their dots do, is taken along once for each, so that whoever copies
 * or searches a name finds what was typed.
 */
export function withWrittenOutlines(font: FontkitFont): Font {
  const { getGlyph, layout, createSubset, maxp } = font
  // What glyphs have at most, now that what was made of several is one.
  maxp.maxPoints = Math.max(maxp.maxPoints, maxp.maxComponentPoints)
  maxp.maxContours = Math.max(maxp.maxContours, maxp.maxComponentContours)
  let glyphs = new Map<string, Glyph>()
  /** The number that pdfkit gets of a glyph, and which glyph is meant by it; the first is what is drawn for no letter. */
  let numbers = new Map<Glyph, number>()
  let ids = [0]
  const numberOf = (glyph: Glyph): number => {
    const number = numbers.get(glyph) ?? ids.push(glyph.id) - 1
    numbers.set(glyph, number)
    return number
  }

  return Object.assign(font, {
    beginDocument: () => {
      glyphs = new Map()
      numbers = new Map()
      ids = [0]
    },
    getGlyph: (id: number, letters: readonly number[] = []) => {
      const key = `${id} ${letters}`
      const known = glyphs.get(key)
      if (known) return known
      // Or fontkit would answer with the one that stood for other letters.
      delete font._glyphs[id]
      const glyph = getGlyph.call(font, id, letters)
      glyphs.set(key, glyph)
      return glyph
    },
    layout: (text: string, features?: unknown) => {
      const run = layout.call(font, text, features)
      run.glyphs = run.glyphs.map((glyph) => {
        const { advanceWidth, codePoints } = glyph
        return { id: numberOf(glyph), advanceWidth, codePoints }
      })
      return run
    },
    createSubset: () => {
      const subset = createSubset.call(font)
      subset._addGlyph = (number) => addGlyph(subset, getGlyph.call(font, ids[number]!))
      return subset
    },
  })
}

/** Writes a glyph behind those that a PDF takes along already; answers its place among them. */
function addGlyph(subset: Subset, glyph: OutlinedGlyph): number {
  const points = glyph._getContours().flat()
  const outline = encodeOutline(points)
  subset.glyf.push(outline)
  subset.loca.offsets.push(subset.offset)
  const bearing = points.length === 0 ? 0 : Math.round(Math.min(...points.map(({ x }) => x)))
  subset.hmtx.metrics.push({ advance: glyph.advanceWidth, bearing })
  subset.offset += outline.length
  return subset.glyf.length - 1
}
