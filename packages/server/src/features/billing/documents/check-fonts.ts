import { readFile } from 'node:fs/promises'
import { messageOf } from '../../../foundation/proof/proven.ts'
import { loadScriptFonts, type ScriptFonts } from './drawing/script-fonts.ts'

/** The faults of the files in `billing.documents.fonts`, one sentence per unusable file. No file is opened twice. */
export async function checkFonts(places: readonly string[], load = loadScriptFonts): Promise<string[]> {
  // With no files configured, the optional package is not loaded at all.
  if (places.length === 0) return []
  const scripts = await load()
  if (!scripts) return ['billing.documents.fonts needs the package @tollgate/documents-fonts, which is not installed']
  const problems: string[] = []
  for (const [index, place] of places.entries()) {
    const fault = await faultOf(place, scripts)
    if (fault) problems.push(`billing.documents.fonts[${index}] is ${JSON.stringify(place)}: ${fault}`)
  }
  return problems
}

async function faultOf(place: string, { checkFont }: ScriptFonts): Promise<string | undefined> {
  const bytes = await readFile(place).catch(() => undefined)
  if (!bytes) return 'there is no file that can be read'
  try {
    checkFont(bytes)
    return undefined
  } catch (error) {
    return `it is no font that documents can be drawn with (${messageOf(error)})`
  }
}
