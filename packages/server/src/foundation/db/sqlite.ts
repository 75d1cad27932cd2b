import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  Kysely,
  type LimitNode,
  type QueryId,
  type QueryResult,
  type RootOperationNode,
  type SelectModifierNode,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type UnknownRow,
  type ValueNode,
} from 'kysely'
import { ConfigError } from '../config/config.ts'
import { forgetOldest, messageOf, namesOf } from '../proof/proven.ts'
import { Codec, createResultColumnRecorder, decodeRows, encoded, snake } from './codec.ts'
import type { Database } from './database.ts'
import { isBusy, type Pause, realPause, untilFree } from './foreign-lock.ts'
import { openLogSync } from './log-sync.ts'
import { readsAtOnce } from './prepared.ts'
import { isComparedFlag } from './query-tree.ts'
import { type SessionRow, sessionRowSql, toSessionRow } from './session-row.ts'
import { addFunctions } from './sqlite-functions.ts'
import { openReader, type Reader } from './sqlite-reader.ts'
import type { Tables } from './tables.ts'
import { WriteVersion } from './write-version.ts'
import { type AnswerKind, behind, changedBy, NoRawWrites } from './written-tables.ts'

/** The limit of prepared statements. Lists of values make texts without end, so the oldest give way. */
const statementLimit = 1000

/** For tests. */
type SqliteOptions = {
  /** The bytes of a database file, to start an in-memory database as its copy. */
  readonly copyOf?: Uint8Array
  /** Waits until another process releases the file. */
  readonly pause?: Pause
  /** The first version number. */
  readonly version?: number
}

/** Opens a SQLite file (or `:memory:`). Acknowledged writes survive a power cut: see `log-sync.ts`. */
export function openSqlite(file: string, options: SqliteOptions = {}): Database {
  if (file !== ':memory:') makeFile(path.resolve(file))
  const connection = new SqliteConnection(file, options)
  const log = file === ':memory:' ? undefined : openLogSync(path.resolve(file))
  const db = new Kysely<Tables>({ dialect: sqliteDialect(connection), plugins: [new Codec(), new NoRawWrites()] })
  readsAtOnce.set(db, (query) => {
    const rows = connection.readAtOnce(query)
    return rows && decodeRows(rows, query.queryId)
  })
  // An in-memory database has only one connection.
  const reader = file === ':memory:' ? undefined : openReader(path.resolve(file))
  const readingDb = reader && new Kysely<Tables>({ dialect: readingDialect(reader), plugins: [new Codec()] })
  return {
    dialect: 'sqlite',
    db,
    lists: { dialect: 'sqlite', db: readingDb ?? db },
    version: (kind) => connection.version(kind),
    findSessionRow: (token) => connection.findSessionRow(token),
    flush: async () => log?.flush(),
    withoutTimeouts: (work) => work(db),
    // The same machine's clock, still queried so that both databases get the same check.
    now: async () => new Date(connection.now()),
    ping: async () => {
      connection.ping()
      // Reads would succeed, but the server acknowledges no write until a restart.
      if (log?.failure() !== undefined) throw log.failure()
    },
    close: async () => {
      await reader?.close()
      await db.destroy()
      log?.close()
      connection.close() // an unused query builder has nothing to close
    },
  }
}

/**
 * Gives a new file and its new folders to this user alone: they hold personal data and credentials. SQLite gives the
 * log the same permissions. Existing permissions stay as the operator set them. Throws a `ConfigError` that names what
 * could not be made, and why.
 */
function makeFile(file: string): void {
  try {
    makeFolder(path.dirname(file))
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    throw new ConfigError([`DATABASE_URL names the file ${file}, which cannot be made: ${messageOf(error)}`])
  }
}

/** Level by level: where no folder can be made (`/proc`), Node's own recursion never ends. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const parent = path.dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // A process that starts at the same time may have made it first.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** `node:sqlite` takes no booleans, dates or `undefined`. */
const bind = (value: unknown): SQLInputValue => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.toISOString()
  return value instanceof Uint8Array ? value : String(encoded(value))
}

