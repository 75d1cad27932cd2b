import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { TollgateError } from '../../../error.ts'
import { newId } from '../../../ids.ts'

/** What has been written: its size in bytes, and its SHA-256 in hex. */
export type Written = { readonly size: number; readonly sha256: string }

/** A file that was put together, with the first bytes of it, which say what it is. */
export type Joined = Written & { readonly parts: readonly Written[]; readonly head: Buffer }

/** Where the bytes of uploaded files are. Files are known by the ids that we gave them, and by nothing that a caller chose. */
export type FileStore = {
  /**
   * Keeps a part, in place of an earlier one of this number. More than `limit` bytes are refused with BODY_TOO_LARGE and
   * not read on; what `check` throws is refused, too. Nothing is left of a part that was refused. While a part is being sent
   * it cannot be sent a second time (TOO_MANY_REQUESTS): whoever knows its address could fill the disk with copies.
   */
  putPart(
    id: string,
    number: number,
    body: AsyncIterable<Uint8Array>,
    options: { readonly limit: number; readonly check: (part: Written) => void },
  ): Promise<Written>
  /** Puts the parts from 1 to `count` together, unless `check` throws. Throws a `MissingPart` where one is not there. */
  join(id: string, count: number, check: (joined: Joined) => void): Promise<Joined>
  /** The bytes of a file that was put together; nothing where there is none. */
  open(id: string): Promise<ReadableStream<Uint8Array> | undefined>
  /** Removes the parts of a file that has been put together. */
  removeParts(id: string): Promise<void>
  /** Removes a file with all its parts; nothing where there is none. */
  remove(id: string): Promise<void>
}

/** Thrown by `join`. */
export class MissingPart extends Error {
  override readonly name = 'MissingPart'
}

/** Enough of a file to tell its kind. */
const headLength = 16
const wholeName = 'whole'
/** When a part that is being sent may be tried again, in seconds. */
const busyWait = 5

/**
 * Files on a disk of this machine: a folder for each, with its parts and, at last, the whole. Everything is written under
 * another name and then renamed, so that a process that dies leaves no half of a file under its name.
 */
export function createDiskStore(directory: string): FileStore {
  const root = path.resolve(directory)
  const folderOf = (id: string): string => {
    if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw new Error(`no id of a file: ${id}`)
    return path.join(root, id.slice(0, 2), id)
  }
  const partOf = (id: string, number: number) => path.join(folderOf(id), `part-${Math.trunc(number)}`)
  /** The parts that this process is writing. */
  const underWay = new Set<string>()
  const wholeOf = (id: string) => path.join(folderOf(id), wholeName)

  /** Writes a stream under a name of its own, and renames it when `check` has nothing against it. */
  async function write(target: string, source: AsyncIterable<Uint8Array>, check: () => void): Promise<void> {
    const temporary = `${target}.${newId()}`
    // Opened before anything can fail: else it could come into being after it was removed.
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(source)
      check()
      await file.sync()
      await file.close()
      await rename(temporary, target)
    } catch (error) {
      await file.close()
      await rm(temporary, { force: true })
      throw error
    }
  }

  return {
    putPart: async (id, number, body, { limit, check }) => {
      const target = partOf(id, number)
      if (underWay.has(target)) throw new TollgateError('TOO_MANY_REQUESTS', { retryAfter: busyWait })
      underWay.add(target)
      try {
        // For this user alone, like the database: what is sold lies in it.
        await mkdir(folderOf(id), { recursive: true, mode: 0o700 })
        const part = measured(body, limit)
        await write(target, part.stream, () => check(part.written()))
        return part.written()
      } finally {
        underWay.delete(target)
      }
    },
    join: async (id, count, check) => {
      const parts: Written[] = []
      async function* joined(): AsyncGenerator<Uint8Array> {
        for (let number = 1; number <= count; number += 1) {
          const part = measured(createReadStream(partOf(id, number)))
          yield* part.stream
          parts.push(part.written())
        }
      }
      const whole = measured(joined())
      const result = (): Joined => ({ ...whole.written(), parts, head: whole.head() })
      try {
        await write(wholeOf(id), whole.stream, () => check(result()))
      } catch (error) {
        throw isAbsent(error) ? new MissingPart('a part has not been uploaded', { cause: error }) : error
      }
      await synced(folderOf(id))
      return result()
    },
    open: async (id) => {
      try {
        const file = await open(wholeOf(id))
        return Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array> // the same class under Node's own type
      } catch (error) {
        if (isAbsent(error)) return undefined
        throw error
      }
    },
    removeParts: async (id) => {
      const names = await readdir(folderOf(id)).catch((error) => {
        if (isAbsent(error)) return []
        throw error
      })
      for (const name of names.filter((each) => each !== wholeName))
        await rm(path.join(folderOf(id), name), { force: true })
    },
    remove: (id) => rm(folderOf(id), { recursive: true, force: true }),
  }
}

const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Waits until what was written survives a power cut. */
async function synced(place: string): Promise<void> {
  const handle = await open(place, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A stream that is counted, and hashed, while it passes. */
function measured(source: AsyncIterable<Uint8Array>, limit = Number.POSITIVE_INFINITY) {
  const hash = createHash('sha256')
  let size = 0
  let head = Buffer.alloc(0)
  let digest: string | undefined
  async function* stream(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      size += chunk.byteLength
      if (size > limit) throw new TollgateError('BODY_TOO_LARGE')
      hash.update(chunk)
      if (head.length < headLength) head = Buffer.concat([head, chunk.subarray(0, headLength - head.length)])
      yield chunk
    }
  }
  return {
    stream: stream(),
    /** Known when the stream has ended. */
    written: (): Written => {
      digest ??= hash.digest('hex')
      return { size, sha256: digest }
    },
    head: () => head,
  }
}
