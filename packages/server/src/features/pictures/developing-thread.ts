import os from 'node:os'
import { parentPort } from 'node:worker_threads'
import { proven } from '../../foundation/proof/proven.ts'
import type { Numbered } from '../../foundation/thread/own-thread.ts'
import { type Developed, develop } from './developing.ts'
import type { PictureHead } from './picture-size.ts'

/** An upload for the thread, and its result. */
export type ToDevelop = PictureHead & { readonly upload: ArrayBuffer }
export type AnswerOfThread = { readonly id: number } & ({ readonly picture: Developed } | { readonly failure: string })

// The program of the thread that `darkroom.ts` starts. Its priority is low, so that requests go first: on Linux a
// priority applies to the calling thread, elsewhere to the whole process.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_LOW)

const port = proven(parentPort, 'this program runs as a thread')

/** One picture at a time: one of 4096 × 4096 pixels takes 220 MB, and 310 MB as a progressive JPEG. */
let before: Promise<unknown> = Promise.resolve()
port.on('message', ({ id, upload, ...head }: Numbered<ToDevelop>) => {
  before = before
    .then(() => develop(upload, head))
    .then((picture): AnswerOfThread => ({ id, picture }))
    .catch((error): AnswerOfThread => ({ id, failure: String(error) }))
    .then((answer) => port.postMessage(answer))
})