type Prepared = {
  readonly statement: StatementSync
  readonly reads: boolean
  /** The answers that it may change. */
  readonly changes: readonly AnswerKind[]
}

// biome-ignore lint/correctness/useYield: the interface asks for a generator; nothing here streams
async function* noStreaming<R>(): AsyncIterableIterator<QueryResult<R>> {
  throw new Error('streaming is not used')
}

/** The one connection of this process: it prepares statements once and runs one query or transaction at a time. */
class SqliteConnection implements DatabaseConnection {
  readonly #raw: DatabaseSync
  readonly #statements = new Map<string, Prepared>()
  readonly #dataVersion: StatementSync
  readonly #pause: Pause
  readonly #versions: ReadonlyMap<AnswerKind, WriteVersion>
  readonly #pendingChanges = new Set<AnswerKind>()
  #sessionRow: StatementSync | undefined
  #inTransaction = false
  #queue: Promise<void> = Promise.resolve()
  #release: () => void = () => {}

  constructor(file: string, { copyOf, pause = realPause, version }: SqliteOptions) {
    this.#pause = pause
    this.#versions = new Map(namesOf(behind).map((kind) => [kind, new WriteVersion(version)]))
    this.#raw = new DatabaseSync(file)
    if (copyOf) this.#raw.deserialize(copyOf)
    // The server answers nothing while the file opens. From then on no other process's lock blocks the event loop.
    this.#raw.exec('pragma busy_timeout = 5000')
    this.#raw.exec(
      'pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 4000; pragma foreign_keys = on',
    )
    this.#raw.exec('pragma busy_timeout = 0')
    addFunctions(this.#raw)
    this.#dataVersion = this.#raw.prepare('pragma data_version')
    this.#dataVersion.setReturnArrays(true)
  }

