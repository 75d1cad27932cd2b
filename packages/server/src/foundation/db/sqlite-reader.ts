import type { SQLInputValue } from 'node:sqlite'
import { ownThread } from '../thread/own-thread.ts'
import type { ThreadAnswer, ThreadQuery } from './reading-thread.ts'

/**
 * Reads a SQLite file on a separate thread. The main connection is synchronous: a query over all rows of a large
 * seller would block every request. Here it blocks only other lists. Lists see commits at once (write-ahead log), and
 * never uncommitted rows.
 */
export type Reader = {
  all(sql: string, parameters: readonly SQLInputValue[]): Promise<unknown[]>
  close(): Promise<void>
}

/** The driver's error for a closed connection, which callers get as a retryable error. */
const closed = (): Error => Object.assign(new Error('the database is closed'), { code: 'ERR_INVALID_STATE' })

export function openReader(file: string): Reader {
  const thread = ownThread<ThreadQuery, ThreadAnswer, unknown[]>({
    from: import.meta.url,
    program: 'reading-thread',
    worker: { workerData: file },
    resultOf: (answer) => {
      if ('rows' in answer) return answer.rows
      throw Object.assign(new Error(answer.refused.message), { code: answer.refused.code })
    },
    closed,
  })
  return { all: (sql, parameters) => thread.ask({ sql, parameters }), close: thread.close }
}
