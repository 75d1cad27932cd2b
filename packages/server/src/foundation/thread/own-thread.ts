import path from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Runs work in a thread of its own, reached by messages, because it would block all requests. */
export type OwnThread<Asked, Result> = {
  ask(asked: Asked): Promise<Result>
  /** The number of pending answers. */
  waitingCount(): number
  /** Ends an idle thread and frees its memory; the next request starts another one. */
  end(): Promise<void>
  close(): Promise<void>
}

/** The messages to the thread, and back. */
export type Numbered<Asked> = Asked & { readonly id: number }

type Waiting<Result> = { resolve(result: Result): void; reject(error: Error): void }

type Terms<Answer, Result> = {
  /** The address of the calling module, and the name of the thread's program beside it. */
  readonly from: string
  readonly program: string
  readonly worker?: WorkerOptions
  /** The result of an answer; throws its refusal. */
  resultOf(answer: Answer): Result
  /** The error for callers when the thread has closed or died. */
  closed(): Error
  /** Milliseconds after which an idle thread exits and frees its memory; without it, it stays. */
  readonly idleLimit?: number
}

/** Started by the first request, so that an unused thread takes no memory. */
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
    // The extension is `.js` in built packages.
    const made = new Worker(new URL(`./${program}${path.extname(from)}`, from), worker)
    made.on('message', (answer: Answer) => {
      const question = waiting.get(answer.id)
      waiting.delete(answer.id)
      if (waiting.size === 0) restSoon(made)
      try {
        question?.resolve(resultOf(answer))
      } catch (error) {
        question?.reject(error instanceof Error ? error : new Error(String(error)))
      }
    })
    // A thread that dies loses its requests; the next request starts another one.
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
        asking.ref() // keeps the process alive while a caller waits
        asking.postMessage(question)
      })
    },
    waitingCount: () => waiting.size,
    end: async () => {
      if (waiting.size > 0) return
      clearTimeout(rest)
      const idle = thread
      thread = undefined
      await idle?.terminate()
    },
    close: async () => {
      isClosed = true
      clearTimeout(rest)
      await thread?.terminate()
    },
  }
}
