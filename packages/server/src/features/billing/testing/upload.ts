import { createHash } from 'node:crypto'
import type { TestServer } from '../../../testing.ts'
import type { TestMerchant } from './merchant.ts'

/** The smallest bytes that begin like a PNG. */
export const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('a picture')])

export const sha256Of = (bytes: Uint8Array, encoding: 'hex' | 'base64') =>
  createHash('sha256').update(bytes).digest(encoding)

type Upload = { readonly bytes?: Uint8Array; readonly partSize?: number } & Record<string, unknown>

/** The announcement of a file with parts of one size. */
export function announced({ bytes = png, partSize = bytes.length, ...given }: Upload = {}) {
  const parts = []
  for (let start = 0; start < bytes.length; start += partSize)
    parts.push({
      number: parts.length + 1,
      chunk_start: start,
      chunk_end: Math.min(bytes.length, start + partSize),
    })
  const body = { name: 'picture.png', mime_type: 'image/png', size: bytes.length, service: 'product_media' }
  return { ...body, upload: { parts }, ...given }
}

/** Sends bytes to a part's URL without further credentials, as an upload client does. */
export const sendPart = (
  { tollgate }: TestServer,
  url: string,
  bytes: Buffer<ArrayBuffer> | ReadableStream<Uint8Array> | string | null,
  headers: Record<string, string> = {},
): Promise<Response> =>
  tollgate.handler(
    new Request(url, { method: 'PUT', body: bytes, headers, ...(bytes !== null && { duplex: 'half' }) } as RequestInit), // `duplex` is missing from the types
    { remoteAddress: '192.0.2.1' },
  )

/** Announces a file and sends its parts; returns the body for `completeFile`. */
export async function sentFile(server: TestServer, merchant: TestMerchant, upload: Upload = {}) {
  const { bytes = png } = upload
  const { status, body: file, text } = await merchant.post('/files/', announced(upload))
  if (status !== 201) throw new Error(`the file was not announced: ${status} ${text}`)
  const parts = []
  for (const part of file.upload.parts) {
    const sent = await sendPart(server, part.url, Buffer.from(bytes.subarray(part.chunk_start, part.chunk_end)))
    if (sent.status !== 200) throw new Error(`the part was not taken: ${sent.status} ${await sent.text()}`)
    parts.push({ number: part.number, checksum_etag: sent.headers.get('etag'), checksum_sha256_base64: null })
  }
  return { file, completion: { id: file.upload.id, path: file.upload.path, parts } }
}

/** Uploads a file completely and returns it. */
export async function uploadedFile(server: TestServer, merchant: TestMerchant, upload: Upload = {}) {
  const { file, completion } = await sentFile(server, merchant, upload)
  const { status, body, text } = await merchant.post(`/files/${file.id}/uploaded`, completion)
  if (status !== 200) throw new Error(`the file was not completed: ${status} ${text}`)
  return body
}
