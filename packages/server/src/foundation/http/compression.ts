import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Endpoint } from '@tollgate/contract/schemas'
import { z } from 'zod'
import type { HttpAnswer } from './answer.ts'
import type { HeaderReader } from './request.ts'

/*
 * The length of a compressed answer shows how often a guess occurs in it (BREACH). So an answer is compressed only if it holds
 * no secret, and only if no other site can have caused the request with the reader's cookies.
 */

/** Members of answers that are secrets, or addresses that may hold one. */
const secretMember = /(?:secret|token)$|^url$|PortalUrl$/i

/** Whether no member of a call's answer is a secret. A call without a described answer sends a file, which is compressible. */
export function isCompressible({ output }: Endpoint): boolean {
  if (!output) return true
  let found = false
  JSON.stringify(z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }), (key, value) => {
    if (key === 'properties') found ||= Object.keys(value).some((name) => secretMember.test(name))
    return value
  })
  return !found
}

/** Whether a request is a program's own, or comes from a page of this server. Only browsers send `Sec-Fetch-Site`, and no page can set it. */
const isOwn = (request: HeaderReader): boolean =>
  request.get('cookie') === null || request.get('sec-fetch-site') === 'same-origin'

/** Bytes below which the frame costs more than compression saves. */
const worthwhile = 1024

/** The encodings that the server makes, in the order in which it prefers them. */
const encoders = {
  br: (bytes: Uint8Array, effort: Effort) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: effort,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Uint8Array, effort: Effort) => promisify(gzip)(bytes, { level: effort }),
} as const

/** 1 for answers of calls: 0.07 ms for 20 kB. 5 for documents, which browsers keep: a fifth smaller, in four times as long. */
type Effort = 1 | 5

export type Encoding = keyof typeof encoders

/** The encoding for a request: what it accepts with the highest quality, brotli first (RFC 9110, 12.5.3). */
export function acceptedEncoding(accepted: string | null | undefined): Encoding | undefined {
  const qualityOf = qualitiesIn(accepted)
  const best = qualityOf('gzip') > qualityOf('br') ? 'gzip' : 'br'
  return qualityOf(best) > 0 ? best : undefined
}

const accepts = (accepted: string | null | undefined, name: Encoding): boolean => qualitiesIn(accepted)(name) > 0

/** Reads the header; one that is far longer than any browser's accepts nothing. */
function qualitiesIn(accepted: string | null | undefined): (name: Encoding) => number {
  const entries = !accepted || accepted.length > 1000 ? [] : accepted.toLowerCase().split(',')
  const qualities = new Map(
    entries.map((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, quality === undefined ? 1 : Number(quality.slice(2))] as const
    }),
  )
  return (name) => qualities.get(name) ?? qualities.get('*') ?? 0
}

/** Compresses a text for a request. Undefined where the request does not accept it or it is not worthwhile. */
export async function encode(
  text: string,
  accepted: string | null | undefined,
  effort: Effort,
): Promise<{ readonly encoding: Encoding; readonly body: Uint8Array<ArrayBuffer> } | undefined> {
  if (text.length < worthwhile) return undefined
  const encoding = acceptedEncoding(accepted)
  if (!encoding) return undefined
  return { encoding, body: new Uint8Array(await encoders[encoding](new TextEncoder().encode(text), effort)) }
}

/** The same document, compressed as the request accepts it. Its ETag becomes weak: the bytes differ by encoding. */
export async function compressed(answer: Response, request: Headers): Promise<Response> {
  const headers = new Headers(answer.headers)
  headers.append('vary', 'accept-encoding')
  const tag = headers.get('etag')
  if (tag && !tag.startsWith('W/')) headers.set('etag', `W/${tag}`)
  if (answer.body === null) return new Response(null, { status: answer.status, headers })
  const text = await answer.text()
  const encoded = await encode(text, request.get('accept-encoding'), 5)
  if (encoded) headers.set('content-encoding', encoded.encoding)
  return new Response(encoded?.body ?? text, { status: answer.status, headers })
}

/** The same answer of a call, compressed if the request accepts it and is safe. A file is compressed while it is sent. */
export async function compressedAnswer(answer: HttpAnswer, request: HeaderReader): Promise<HttpAnswer> {
  const { body } = answer
  if (body === undefined || body instanceof Uint8Array) return answer
  const varying = { ...answer.headers, vary: 'accept-encoding' }
  const accepted = isOwn(request) ? request.get('accept-encoding') : null
  if (body instanceof ReadableStream) {
    if (!accepts(accepted, 'gzip')) return { ...answer, headers: varying }
    const zipped = body.pipeThrough(new CompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>)
    return { ...answer, headers: { ...varying, 'content-encoding': 'gzip' }, body: zipped }
  }
  const encoded = await encode(body, accepted, 1)
  if (!encoded) return { ...answer, headers: varying }
  return { ...answer, headers: { ...varying, 'content-encoding': encoded.encoding }, body: encoded.body }
}
