import type { Plugin } from 'vite'

/**
 * Writes every letter beyond ASCII as an escape. V8 keeps a source for as long as it runs, one byte per letter where it can:
 * a single letter of another script doubles the memory of the whole file.
 */
export const asciiOnly: Plugin = {
  name: 'ascii-only',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = escaped(file.code)
  },
}

/**
 * Strings, templates, regular expressions and names read an escape as the letter itself; the comments are removed
 * before.
 */
function escaped(code: string): string {
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
