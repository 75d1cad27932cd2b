import { mostPicturePixels, pictureTypes } from '@tollgate/contract/picture'
import { imageSize } from 'image-size'
import { minutes } from '../../foundation/clock.ts'
import { TollgateError } from '../../foundation/error.ts'
import { ownThread } from '../../foundation/thread/own-thread.ts'
import type { Developed } from './developing.ts'
import type { AnswerOfThread, ToDevelop } from './developing-thread.ts'

declare module '../../foundation/context.ts' {
  interface Ports {
    /** Makes stored pictures of uploaded ones, on a thread of its own. Never call it inside a transaction. */
    readonly darkroom: Darkroom
  }
}

export type Darkroom = {
  /**
   * The stored form of an upload. Throws PICTURE_UNREADABLE for what is no picture, PICTURE_TOO_LARGE for one with too
   * many pixels, and SERVICE_UNAVAILABLE if too many wait.
   */
  develop(upload: Uint8Array<ArrayBuffer>): Promise<Developed>
  close(): Promise<void>
}

/** The most uploads that may wait: some seconds of work, and 100 MB of uploads. */
const mostWaiting = 20
/** An idle thread ends after this time, in milliseconds: the codecs never return memory. */
const idleLimit = minutes(1)

const busy = (): Error => new TollgateError('SERVICE_UNAVAILABLE', { retryAfter: 5 })

export function createDarkroom(): Darkroom {
  const thread = ownThread<ToDevelop, AnswerOfThread, Developed>({
    from: import.meta.url,
    program: 'developing-thread',
    worker: { resourceLimits: { maxOldGenerationSizeMb: 256 } },
    resultOf: (answer) => {
      if ('failure' in answer) throw new TollgateError('PICTURE_UNREADABLE', { cause: answer.failure })
      return answer.picture
    },
    closed: busy,
    idleLimit,
  })
  return {
    develop: async (upload) => {
      const mediaType = typeOf(upload)
      if (thread.waitingCount() >= mostWaiting) throw busy()
      return thread.ask({ upload: exactly(upload), mediaType })
    },
    close: thread.close,
  }
}

/**
 * The media type by the first bytes, whatever the sender says. The size stands there, too: a picture with too many
 * pixels is refused before it is decoded.
 */
function typeOf(upload: Uint8Array): string {
  const { type, width, height } = sizeIn(upload)
  const mediaType = pictureTypes.find((known) => known === `image/${type === 'jpg' ? 'jpeg' : type}`)
  if (!mediaType || width < 1 || height < 1) throw new TollgateError('PICTURE_UNREADABLE')
  if (width * height > mostPicturePixels) throw new TollgateError('PICTURE_TOO_LARGE')
  return mediaType
}

function sizeIn(upload: Uint8Array): ReturnType<typeof imageSize> {
  try {
    return imageSize(upload)
  } catch (cause) {
    throw new TollgateError('PICTURE_UNREADABLE', { cause })
  }
}

/** Without the rest of a shared buffer, which the message would copy along. */
const exactly = (bytes: Uint8Array<ArrayBuffer>): ArrayBuffer =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
