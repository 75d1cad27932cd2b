import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { ConfigError } from '../config.ts'
import { Codec, snake } from './codec.ts'
import type { Database } from './database.ts'
import { openLogSync } from './log-sync.ts'
import { isSessionWrite, type SessionRow, sessionRowSql, toSessionRow } from './session-row.ts'
import { addFunctions } from './sqlite-functions.ts'
import { openReader, type Reader } from './sqlite-reader.ts'
import type { Tables } from './tables.ts'

/** Statements kept prepared; the program has far fewer distinct ones. */
const statementLimit = 500

/**
 * Opens a SQLite file (or `:memory:`). What was answered survives a power cut: see `log-sync.ts`. A database in memory may
 * begin as the copy of another one, given as the bytes of its file.
 */
export function openSqlite(file: string, copyOf?: Uint8Array): Database {
  if (file !== ':memory:') makeFile(path.resolve(file))
  const connection = new SqliteConnection(file, copyOf)
  const log = file === ':memory:' ? undefined : openLogSync(path.resolve(file))
  const db = new Kysely<Tables>({ dialect: new SqliteDialect(connection), plugins: [new Codec()] })
  // A database in memory is seen by its one connection only.
  const reader = file === ':memory:' ? undefined : openReader(path.resolve(file))
  const readingDb = reader && new Kysely<Tables>({ dialect: new ReadingDialect(reader), plugins: [new Codec()] })
  return {
    dialect: 'sqlite',
    db,
    lists: { dialect: 'sqlite', db: readingDb ?? db },
    sessionVersion: () => connection.sessionVersion(),
    organizationVersion: () => connection.organizationVersion(),
    findSessionRow: (token) => connection.findSessionRow(token),
    flush: async () => log?.flush(),
    withoutTimeouts: (work) => work(db),
    // The same machine's clock; asked all the same, so that both databases are examined alike.
    now: async () => new Date(connection.now()),
    ping: async () => {
      connection.ping()
      // Reads would go on, but no write is acknowledged any more until a new start.
      if (log?.failure() !== undefined) throw log.failure()
    },
    close: async () => {
      await reader?.close()
      await db.destroy()
      log?.close()
      connection.close() // where nothing was asked yet, the query builder has nothing to close
    },
  }
}

/**
 * A new file, and the folders made for it, are for this user alone: people and what proves who they are lie in it. SQLite
 * gives the log beside it the same rights. What is there already stays as somebody has set it. Throws a `ConfigError` that
 * says what could not be made, and why.
 */
function makeFile(file: string): void {
  try {
    makeFolder(path.dirname(file))
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError([`DATABASE_URL names the file ${file}, which cannot be made: ${reason}`])
  }
}

