import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { TollgateError } from '../../../../foundation/error.ts'
import { newId } from '../../../../foundation/ids.ts'

declare module '../../../../foundation/context.ts' {
  interface Ports {
    /** Content of uploaded files. Never call it inside a transaction. */
    readonly files: FileStore
  }
}

/** Size in bytes and SHA-256 in hex. */
export type Written = { readonly size: number; readonly sha256: string }

/** A joined file with its first bytes, which reveal its type. */
export type Joined = Written & { readonly parts: readonly Written[]; readonly head: Buffer }

/** Storage for uploaded files, keyed by the server's own ids and never by a caller's input. */
export type FileStore = {
  /**
   * Stores a part and replaces an earlier one with this number. Throws BODY_TOO_LARGE after `limit` bytes, and
   * rethrows what `check` throws; a refused part leaves nothing behind. Throws TOO_MANY_REQUESTS while the same part
   * is uploading, or the holder of its URL could fill the disk with copies.
   */
  putPart(
    id: string,
    number: number,
    body: AsyncIterable<Uint8Array>,
    options: { readonly limit: number; readonly check: (part: Written) => void },
  ): Promise<Written>
  /** Joins the parts 1 to `count`, unless `check` throws. Throws `MissingPart` if one is missing. */
  join(id: string, count: number, check: (joined: Joined) => void): Promise<Joined>
  /** Reads a joined file; undefined if there is none. */
  open(id: string): Promise<ReadableStream<Uint8Array> | undefined>
  /** Removes the parts of a joined file. */
  removeParts(id: string): Promise<void>
  /** Removes a file with all its parts; does nothing if there is none. */
  remove(id: string): Promise<void>
}

/** Thrown by `join`. */
export class MissingPart extends Error {
  override readonly name = 'MissingPart'
}

/** Bytes that suffice to tell a file's type. */
const headLength = 16
const wholeName = 'whole'
/** Retry-After for a part that is uploading, in seconds. */
const busyWait = 5

/**
 * Stores files on this machine's disk, in a folder each: the parts, then the joined file. It writes under a temporary
 * name and renames, so that a crash leaves no partial file under a final name.
 */
export function createDiskStore(directory: string): FileStore {
  const root = path.resolve(directory)
  const folderOf = (id: string): string => {
    if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw new Error(`not a file id: ${id}`)
    return path.join(root, id.slice(0, 2), id)
  }
  const partOf = (id: string, number: number) => path.join(folderOf(id), `part-${Math.trunc(number)}`)
  /** Parts that this process is writing. */
  const underWay = new Set<string>()
  const wholeOf = (id: string) => path.join(folderOf(id), wholeName)

  /** Writes a stream to a temporary file, and renames it if `check` passes. */
  async function write(target: string, source: AsyncIterable<Uint8Array>, check: () => void): Promise<void> {
    const temporary = `${target}.${newId()}`
    // Opened first: a later open could create the file after its removal.
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
        // Readable by this user only, like the database, because it holds goods for sale.
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

/** Waits until the writes survive a power cut. */
async function synced(place: string): Promise<void> {
  const handle = await open(place, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Counts and hashes a stream as it passes. */
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
    /** Call it after the stream has ended. */
    written: (): Written => {
      digest ??= hash.digest('hex')
      return { size, sha256: digest }
    },
    head: () => head,
  }
}
