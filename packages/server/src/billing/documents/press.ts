import { minutes } from '../../clock.ts'
import { TollgateError } from '../../error.ts'
import { ownThread } from '../../own-thread.ts'
import type { DrawnContent } from './document-content.ts'
import type { Drawn, PressData, ToDraw } from './press-thread.ts'

/** Draws documents on a thread of its own: one takes some hundredths of a second, in which nobody else would be answered. */
export type Press = {
  /** The PDF of a document. Refuses with SERVICE_UNAVAILABLE where too many wait already. */
  draw(content: DrawnContent): Promise<Buffer<ArrayBuffer>>
  close(): Promise<void>
}

/** Documents that wait at most: about ten seconds of work. */
const mostWaiting = 500
/** A thread that has nothing to do for so long gives its memory back: fonts take 50 to 100 MB when they are open. */
const idleLimit = minutes(1)

/** Megabytes. Short-lived objects are put away often, and the thread stays small; no document needs nearly as much. */
const memory = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 }

const busy = (): Error => new TollgateError('SERVICE_UNAVAILABLE', { retryAfter: 5 })

/** `moreFonts`: files that were checked by `checkFonts`. */
export function createPress(moreFonts: readonly string[] = []): Press {
  const thread = ownThread<ToDraw, Drawn, Buffer<ArrayBuffer>>({
    from: import.meta.url,
    program: 'press-thread',
    worker: { resourceLimits: memory, workerData: { moreFonts } satisfies PressData },
    resultOf: (drawn) => {
      if ('failure' in drawn) throw new Error(drawn.failure)
      return Buffer.from(drawn.pdf)
    },
    closed: busy,
    idleLimit,
  })
  return {
    draw: (content) => (thread.waitingCount() >= mostWaiting ? Promise.reject(busy()) : thread.ask({ content })),
    close: thread.close,
  }
}
