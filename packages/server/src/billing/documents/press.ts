import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { minutes } from '../../clock.ts'
import { TollgateError } from '../../error.ts'
import type { DocumentContent } from './document-content.ts'
import type { Drawn, ToDraw } from './press-thread.ts'

/** Draws documents on a thread of its own: one takes some hundredths of a second, in which nobody else would be answered. */
export type Press = {
  /** The PDF of a document. Refuses with SERVICE_UNAVAILABLE where too many wait already. */
  draw(content: DocumentContent): Promise<Buffer<ArrayBuffer>>
  close(): Promise<void>
}

type Waiting = { resolve(pdf: Buffer<ArrayBuffer>): void; reject(error: Error): void }

/** Documents that wait at most: about ten seconds of work. */
const mostWaiting = 500
/** A thread that has nothing to do for so long gives its memory back: fonts take some 50 MB when they are open. */
const idleLimit = minutes(1)

/** Megabytes. Short-lived objects are put away often, and the thread stays small; no document needs nearly as much. */
const memory = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 }

export function createPress(): Press {
  const waiting = new Map<number, Waiting>()
  let thread: Worker | undefined
  let rest: NodeJS.Timeout | undefined
  let documents = 0
  let isClosed = false

  /** Started by the first document; of a server that sells nothing it takes no memory. */
  function started(): Worker {
    clearTimeout(rest)
    if (thread) return thread
    // The extension is `.js` where the packages have been built.
    const program = new URL(`./press-thread${path.extname(import.meta.url)}`, import.meta.url)
    const made = new Worker(program, { resourceLimits: memory })
    made.on('message', (drawn: Drawn) => {
      const document = waiting.get(drawn.id)
      waiting.delete(drawn.id)
      if (waiting.size === 0) restSoon(made)
      if ('pdf' in drawn) document?.resolve(Buffer.from(drawn.pdf))
      else document?.reject(new Error(drawn.failure))
    })
    // A thread that dies takes its documents with it; the next one starts another.
    const end = (error: Error) => {
      if (thread !== made) return
      thread = undefined
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    made.on('error', end)
    made.on('exit', () => end(closed()))
    thread = made
    return made
  }

  function restSoon(idle: Worker): void {
    idle.unref()
    clearTimeout(rest)
    rest = setTimeout(() => {
      if (waiting.size > 0 || thread !== idle) return
      thread = undefined
      void idle.terminate()
    }, idleLimit)
    rest.unref()
  }

  return {
    draw: (content) => {
      if (isClosed || waiting.size >= mostWaiting)
        return Promise.reject(new TollgateError('SERVICE_UNAVAILABLE', { retryAfter: 5 }))
      documents += 1
      const document: ToDraw = { id: documents, content }
      return new Promise((resolve, reject) => {
        const worker = started()
        waiting.set(document.id, { resolve, reject })
        worker.ref() // a process does not end while somebody waits
        worker.postMessage(document)
      })
    },
    close: async () => {
      isClosed = true
      clearTimeout(rest)
      await thread?.terminate()
    },
  }
}

const closed = (): Error => new TollgateError('SERVICE_UNAVAILABLE', { retryAfter: 5 })
