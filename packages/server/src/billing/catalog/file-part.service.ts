import { Buffer } from 'node:buffer'
import { after, minutes } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { TollgateError } from '../../error.ts'
import { Reply } from '../../http/billing-route.ts'
import { inBody, invalid } from '../invalid.ts'
import { findFileById } from './file.repository.ts'

/** How long a part may be sent to its address. */
const addressLife = minutes(15)
const purpose = 'file part'

/** Where a part is sent, by whoever knows the address and without any other proof. */
export function partAddress(ctx: Context, fileId: string, number: number): { url: string; expiresAt: string } {
  const expiresAt = after(ctx.clock.now(), addressLife)
  const secret = ctx.secrets.seal(`${fileId} ${number} ${expiresAt.getTime()}`, purpose)
  return { url: new URL(`/v1/files/parts/${secret}`, ctx.config.baseURL).href, expiresAt: expiresAt.toISOString() }
}

/** What an address says; nothing when it is none of ours, or its time is over. */
function readAddress(ctx: Context, secret: string): { fileId: string; number: number } | undefined {
  let text: string
  try {
    text = ctx.secrets.open(secret, purpose)
  } catch {
    return undefined // altered, or never ours
  }
  const [fileId = '', number, expiresAt] = text.split(' ')
  return Number(expiresAt) > ctx.clock.now().getTime() ? { fileId, number: Number(number) } : undefined
}

/** As the file keeps them. */
type Part = { readonly number: number; readonly chunkStart: number; readonly chunkEnd: number } & {
  readonly checksumSha256Base64?: string | null
}

/**
 * Takes the bytes of a part, straight to where they are kept: as many as were announced, no more and no less. Sent again, the
 * part is replaced. The ETag of the answer is what `completeFile` wants to hear.
 */
export async function uploadFilePart(
  ctx: Context,
  secret: string,
  body: ReadableStream<Uint8Array> | null,
): Promise<Reply<undefined>> {
  const address = readAddress(ctx, secret)
  const file = address && (await findFileById(ctx.db, address.fileId))
  const part = file && (file.parts as Part[]).find(({ number }) => number === address.number)
  if (!part || file.isUploaded) throw new TollgateError('RESOURCE_NOT_FOUND')
  const length = part.chunkEnd - part.chunkStart

  const { sha256 } = await ctx.files.putPart(file.id, part.number, received(body), {
    limit: length,
    check: (written) => {
      if (written.size !== length) throw invalid(inBody([], `The part should have ${length} bytes.`))
      const checksum = Buffer.from(written.sha256, 'hex').toString('base64')
      if (part.checksumSha256Base64 && part.checksumSha256Base64 !== checksum)
        throw invalid(inBody([], 'The part has another checksum than was announced.'))
    },
  })
  return new Reply(undefined, { etag: `"${sha256}"` })
}

/** A connection that ends too early, or whose framing is wrong, is its sender's fault. */
async function* received(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!body) return
  try {
    yield* body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>
  } catch (cause) {
    throw new TollgateError('MALFORMED_REQUEST', { cause })
  }
}
