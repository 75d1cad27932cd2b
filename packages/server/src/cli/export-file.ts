import { createWriteStream } from 'node:fs'
import { access, link, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { TransferRefused } from '../db/transfer/format.ts'
import { newId } from '../ids.ts'

/**
 * Makes a file of lines, gzipped, for this user alone: people and what proves who they are lie in it. It has its name only
 * once it is whole and on the disk; until then it is beside it under another one, which goes with a failure. Throws a
 * `TransferRefused` where a file of that name exists: none is overwritten.
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
  new TransferRefused(`${file} exists already: no export overwrites a file. Name another one.`)

/** A link refuses a name that somebody has taken meanwhile; only where disks know no links, a new name is given unlooked. */
async function giveName(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken(file) // what the file system throws
    await rename(unfinished, file)
  }
}
