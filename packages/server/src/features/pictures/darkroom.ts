import { mostPicturePixels } from '@tollgate/contract/picture'
import { seconds } from '../../foundation/clock.ts'
import { TollgateError } from '../../foundation/error.ts'
import { ownThread } from '../../foundation/thread/own-thread.ts'
import type { Developed } from './developing.ts'
import type { AnswerOfThread, ToDevelop } from './developing-thread.ts'
import { countScans } from './jpeg-scans.ts'
import { type PictureHead, pictureHead } from './picture-size.ts'
import { createTurns } from './turns.ts'

declare module '../../foundation/context.ts' {
  interface Ports {
    /** Makes stored pictures of uploaded ones, on a thread of its own. Never call it inside a transaction. */
    readonly darkroom: Darkroom
  }
}

export type Darkroom = {
  /**
   * The stored form of an upload. Users take turns, so that one who sends many holds up no other. Throws
   * PICTURE_UNREADABLE for what is no picture, PICTURE_TOO_LARGE for one with too many pixels, TOO_MANY_REQUESTS if too
   * many of the user wait, and SERVICE_UNAVAILABLE if too many of all users do.
   */
  develop(upload: Uint8Array<ArrayBuffer>, userId: string): Promise<Developed>
  close(): Promise<void>
}

/** The most uploads that may wait: some seconds of work, and 100 MB of uploads. */
const mostWaiting = { ofAll: 20, ofOne: 4 }
/** An idle thread ends after this time, in milliseconds: the codecs never return memory. */
const idleLimit = seconds(5)
/** After a picture with more pixels the thread ends at once, because it would hold 120 MB or more. */
const largePixels = 2048 * 2048
/** The longest side of an upload: a picture of one line of pixels would take the codecs seconds. */
const longestSide = 8192
/** The most scans of a JPEG: each makes the codec pass over the whole picture. Usual programs write at most 20. */
const mostScans = 32

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
  const turns = createTurns(mostWaiting)
  let ended: Promise<unknown> = Promise.resolve()
  return {
    develop: async (upload, userId) => {
      const head = headOf(upload)
      return turns.take(userId, async () => {
        // Two threads at once would need twice the memory.
        await ended
        try {
          return await thread.ask({ upload: exactly(upload), ...head })
        } finally {
          if (head.width * head.height > largePixels) ended = thread.end()
        }
      })
    },
    close: thread.close,
  }
}

/**
 * What the first bytes say, whatever the sender does. A picture with too many pixels or scans is refused before it is
 * decoded.
 */
function headOf(upload: Uint8Array): PictureHead {
  const head = pictureHead(upload)
  if (!head) throw new TollgateError('PICTURE_UNREADABLE')
  const { width, height } = head
  if (width * height > mostPicturePixels || Math.max(width, height) > longestSide)
    throw new TollgateError('PICTURE_TOO_LARGE')
  if (head.mediaType === 'image/jpeg' && countScans(upload) > mostScans) throw new TollgateError('PICTURE_UNREADABLE')
  return head
}

/** Without the rest of a shared buffer, which the message would copy along. */
const exactly = (bytes: Uint8Array<ArrayBuffer>): ArrayBuffer =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