  /** Waits for its turn; each holder must call `unlock`. */
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
    // A transaction holds the write lock from its start, so it never waits.
    return this.#inTransaction ? this.#run(query) : untilFree(() => this.#run<R>(query), this.#givingWay)
  }

  streamQuery = noStreaming

  /**
   * A `select`'s rows without waiting for a turn: the statement runs to its end on this thread. Undefined for other
   * statements, during a transaction, whose changes may be undone, and while another process locks the file.
   */
  readAtOnce(query: CompiledQuery): UnknownRow[] | undefined {
    if (this.#inTransaction || !SelectQueryNode.is(query.query)) return undefined
    try {
      return this.#prepare(query).statement.all(...query.parameters.map(bind))
    } catch (error) {
      if (isBusy(error)) return undefined
      throw error
    }
  }

  /** Takes the write lock at once, so that a transaction never fails half-way to get it. */
  async begin(): Promise<void> {
    await untilFree(() => this.#raw.exec('begin immediate'), this.#givingWay)
    this.#inTransaction = true
  }

  async commit(): Promise<void> {
    // The transaction stays open during the retries, so the connection stays locked.
    await untilFree(() => this.#raw.exec('commit'), this.#pause)
    this.#inTransaction = false
    this.#announce()
  }

  rollback(): void {
    // SQLite already rolls back after some errors (disk full, I/O).
    if (this.#raw.isTransaction) this.#raw.exec('rollback')
    this.#inTransaction = false
    this.#pendingChanges.clear()
  }

  /**
   * Changes when an answer of this kind may have changed: by a commit here that wrote to its tables, or any commit of
   * another process. Undefined inside a transaction, when no answer may come from memory.
   */
  version(kind: AnswerKind): number | undefined {
    if (this.#inTransaction) return undefined
    try {
      const version: unknown = this.#dataVersion.get() // an array, as set in the constructor
      return Array.isArray(version) ? this.#versions.get(kind)?.at(Number(version[0])) : undefined
    } catch {
      return undefined // closed, or a disk failure: the next read reports it
    }
  }

  async findSessionRow(token: string): Promise<SessionRow | undefined> {
    // Inside an open transaction the row might never be committed.
    if (this.#inTransaction) {
      await this.lock()
      this.unlock()
    }
    if (!this.#sessionRow) {
      this.#sessionRow = this.#raw.prepare(sessionRowSql('?'))
      this.#sessionRow.setReturnArrays(true)
    }
    const values: unknown = this.#sessionRow.get(token) // an array, as set above
    return Array.isArray(values) ? toSessionRow(values) : undefined
  }

  now(): string {
    return String(this.#raw.prepare("select strftime('%Y-%m-%dT%H:%M:%fZ') as now").get()?.now)
  }

  ping(): void {
    this.#raw.exec('select 1')
  }

  close(): void {
    if (this.#raw.isOpen) this.#raw.close()
  }

  /** Between two attempts other callers may use the connection. */
  readonly #givingWay: Pause = async (milliseconds) => {
    this.unlock()
    await this.#pause(milliseconds)
    await this.lock()
  }

  #run<R>(query: CompiledQuery): QueryResult<R> {
    const { statement, reads, changes } = this.#prepare(query)
    const parameters = query.parameters.map(bind)
    for (const kind of changes) this.#pendingChanges.add(kind)
    try {
      if (reads) return { rows: statement.all(...parameters) as R[] } // kysely's type of this query's rows
      const { changes: affected, lastInsertRowid } = statement.run(...parameters)
      return { rows: [], numAffectedRows: BigInt(affected), insertId: BigInt(lastInsertRowid) }
    } finally {
      if (!this.#inTransaction) this.#announce()
    }
  }

  #announce(): void {
    if (this.#pendingChanges.size === 0) return
    for (const kind of this.#pendingChanges) this.#versions.get(kind)?.raise()
    this.#pendingChanges.clear()
  }

  #prepare({ sql, query }: CompiledQuery): Prepared {
    const kept = this.#statements.get(sql)
    if (kept) return kept
    const statement = this.#raw.prepare(sql)
    const prepared = { statement, reads: statement.columns().length > 0, changes: changedBy(query) }
    this.#statements.set(sql, prepared)
    if (this.#statements.size > statementLimit) forgetOldest(this.#statements)
    return prepared
  }
}

/** Drops `for update` and `for share`: a SQLite transaction locks the whole database. */
class QueryCompiler extends SqliteQueryCompiler {
  readonly #recorded = createResultColumnRecorder()

  override compileQuery<Row>(node: RootOperationNode, queryId: QueryId): CompiledQuery<Row> {
    return this.#recorded(super.compileQuery(node, queryId))
  }

  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(snake(identifier))
  }

  /** SQLite prepares a statement again for each run while a parameter may decide whether a partial index serves it. */
  protected override visitValue(node: ValueNode): void {
    if (isComparedFlag(node, this.parentNode)) this.appendImmediateValue(node.value)
    else super.visitValue(node)
  }

  /** With a bare `limit ?` SQLite would prepare the statement again for each run, because the number may change its plan. */
  protected override visitLimit({ limit }: LimitNode): void {
    this.append('limit cast(')
    this.visitNode(limit)
    this.append(' as integer)')
  }

  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === undefined || !/^(For|NoWait|SkipLocked)/.test(node.modifier)) super.visitSelectModifier(node)
  }
}

/** The connection has its own queue and leaves it while it waits for another process; Kysely's would block reads. */
class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

const dialectOf = (adapter: DialectAdapter, driver: Driver): Dialect => ({
  createAdapter: () => adapter,
  createQueryCompiler: () => new QueryCompiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createDriver: () => driver,
})

/** Kysely's view of the connection. */
const sqliteDialect = (connection: SqliteConnection): Dialect =>
  dialectOf(new Adapter(), {
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
  })

/** Kysely's view of the list reader's thread: only queries, any number concurrently. */
function readingDialect(reader: Reader): Dialect {
  const queries: DatabaseConnection = {
    executeQuery: async <R>({ sql, parameters }: CompiledQuery) => ({
      rows: (await reader.all(sql, parameters.map(bind))) as R[], // kysely's type of this query's rows
    }),
    streamQuery: noStreaming,
  }
  const refuse = async () => {
    throw new Error('lists are read outside transactions')
  }
  return dialectOf(new SqliteAdapter(), {
    init: async () => {},
    acquireConnection: async () => queries,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: async () => {},
    destroy: () => reader.close(),
  })
}
