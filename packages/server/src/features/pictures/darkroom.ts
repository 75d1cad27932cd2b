import { mostPicturePixels } from '@tollgate/contract/picture'
import { seconds } from '../../foundation/clock.ts'
import { TollgateError } from '../../foundation/error.ts'
import { ownThread } from '../../foundation/thread/own-thread.ts'
import type { Developed } from './developing.ts'
import type { AnswerOfThread, ToDevelop } from './developing-thread.ts'
import { type PictureHead, pictureHead } from './picture-size.ts'

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
/** An idle thread ends after this time, in milliseconds: the codecs never return memory, half a gigabyte for the largest. */
const idleLimit = seconds(5)
/** The longest side of an upload: a picture of one line of pixels would take the codecs seconds. */
const longestSide = 8192

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
      const head = headOf(upload)
      if (thread.waitingCount() >= mostWaiting) throw busy()
      return thread.ask({ upload: exactly(upload), ...head })
    },
    close: thread.close,
  }
}

/**
 * What the first bytes say, whatever the sender does. A picture with too many pixels is refused before it is decoded.
 */
function headOf(upload: Uint8Array): PictureHead {
  const head = pictureHead(upload)
  if (!head) throw new TollgateError('PICTURE_UNREADABLE')
  const { width, height } = head
  if (width * height > mostPicturePixels || Math.max(width, height) > longestSide)
    throw new TollgateError('PICTURE_TOO_LARGE')
  return head
}

/** Without the rest of a shared buffer, which the message would copy along. */
const exactly = (bytes: Uint8Array<ArrayBuffer>): ArrayBuffer =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
