import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Numbered } from '../own-thread.ts'
import { addFunctions } from './sqlite-functions.ts'

/** A query for the thread, and its answer. */
export type ThreadQuery = { readonly sql: string; readonly parameters: readonly SQLInputValue[] }
export type ThreadAnswer = { readonly id: number } & (
  | { readonly rows: unknown[] }
  | { readonly refused: { readonly message: string; readonly code: string | undefined } }
)

/** Statements kept prepared; lists have few distinct ones, but every filter and order makes another. */
const statementLimit = 200

// The program of the thread that `sqlite-reader.ts` starts: a connection of its own, which only reads.
const database = new DatabaseSync(workerData as string, { readOnly: true }) // the file, as it is started with
database.exec('pragma busy_timeout = 5000')
addFunctions(database)
const statements = new Map<string, StatementSync>()

function prepared(sql: string): StatementSync {
  let statement = statements.get(sql)
  if (!statement) {
    statement = database.prepare(sql)
    if (statements.size < statementLimit) statements.set(sql, statement)
  }
  return statement
}

function answerTo({ id, sql, parameters }: Numbered<ThreadQuery>): ThreadAnswer {
  try {
    return { id, rows: prepared(sql).all(...parameters) }
  } catch (error) {
    const { message, code } = error as Error & { code?: string } // what the driver throws
    return { id, refused: { message, code } }
  }
}

parentPort!.on('message', (query: Numbered<ThreadQuery>) => parentPort!.postMessage(answerTo(query)))
