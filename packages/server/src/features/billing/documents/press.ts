import { minutes } from '../../../foundation/clock.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { ownThread } from '../../../foundation/thread/own-thread.ts'
import type { DrawnContent } from './drawing/document-content.ts'
import { hasScriptFonts } from './drawing/script-fonts.ts'
import type { Drawn, PressData, ToDraw } from './press-thread.ts'

declare module '../../../foundation/context.ts' {
  interface Ports {
    /** Draws documents on a thread of its own. Never call it inside a transaction. */
    readonly press: Press
  }
}

/** Draws documents on its own thread: drawing blocks for some hundredths of a second. */
export type Press = {
  /** Draws a document as PDF. Throws SERVICE_UNAVAILABLE if too many documents wait. */
  draw(content: DrawnContent): Promise<Buffer<ArrayBuffer>>
  /** Whether the optional package of script fonts is installed. */
  readonly hasScriptFonts: boolean
  close(): Promise<void>
}

/** The most documents that may wait: about ten seconds of work. */
const mostWaiting = 500
/** An idle thread ends after this time, in milliseconds, and frees its memory: open fonts take 50 to 100 MB. */
const idleLimit = minutes(1)

/** Megabytes. A small young generation collects often and keeps the thread small; no document needs this much. */
const memory = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 }

const busy = (): Error => new TollgateError('SERVICE_UNAVAILABLE', { retryAfter: 5 })

/** `moreFonts`: files that `checkFonts` has accepted. */
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
    hasScriptFonts: hasScriptFonts(),
    close: thread.close,
  }
}
