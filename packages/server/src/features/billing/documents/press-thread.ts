import os from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { proven } from '../../../foundation/proof/proven.ts'
import type { Numbered } from '../../../foundation/thread/own-thread.ts'
import type { DrawnContent } from './drawing/document-content.ts'
import { drawDocument } from './drawing.ts'

/** The thread's start options: font files for letters that the shipped fonts lack. */
export type PressData = { readonly moreFonts: readonly string[] }
/** A document for the thread, and its result. */
export type ToDraw = { readonly content: DrawnContent }
export type Drawn = { readonly id: number } & ({ readonly pdf: Uint8Array } | { readonly failure: string })

// The program of the thread that `press.ts` starts. Its priority is low, so that requests go first: on Linux a priority
// applies to the calling thread, elsewhere to the whole process.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_LOW)

const { moreFonts }: PressData = workerData // `press.ts` passes it

const port = proven(parentPort, 'this program runs as a thread')
port.on('message', async ({ id, content }: Numbered<ToDraw>) => {
  let drawn: Drawn
  try {
    drawn = { id, pdf: await drawDocument(content, { moreFonts }) }
  } catch (error) {
    drawn = { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  port.postMessage(drawn)
})
