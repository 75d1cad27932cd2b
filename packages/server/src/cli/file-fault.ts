import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The fault of an imported file in one line: the error and its place in the file, or in a file that it imports. The
 * line itself is not shown, because it could hold a secret.
 */
export function faultOf(error: unknown, file: string): string {
  if (!(error instanceof Error)) return String(error)
  const place = placeIn(error.stack ?? '', file) ?? (error instanceof SyntaxError ? syntaxPlace(file) : undefined)
  return `${error.name}: ${error.message}${place === undefined ? '' : ` (${place})`}`
}

/** When importing malformed JavaScript, Node does not say where it is malformed; `--check` does. */
function syntaxPlace(file: string): string {
  const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 10_000 })
  return placeIn(stderr ?? '', file) ?? 'in a file that it imports'
}

/** The first place in the file that a stack names, else the first in any other file before the import itself. */
function placeIn(stack: string, file: string): string | undefined {
  const placesOf = (text = '') => text.split('\n').flatMap(placeOf)
  const [beforeImport] = stack.split(new URL('./', import.meta.url).href)
  const place = placesOf(stack).find((each) => each.file === file) ?? placesOf(beforeImport)[0]
  return place && `${path.relative('', place.file)}:${place.line}`
}

/** `at name (file:///place/file.ts:3:9)` of a frame, or `/place/file.ts:3` above the malformed line. */
function placeOf(line: string): { file: string; line: string }[] {
  const [, address, number] =
    /^\s+at .*?(file:\/\/.+?):(\d+):\d+\)?$/.exec(line) ?? /^(file:\/\/.+|\/.+|[A-Za-z]:\\.+):(\d+)$/.exec(line) ?? []
  if (address === undefined || number === undefined) return []
  return [{ file: address.startsWith('file:') ? fileURLToPath(address) : address, line: number }]
}
