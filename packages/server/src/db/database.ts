import type { Kysely, Transaction } from 'kysely'
import { openPostgres } from './postgres.ts'
import type { SessionRow } from './session-row.ts'
import { openSqlite } from './sqlite.ts'
import type { Tables } from './tables.ts'

/** For reads. A write wants a `Tx`, so that one outside a transaction does not compile. */
export type Db = Kysely<Tables>
/** An open transaction; services get one from `ctx.transaction`. */
export type Tx = Transaction<Tables>

/**
 * For lists, and other reads that may look at a great many rows: on SQLite on a thread of its own, so that they hold up
 * nobody else. Never inside a transaction.
 */
export type Lists = Pick<Database, 'dialect' | 'db'>

/** One of the two databases, behind the only interface that the rest of the server knows. */
export type Database = {
  readonly dialect: 'sqlite' | 'postgres'
  readonly db: Db
  readonly lists: Lists
  /**
   * A number that changes whenever an answer about a session may have changed, through this process or another one;
   * undefined when that cannot be told, and nothing may be answered from memory.
   */
  sessionVersion(): number | undefined
  /** The same for what is told of an organization as a whole: itself, its members, invitations and teams. */
  organizationVersion(): number | undefined
  /** The session with this token and its user, in one indexed read. Expiry is the caller's to check. */
  findSessionRow(token: string): Promise<SessionRow | undefined>
  /** Resolves when everything committed so far survives a power cut; PostgreSQL has seen to it at the commit. */
  flush(): Promise<void>
  /** For work that may take long, such as a migration: everything else is ended when it takes too long. */
  withoutTimeouts<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** The database's own time, to compare clocks. */
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

/** Columns that callers tell apart, with their tables. */
const uniqueColumns = { email: 'user.email', username: 'user.username', slug: 'organization.slug' } as const

/**
 * Whether a failed statement failed because such a row exists already, or a row with the same value in the named column
 * (SQLite and PostgreSQL say it differently).
 */
export function isUniqueViolation(error: unknown, column?: keyof typeof uniqueColumns): boolean {
  if (!(error instanceof Error)) return false
  const { code, constraint } = error as { code?: unknown; constraint?: unknown } // what the drivers add, if it is theirs
  if (code === '23505') return column === undefined || constraint === `${uniqueColumns[column].replace('.', '_')}_key`
  const failed = code === 'ERR_SQLITE_ERROR' ? /UNIQUE constraint failed: (\S+)/.exec(error.message) : null
  return failed !== null && (column === undefined || failed[1] === uniqueColumns[column])
}

/** Whether a failure is the database being away or out of room, which a caller may try again later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  // Closed, as it is while the server stops.
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

/** Whether PostgreSQL has undone a transaction because it and another one were in each other's way: run again, it may do. */
export const isUndoneForAnother = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001')
