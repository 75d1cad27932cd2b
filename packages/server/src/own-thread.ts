import path from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Work that would hold up everybody's requests while it lasts, done by a thread of its own that is asked by messages. */
export type OwnThread<Asked, Result> = {
  ask(asked: Asked): Promise<Result>
  /** How many wait for an answer. */
  waitingCount(): number
  close(): Promise<void>
}

/** What goes to the thread, and what comes back. */
export type Numbered<Asked> = Asked & { readonly id: number }

type Waiting<Result> = { resolve(result: Result): void; reject(error: Error): void }

type Terms<Answer, Result> = {
  /** The address of the module that asks, and the name of the thread's program beside it. */
  readonly from: string
  readonly program: string
  readonly worker?: WorkerOptions
  /** What an answer gives; throws what it refuses. */
  resultOf(answer: Answer): Result
  /** What whoever asks is told when the thread has been closed, or has died. */
  closed(): Error
  /** Milliseconds after which a thread that has nothing to do gives its memory back; without it, it stays. */
  readonly idleLimit?: number
}

/** Started by the first question: of a server that never asks it takes no memory. */
export function ownThread<Asked extends object, Answer extends { readonly id: number }, Result>(
  terms: Terms<Answer, Result>,
): OwnThread<Asked, Result> {
  const { from, program, worker, resultOf, closed, idleLimit } = terms
  const waiting = new Map<number, Waiting<Result>>()
  let thread: Worker | undefined
  let rest: NodeJS.Timeout | undefined
  let questions = 0
  let isClosed = false

  function started(): Worker {
    clearTimeout(rest)
    if (thread) return thread
    // The extension is `.js` where the packages have been built.
    const made = new Worker(new URL(`./${program}${path.extname(from)}`, from), worker)
    made.on('message', (answer: Answer) => {
      const question = waiting.get(answer.id)
      waiting.delete(answer.id)
      if (waiting.size === 0) restSoon(made)
      try {
        question?.resolve(resultOf(answer))
      } catch (error) {
        question?.reject(error as Error) // `resultOf` throws nothing else
      }
    })
    // A thread that dies takes what it was asked with it; the next question starts another one.
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
    if (idleLimit === undefined) return
    clearTimeout(rest)
    rest = setTimeout(() => {
      if (waiting.size > 0 || thread !== idle) return
      thread = undefined
      void idle.terminate()
    }, idleLimit)
    rest.unref()
  }

  return {
    ask: (asked) => {
      if (isClosed) return Promise.reject(closed())
      questions += 1
      const question: Numbered<Asked> = { ...asked, id: questions }
      return new Promise((resolve, reject) => {
        const asking = started()
        waiting.set(question.id, { resolve, reject })
        asking.ref() // a process does not end while somebody waits
        asking.postMessage(question)
      })
    },
    waitingCount: () => waiting.size,
    close: async () => {
      isClosed = true
      clearTimeout(rest)
      await thread?.terminate()
    },
  }
}
