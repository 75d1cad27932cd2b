import type { Font, FontkitFont, Glyph, OutlinedGlyph, Subset } from './font.ts'
import { encodeOutline } from './outline.ts'

/**
 * Makes the PDF embed glyphs that this code writes: outlines in the chosen weight, without composites. A glyph that
 * represents several letters, such as the dotless bodies of Arabic ones, is embedded once per letter. Copying or
 * searching a name then finds the typed letters.
 */
export function withWrittenOutlines(font: FontkitFont): Font {
  const { getGlyph, layout, createSubset, maxp } = font
  // Raises the limits of simple glyphs: composites are written as simple glyphs.
  maxp.maxPoints = Math.max(maxp.maxPoints, maxp.maxComponentPoints)
  maxp.maxContours = Math.max(maxp.maxContours, maxp.maxComponentContours)
  let glyphs = new Map<string, Glyph>()
  /** The number that pdfkit gets for a glyph, and the glyph behind it; number 0 is the missing glyph. */
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
      // Otherwise fontkit returns the cached glyph that represented other letters.
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

/** Appends a glyph to those that the PDF embeds; returns its index. */
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
