import { mostPictureBytes } from '@tollgate/contract/picture'
import type { Context } from '../../foundation/context.ts'
import type { Tx } from '../../foundation/db/database.ts'
import { readFile } from '../../foundation/http/body.ts'
import { withUploadPlace } from '../../foundation/http/running-uploads.ts'
import { newUuid } from '../../foundation/ids.ts'
import type { Developed } from './developing.ts'
import {
  deleteAllPicturesOf,
  type Holder,
  listPicturesOf,
  type PictureRow,
  replacePicture,
} from './picture.repository.ts'

/** A picture that is ready to be stored. */
export type NewPicture = Developed & {
  readonly id: string
  /** Its public address. It never shows another picture, so that caches keep it. */
  readonly url: string
}

/**
 * Reads and develops an upload of a user. It takes long: call it before the transaction, and check the caller's rights
 * again inside.
 */
export async function receivePicture(
  ctx: Context,
  userId: string,
  file: ReadableStream<Uint8Array> | null,
): Promise<NewPicture> {
  const upload = await withUploadPlace(userId, () => readFile(file, mostPictureBytes))
  const developed = await ctx.darkroom.develop(upload, userId)
  const id = newUuid()
  return { ...developed, id, url: pictureAddress({ id, ...developed }, ctx.config.baseURL.origin) }
}

/** Stores a picture in place of the holder's former one, in the transaction that writes its address to the holder. */
export const storePicture = (
  ctx: Context,
  tx: Tx,
  holder: Partial<Holder>,
  { id, mediaType, width, height, bytes }: NewPicture,
): Promise<void> =>
  replacePicture(tx, {
    id,
    userId: null,
    organizationId: null,
    ...holder,
    publicOrigin: ctx.config.baseURL.origin,
    mediaType,
    width,
    height,
    createdAt: ctx.clock.now(),
    content: Buffer.from(bytes).toString('base64'),
  })

/**
 * Deletes the holder's stored picture and replaced logos unless `address` shows one: a removed picture must not stay
 * public. Call it in each transaction that writes an address to the holder, after that write.
 */
export async function forgetUnlessShown(tx: Tx, holder: Partial<Holder>, address: string | null): Promise<void> {
  const whole = { userId: null, organizationId: null, ...holder }
  const stored = await listPicturesOf(tx, whole)
  const isShown = stored.some(({ id }) => address?.includes(`/pictures/${id}.`))
  if (!isShown) await deleteAllPicturesOf(tx, whole)
}

const extensions = { 'image/jpeg': 'jpg', 'image/png': 'png' } as const

/** The address of a picture at an origin. */
export const pictureAddress = ({ id, mediaType }: Pick<PictureRow, 'id' | 'mediaType'>, origin: string): string =>
  new URL(`/pictures/${id}.${extensions[mediaType]}`, origin).href
