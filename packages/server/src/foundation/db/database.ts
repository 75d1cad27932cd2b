import type { Kysely, Transaction } from 'kysely'
import { membersOf } from '../proof/proven.ts'
import { openPostgres } from './postgres.ts'
import type { SessionRow } from './session-row.ts'
import { openSqlite } from './sqlite.ts'
import type { RowId } from './tables/columns.ts'
import type { Tables } from './tables.ts'
import type { AnswerKind } from './written-tables.ts'

/** For reads. Writes take a `Tx`, so a write outside a transaction does not compile. */
export type Db = Kysely<Tables>
/** An open transaction; `ctx.transaction` passes it to services. */
export type Tx = Transaction<Tables>
/** The id of a row of the named table. A plain text is assignable to it, an id of another table is not. */
export type Id<Name extends keyof Tables> = RowId<Name>

/**
 * For lists and other reads of many rows. SQLite runs them on a separate thread, so they block no other request. Never
 * use it inside a transaction.
 */
export type Lists = Pick<Database, 'dialect' | 'db'>

/** One of the two databases, behind the only interface that the rest of the server uses. */
export type Database = {
  readonly dialect: 'sqlite' | 'postgres'
  readonly db: Db
  readonly lists: Lists
  /**
   * A number that changes when an answer of this kind may have changed, in this process or another. Undefined when
   * unknown: then no answer may come from memory.
   */
  version(kind: AnswerKind): number | undefined
  /** The session with this token and its user, in one indexed read. The caller checks expiry. */
  findSessionRow(token: string): Promise<SessionRow | undefined>
  /** Resolves when every commit so far survives a power cut; PostgreSQL ensures it at commit. */
  flush(): Promise<void>
  /** For long work such as a migration. All other statements have a timeout. */
  withoutTimeouts<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** The database server's time, to compare clocks. */
  now(): Promise<Date>
  /** Rejects when the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Opens `sqlite:PATH`, `file:PATH`, `sqlite::memory:`, `postgres://…` or `postgresql://…`. */
export function openDatabase(url: string): Database {
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url)
  return openSqlite(url.replace(/^(sqlite|file):(\/\/(?=\/))?/, ''))
}

/** Unique columns whose conflicts callers tell apart, with their tables. */
const uniqueColumns = { email: 'user.email', username: 'user.username', slug: 'organization.slug' } as const

/**
 * Whether a statement failed because the row, or a row with the same value in the named column, already exists. SQLite
 * and PostgreSQL report it differently.
 */
export function isUniqueViolation(error: unknown, column?: keyof typeof uniqueColumns): boolean {
  if (!(error instanceof Error)) return false
  const { code, constraint } = membersOf(error)
  if (code === '23505') return column === undefined || constraint === `${uniqueColumns[column].replace('.', '_')}_key`
  const failed = code === 'ERR_SQLITE_ERROR' ? /UNIQUE constraint failed: (\S+)/.exec(error.message) : null
  return failed !== null && (column === undefined || failed[1] === uniqueColumns[column])
}

/** Whether an error means that the database is unavailable or out of resources, so the caller may retry later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  // The driver is closed while the server stops.
  if (code === 'ERR_INVALID_STATE' || /driver has already been destroyed|pool after calling end/.test(error.message))
    return true
  if (code === 'ERR_SQLITE_ERROR') return /disk is full|disk I\/O|database is locked|readonly/.test(error.message)
  // Connection refused or cut; PostgreSQL classes 08 (connection), 53 (resources), 57P0x (shutting
  // down), 57014 (took too long).
  return (
    isUndoneForAnother(error) ||
    ['EIO', 'ENOSPC', 'ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN'].includes(code) ||
    /^(08|53)\w{3}$|^57P0\d$|^57014$/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/.test(
      error.message,
    )
  )
}

/** Whether PostgreSQL rolled a transaction back for a reason that a retry does not meet: a deadlock, for example. */
export const isUndoneForAnother = (error: unknown): boolean =>
  hasCode(error, '40P01') || hasCode(error, '40001') || hasOutdatedPlan(error)

/** Whether a kept plan no longer fits, because a migration has changed its table meanwhile (0A000). */
export const hasOutdatedPlan = (error: unknown): boolean =>
  hasCode(error, '0A000') && error instanceof Error && error.message.includes('cached plan')

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
