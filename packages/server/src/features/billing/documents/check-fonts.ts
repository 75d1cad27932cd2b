import { readFile } from 'node:fs/promises'
import { lastOf, messageOf } from '../../../foundation/proof/proven.ts'

/** The faults of the files in `billing.documents.fonts`, one sentence per unusable file. No file is opened twice. */
export async function checkFonts(places: readonly string[]): Promise<string[]> {
  // With no files configured, the font library is not loaded at all.
  if (places.length === 0) return []
  const { openFontFile } = await import('./drawing/font-file.ts')
  const problems: string[] = []
  for (const [index, place] of places.entries()) {
    const fault = await faultOf(place, openFontFile)
    if (fault) problems.push(`billing.documents.fonts[${index}] is ${JSON.stringify(place)}: ${fault}`)
  }
  return problems
}

async function faultOf(
  place: string,
  open: typeof import('./drawing/font-file.ts')['openFontFile'],
): Promise<string | undefined> {
  const bytes = await readFile(place).catch(() => undefined)
  if (!bytes) return 'there is no file that can be read'
  try {
    const font = open(bytes)(400)
    // Only encoding a glyph shows whether its outlines can be drawn.
    const letter = String.fromCodePoint(lastOf(font.characterSet, 'a font has letters'))
    const subset = font.createSubset()
    for (const { id } of font.layout(letter).glyphs) subset.includeGlyph(id)
    subset.encode()
    return undefined
  } catch (error) {
    return `it is no font that documents can be drawn with (${messageOf(error)})`
  }
}
