import { Buffer } from 'node:buffer'
import { after, minutes } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { Reply } from '../../../foundation/http/handler.ts'
import { chunksOf } from '../../../foundation/proof/proven.ts'
import { inBody, invalid } from '../invalid.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { findFileById } from './file.repository.ts'

/** Lifetime of a part's upload URL. */
const addressLife = minutes(15)
const purpose = 'file part'

/** A signed URL for uploading a part. The URL is sufficient authorization. */
export function partAddress(ctx: Context, fileId: Id<'file'>, number: number): { url: string; expiresAt: string } {
  const expiresAt = after(ctx.clock.now(), addressLife)
  const secret = ctx.secrets.seal(`${fileId} ${number} ${expiresAt.getTime()}`, purpose)
  return { url: new URL(`/v1/files/parts/${secret}`, ctx.config.baseURL).href, expiresAt: expiresAt.toISOString() }
}

/** Decodes an upload URL; undefined if it is forged or expired. */
function readAddress(ctx: Context, secret: string): { fileId: Id<'file'>; number: number } | undefined {
  let text: string
  try {
    text = ctx.secrets.open(secret, purpose)
  } catch {
    return undefined // altered or forged
  }
  const [fileId = '', number, expiresAt] = text.split(' ')
  return Number(expiresAt) > ctx.clock.now().getTime() ? { fileId, number: Number(number) } : undefined
}

/**
 * Streams a part's bytes to the store; their number must match the announced size. Sending a part again replaces it.
 * The caller passes the response's ETag to `completeFile`.
 */
export const uploadFilePart: BillingHandler<'uploadFilePart', Reply<undefined>> = async ({
  ctx,
  params: { secret },
  file: body,
}) => {
  const address = readAddress(ctx, secret)
  const file = address && (await findFileById(ctx.db, address.fileId))
  const part = address && file?.parts.find(({ number }) => number === address.number)
  if (!file || !part || file.isUploaded) throw new TollgateError('RESOURCE_NOT_FOUND')
  const length = part.chunkEnd - part.chunkStart

  const { sha256 } = await ctx.files.putPart(file.id, part.number, received(body), {
    limit: length,
    check: (written) => {
      if (written.size !== length) throw invalid(inBody([], `The part should have ${length} bytes.`))
      const checksum = Buffer.from(written.sha256, 'hex').toString('base64')
      if (part.checksumSha256Base64 && part.checksumSha256Base64 !== checksum)
        throw invalid(inBody([], 'The part checksum differs from the announced checksum.'))
    },
  })
  return new Reply(undefined, { etag: `"${sha256}"` })
}

/** Blames the sender for a connection that ends early or has wrong framing. */
async function* received(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!body) return
  try {
    yield* chunksOf(body)
  } catch (cause) {
    throw new TollgateError('MALFORMED_REQUEST', { cause })
  }
}
