import { createWriteStream } from 'node:fs'
import { access, link, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { TransferRefused } from '../foundation/db/transfer/format.ts'
import { newId } from '../foundation/ids.ts'
import { codeOf } from '../foundation/proof/proven.ts'

/**
 * Writes a gzipped file of lines that only this user can read, because it holds personal data and credentials. It gets
 * its name once it is complete and on disk. Until then it has another name beside it, and a failure removes it. Throws
 * a `TransferRefused` if a file of that name exists; none is overwritten.
 */
export async function makeExportFile<T>(
  file: string,
  fill: (write: (lines: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (await exists(file)) throw taken(file)
  const unfinished = `${file}.${newId().slice(0, 8)}.part`
  const gzip = createGzip()
  let failure: unknown
  const written = pipeline(gzip, createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true })).catch(
    (error: Error) => {
      failure = new TransferRefused(`${file} cannot be written: ${error.message}`)
    },
  )
  try {
    const result = await fill(async (lines) => {
      if (failure) throw failure
      if (!gzip.write(lines)) await Promise.race([new Promise((resolve) => gzip.once('drain', resolve)), written])
    })
    gzip.end()
    await written
    if (failure) throw failure
    await giveName(unfinished, file)
    return result
  } finally {
    gzip.destroy()
    await written
    await rm(unfinished, { force: true })
  }
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

const taken = (file: string): TransferRefused =>
  new TransferRefused(`${file} already exists, and no export overwrites a file. Choose another name.`)

/** A link refuses a name taken in the meantime. Where file systems have no links, renaming does not check. */
async function giveName(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw taken(file)
    await rename(unfinished, file)
  }
}
