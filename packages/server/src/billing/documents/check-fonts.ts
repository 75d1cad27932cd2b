import { readFile } from 'node:fs/promises'

/** What is wrong with the font files of `billing.documents.fonts`, one sentence for each that is no use; none are opened twice. */
export async function checkFonts(places: readonly string[]): Promise<string[]> {
  // Where none are named, the library that reads fonts is not loaded at all.
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
    // Whether its outlines can be drawn is known once one is.
    const letter = String.fromCodePoint(font.characterSet.at(-1)!)
    const subset = font.createSubset()
    for (const { id } of font.layout(letter).glyphs) subset.includeGlyph(id)
    subset.encode()
    return undefined
  } catch (error) {
    return `it is no font that documents can be drawn with (${error instanceof Error ? error.message : String(error)})`
  }
}
