import { isUtf8 } from 'node:buffer'
import { TollgateError } from '../error.ts'

/** 1 MB: no call of ours needs more (RFC 9110, section 15.5.14). */
export const bodyLimit = 1024 * 1024
/** Levels of nesting; deeper JSON is refused before it is parsed. */
const depthLimit = 32

/**
 * The body of a JSON call. An empty one counts as `{}`, anything but JSON is refused by 415, malformed JSON by 400
 * (auth contract, section 10).
 */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBytes(request, bodyLimit)
  const text = bytes.toString('utf8')
  if (text.trim() === '') return {}
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) throw new TollgateError('UNSUPPORTED_MEDIA_TYPE')
  // What is no text would be read as other letters than were sent (RFC 8259, section 8.1).
  if (!isUtf8(bytes)) throw new TollgateError('MALFORMED_JSON')
  return parseJson(text)
}

/** Refuses with JSON_TOO_DEEP or MALFORMED_JSON what is none, or more than any call needs. */
export function parseJson(text: string): unknown {
  if (jsonDepth(text) > depthLimit) throw new TollgateError('JSON_TOO_DEEP')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new TollgateError('MALFORMED_JSON', { cause })
  }
}

/** Longest form that a provider posts to us. */
const formLimit = 64 * 1024

/** A posted form, as text by name: what a provider's page sends (OAuth 2.0 Form Post Response Mode). The first of a name counts. */
export async function readForm(request: Request): Promise<Record<string, string>> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) return {}
  const values: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(await readText(request, formLimit))) values[name] ??= value
  return values
}

/** Reads at most `limit` bytes of UTF-8; more is refused without being read to its end. */
export const readText = async (request: Request, limit: number): Promise<string> =>
  (await readBytes(request, limit)).toString('utf8')

async function readBytes(request: Request, limit: number): Promise<Buffer> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > limit) throw new TollgateError('BODY_TOO_LARGE')
  try {
    return announced > 0 ? await readAnnounced(request, limit) : await readStream(request, limit)
  } catch (cause) {
    // The connection ended before the body did, or its framing was wrong.
    throw cause instanceof TollgateError ? cause : new TollgateError('MALFORMED_REQUEST', { cause })
  }
}

/** An HTTP server hands on no more than was announced. Without a stream around it, that is read in half the time. */
async function readAnnounced(request: Request, limit: number): Promise<Buffer> {
  const bytes = Buffer.from(await request.arrayBuffer())
  if (bytes.byteLength > limit) throw new TollgateError('BODY_TOO_LARGE')
  return bytes
}

async function readStream(request: Request, limit: number): Promise<Buffer> {
  if (!request.body) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > limit) throw new TollgateError('BODY_TOO_LARGE')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
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
