import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * What went wrong while a file was imported, in one line: the error and where it is in the file, or in what that imports.
 * The line itself is not shown: it could be the one that holds a secret.
 */
export function faultOf(error: unknown, file: string): string {
  if (!(error instanceof Error)) return String(error)
  const place = placeIn(error.stack ?? '', file) ?? (error instanceof SyntaxError ? syntaxPlace(file) : undefined)
  return `${error.name}: ${error.message}${place === undefined ? '' : ` (${place})`}`
}

/** Node does not say where JavaScript is malformed when it is imported, but does when it is asked to look at a file. */
function syntaxPlace(file: string): string {
  const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 10_000 })
  return placeIn(stderr ?? '', file) ?? 'in a file that it imports'
}

/** The first place that a stack names in the file, else the first in any other before the import itself. */
function placeIn(stack: string, file: string): string | undefined {
  const placesOf = (text = '') => text.split('\n').flatMap(placeOf)
  const [beforeImport] = stack.split(new URL('./', import.meta.url).href)
  const place = placesOf(stack).find((each) => each.file === file) ?? placesOf(beforeImport)[0]
  return place && `${path.relative('', place.file)}:${place.line}`
}

/** `at name (file:///place/file.ts:3:9)` of a frame, or `/place/file.ts:3` above the line that is malformed. */
function placeOf(line: string): { file: string; line: string }[] {
  const [, address, number] =
    /^\s+at .*?(file:\/\/.+?):(\d+):\d+\)?$/.exec(line) ?? /^(file:\/\/.+|\/.+|[A-Za-z]:\\.+):(\d+)$/.exec(line) ?? []
  if (address === undefined || number === undefined) return []
  return [{ file: address.startsWith('file:') ? fileURLToPath(address) : address, line: number }]
}
