import { codeOf } from '../../../../foundation/proof/proven.ts'
import type { DocumentContent } from './document-content.ts'

/** The fonts of scripts that Noto Sans lacks, and their shaping: an optional package, because it weighs as much as the server. */
export type ScriptFonts = typeof import('@tollgate/documents-fonts')

/** The optional package; undefined where it is not installed. */
export async function loadScriptFonts(): Promise<ScriptFonts | undefined> {
  return hasScriptFonts() ? import('@tollgate/documents-fonts') : undefined
}

/** Whether the optional package is installed. */
export function hasScriptFonts(): boolean {
  try {
    import.meta.resolve('@tollgate/documents-fonts')
    return true
  } catch (error) {
    if (codeOf(error) === 'ERR_MODULE_NOT_FOUND') return false
    throw error
  }
}

/** A letter of a script that only the optional package draws. Emoji are no letters of a script. */
const ofFurtherScript =
  /[^\p{Script_Extensions=Latin}\p{Script_Extensions=Greek}\p{Script_Extensions=Cyrillic}\p{Script_Extensions=Devanagari}\p{Script_Extensions=Common}\p{Script_Extensions=Inherited}]/u

/** Whether a document has letters that only the optional package draws. */
export const needsScriptFonts = (content: DocumentContent): boolean => ofFurtherScript.test(JSON.stringify(content))
