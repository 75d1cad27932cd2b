import { isUtf8 } from 'node:buffer'
import { TollgateError } from '../error.ts'
import { chunksOf } from '../proof/proven.ts'
import type { BodySource } from './request.ts'

/** 1 MB: no call needs more (RFC 9110, section 15.5.14). */
export const bodyLimit = 1024 * 1024
/** The nesting limit; deeper JSON is refused before parsing. */
const depthLimit = 32

/**
 * The body of a JSON call. An empty body counts as `{}`; other media types get 415, malformed JSON gets 400 (auth
 * contract, section 10).
 */
export async function readJson(request: BodySource): Promise<unknown> {
  const bytes = await readBytes(request, bodyLimit)
  const text = bytes.toString('utf8')
  if (text.trim() === '') return {}
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) throw new TollgateError('UNSUPPORTED_MEDIA_TYPE')
  // Invalid UTF-8 would decode to other characters than the client sent (RFC 8259, section 8.1).
  if (!isUtf8(bytes)) throw new TollgateError('MALFORMED_JSON')
  return parseJson(text)
}

/** Parses JSON; throws JSON_TOO_DEEP or MALFORMED_JSON. */
export function parseJson(text: string): unknown {
  if (jsonDepth(text) > depthLimit) throw new TollgateError('JSON_TOO_DEEP')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new TollgateError('MALFORMED_JSON', { cause })
  }
}

/** The largest form that a provider may post, in bytes. */
const formLimit = 64 * 1024

/** A provider's posted form (OAuth 2.0 Form Post Response Mode), as text by name. The first value counts. */
export async function readForm(request: BodySource): Promise<Record<string, string>> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) return {}
  const values: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(await readText(request, formLimit))) values[name] ??= value
  return values
}

/** Reads at most `limit` bytes of UTF-8; refuses a larger body without reading it to the end. */
export const readText = async (request: BodySource, limit: number): Promise<string> =>
  (await readBytes(request, limit)).toString('utf8')

async function readBytes(request: BodySource, limit: number): Promise<Buffer> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > limit) throw new TollgateError('BODY_TOO_LARGE')
  try {
    return announced > 0 ? await readAnnounced(request, limit) : await readStream(request, limit)
  } catch (cause) {
    // The connection ended before the body did, or its framing was wrong.
    throw cause instanceof TollgateError ? cause : new TollgateError('MALFORMED_REQUEST', { cause })
  }
}

/** The HTTP server enforces the announced length. Reading without a stream takes half the time. */
async function readAnnounced(request: BodySource, limit: number): Promise<Buffer> {
  const read = await request.arrayBuffer()
  const bytes = Buffer.isBuffer(read) ? read : Buffer.from(read)
  if (bytes.byteLength > limit) throw new TollgateError('BODY_TOO_LARGE')
  return bytes
}

/** Reads at most `limit` bytes of an uploaded file; refuses a larger one without reading it to the end. */
export async function readFile(body: ReadableStream<Uint8Array> | null, limit: number): Promise<Buffer<ArrayBuffer>> {
  try {
    return await readStream({ body }, limit)
  } catch (cause) {
    throw cause instanceof TollgateError ? cause : new TollgateError('MALFORMED_REQUEST', { cause })
  }
}

/** The size that a buffer starts with; it doubles when it is full. */
const firstRoom = 16 * 1024

/** The bytes are copied at once: a list of one-byte chunks would take a hundred times their size. */
async function readStream({ body }: Pick<BodySource, 'body'>, limit: number): Promise<Buffer<ArrayBuffer>> {
  let room = Buffer.alloc(0)
  let size = 0
  if (!body) return room
  for await (const chunk of chunksOf(body)) {
    const end = size + chunk.byteLength
    if (end > limit) throw new TollgateError('BODY_TOO_LARGE')
    if (end > room.byteLength)
      room = enlarged(room.subarray(0, size), Math.min(limit, Math.max(end, firstRoom, 2 * size)))
    room.set(chunk, size)
    size = end
  }
  return room.subarray(0, size)
}

function enlarged(bytes: Buffer, size: number): Buffer<ArrayBuffer> {
  const room = Buffer.alloc(size)
  room.set(bytes)
  return room
}

/** The deepest nesting of brackets outside strings. */
function jsonDepth(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (inString) {
      if (character === '\\') index += 1
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth > deepest) deepest = depth
    } else if (character === '}' || character === ']') depth -= 1
  }
  return deepest
}
