import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { codeOf, messageOf, proven } from '../proof/proven.ts'
import type { Numbered } from '../thread/own-thread.ts'
import { addFunctions } from './sqlite-functions.ts'

/** A query for the thread, and its answer. */
export type ThreadQuery = { readonly sql: string; readonly parameters: readonly SQLInputValue[] }
export type ThreadAnswer = { readonly id: number } & (
  | { readonly rows: unknown[] }
  | { readonly refused: { readonly message: string; readonly code: string | undefined } }
)

/** The limit of cached statements: each filter and order of a list makes another one. */
const statementLimit = 200

// The program of the thread that `sqlite-reader.ts` starts, with its own read-only connection.
const database = new DatabaseSync(String(workerData), { readOnly: true }) // `sqlite-reader.ts` passes the path of the file
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
    return { id, refused: { message: messageOf(error), code: codeOf(error) } }
  }
}

const port = proven(parentPort, 'this program runs as a thread')
port.on('message', (query: Numbered<ThreadQuery>) => port.postMessage(answerTo(query)))