/** One level after the other: where no folder can ever be made (`/proc`), Node's own recursion would never end. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const parent = path.dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process that starts at the same time may have been first.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** `node:sqlite` takes no booleans, dates or `undefined`. */
const bind = (value: unknown): SQLInputValue => {
  if (value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  return value instanceof Date ? value.toISOString() : (value as SQLInputValue) // numbers, text, null, bytes: as they are
}

type Prepared = {
  readonly statement: StatementSync
  readonly reads: boolean
  readonly writesSessions: boolean
  readonly writesOrganizations: boolean
}

/**
 * Whether a statement may change what is told of an organization as a whole. A new user is in none yet; what goes with a
 * row (foreign keys) is named by the row.
 */
export const isOrganizationWrite = (sql: string): boolean =>
  /^((insert|update|delete)\b[^"]*"(organization|member|invitation|team|team_member)"|(update|delete)\b[^"]*"user")/i.test(
    sql,
  )

// biome-ignore lint/correctness/useYield: the interface asks for a generator; nothing here streams
async function* noStreaming<R>(): AsyncIterableIterator<QueryResult<R>> {
  throw new Error('streaming is not used')
}

/** The one connection of this process: statements prepared once, one query or transaction after the other. */
class SqliteConnection implements DatabaseConnection {
  readonly #raw: DatabaseSync
  readonly #statements = new Map<string, Prepared>()
  readonly #dataVersion: StatementSync
  #sessionRow: StatementSync | undefined
  #sessionWrites = 0
  #organizationWrites = 0
  #touchesSessions = false
  #touchesOrganizations = false
  #inTransaction = false
  #queue: Promise<void> = Promise.resolve()
  #release: () => void = () => {}

  constructor(file: string, copyOf?: Uint8Array) {
    this.#raw = new DatabaseSync(file)
    if (copyOf) this.#raw.deserialize(copyOf)
    this.#raw.exec('pragma busy_timeout = 5000')
    this.#raw.exec(
      'pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 4000; pragma foreign_keys = on',
    )
    addFunctions(this.#raw)
    this.#dataVersion = this.#raw.prepare('pragma data_version')
    this.#dataVersion.setReturnArrays(true)
  }

  /** Waits for its turn; the one who has it must call `unlock`. */
  async lock(): Promise<void> {
    const before = this.#queue
    let release: () => void = () => {}
    this.#queue = new Promise((resolve) => {
      release = resolve
    })
    await before
    this.#release = release
  }

  unlock(): void {
    this.#release()
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { statement, reads, writesSessions, writesOrganizations } = this.#prepare(query.sql)
    const parameters = query.parameters.map(bind)
    if (writesSessions) this.#touchesSessions = true
    if (writesOrganizations) this.#touchesOrganizations = true
    try {
      if (reads) return { rows: statement.all(...parameters) as R[] }
      const { changes, lastInsertRowid } = statement.run(...parameters)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    } finally {
      if (!this.#inTransaction) this.#announce()
    }
  }

  streamQuery = noStreaming

  begin(): void {
    // Immediate: the write lock is taken at once, so a transaction never fails half-way to get it.
    this.#raw.exec('begin immediate')
    this.#inTransaction = true
  }

  commit(): void {
    this.#raw.exec('commit')
    this.#inTransaction = false
    this.#announce()
  }

  rollback(): void {
    // SQLite has already rolled back by itself after some errors (disk full, I/O).
    if (this.#raw.isTransaction) this.#raw.exec('rollback')
    this.#inTransaction = false
    this.#touchesSessions = false
    this.#touchesOrganizations = false
  }

  /**
   * Changes whenever a session answer may have changed: by a commit of this process that wrote to the tables behind it,
   * or by any commit of another process. Undefined while a transaction is open, when nothing may be taken from memory.
   */
  sessionVersion(): number | undefined {
    return this.#version(this.#sessionWrites)
  }

  /** The same for what is told of an organization as a whole. */
  organizationVersion(): number | undefined {
    return this.#version(this.#organizationWrites)
  }

  #version(ownWrites: number): number | undefined {
    if (this.#inTransaction) return undefined
    try {
      const [version] = this.#dataVersion.get() as unknown as [number] // an array, as set in the constructor
      // Both only grow; one number is cheaper to compare than a text.
      return ownWrites * 2 ** 32 + version
    } catch {
      return undefined // closed, or the disk fails: whoever reads next is told
    }
  }

  async findSessionRow(token: string): Promise<SessionRow | undefined> {
    // Inside somebody's transaction the row could be one that is never committed.
    if (this.#inTransaction) {
      await this.lock()
      this.unlock()
    }
    if (!this.#sessionRow) {
      this.#sessionRow = this.#raw.prepare(sessionRowSql('?'))
      this.#sessionRow.setReturnArrays(true)
    }
    const values = this.#sessionRow.get(token) as unknown as unknown[] | undefined // an array, as set above
    return values && toSessionRow(values)
  }

  now(): string {
    const { now } = this.#raw.prepare("select strftime('%Y-%m-%dT%H:%M:%fZ') as now").get() as { now: string } // one text
    return now
  }

  ping(): void {
    this.#raw.exec('select 1')
  }

  close(): void {
    if (this.#raw.isOpen) this.#raw.close()
  }

  #announce(): void {
    if (this.#touchesSessions) this.#sessionWrites += 1
    if (this.#touchesOrganizations) this.#organizationWrites += 1
    this.#touchesSessions = false
    this.#touchesOrganizations = false
  }

  #prepare(sql: string): Prepared {
    const kept = this.#statements.get(sql)
    if (kept) return kept
    const statement = this.#raw.prepare(sql)
    const prepared = {
      statement,
      reads: statement.columns().length > 0,
      writesSessions: isSessionWrite(sql),
      writesOrganizations: isOrganizationWrite(sql),
    }
    if (this.#statements.size < statementLimit) this.#statements.set(sql, prepared)
    return prepared
  }
}

/** `for update` and `for share` say nothing to SQLite, where a transaction has the whole database to itself. */
class QueryCompiler extends SqliteQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(snake(identifier))
  }

  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === undefined || !/^(For|NoWait|SkipLocked)/.test(node.modifier)) super.visitSelectModifier(node)
  }
}

/** Kysely's view of the connection. */
class SqliteDialect implements Dialect {
  readonly #connection: SqliteConnection

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  createAdapter = () => new SqliteAdapter()
  createQueryCompiler = () => new QueryCompiler()
  createIntrospector = (db: Kysely<unknown>) => new SqliteIntrospector(db)

  createDriver(): Driver {
    const connection = this.#connection
    return {
      init: async () => {},
      acquireConnection: async () => {
        await connection.lock()
        return connection
      },
      beginTransaction: async () => connection.begin(),
      commitTransaction: async () => connection.commit(),
      rollbackTransaction: async () => connection.rollback(),
      releaseConnection: async () => connection.unlock(),
      destroy: async () => connection.close(),
    }
  }
}

/** Kysely's view of the thread that reads lists: there is nothing but queries, any number of them at a time. */
class ReadingDialect implements Dialect {
  readonly #reader: Reader
  readonly #queries: DatabaseConnection

  constructor(reader: Reader) {
    this.#reader = reader
    this.#queries = {
      executeQuery: async <R>({ sql, parameters }: CompiledQuery) => ({
        rows: (await reader.all(sql, parameters.map(bind))) as R[],
      }),
      streamQuery: noStreaming,
    }
  }

  createAdapter = () => new SqliteAdapter()
  createQueryCompiler = () => new QueryCompiler()
  createIntrospector = (db: Kysely<unknown>) => new SqliteIntrospector(db)

  createDriver(): Driver {
    const refuse = async () => {
      throw new Error('lists are read outside transactions')
    }
    return {
      init: async () => {},
      acquireConnection: async () => this.#queries,
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
      releaseConnection: async () => {},
      destroy: () => this.#reader.close(),
    }
  }
}
