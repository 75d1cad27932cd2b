import path from 'node:path'
import type { SQLInputValue } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { ThreadAnswer, ThreadQuery } from './reading-thread.ts'

/**
 * Reads a SQLite file on a thread of its own. The program's one connection is synchronous: a query that looks at every row
 * of a large seller would stop everybody's requests while it lasts. Here it stops nothing but other lists. What has been
 * committed is seen at once (write-ahead log), what has not is not.
 */
export type Reader = {
  all(sql: string, parameters: readonly SQLInputValue[]): Promise<unknown[]>
  close(): Promise<void>
}

type Waiting = { resolve(rows: unknown[]): void; reject(error: Error): void }

/** As the driver says it of a connection that is closed; whoever asks is told to come back. */
const closed = (): Error => Object.assign(new Error('the database is closed'), { code: 'ERR_INVALID_STATE' })

export function openReader(file: string): Reader {
  const waiting = new Map<number, Waiting>()
  let thread: Worker | undefined
  let queries = 0
  let isClosed = false

  /** Started by the first list; of a server that shows none it takes no memory. */
  function started(): Worker {
    if (thread) return thread
    // The extension is `.js` where the packages have been built.
    const program = new URL(`./reading-thread${path.extname(import.meta.url)}`, import.meta.url)
    const made = new Worker(program, { workerData: file })
    made.on('message', (answer: ThreadAnswer) => {
      const query = waiting.get(answer.id)
      waiting.delete(answer.id)
      if (waiting.size === 0) made.unref()
      if ('rows' in answer) query?.resolve(answer.rows)
      else query?.reject(Object.assign(new Error(answer.refused.message), { code: answer.refused.code }))
    })
    // A thread that dies takes its queries with it; the next one starts another.
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

  return {
    all: (sql, parameters) => {
      if (isClosed) return Promise.reject(closed())
      queries += 1
      const query: ThreadQuery = { id: queries, sql, parameters }
      return new Promise((resolve, reject) => {
        const worker = started()
        waiting.set(query.id, { resolve, reject })
        worker.ref() // a process does not end while somebody waits
        worker.postMessage(query)
      })
    },
    close: async () => {
      isClosed = true
      await thread?.terminate()
    },
  }
}
