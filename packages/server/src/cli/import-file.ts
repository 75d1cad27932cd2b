import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { damaged, type Head, readHead, TransferRefused } from '../foundation/db/transfer/format.ts'
import { codeOf, messageOf } from '../foundation/proof/proven.ts'

export type ImportFile = AsyncDisposable & {
  readonly head: Head
  /** The lines after the first; can be read once. */
  readonly lines: AsyncIterable<string>
}

/** The maximum bytes of a line: far more than any row has, and few enough for memory. */
const lineLimit = 64 * 1024 * 1024

/** Opens an export and reads its first line. Throws a `TransferRefused` without one. */
export async function openImportFile(file: string): Promise<ImportFile> {
  const unpacked = createGunzip()
  // Its failures also end `unpacked`, which is read below.
  pipeline(createReadStream(file), unpacked, () => {})
  const lines = linesOf(file, unpacked)
  try {
    const { value } = await lines.next()
    return { head: readHead(value), lines, [Symbol.asyncDispose]: async () => void unpacked.destroy() }
  } catch (error) {
    unpacked.destroy()
    throw error
  }
}

/** Lines end with a line feed only: texts may contain other line separators. */
async function* linesOf(file: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
  let begun: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of chunks) {
      let from = 0
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
        yield Buffer.concat([...begun, chunk.subarray(from, end)]).toString('utf8')
        begun = []
        length = 0
        from = end + 1
      }
      begun.push(chunk.subarray(from))
      length += chunk.length - from
      if (length > lineLimit) throw damaged('a line without an end')
    }
  } catch (error) {
    throw refusalOf(file, error)
  }
  if (length > 0) throw damaged('its last line')
}

/** A file's failure as a readable refusal; other errors stay unchanged. */
function refusalOf(file: string, error: unknown): unknown {
  const code = codeOf(error) ?? ''
  const message = messageOf(error)
  if (code === 'Z_BUF_ERROR') return damaged('it is truncated')
  if (code.startsWith('Z_'))
    return new TransferRefused(`${file} is not a Tollgate export, or is damaged (${message}). Nothing was imported.`)
  if (['ENOENT', 'EISDIR', 'EACCES', 'EPERM'].includes(code))
    return new TransferRefused(`${file} cannot be read: ${message}`)
  return error
}
