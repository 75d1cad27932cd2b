import os from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { Numbered } from '../../own-thread.ts'
import type { DrawnContent } from './document-content.ts'
import { drawDocument } from './drawing.ts'

/** What the thread is told when it starts: font files for letters that the shipped fonts lack. */
export type PressData = { readonly moreFonts: readonly string[] }
/** A document for the thread, and what came of it. */
export type ToDraw = { readonly content: DrawnContent }
export type Drawn = { readonly id: number } & ({ readonly pdf: Uint8Array } | { readonly failure: string })

// The program of the thread that `press.ts` starts. Whoever waits for an answer goes first: on Linux a priority is of the
// thread that asks for it; elsewhere it would be the whole process's.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_LOW)

const { moreFonts } = workerData as PressData // what `press.ts` gives it

parentPort!.on('message', async ({ id, content }: Numbered<ToDraw>) => {
  let drawn: Drawn
  try {
    drawn = { id, pdf: await drawDocument(content, { moreFonts }) }
  } catch (error) {
    drawn = { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  parentPort!.postMessage(drawn)
})
