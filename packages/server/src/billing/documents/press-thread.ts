import { parentPort } from 'node:worker_threads'
import type { DocumentContent } from './document-content.ts'
import { drawDocument } from './drawing.ts'

/** A document for the thread, and what came of it. */
export type ToDraw = { readonly id: number; readonly content: DocumentContent }
export type Drawn = { readonly id: number } & ({ readonly pdf: Uint8Array } | { readonly failure: string })

// The program of the thread that `press.ts` starts.
parentPort!.on('message', async ({ id, content }: ToDraw) => {
  let drawn: Drawn
  try {
    drawn = { id, pdf: await drawDocument(content) }
  } catch (error) {
    drawn = { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  parentPort!.postMessage(drawn)
})
