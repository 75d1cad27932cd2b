import type { SQLInputValue } from 'node:sqlite'
import { ownThread } from '../own-thread.ts'
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

/** As the driver says it of a connection that is closed; whoever asks is told to come back. */
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
